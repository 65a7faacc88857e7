"""Imports of files: a file is read, mapped, planned and written, and can be undone as a whole.

The lower modules read files and use no database: `limits`, `sheets`, `xlsx`, `read`, `values`, `columns` and the
`*_rows`. The upper ones are services. `kinds` defines what a kind of import is; each kind is one class in a module of
its own, registered in `AppConfig.ready()`.
"""
