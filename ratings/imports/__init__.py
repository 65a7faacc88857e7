"""Files on their way in: read, mapped, planned, written, and taken back as a whole.

The lower modules read files and know no database: `limits`, `sheets`, `xlsx`, `read`, `values`, `columns` and the
`*_rows`. The upper ones are services. `kinds` says what a kind of import is; each kind is one class in a module of its
own, registered in `AppConfig.ready()`.
"""
