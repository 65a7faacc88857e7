"""Columns, sorting and cells of every list; what stands in the rows is fetched by `queries`."""
