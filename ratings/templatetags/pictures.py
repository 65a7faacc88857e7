"""`{% load pictures %}`: what the pure modules explain, drawn."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import numbers
from clubsite.waterfall import WaterfallStep, bounds_of
from clubsite.waterfall import waterfall as draw
from ratings.mahjong.explain import RESULT, ExplainedRow, Explanation

register = template.Library()


@register.simple_tag
def waterfall(explanation: Explanation, seat: int, *, alone: bool = False) -> SafeString:
    """Draw how the points of a seat become its result. The four seats of a game have one scale, unless it is alone."""
    rows = [row for row in explanation.rows if row.kind == RESULT and not row.is_outcome]
    points = next(row for row in explanation.rows if row.holds_points)
    outcome = next(row for row in explanation.rows if row.is_outcome)
    return draw(
        (gettext(points.label), numbers.points(int(points.values[seat]))),
        [_step(row, seat) for row in rows],
        _step(outcome, seat),
        bounds_of([[row.values[index] for row in rows] for index in ([seat] if alone else range(4))]),
    )


def _step(row: ExplainedRow, seat: int) -> WaterfallStep:
    return WaterfallStep(gettext(row.label), row.values[seat], numbers.exact(row.values[seat]))
