"""New databases for single tests, of the engine under test: a SQLite file, or one on the server of DATABASE_URL."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg


def on_postgres() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


@contextmanager
def own_database(place: Path) -> Iterator[str]:
    """The address of an empty database. On PostgreSQL it is dropped afterwards; a file goes with its directory."""
    if not on_postgres():
        yield sqlite_file(place)
        return
    server, name = os.environ["DATABASE_URL"], f"own_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as there:
        there.execute(f"CREATE DATABASE {name}".encode())
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as there:
            there.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def sqlite_file(place: Path) -> str:
    return f"sqlite:///{place / f'{secrets.token_hex(6)}.sqlite3'}"


@contextmanager
def connected(url: str) -> Iterator[Any]:
    """A plain connection whose `execute` takes SQL without parameters; changes are committed at the end."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(unquote(urlsplit(url).path[1:] or ""), timeout=30)) as file, file:
            yield file
    else:
        with psycopg.connect(url) as connection:
            yield connection


def values(url: str, query: str) -> list[Any]:
    with connected(url) as database:
        return [row[0] for row in database.execute(query).fetchall()]
