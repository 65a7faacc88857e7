"""The tables of docs/imports.md, from the declared columns: `python -m tests.ratings.imports_document` writes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import django

DOCUMENT = Path(__file__).parents[2] / "docs" / "imports.md"
MARK = "<!-- from here on written by tests/ratings/imports_document.py -->\n"


def tables() -> str:
    from ratings.imports import game_rows, person_rows, players
    from ratings.imports.columns import ImportColumn
    from tournaments import imports as entries

    def table(title: str, columns: Iterable[ImportColumn]) -> Iterator[str]:
        yield f"\n### {title}\n"
        yield "| column | its headings |"
        yield "|---|---|"
        for column in columns:
            yield f"| {column.label} | {' · '.join(filter(None, column.headings))} |"

    groups = {
        "Of a game": game_rows.GAME,
        "Of a seat; in the wide form each with a wind before or after it": game_rows.SEAT,
        "In the long form only": (game_rows.ROUND, game_rows.WIND),
        "Of lists of people": person_rows.PERSON,
        "Of a list of players": players.COLUMNS,
        "Of a list of entries": entries.COLUMNS,
    }
    return "\n".join(line for title, columns in groups.items() for line in table(title, columns))


def document() -> str:
    head, mark, _old = DOCUMENT.read_text("utf-8").partition(MARK)
    return head + mark + tables() + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    DOCUMENT.write_text(document(), "utf-8")
