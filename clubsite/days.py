"""Days and times as they are written everywhere: `16 November 2026`, `16 Nov 2026`, `16 Nov 2026, 19:30`.

The formats of each language are in `clubsite/formats`. A time is written in the zone that is given, or else in the
zone of the page (see `ratings.middleware`). Templates use the filters of the same names.
"""

from __future__ import annotations

import datetime

from django.utils import timezone
from django.utils.formats import date_format, get_format

from clubsite.numbers import MISSING


def day(value: datetime.date | None, zone: datetime.tzinfo | None = None) -> str:
    """A day in full: `16 November 2026`."""
    return date_format(_local(value, zone), "DATE_FORMAT") if value else MISSING


def short_day(value: datetime.date | None, zone: datetime.tzinfo | None = None) -> str:
    """A day where there is little room: `16 Nov 2026`."""
    return date_format(_local(value, zone), "SHORT_DATE_FORMAT") if value else MISSING


def day_of_year(value: datetime.date) -> str:
    """A day where the year is known: `16 Nov`."""
    return date_format(value, f"j {short_month()}")


def short_month() -> str:
    """The format of a month in three letters; most languages begin it with a small letter."""
    return str(get_format("SHORT_DATE_FORMAT")).split()[1]


def moment(value: datetime.datetime | None, zone: datetime.tzinfo | None = None) -> str:
    """Day and time: `16 Nov 2026, 19:30`."""
    return date_format(timezone.localtime(value, zone), "SHORT_DATETIME_FORMAT") if value else MISSING


def long_moment(value: datetime.datetime | None, zone: datetime.tzinfo | None = None) -> str:
    """Day and time in full: `16 November 2026, 19:30`."""
    return date_format(timezone.localtime(value, zone), "DATETIME_FORMAT") if value else MISSING


def clock_time(value: datetime.datetime | None, zone: datetime.tzinfo | None = None) -> str:
    """The time alone: `19:30`."""
    return date_format(timezone.localtime(value, zone), "TIME_FORMAT") if value else MISSING


def _local(value: datetime.date, zone: datetime.tzinfo | None) -> datetime.date:
    """A moment belongs to another day in another zone; a day is the same everywhere."""
    return timezone.localtime(value, zone) if isinstance(value, datetime.datetime) else value
