"""Pages as a reader sees them: tables as rows of cells with their text and links.

Blanks that only lay out a template are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


def with_single_blanks(text: str) -> str:
    """Replace several blanks by one, as a browser shows them."""
    return re.sub(r"[ \t\r\n]+", " ", text)


def tight(page: str) -> str:
    """Use single blanks, and no blanks beside a tag: `<th> Now </th>` becomes `<th>Now</th>`."""
    return re.sub(r" *(<[^>]*>) *", r"\1", with_single_blanks(page))


@dataclass
class Cell:
    attributes: dict[str, str]
    text: str = ""
    links: list[str] = field(default_factory=list)


@dataclass
class Table:
    kind: str  # its class
    heads: list[Cell] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)

    def column(self, number: int) -> list[str]:
        return [row[number].text for row in self.rows]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.in_head = False
        self.cell: Cell | None = None
        self.unseen = 0  # depth within elements that are only for screen readers, or hidden from them

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "table":
            self.tables.append(Table(attributes.get("class", "")))
        elif tag in ("thead", "tbody"):
            self.in_head = tag == "thead"
        elif tag == "tr" and not self.in_head and self.tables:
            self.tables[-1].rows.append([])
        elif tag in ("td", "th") and self.tables:
            self.cell = Cell(attributes)
            table = self.tables[-1]
            (table.heads if self.in_head else table.rows[-1]).append(self.cell)
        elif self.cell is not None:
            self._inside(tag, attributes)

    def _inside(self, tag: str, attributes: dict[str, str]) -> None:
        assert self.cell is not None
        if tag == "a":
            self.cell.links.append(attributes.get("href", ""))
        if tag == "svg" and "aria-label" in attributes:
            self.cell.text += attributes["aria-label"]
        if tag == "span" and (self.unseen or "alt" in attributes.get("class", "").split()):
            self.unseen += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            if self.cell is not None:
                self.cell.text = with_single_blanks(self.cell.text).strip(" ")
            self.cell = None
        elif tag == "span" and self.unseen:
            self.unseen -= 1

    def handle_data(self, data: str) -> None:
        if self.cell is not None and not self.unseen:
            self.cell.text += data


def tables(body: bytes) -> dict[str, Table]:
    """The tables of a page by the last word of their class: board, under-min, games …"""
    reader = _Reader()
    reader.feed(body.decode())
    return {table.kind.split()[-1] if table.kind else "": table for table in reader.tables}
