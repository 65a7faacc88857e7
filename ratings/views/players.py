"""Players: the search over all clubs, and the page of one player with a curve for each season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite import charts, numbers
from ratings import rights
from ratings.mahjong import standings
from ratings.models import Club, Player, Season, Seat
from ratings.queries import careers
from ratings.queries.careers import CareerGame, Rival, SeasonLine, Stop
from ratings.queries.players import known_players, search_players
from ratings.tables.names import Names, season_key

PLAYERS_A_PAGE = 50
GAMES_A_PAGE = 25
RIVALS_AT_FIRST = 10
ALL = "all"
MOST_MERGES = 20  # the longest chain of merges that is followed


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "").strip()
    found = Paginator(search_players(text, request.user), PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    context = {"q": text, "page": found, "known": known_players(found.object_list, request.user)}
    return render(request, "ratings/player_search.html", context)


# --- a player's page --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GamesChoice:
    """One choice of games: all, those of a club, or those of a season."""

    key: str
    label: str
    lines: Sequence[SeasonLine]

    @property
    def is_all(self) -> bool:
        return self.key == ALL

    @property
    def line(self) -> SeasonLine | None:
        """The season's line, if a season is chosen."""
        return self.lines[0] if self.key.startswith("season-") else None

    @property
    def season_id(self) -> int | None:
        return self.line.season.pk if self.line else None

    @property
    def seasons(self) -> list[int]:
        return [line.season.pk for line in self.lines]

    @property
    def clubs(self) -> list[Club]:
        return list({line.season.club_id: line.season.club for line in self.lines}.values())


@dataclass(frozen=True)
class Opponent:
    rival: Rival
    player: Player


@require_safe
def player(request: HttpRequest, pk: int, slug: str = "") -> HttpResponse:
    found = Player.objects.prefetch_related("affiliations__club").filter(pk=pk).first()
    if found and found.merged_into_id:
        found = _survivor(found)
    if found is None or not rights.sees_player(request.user, found):
        raise Http404
    if (found.pk, found.slug) != (pk, slug):
        query = request.META.get("QUERY_STRING", "")
        return HttpResponseRedirect(found.get_absolute_url() + (f"?{query}" if query else ""))
    knows = rights.knows_player(request.user, found)
    lines = careers.seasons_of(found, request.user)
    context = {
        "player": found,
        "name": Names(knows).text(found),
        "latin": Names(knows).latin(found),
        "knows": knows,
        "full": knows or found.visibility == Player.Visibility.FULL,
        "lines": lines,
    }
    if lines:
        context |= _career(request, found, lines)
    return render(request, "ratings/player.html", context)


def _survivor(merged: Player) -> Player | None:
    """Return the survivor of a merged player; None if the chain of merges is too long."""
    for _step in range(MOST_MERGES):
        if merged.merged_into is None:
            return merged
        merged = merged.merged_into
    return None


def _choices(lines: Sequence[SeasonLine]) -> dict[str, list[GamesChoice]]:
    """Return the choices by club. A whole club is a choice only if it has several, but not all, of the seasons."""
    by_club = sorted(lines, key=lambda line: (line.season.club.name, line.season.club_id))
    found: dict[str, list[GamesChoice]] = {}
    for club, group in groupby(by_club, key=lambda line: line.season.club):
        own = list(group)
        seasons = [GamesChoice(season_key(line.season.pk), line.season.name, [line]) for line in own]
        whole = [GamesChoice(f"club-{club.slug}", club.name, own)] if 1 < len(own) < len(lines) else []
        found[club.name] = [*whole, *seasons]
    return found


def _career(request: HttpRequest, player: Player, lines: Sequence[SeasonLine]) -> dict[str, object]:
    """Return everything about the chosen games."""
    by_club = _choices(lines)
    every = GamesChoice(ALL, "", lines)
    known_choices = {choice.key: choice for choices in by_club.values() for choice in choices} | {ALL: every}
    chosen = known_choices.get(request.GET.get("show", ""))
    if chosen is None:
        chosen = known_choices[season_key(careers.main_season(player, lines).season.pk)]
    games = careers.games_in_order(player, chosen.seasons)
    rivals = careers.rivals_of(player, chosen.seasons)
    shown_rivals = rivals if request.GET.get("opponents") == ALL else rivals[:RIVALS_AT_FIRST]
    people = Player.objects.in_bulk([rival.player_id for rival in shown_rivals])
    page = Paginator(careers.games_of(player, chosen.seasons), GAMES_A_PAGE).get_page(request.GET.get("page"))
    winds, scores = careers.winds_and_scores(player, chosen.seasons)
    clubs = chosen.clubs
    return {
        "choices": by_club,
        "chosen": chosen,
        "club": clubs[0] if len(clubs) == 1 else None,
        "tab": "players",
        "figures": _figures(chosen),
        "streaks": careers.streaks(games),
        "curve": _curve(player, chosen, games),
        "winds": winds,
        "scores": scores,
        "rivals": [Opponent(rival, people[rival.player_id]) for rival in shown_rivals],
        "rival_count": len(rivals),
        "page": page,
        "known": known_players([*people.values(), *_at_tables(page)], request.user),
    }


def _curve(player: Player, chosen: GamesChoice, games: Sequence[CareerGame]) -> SafeString:
    if chosen.line is None:
        return SafeString()
    season = chosen.line.season
    adjustments = careers.adjustments_in_order(player, [season.pk])
    return season_curve(season, careers.course(season, games, adjustments))


def _figures(chosen: GamesChoice) -> dict[str, object]:
    """Return the metrics, by key, of the season's stored standing or of several seasons' standings together."""
    kept = chosen.line.standing if chosen.line else standings.together([line.standing for line in chosen.lines])
    metrics = {key: metric.value(kept) for key, metric in standings.METRICS.items()}
    return {
        **metrics,
        "placed": kept.placed,
        "most_of_a_place": max(kept.firsts, kept.seconds, kept.thirds, kept.fourths),
    }


def _at_tables(page: Page[Seat]) -> list[Player]:
    return [seat.player for own in page.object_list for seat in own.hanchan.seats.all()]


def season_curve(season: Season, stops: Sequence[Stop]) -> SafeString:
    """Return the curve with title and table; empty if there is nothing to draw."""
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
    """Yield the points of the curve. A season may have two thousand games, so lookups are done once."""
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
