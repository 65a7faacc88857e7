"""An event as files: its workbook (`event.write`) and the results for the European ranking (`ema`)."""
