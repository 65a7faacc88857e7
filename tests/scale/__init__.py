"""A season as large as any club will ever have, made by bulk inserts of exactly what the services would write.

`python -m tests.scale` makes one in a SQLite file under var/ (or in any database); `store.ready` gives benches that
file, which is made once and kept.
"""
