"""A player's season as a curve: each step of its course in texts ready to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import charts, numbers
from ratings import formulas
from ratings.models import Season
from ratings.queries.careers import Stop
from ratings.templatetags.wording import page_of


def season_curve(season: Season, stops: Sequence[Stop]) -> SafeString:
    """The curve with title and table; nothing when there is nothing to draw."""
    title, label, noun = _words(season)
    if season.depends_on_order:
        points = list(_points(season, stops, rated=True))
        return charts.curve_figure(
            points, title=title, label=label, noun=noun, baseline=season.initial_rating, show=numbers.rating
        )
    return charts.curve_figure(list(_points(season, stops)), title=title, label=label, noun=noun)


def _words(season: Season) -> tuple[str, str, str]:
    """Title, what a screen reader hears first, and the name of the value."""
    which = {"season": season.name}
    if season.depends_on_order:
        return (
            gettext("Rating over the season"),
            gettext("Rating after each game, %(season)s") % which,
            gettext("rating"),
        )
    if season.formula == formulas.AVERAGE:
        return (
            gettext("Average over the season"),
            gettext("Average after each game, %(season)s") % which,
            gettext("average"),
        )
    return gettext("Total over the season"), gettext("Total after each game, %(season)s") % which, gettext("total")


def _points(season: Season, stops: Sequence[Stop], *, rated: bool = False) -> Iterator[charts.Point]:
    season_url = page_of(season)
    month = None
    for stop in stops:
        yield charts.Point(
            value=round(stop.value),
            shown=numbers.rating(stop.value) if rated else numbers.result(stop.value),
            change=numbers.result(stop.change),
            when=date_format(stop.day, "j F"),
            what=_what(stop),
            url=reverse("ratings:hanchan", args=[stop.game.hanchan_id]) if stop.game else season_url,
            tick=date_format(stop.day, "M") if (stop.day.year, stop.day.month) != month else "",
        )
        month = (stop.day.year, stop.day.month)


def _what(stop: Stop) -> str:
    if stop.game is None:
        return str(stop.adjustment.get_kind_display()) if stop.adjustment else ""
    return gettext("game %(number)d, %(place)s") % {"number": stop.number, "place": numbers.ordinal(stop.game.place)}
