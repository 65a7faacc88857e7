"""A season as a workbook, sheet by sheet as docs/workbook.md describes; `season.write` is the way in."""
