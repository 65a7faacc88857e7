"""A few columns side by side, such as the games of the last evenings, with their numbers as ordinary text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """One column: how high it is, the text under it, and the sentence that readers hear instead of the drawing."""

    value: int
    tick: str
    words: str


def column_chart(columns: Sequence[ChartColumn]) -> SafeString:
    """Columns with one scale: an element of a list for each, so that the keyboard has nothing to pass through."""
    most = max((column.value for column in columns), default=0) or 1
    items = "".join(
        f'<li><b aria-hidden="true">{column.value}</b>'
        '<svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect y="{100 - 100 * column.value / most:.1f}" width="10" height="{100 * column.value / most:.1f}"/></svg>'
        f'<span aria-hidden="true">{escape(column.tick)}</span><span class="spoken">{escape(column.words)}</span></li>'
        for column in columns
    )
    return SafeString(f'<ol class="column-chart">{items}</ol>') if columns else SafeString()
