"""Draw numbers as inline SVG that can be read by eye, by keyboard and by screen reader (LOOK: Parts).

The module draws curve, shares bar, stick sparkline, bar and duel. It does not know players, games or the database.
Lengths that come from data are SVG attributes, never inline styles. Colours are classes of the stylesheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import east_asian_width

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from clubsite.numbers import Writer, writer

MOST_POINTS = 48  # 24 px each on the widest page
MOST_POINTS_ON_A_PHONE = 14
LEAST_STEP = 100  # one tenth as shown: the labels of finer ticks would be the same
_GAP = 1.2
_KINDS = ("place-1", "place-2", "place-3", "place-4")
REMEMBERED = 4096  # a new game changes four rows of a table; the other drawings are reused. About 3 MB


def _times(place: str, count: int) -> str:
    return ngettext("%(place)s once", "%(place)s %(count)d times", count) % {"place": place, "count": count}


def shares_bar(counts: Sequence[int], write: Writer | None = None) -> SafeString:
    """How often a player came 1st to 4th: the content of an element of class `shares`."""
    return _shares_bar(tuple(counts), write or writer())


@lru_cache(maxsize=REMEMBERED)
def _shares_bar(counts: tuple[int, ...], write: Writer) -> SafeString:
    scale = 100 / (sum(counts) or 1)
    rects, words, before = "", [], 0.0
    for kind, place, count in zip(_KINDS, write.places, counts, strict=True):
        width = count * scale
        if count:
            rects += f'<rect class="{kind}" x="{before:.1f}" width="{max(width - _GAP, 0.6):.1f}" height="8"/>'
        before += width
        words.append(_times(place, count))
    numbers = "".join(f"<span>{count}</span>" for count in counts)
    return SafeString(
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{rects}</svg>'
        f'<span class="counts" aria-hidden="true">{numbers}</span>'
        f'<span class="spoken">{escape(", ".join(words))}</span>'
    )


def sparkline(results: Sequence[int], scale: int, write: Writer | None = None) -> SafeString:
    """The last ten results, oldest first, as sticks above and below a line. `scale` is the largest of all rows."""
    return _sparkline(tuple(results[-10:]), scale, write or writer())


@lru_cache(maxsize=REMEMBERED)
def _sparkline(results: tuple[int, ...], scale: int, write: Writer) -> SafeString:
    if not results:
        return SafeString("\u2013")
    unit = 13 / max(scale, 1)
    sticks = []
    for slot, result in enumerate(results, start=10 - len(results)):
        height = min(max(abs(result) * unit, 2), 13)
        kind, top = ("gain", 13 - height) if result > 0 else ("loss", 13.0) if result < 0 else ("level", 12.0)
        sticks.append(f'<rect class="{kind}" x="{1 + 8.4 * slot:.1f}" y="{top:.1f}" width="4" height="{height:.1f}"/>')
    words = ngettext("Last game", "Last %(count)d games together", len(results)) % {"count": len(results)}
    label = f"{words} {write.result(sum(results))}"
    return SafeString(
        f'<svg class="spark" viewBox="0 0 84 26" role="img" aria-label="{escape(label)}">'
        f'<line x1="0" x2="84" y1="13" y2="13"/>{"".join(sticks)}</svg>'
    )


def bar(value: int, most: int, place: int = 1) -> SafeString:
    """One bar in an element of class `bar-row`. Its length is its share of `most`, its colour that of a place."""
    width = 100 * value / most if most else 0
    return SafeString(
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{_KINDS[place - 1]}" width="{width:.1f}" height="10"/></svg>'
    )


def duel(ahead: int, behind: int) -> SafeString:
    """Head to head: how often ahead and how often behind, `3 ▬▬▬ 2`."""
    share = 100 * ahead / (ahead + behind) if ahead + behind else 50.0
    rects = ""
    if ahead:
        rects += f'<rect class="place-1" width="{max(share - (_GAP / 2 if behind else 0), 0.6):.1f}" height="8"/>'
    if behind:
        start = share + (_GAP / 2 if ahead else 0)
        rects += f'<rect class="place-3" x="{start:.1f}" width="{max(100 - start, 0.6):.1f}" height="8"/>'
    ahead_word, behind_word = escape(gettext("ahead")), escape(gettext("behind"))
    return SafeString(
        f'<span class="duel"><b class="num"><span class="spoken">{ahead_word} </span>{ahead}</b>'
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{rects}</svg>'
        f'<b class="num soft"><span class="spoken">{behind_word} </span>{behind}</b></span>'
    )


@dataclass(frozen=True, slots=True)
class Point:
    """One game of a curve. All fields except `value` and `url` are texts ready to be shown."""

    value: int
    shown: str  # the value: "+68.1"
    change: str  # what this game brought: "+26.0"
    when: str  # "21 February"
    what: str  # "game 8, 1st"
    url: str
    tick: str = ""  # the text under the axis here, such as the name of a month that begins


def ticks(low: int, high: int, about: int = 4) -> list[int]:
    """Round numbers from at or below `low` to at or above `high`, in steps of 1, 2 or 5 times a power of ten."""
    wanted = max((high - low) / about, LEAST_STEP)
    power = 1
    while power * 10 <= wanted:
        power *= 10
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wanted)
    first, last = low // step, -(-high // step)
    if first == last:
        first, last = first - 1, last + 1
    return [step * index for index in range(first, last + 1)]


def marked(values: Sequence[int], most: int) -> list[int]:
    """The indexes of the points that are links: all if they are few, else both ends, the peaks and an even spread."""
    count = len(values)
    if count <= most:
        return list(range(count))
    peaks = {0, count - 1, values.index(max(values)), values.index(min(values))}
    spread = most - len(peaks)
    return sorted(peaks | {round(index * (count - 1) / (spread + 1)) for index in range(1, spread + 1)})


@dataclass(frozen=True, slots=True)
class _Frame:
    """The position of a value and of a game, in percent of the plot."""

    bottom: int
    top: int
    count: int

    def x(self, index: int) -> float:
        return 100 * index / (self.count - 1) if self.count > 1 else 50.0

    def y(self, value: int) -> float:
        return 100 * (self.top - value) / (self.top - self.bottom)


def curve(
    points: Sequence[Point],
    *,
    label: str,
    noun: str,
    baseline: int | None = 0,
    show: Callable[[int], str] | None = None,
) -> SafeString:
    """A line over games. `noun` names the value ("total"). `baseline` is drawn stronger and is always visible.

    The SVG has no viewBox: points and words are placed by percentages. Only the line is stretched, never the text."""
    if not points:
        return SafeString()
    show = show or writer().result
    values = [point.value for point in points]
    seen = values if baseline is None else [*values, baseline]
    levels = ticks(min(seen), max(seen))
    frame = _Frame(levels[0], levels[-1], len(points))
    line = " ".join(f"{10 * frame.x(i):.1f},{3 * frame.y(value):.1f}" for i, value in enumerate(values))
    phone = set(marked(values, MOST_POINTS_ON_A_PHONE))
    shown = [(index, "" if index in phone else " middle") for index in marked(values, MOST_POINTS)]
    dots = "".join(_dot(frame, index, values[index], extra) for index, extra in shown)
    links = "".join(_link(frame, index, points[index], noun, extra) for index, extra in shown)
    end = f'x="{frame.x(len(points) - 1):.1f}%" dx="12" y="{frame.y(values[-1]):.1f}%" dy="5"'
    return SafeString(
        f'<svg class="chart" role="group" aria-label="{escape(label)}">'
        f"{_levels(frame, levels, baseline, show)}{_under_axis(frame, points)}"
        '<svg viewBox="0 0 1000 300" preserveAspectRatio="none" overflow="visible" aria-hidden="true">'
        f'<polyline class="line" points="{line}"/></svg>'
        f'<g aria-hidden="true">{dots}<text class="end" {end}>{escape(points[-1].shown)}</text></g>{links}</svg>'
    )


def _levels(frame: _Frame, levels: list[int], baseline: int | None, show: Callable[[int], str]) -> str:
    lines = []
    if baseline is not None and baseline not in levels:
        lines.append(_level(frame, baseline, "zero-line"))
    for level in levels:
        lines.append(_level(frame, level, "zero-line" if level == baseline else "grid-line"))
        lines.append(
            f'<text class="anchor-end" x="0" dx="-10" y="{frame.y(level):.1f}%" dy="5">{escape(show(level))}</text>'
        )
    return "".join(lines)


def _level(frame: _Frame, level: int, kind: str) -> str:
    y = f"{frame.y(level):.1f}%"
    return f'<line class="{kind}" x1="0" x2="100%" y1="{y}" y2="{y}"/>'


def _under_axis(frame: _Frame, points: Sequence[Point]) -> str:
    """The words under the axis. A word that would overlap the one before it is left out."""
    words, free = [], -1.0
    for index, point in enumerate(points):
        x = frame.x(index)
        if not point.tick or x < free:
            continue
        anchor = ' class="anchor-end"' if x > 92 else ""
        words.append(f'<text{anchor} x="{x:.1f}%" y="100%" dy="24">{escape(point.tick)}</text>')
        free = x + max(9.0, 0.8 * _width(point.tick) / 3)
    return "".join(words)


def _dot(frame: _Frame, index: int, value: int, extra: str) -> str:
    return f'<circle class="dot{extra}" cx="{frame.x(index):.1f}%" cy="{frame.y(value):.1f}%" r="4"/>'


def _link(frame: _Frame, index: int, point: Point, noun: str, extra: str) -> str:
    """A point that is a link. Links come after all dots, so that a tooltip covers the dots below it."""
    x, y = frame.x(index), frame.y(point.value)
    first, second = f"{point.when}, {point.what}", f"{point.change} \u2192 {noun} {point.shown}"
    width = max(_width(first), _width(second)) + 24
    left = -14 if x < 34 else 14 - width if x > 66 else -width // 2
    top = 16 if y < 30 else -72
    label = f"{first}: {point.change}, {noun} {point.shown}"
    return (
        f'<a class="point{extra}" href="{escape(point.url)}" aria-label="{escape(label)}">'
        f'<svg x="{x:.1f}%" y="{y:.1f}%" overflow="visible"><circle class="hit" r="12"/><circle class="marker" r="7"/>'
        f'<g class="tip" aria-hidden="true"><rect x="{left}" y="{top}" width="{width}" height="54" rx="6"/>'
        f'<text x="{left + 12}" y="{top + 22}">{escape(first)}</text>'
        f'<text class="tip-value" x="{left + 12}" y="{top + 43}">{escape(second)}</text></g></svg></a>'
    )


def _width(text: str) -> int:
    """The approximate width in pixels of a text of 14 px."""
    return round(sum(14 if east_asian_width(letter) in "WF" else 7.4 for letter in text))


def curve_table(points: Sequence[Point], noun: str) -> SafeString:
    """The same games as rows of a table, for readers who prefer a table."""
    heads = "".join(
        f'<th scope="col"{kind}>{escape(head)}</th>'
        for head, kind in (
            (gettext("Date"), ""),
            (gettext("Game"), ""),
            (gettext("Result"), ' class="numeric"'),
            (noun[:1].upper() + noun[1:], ' class="numeric"'),
        )
    )
    rows = "".join(
        f'<tr><td>{escape(point.when)}</td><th scope="row"><a href="{escape(point.url)}">{escape(point.what)}</a></th>'
        f'<td class="numeric">{escape(point.change)}</td><td class="numeric">{escape(point.shown)}</td></tr>'
        for point in points
    )
    return SafeString(f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")


def curve_figure(
    points: Sequence[Point],
    *,
    title: str,
    label: str,
    noun: str,
    baseline: int | None = 0,
    show: Callable[[int], str] | None = None,
) -> SafeString:
    """A curve with its title, and the same data as a table that can be opened. Put it into a card."""
    if not points:
        return SafeString()
    drawing = curve(points, label=label, noun=noun, baseline=baseline, show=show)
    as_table = escape(gettext("Show as a table"))
    return SafeString(
        f'<figure class="curve"><figcaption><h2>{escape(title)}</h2></figcaption><div class="plot">{drawing}</div>'
        f"<details><summary>{as_table}</summary>"
        f'<div class="scroll">{curve_table(points, noun)}</div></details></figure>'
    )
