"""A full disk, simulated by a limit on file sizes: a clear message, and no half-written file replaces a good one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults import results
from tests.faults.site import POSTGRES, Site
from tests.faults.visitor import Visitor

pytestmark = pytest.mark.faults
ROOM = 40_000  # bytes: SQLite's own small files fit, none of ours does
SAID = re.compile(r"(cannot|could not) be written: \w|pg_dump gave up: File size limit")
GOOD = b"the good file of yesterday"


def leftovers(site: Site) -> list[Path]:
    """Temporary files of unfinished workbooks."""
    return list(site.temporary.iterdir())


def files(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_backups_and_exports_say_so_and_keep_what_was_there(site: Site, tmp_path: Path) -> None:
    scene = site.ask("tests.faults.scenes", "archive")
    commands: dict[tuple[str, ...], int] = {("backup",): ROOM, ("export", "season", scene["season"], "-o"): ROOM}
    if site.engine == POSTGRES:  # the files of an event are smaller than those that SQLite needs for itself
        kinds = (("event",), ("tournament",), ("ema", "--draft"))
        commands |= {("export", kind, *more, scene["event"], "-o"): 1_000 for kind, *more in kinds}
    for number, (command, room) in enumerate(commands.items()):
        place = tmp_path / f"disk {number}"
        place.mkdir()
        if command[0] == "export":
            (place / "file").write_bytes(GOOD)  # not for a backup: it refuses an existing file, which other tests check
        kept = files(place)
        done = site.manage(*command, place / "file", limit=room)
        assert done.returncode != 0, command
        assert SAID.search(done.stderr), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        assert files(place) == kept
        assert leftovers(site) == []
    results.keep(f"disk-commands-{site.engine}", commands=len(commands))


def test_a_visitor_who_asks_for_a_workbook_is_told(site: Site) -> None:
    scene = site.ask("tests.faults.scenes", "archive")
    with site.serve(workers=1, limit=ROOM) as server:
        visitor = Visitor(server.base)
        for address in ("workbook.xlsx", "games/?export=xlsx"):
            answer = visitor.get(f"{scene['page']}{address}")
            assert answer.status == 507, f"{address}: {answer.status}"
            assert "disk of this site is full" in answer.text
            assert "Traceback" not in answer.text
        assert leftovers(site) == []
        assert visitor.get(scene["page"]).status == 200
    results.keep(f"disk-pages-{site.engine}", pages=2)
