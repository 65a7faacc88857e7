"""Lines between ranks: a race over many days, and a slope from one order to another (LOOK: Parts, Chart).

Every place has a row of one height. The drawing holds the lines alone and is stretched; the names are ordinary text in
rows of the same height beside it, so they never shrink and may wrap. Nothing in it takes the keyboard: a table with the
same numbers is beside the picture. The module does not know players, games or the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite.numbers import MISSING

STEP = 100  # width of a step and height of a row, in units of the stretched drawing
KINDS = 8  # lines of the stylesheet: four colours, each whole and dashed


@dataclass(frozen=True, slots=True)
class RaceLine:
    """One runner: the name as markup, and for each day the place in the order and the rank as it is written."""

    name: SafeString
    places: Sequence[int | None]  # 1 is on top; None while there is no rank
    ranks: Sequence[str]


def race(days: Sequence[str], lines: Sequence[RaceLine], *, title: str, note: str) -> SafeString:
    """Places over days, the best at the end on top. A line below the last row shown runs along the bottom."""
    if len(days) < 2 or not lines:
        return SafeString()
    rows = len(lines) + 1
    drawn = "".join(_runner(number, line.places, rows) for number, line in enumerate(lines))
    names = "".join(f"<li><b>{escape(line.ranks[-1])}</b><span>{line.name}</span></li>" for line in lines)
    ends = f"<span>{escape(days[0])}</span><span>{escape(days[-1])}</span>"
    return SafeString(
        f'<figure class="race"><figcaption><h2>{escape(title)}</h2><p class="soft">{escape(note)}</p></figcaption>'
        f'<div class="race-plot">{_drawing(drawn, len(days), rows)}<ol>{names}</ol></div>'
        f'<p class="race-ends" aria-hidden="true">{ends}</p>{_as_table(title, days, lines)}</figure>'
    )


def _drawing(lines: str, days: int, rows: int) -> str:
    """Hairlines between the rows belong to the stylesheet; here are only the lines."""
    width, height = (days - 1) * STEP, rows * STEP
    return (
        f'<div class="rank-lines"><svg viewBox="0 0 {width} {height}" preserveAspectRatio="none" '
        f'aria-hidden="true">{lines}</svg></div>'
    )


def _runner(number: int, places: Sequence[int | None], rows: int) -> str:
    """The line of a runner, in as many parts as there are stretches with a rank."""
    kind = f"rank-line line-{number % KINDS + 1}"
    return "".join(f'<polyline class="{kind}" points="{part}"/>' for part in _stretches(places, rows))


def _stretches(places: Sequence[int | None], rows: int) -> Iterator[str]:
    for ranked, part in groupby(enumerate(places), key=lambda day: day[1] is not None):
        if ranked:
            yield " ".join(f"{day * STEP},{_middle(place or 0, rows)}" for day, place in part)


def _middle(place: int, rows: int) -> int:
    return min(place, rows) * STEP - STEP // 2


def _as_table(title: str, days: Sequence[str], lines: Sequence[RaceLine]) -> str:
    heads = "".join(f'<th scope="col" class="numeric">{escape(day)}</th>' for day in days)
    rows = "".join(
        f'<tr><th scope="row">{line.name}</th>'
        + "".join(f'<td class="numeric">{escape(rank or MISSING)}</td>' for rank in line.ranks)
        + "</tr>"
        for line in lines
    )
    summary, player = gettext("Show as a table"), gettext("Player")
    return (
        f"<details><summary>{escape(summary)}</summary>"
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}"><table><thead>'
        f'<tr><th scope="col">{escape(player)}</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        "</details>"
    )


@dataclass(frozen=True, slots=True)
class Slope:
    """One line from an order to another: the name as markup, place and rank in each. Equal ranks differ in place."""

    name: SafeString
    before: int
    after: int
    ranks: tuple[int, int]


def slope(slopes: Sequence[Slope], rows: int, *, title: str, before: str, after: str) -> SafeString:
    """The first `rows` places of two orders, joined. A line to a place further down ends below the last row.

    The picture is for eyes alone: put a table with the same players and ranks on the page.
    """
    seen = [each for each in slopes if min(each.before, each.after) <= rows]
    if not seen:
        return SafeString()
    lines = "".join(
        f'<line class="rank-line {_direction(each)}" x1="0" x2="{STEP}" y1="{_middle(each.before, rows + 1)}" '
        f'y2="{_middle(each.after, rows + 1)}"/>'
        for each in sorted(seen, key=lambda each: each.before != each.after)  # those that move are drawn on top
    )
    left = _names(sorted((each.before, each.ranks[0], each.name) for each in seen if each.before <= rows))
    right = _names(sorted((each.after, each.ranks[1], each.name) for each in seen if each.after <= rows))
    return SafeString(
        f'<figure class="slope" aria-hidden="true"><figcaption><h2>{escape(title)}</h2></figcaption>'
        f'<div class="slope-plot"><b>{escape(before)}</b><b>{escape(after)}</b>'
        f"{left}{_drawing(lines, 2, rows + 1)}{right}</div></figure>"
    )


def _direction(each: Slope) -> str:
    if each.before == each.after:
        return "level"
    return "rising" if each.after < each.before else "falling"


def _names(ordered: Sequence[tuple[int, int, str]]) -> str:
    return "<ol>" + "".join(f"<li><b>{rank}</b><span>{name}</span></li>" for _place, rank, name in ordered) + "</ol>"
