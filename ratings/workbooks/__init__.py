"""A season as a workbook. docs/workbook.md describes its sheets; `season.write` writes it."""
