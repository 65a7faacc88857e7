"""Speed, as ratios measured in one run: `make bench`, or `python -m tests.bench NAME …` for some.

A bench is a module of this package with a function `bench() -> Iterator[Line]`: it yields what it measured, line
by line, and never fails because something is slow. Helpers for all benches are in `measure`; to add a bench, add a
file. Modules without that function are ignored.
"""
