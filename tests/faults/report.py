"""`python -m tests.faults.report`: makes docs/reliability.md from what the fault and load runs measured last.

Every row names its test. A row without a measurement is an error: run the missing test first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.faults import results

PAGE = results.ROOT / "docs" / "reliability.md"
ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "postgresql": "PostgreSQL"}

HEAD = """# What was done to the site on purpose, and what came of it

Made by `make reliability` from what the last `make test-faults`, `make test`, `make test-postgres` and `make load`
measured; not written by hand. Every row is a test, and fails when its last column would not hold.

| What was tried | Test | On | Measured |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """One row of the report: `result` is the file that its test writes, `says` puts its figures into words."""

    tried: str
    test: str
    engine: str
    result: str
    says: Callable[[dict[str, Any]], str]


def _contention(found: dict[str, Any]) -> str:
    return (
        f"{found['requests']} requests in {found['seconds']} s: {found['entered']} games entered, "
        f"{found['corrected']} corrected, {found['voided']} voided, {found['restored']} restored, "
        f"{found['conflicts']} conflicts shown as such; no error, no lost update, `rebuild --check` clean; "
        f"slowest answer {found['slowest']:.1f} s"
    )


def _kills(found: dict[str, Any]) -> str:
    return (
        f"killed at {found['kills']} places of {found['statements']} statements, before and after the commit too: "
        "always the old state or the new one, and the same command finished the job"
    )


def _fuzz(found: dict[str, Any]) -> str:
    return (
        f"{found['requests']} requests with nonsense, drawn anew in each run, for {found['fields']} fields of "
        f"{found['forms']} forms, {found['parameters']} parameters and the parts of every address: no 500"
    )


def _markup(found: dict[str, Any]) -> str:
    return (
        f"{found['fields']} text fields hostile, {found['shown']} of them met on {found['pages']} pages and paper, "
        f"{found['workbooks']} workbooks, {found['csv']} CSV files: no element, no attribute, no formula came alive"
    )


def _load(found: dict[str, Any]) -> str:
    p95 = ", ".join(f"{kind} {ratio}×" for kind, ratio in found["p95"].items() if kind != "all")
    first, last = found["memory"]
    return (
        f"{found['requests']} requests, {found['entries']} of them entries, {found['errors']} errors; requests per "
        f"second {found['per_second']}× those of an empty view, p95 {found['p95']['all']}× its p95 ({p95}); "
        f"memory of a worker {first} MB after warming up, {last} MB at the end"
    )


def _both(tried: str, test: str, result: str, says: Callable[[dict[str, Any]], str], *engines: str) -> list[Row]:
    return [Row(tried, test, ENGINES[engine], f"{result}-{engine}", says) for engine in engines]


BOTH = ("sqlite", "postgres")
ORDINARY = ("sqlite", "postgresql")  # tests of the ordinary suite name the engine as Django does
ROWS = [
    *_both(
        "Four processes enter, correct, void and restore games at once through the site's forms",
        "test_contention",
        "contention",
        _contention,
        *BOTH,
    ),
    Row(
        "Two games of the same players, the second started before the first commits",
        "test_interleaving",
        "PostgreSQL",
        "interleaving-postgres",
        lambda found: "the second waited for the first, and both games are in every standing",
    ),
    Row(
        "The same order without the season's lock, to see that the test can fail",
        "test_interleaving",
        "PostgreSQL",
        "interleaving-unlocked",
        lambda found: f"{found['lost']} games lost from standings",
    ),
    *_both(
        "Games, drafts, corrections, imports, penalties and entries against a merge of their player, and games against "
        "a change of their rules, each in both orders, the second started before the first commits",
        "test_races",
        "races",
        lambda found: (
            f"{found['orders']} orders: nothing left on a player merged away, no result that disagrees with its rules, "
            "`rebuild --check` clean"
        ),
        *BOTH,
    ),
    *_both("kill −9 during an import", "test_kills", "kill-import", _kills, *BOTH),
    *_both("kill −9 during a season's replay", "test_kills", "kill-replay", _kills, *BOTH),
    *_both("kill −9 while a round is confirmed", "test_kills", "kill-confirm", _kills, *BOTH),
    *_both(
        "Disk full during backup and export",
        "test_disk_full",
        "disk-commands",
        lambda found: (
            f"{found['commands']} commands: a sentence and no trace, the good file untouched, nothing half left behind"
        ),
        *BOTH,
    ),
    *_both(
        "Disk full while a visitor asks for a workbook",
        "test_disk_full",
        "disk-pages",
        lambda found: f"{found['pages']} kinds of file: a page that says so (507), other pages go on",
        *BOTH,
    ),
    Row(
        "Database stopped at once and started again while four people write",
        "test_restart",
        "PostgreSQL",
        "restart-postgres",
        lambda found: (
            f"{found['restarts']} restarts: {found['away']} answers said that the database does not answer (503), "
            f"all {found['written']} acknowledged writes are there once, `rebuild --check` clean"
        ),
    ),
    Row(
        "Redis killed, started again, stopped from answering",
        "test_cache_down",
        "SQLite",
        "cache-down",
        lambda found: (
            f"{found['pages']} pages after {found['games']} games all right, the slowest in {found['slowest']} s"
        ),
    ),
    *_both(
        "Eight imports at once, two workers",
        "test_queue",
        "queue-bounds",
        lambda found: (
            f"in {found['samples']} samples never more than {found['most']} ran, the bound; all {found['imports']} "
            f"finished, {found['games']} games are there once, `rebuild --check` clean"
        ),
        *BOTH,
    ),
    *_both(
        "kill −9 of a worker whose import computes, whose import writes; an import that a dead worker had only taken",
        "test_queue",
        "queue-kills",
        lambda found: (
            f"{found['phases']} phases: each import ran once, and another worker took what waited; "
            f"{found['games']} games of {found['imports']} files are there once, `rebuild --check` clean"
        ),
        *BOTH,
    ),
    *_both(
        "kill −9 of the process of an import that computes, that writes",
        "test_queue",
        "queue-process",
        lambda found: f"{found['kills']} kills: failed at once, the old data",
        *BOTH,
    ),
    *_both(
        "Worker restarted while idle and while it writes an import; server and worker restarted while it computes",
        "test_queue",
        "queue-restart",
        lambda found: (
            f"{found['restarts']} restarts: exit code 0, no process left, the import waited and then ran once; "
            f"{found['games']} games are there once, `rebuild --check` clean"
        ),
        *BOTH,
    ),
    *_both(
        "Emails due at the same moment, two workers",
        "test_queue",
        "queue-due",
        lambda found: (
            f"each of {found['tasks']} was sent once, by the workers {' and '.join(map(str, found['shares']))}"
        ),
        *BOTH,
    ),
    *_both(
        "Repeated work after an outage, two workers started at once",
        "test_queue",
        "queue-repeated",
        lambda found: (
            f"{found['outages']} outages of {found['periods']} periods: it ran once after each, and is planned once"
        ),
        *BOTH,
    ),
    Row(
        "Database stopped at once and started again under a worker with an import and an email",
        "test_queue",
        "PostgreSQL",
        "queue-database-postgres",
        lambda found: (
            f"the import failed and left the old data, the email was tried again, the same worker imported "
            f"{found['games']} games afterwards"
        ),
    ),
    Row(
        "`manage.py start` ended by Ctrl-C, SIGTERM and kill −9, also in the middle of an import",
        "test_queue",
        "SQLite",
        "queue-start-sqlite",
        lambda found: f"{found['ends']} ends: no process left; the import waited and then ran once",
    ),
    *_both("Nonsense in every form field, URL and URL parameter", "test_fuzz", "fuzz", _fuzz, *ORDINARY),
    *_both("Markup and formulas in every text field", "test_stored_markup", "markup", _markup, *ORDINARY),
    Row("Nine readers to one writer on 100 000 hanchans, 2 000 players", "make load", "SQLite", "load", _load),
]


def line(row: Row, found: dict[str, Any]) -> str:
    return f"| {row.tried} | {row.test} | {row.engine} | {row.says(found)} |"


def main() -> None:
    found = {row.result: results.read(row.result) for row in ROWS}
    missing = sorted(name for name, figures in found.items() if figures is None)
    if missing:
        sys.exit(f"Not measured yet: {', '.join(missing)}. Run the suite that does it, then this again.")
    PAGE.write_text(HEAD + "\n".join(line(row, found[row.result] or {}) for row in ROWS) + "\n")
    print(f"{len(ROWS)} rows in {PAGE.relative_to(results.ROOT)}")


if __name__ == "__main__":
    main()
