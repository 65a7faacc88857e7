"""How a result is made: a bar for each step that begins where the step before it ended, and the result from zero.

Labels and amounts are ordinary text beside the bars, so the picture can be read without seeing it. The module does not
know what the steps are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from clubsite.numbers import Number, tone

LEAST_WIDTH = 0.6  # of a hundred: a step of nothing is still seen


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """One step: its label, its amount, and the amount as it is written."""

    label: str
    amount: Number
    shown: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """The smallest and the largest running total, so that several pictures have one scale."""

    low: float
    high: float

    def at(self, value: float) -> float:
        return 100 * (value - self.low) / ((self.high - self.low) or 1)


def bounds_of(amounts: Iterable[Sequence[Number]]) -> Bounds:
    """The bounds of several pictures by the amounts of their steps."""
    seen = [0.0]
    for steps in amounts:
        total = 0.0
        for amount in steps:
            total += float(amount)
            seen.append(total)
    return Bounds(min(seen), max(seen))


def waterfall(start: tuple[str, str], steps: Sequence[WaterfallStep], end: WaterfallStep, bounds: Bounds) -> SafeString:
    """The steps as a list. `start` is a label and a text without a bar: what the first step begins with."""
    label, shown = start
    rows = [f"<li><span>{escape(label)}</span><span></span><b>{escape(shown)}</b></li>"]
    total = 0.0
    for step in steps:
        rows.append(_row(step, total, total + float(step.amount), bounds))
        total += float(step.amount)
    rows.append(_row(end, 0.0, float(end.amount), bounds, "outcome"))
    return SafeString(f'<ol class="waterfall">{"".join(rows)}</ol>')


def _row(step: WaterfallStep, begin: float, finish: float, bounds: Bounds, css: str = "") -> str:
    left, right = sorted((bounds.at(begin), bounds.at(finish)))
    kind = "gain" if step.amount > 0 else "loss" if step.amount < 0 else "level"
    kind = f"{css} {kind}" if css else kind
    zero = f"{bounds.at(0):.1f}"
    row = f'<li class="{css}">' if css else "<li>"
    return (
        f"{row}<span>{escape(step.label)}</span>"
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<line x1="{zero}" x2="{zero}" y1="0" y2="10"/>'
        f'<rect class="{kind}" x="{left:.1f}" width="{max(right - left, LEAST_WIDTH):.1f}" y="1" height="8"/></svg>'
        f'<b class="{tone(step.amount, 0)}">{escape(step.shown)}</b></li>'
    )
