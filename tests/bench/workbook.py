"""What writing a season as a workbook costs against openpyxl writing the same cells with the same number formats, and
how much memory 100 000 games take.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import connection
from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from ratings.models import Season
from ratings.workbooks import season as book
from tests.bench.measure import Figure, Line, Mark, medians, open_scale, timed
from tests.scale import store

HANCHANS, PLAYERS = 5_001, 400  # one game too many for a sheet of checks, whose formulas would have no value to compare
MOST_TIMES, MOST_MEMORY = 1.3, 150
ROOT = Path(__file__).resolve().parents[2]
MEASURE = """
import sys, django
django.setup()
from tests.bench.workbook import measure_memory
measure_memory(sys.argv[1])
"""

Cells = list[tuple[str, list[list[tuple[Any, str]]]]]  # title of a sheet, its rows of values with number formats


def bench() -> Iterator[Line]:
    open_scale(hanchans=HANCHANS, players=PLAYERS)
    season = Season.objects.select_related("club", "rule_set").get(club__slug="large")
    cells = read_cells(season)
    count = sum(len(row) for _title, rows in cells for row in rows)
    ours, plain = medians(lambda: export(season), lambda: write_plainly(cells), times=3, warm_up=1)
    yield Figure("workbook", f"{HANCHANS} games, {count} cells: {ours:.1f} s; openpyxl alone {plain:.1f} s")
    yield Mark("workbook against openpyxl writing the same cells", ours / plain, at_most=MOST_TIMES)
    yield from memory()


def export(season: Season) -> bytes:
    file = io.BytesIO()
    book.write(season, file, sees_hidden=True)
    return file.getvalue()


def read_cells(season: Season) -> Cells:
    found = load_workbook(io.BytesIO(export(season)), read_only=True)
    return [
        (
            sheet.title,
            [[(cell.value, getattr(cell, "number_format", "General")) for cell in row] for row in sheet.iter_rows()],
        )
        for sheet in found.worksheets
    ]


def write_plainly(cells: Cells) -> None:
    """The usual way to stream cells with number formats through openpyxl."""
    plain = Workbook(write_only=True)
    for title, rows in cells:
        sheet = plain.create_sheet(title)
        for row in rows:
            sheet.append([formatted(sheet, value, number_format) for value, number_format in row])
    plain.save(io.BytesIO())


def formatted(sheet: Any, value: Any, number_format: str) -> Any:
    if value is None or number_format == "General":
        return value
    cell = WriteOnlyCell(sheet, value)
    cell.number_format = number_format
    return cell


def memory() -> Iterator[Line]:
    """Measure the memory in a separate process, with the season of 100 000 games."""
    path = store.ready()
    connection.close()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'large.sqlite3'}"
        (Path(folder) / "large.sqlite3").write_bytes(path.read_bytes())
        command = [sys.executable, "-c", MEASURE, str(Path(folder) / "large.xlsx")]
        said = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"DATABASE_URL": url}, check=True, capture_output=True, text=True
        )
    seconds, megabytes, size = said.stdout.split()
    yield Figure("workbook of 100 000 games", f"{float(seconds):.0f} s, {float(size):.0f} MB on disk")
    yield Mark("workbook of 100 000 games: memory", float(megabytes), at_most=MOST_MEMORY, unit=" MB")


def peak_of_this_process() -> float:
    """Megabytes. Not ru_maxrss, which remembers the process that started this one."""
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def measure_memory(name: str) -> None:
    target = Path(name)
    season = Season.objects.select_related("club", "rule_set").get(club__slug="large")
    with target.open("w+b") as file:
        seconds = timed(lambda: book.write(season, file, sees_hidden=True))
    print(seconds, peak_of_this_process(), target.stat().st_size / 1e6)
