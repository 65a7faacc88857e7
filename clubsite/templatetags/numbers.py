"""The filters of every template (a builtin library): clubsite/numbers.py and clubsite/days.py under the same names."""

from __future__ import annotations

from django import template

from clubsite import days, numbers

register = template.Library()

for _filter in (
    numbers.points,
    numbers.signed,
    numbers.result,
    numbers.exact,
    numbers.rating,
    numbers.average_place,
    numbers.percent,
    numbers.missing,
    numbers.unless_zero,
    numbers.tone,
    numbers.ordinal,
    days.day,
    days.short_day,
    days.moment,
    days.long_moment,
    days.clock_time,
):
    register.filter(_filter)
