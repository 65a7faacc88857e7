"""Old spreadsheets on their way in: files read within limits, rows recognised, cells turned into facts.

Knows files, headings and what people type into cells. Knows no database, no user and no clock of its own: who the
names are, whether a game fits its season and what is written is for `ratings.services.imports`.
"""
