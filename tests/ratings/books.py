"""Our own workbooks, written and read again by tests."""

from __future__ import annotations

import io
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from ratings.models import Season
from ratings.workbooks import season as workbook

Rows = list[dict[str, Any]]
SAME = ("umaoka_games", "umaoka_players", "umaoka_penalties", "umaoka_rules")  # after an export and an import


def exported(season: Season) -> bytes:
    file = io.BytesIO()
    workbook.write(Season.objects.select_related("club", "rule_set").get(pk=season.pk), file, sees_hidden=True)
    return file.getvalue()


def cells(content: bytes, name: str) -> list[tuple[Any, ...]]:
    book = load_workbook(io.BytesIO(content))
    title = str(book.defined_names[name].attr_text).rpartition("!")[0].strip("'")
    return list(book[title].iter_rows(values_only=True))


def rows_of(workbook: Any, name: str) -> Rows:
    """A sheet found as a program finds it: by its defined name."""
    title, area = workbook.defined_names[f"umaoka_{name}"].attr_text.rsplit("!", 1)
    left, top, right, bottom = range_boundaries(area.replace("$", ""))
    sheet = workbook[title.strip("'").replace("''", "'")]
    values = list(sheet.iter_rows(top, bottom, left, right, values_only=True))
    return [dict(zip(values[0], row, strict=True)) for row in values[1:]]
