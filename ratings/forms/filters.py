"""Filters of the lists of a club, read from the address of the page.

A filter never refuses a page: a value that cannot be read is ignored, and its field says so.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from clubsite.widgets import DayInput, Input, Select
from ratings.models import Season
from ratings.queries.leaderboard import Span

LAST_DAYS = 30
RECENT_PERIOD = "last30"
MOST_MONTHS = 60
MOST_GAMES = 100_000
MOST_KEY = 2**31 - 1


NO_DAY = _("This is not a date, so it is ignored. Write it as 2026-04-18.")
NO_PERIOD = _("There is no such period, so the whole season is shown.")
NO_NUMBER = _("This is not a number of games, so it is ignored.")


def day_field(label: Any) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=DayInput, error_messages={"invalid": NO_DAY})


class Filter(forms.Form):
    """A form that is filled from the address of the page, with valid or invalid values."""

    use_required_attribute = False
    css = {"sort": "phone", "q": "wide"}

    def __init__(self, data: Any, **more: Any) -> None:
        super().__init__(data, auto_id="f-%s", label_suffix="", **more)

    def with_classes(self) -> Iterator[tuple[forms.BoundField, str]]:
        """Every field with the class of the element around it."""
        return ((field, self.css.get(field.name, "")) for field in self)

    def value(self, name: str) -> Any:
        """The value of a field; None if it is missing or cannot be read."""
        if not self.data:
            return None
        self.is_valid()
        return self.cleaned_data.get(name)


class SpanFilter(Filter):
    """A filter by days: the whole season, a month, the last thirty days, from – to, or as of a day."""

    period = forms.ChoiceField(
        label=_("Period"), required=False, widget=Select, error_messages={"invalid_choice": NO_PERIOD}
    )
    since = day_field(_("From"))
    asof = day_field(_("As of"))

    def __init__(self, data: Any, season: Season, **more: Any) -> None:
        super().__init__(data, **more)
        self.season = season
        self.today = season.today()
        self._choices_of("period").choices = [
            ("", _("Whole season")),
            (RECENT_PERIOD, _("Last 30 days")),
            *((f"{month:%Y-%m}", self._month_name(month)) for month in self._months()),
        ]

    def _choices_of(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    def _months(self) -> Iterator[datetime.date]:
        """The months of the season until today, newest first."""
        day = min(self.season.ends_on or self.today, self.today)
        for _number in range(MOST_MONTHS):
            if day < self.season.starts_on.replace(day=1):
                return
            yield day.replace(day=1)
            day = day.replace(day=1) - datetime.timedelta(days=1)

    def _month_name(self, month: datetime.date) -> str:
        one_year = self.season.starts_on.year == (self.season.ends_on or self.today).year
        return date_format(month, "F" if one_year else "F Y")

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        since, asof = found.get("since"), found.get("asof")
        if since and asof and since > asof:
            self.add_error("since", gettext("This day is after the day of “As of”, so it is ignored."))
        return found

    @property
    def span(self) -> Span:
        since, until = self._period()
        asof = self.past_day
        if asof and (until is None or asof < until):
            until = asof
        if self.value("since"):
            since = self.value("since")
        return Span(since, until)

    def _period(self) -> Span:
        period = self.value("period")
        if not period:
            return Span()
        if period == RECENT_PERIOD:
            last = self.past_day or self.today
            return Span(last - datetime.timedelta(days=LAST_DAYS - 1), None)
        first = datetime.date.fromisoformat(f"{period}-01")
        return Span(first, (first + datetime.timedelta(days=31)).replace(day=1) - datetime.timedelta(days=1))

    @property
    def past_day(self) -> datetime.date | None:
        """The chosen day if it is before today; today and later days mean the current table."""
        asof: datetime.date | None = self.value("asof")
        return asof if asof and asof < self.today else None

    @property
    def first_day(self) -> datetime.date:
        return self.span.since or self.season.starts_on

    @property
    def last_day(self) -> datetime.date:
        return self.span.until or self.today

    @property
    def is_filtered(self) -> bool:
        return not self.span.whole

    @property
    def is_past(self) -> bool:
        """Whether the page shows the season from its start until an earlier day, without other filters of days."""
        return self.span == (None, self.past_day) and self.past_day is not None


class BoardFilter(SpanFilter):
    minimum = WholeNumberField(
        label=_("Minimum games"),
        required=False,
        min_value=0,
        max_value=MOST_GAMES,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), NO_NUMBER),
        widget=Input("number", {"class": "numeric", "inputmode": "numeric", "min": 0}),
    )
    sort = forms.CharField(label=_("Sort by"), required=False, widget=Select)

    def __init__(self, data: Any, season: Season, sorts: Sequence[tuple[str, str]]) -> None:
        super().__init__(data, season)
        # The table decides what can be sorted. This list is for phones, where the headings are hidden.
        self.fields["sort"].widget.choices = [("", _("Rank")), *sorts]
        self.fields["minimum"].widget.attrs["placeholder"] = str(self.usual_minimum)

    @property
    def usual_minimum(self) -> int:
        """The minimum of the season; 1 if only part of the season is shown."""
        part = self.value("period") or self.value("since")
        return 1 if part else max(self.season.minimum_games, 1)

    @property
    def minimum_games(self) -> int:
        """How many games a player needs to be ranked; at least one."""
        asked: int | None = self.value("minimum")
        return self.usual_minimum if asked is None else max(asked, 1)

    @property
    def has_own_minimum(self) -> bool:
        return self.minimum_games != self.usual_minimum


class GamesFilter(SpanFilter):
    player = WholeNumberField(label=_("Player"), required=False, min_value=1, max_value=MOST_KEY)
    day = day_field(_("Day"))
    result = WholeNumberField(required=False, min_value=-MOST_KEY, max_value=MOST_KEY, widget=forms.HiddenInput)

    def __init__(self, data: Any, season: Season, players: Sequence[tuple[int, str]]) -> None:
        super().__init__(data, season)
        choices = [("", _("All players")), *players]
        self.fields["player"].widget = Select(choices=choices) if players else forms.HiddenInput()
        for name in ("since", "asof"):  # they come with a link from a leaderboard; here they are not shown
            self.fields[name].widget = forms.HiddenInput()

    @property
    def span(self) -> Span:
        day = self.value("day")
        return Span(day, day) if day else super().span

    @property
    def is_filtered(self) -> bool:
        return bool(self.value("player")) or not self.span.whole


class LedgerFilter(Filter):
    player = WholeNumberField(required=False, min_value=1, max_value=MOST_KEY)


class PlayersFilter(Filter):
    q = forms.CharField(label=_("Find a player of the club"), required=False, max_length=100, widget=Input("search"))
