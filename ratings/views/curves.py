"""A player's season as a curve: each step of its course in texts ready to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import charts, numbers
from ratings.models import Season
from ratings.queries.careers import Stop


def season_curve(season: Season, stops: Sequence[Stop]) -> SafeString:
    """The curve with title and table; nothing when there is nothing to draw."""
    figure = season.rating_formula.figure
    title, noun = gettext(figure.title), gettext(figure.noun)
    label = gettext(figure.curve) % {"season": season.name}
    if season.depends_on_order:
        points = list(_points(season, stops, rated=True))
        return charts.curve_figure(
            points, title=title, label=label, noun=noun, baseline=season.initial_rating, show=numbers.rating
        )
    return charts.curve_figure(list(_points(season, stops)), title=title, label=label, noun=noun)


def _points(season: Season, stops: Sequence[Stop], *, rated: bool = False) -> Iterator[charts.Point]:
    """A season may have two thousand games, so what costs a lookup is asked for once."""
    write, season_url = numbers.writer(), season.get_absolute_url()
    show = write.rating if rated else write.result
    game_words, game_url = gettext("game %(number)d, %(place)s"), reverse("ratings:hanchan", args=[0])
    month = None
    for day, group in groupby(stops, key=lambda stop: stop.day):
        when, tick = date_format(day, "j E"), "" if (day.year, day.month) == month else date_format(day, "M")
        month = (day.year, day.month)
        for stop in group:
            what, url = _between_games(stop), season_url
            if stop.game:
                what = game_words % {"number": stop.number, "place": write.ordinal(stop.game.place)}
                url = game_url.replace("0", str(stop.game.hanchan_id))
            yield charts.Point(round(stop.value), show(stop.value), write.result(stop.change), when, what, url, tick)
            tick = ""


def _between_games(stop: Stop) -> str:
    return str(stop.adjustment.get_kind_display()) if stop.adjustment else ""
