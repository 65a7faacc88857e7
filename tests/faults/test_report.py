"""The table in docs/reliability.md has a row for every test, and was made by its command."""

from __future__ import annotations

from tests.faults.report import HEAD, PAGE, ROWS


def test_the_page_has_exactly_the_rows_of_the_report() -> None:
    head, _rule, table = PAGE.read_text().partition("|---|---|---|---|\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]

    assert head == HEAD.partition("|---|")[0], "run `make reliability`"
    assert [row[:3] for row in rows] == [[row.tried, row.test, row.engine] for row in ROWS], "run `make reliability`"
    assert all(row[3] for row in rows)
