"""Who met whom, and how often: a square of cells that is darker the more often two met.

The text of the labels lies outside the stretched drawing, so it never shrinks. A key says in numbers what the colours
say. The module does not know who the rows are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

Pair = tuple[int, int]

MOST = 4  # shades of the stylesheet; more meetings look like so many
LABELS_AT_MOST = 25  # labels that fit beside the square; of more rows every fifth is named
MOST_REPEATS = 40  # pairs named in words


def heat_map(labels: Sequence[str], meetings: Mapping[Pair, int]) -> SafeString:
    """Draw how often each two rows met. A pair has the lower index first; one that is missing never met."""
    size = len(labels)
    if size < 2:
        return SafeString()
    cells = "".join(f'<path class="met-{shade}" d="{path}"/>' for shade, path in sorted(_paths(meetings, size).items()))
    return SafeString(
        f'<div class="heat-map"><svg aria-hidden="true">{_labels(labels)}'
        f'<svg viewBox="0 0 {size} {size}" preserveAspectRatio="none">'
        f'<rect class="never" width="{size}" height="{size}"/>{cells}</svg></svg></div>{_key(size, meetings)}'
    )


def _paths(meetings: Mapping[Pair, int], size: int) -> dict[int, str]:
    """One path for all cells of a shade: a cell for each pair in both halves, and the diagonal."""
    found: dict[int, list[str]] = defaultdict(list)
    found[0] = [_cell(index, index) for index in range(size)]
    for (one, other), times in meetings.items():
        found[min(times, MOST)] += [_cell(one, other), _cell(other, one)]
    return {shade: "".join(cells) for shade, cells in found.items()}


def _cell(column: int, row: int) -> str:
    return f"M{column} {row}h1v1h-1z"


def _labels(labels: Sequence[str]) -> str:
    step = 1 if len(labels) <= LABELS_AT_MOST else 5
    drawn = []
    for index in range(0, len(labels), step):
        middle = f"{100 * (index + 0.5) / len(labels):.2f}%"
        text = escape(labels[index])
        drawn.append(f'<text class="anchor-end" x="0" dx="-6" y="{middle}" dy="4">{text}</text>')
        drawn.append(f'<text class="anchor-middle" x="{middle}" y="0" dy="-6">{text}</text>')
    return "".join(drawn)


def _key(size: int, meetings: Mapping[Pair, int]) -> str:
    counted = Counter(meetings.values())
    counted[0] = size * (size - 1) // 2 - sum(counted.values())
    items = "".join(_key_item(times, counted[times]) for times in sorted(counted) if counted[times])
    return f'<ul class="heat-key">{items}</ul>'


def _key_item(times: int, pairs: int) -> str:
    shade = f"met-{min(times, MOST)}" if times else "never"
    drawing = f'<rect class="{shade}" width="12" height="12" rx="2"/>'
    words = ngettext("%(n)s pair", "%(n)s pairs", pairs) % {"n": pairs}
    said = gettext("%(pairs)s: %(often)s") % {"pairs": words, "often": _often(times)}
    return f'<li><svg viewBox="0 0 12 12" aria-hidden="true">{drawing}</svg>{escape(said)}</li>'


def _often(times: int) -> str:
    return ngettext("once", "%(n)s times", times) % {"n": times} if times else gettext("never")


def repeats(labels: Sequence[str], meetings: Mapping[Pair, int]) -> list[str]:
    """The pairs that met more than once in words, the most often first: `3 – 7: 2 times`."""
    several = sorted((-times, pair) for pair, times in meetings.items() if times > 1)
    return [
        gettext("%(one)s – %(other)s: %(often)s") % {"one": labels[one], "other": labels[other], "often": _often(-less)}
        for less, (one, other) in several[:MOST_REPEATS]
    ]
