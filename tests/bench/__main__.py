"""`python -m tests.bench [NAME …]`: runs the benches and prints each line as it is measured."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import django

import tests.bench

NO_BENCH = ("__main__", "measure")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=tests.bench.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a module of tests/bench; all benches without one")
    wanted = parser.parse_args().names
    with tempfile.TemporaryDirectory(prefix="umaoka-bench-") as folder:
        # A database file for this run only: benches write to it, and the user's own data is not touched.
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        os.environ["UMAOKA_ENV"] = "local"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
        django.setup()
        for name, bench in benches(wanted):
            run(name, bench)
        from django.db import connection

        connection.close()


def benches(wanted: list[str]) -> Iterator[tuple[str, Callable[[], Iterator[object]]]]:
    names = [module.name for module in pkgutil.iter_modules(tests.bench.__path__) if module.name not in NO_BENCH]
    unknown = set(wanted) - set(names)
    if unknown:
        sys.exit(f"There is no bench {', '.join(sorted(unknown))}; there are {', '.join(names)}.")
    for name in wanted or names:
        bench = getattr(importlib.import_module(f"tests.bench.{name}"), "bench", None)
        if bench is not None:
            yield name, bench
        elif wanted:
            sys.exit(f"tests/bench/{name}.py has no function bench(); it is not run from here.")


def run(name: str, bench: Callable[[], Iterator[object]]) -> None:
    print(name, flush=True)
    for line in bench():
        print(f"  {line}", flush=True)


if __name__ == "__main__":
    main()
