"""Files of an event: its workbook (`event.write`) and the results for the European ranking (`ema`)."""
