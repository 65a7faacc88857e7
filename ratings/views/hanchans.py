"""A game's own page: the table as played, and how each result was computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings import rights
from ratings.mahjong import rulesets, scoring
from ratings.mahjong.explain import Explanation, Step, explain
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets.words import unstated_words, words
from ratings.models import Hanchan, Seat
from ratings.queries.hanchans import History, history_of, with_table
from ratings.queries.people import as_seen
from ratings.queries.players import known_players
from ratings.queries.ratings import Moment, state_before
from ratings.tables.names import Names

# The rules that the page shows: those that affect every result, and those that affected this one. A link leads to all.
RULES_SHOWN = ("start_points", "target_points", "uma", "ties", "leftover_sticks", "rounding_unit", "chombo_penalty")
RULES_OF_LATENESS = ("late_per_minute", "late_max_minutes", "late_applies")
RULES_OF_PENALTIES = ("penalty_applies",)
RULES_OF_SUBSTITUTES = ("substitute_points", "substitute_uma")


@dataclass(frozen=True)
class SeatShown:
    """A seat with what the page shows about it."""

    seat: Seat
    name: str
    steps: tuple[Step, ...] = ()
    rating_before: int | None = None


@dataclass(frozen=True)
class Rule:
    label: str
    value: Phrase
    instead_of: Phrase | None = None  # the rule set's value, if this game varied it


@require_safe
def hanchan(request: HttpRequest, pk: int) -> HttpResponse:
    game = with_table(pk)
    staff = game is not None and rights.may_enter(request.user, game.season.club_id)
    if game is None or (game.status == Hanchan.Status.DRAFT and not staff):
        raise Http404
    if not rights.knows_of(request.user, game.season):
        raise Http404
    season = game.season
    context = {
        "hanchan": game,
        "season": season,
        "club": season.club,
        "tab": "games",
        "staff": staff,
        "sees_results": rights.sees_results(request.user, season),
    }
    if context["sees_results"]:
        seats = list(game.seats.all())
        people = [person for seat in seats for person in (seat.player, seat.played_by) if person]
        # A game that counts made its players guests of the club. The players of a draft may be unknown to staff.
        counts = staff and game.status == Hanchan.Status.FINAL
        known = {person.pk for person in people} if counts else known_players(people, request.user)
        names = [Names(seat.player_id in known).text(seat.player) for seat in seats]
        explanation = _explanation(game, names)
        context |= {
            "known": known,
            "explanation": explanation,
            "seats": _shown(game, seats, names, explanation),
            "names": names,
            "rules": _rules(game),
            "off": scoring.difference(game.as_table(), game.rules),
            "history": _history(game, request.user, everybody=counts) if staff else None,
        }
    return render(request, "ratings/hanchan.html", context)


def _history(game: Hanchan, user: rights.Person, *, everybody: bool) -> History:
    """Return the game's history, with its players as the reader may see them."""
    told = history_of(game)
    if everybody:
        return told
    seen = {player.pk: player for player in as_seen(told.people.values(), user)}
    return replace(told, people={old: seen[player.pk] for old, player in told.people.items()})


def _explanation(game: Hanchan, names: list[str]) -> Explanation | None:
    """Compute every step again from what was entered, with the function that made the stored results.

    Return None for a game that does not count.
    """
    if game.status != Hanchan.Status.FINAL:
        return None
    table = game.as_table()
    explanation = explain(table, game.rules, scoring.work_out(table, game.rules))
    return explanation.by_name(names) if game.winds_unknown else explanation


def _shown(game: Hanchan, seats: list[Seat], names: list[str], explanation: Explanation | None) -> list[SeatShown]:
    if explanation is None:
        return [SeatShown(seat, name) for seat, name in zip(seats, names, strict=True)]
    before = _ratings_before(game, seats)
    return [
        SeatShown(seat, name, steps, before.get(seat.player_id))
        for seat, name, steps in zip(seats, names, explanation.seats, strict=True)
    ]


def _ratings_before(game: Hanchan, seats: list[Seat]) -> dict[int, int]:
    """Return each player's rating just before the game; empty if the season has no ratings or the game changed none.

    A game with a substitute changes no rating.
    """
    season = game.season
    if not season.depends_on_order or any(seat.rating_after is None for seat in seats):
        return {}
    players = {seat.player_id for seat in seats}
    known = state_before(season, Moment(game.played_at, game.pk), players)
    return {player: known[player].rating if player in known else season.initial_rating for player in players}


def _deciding(game: Hanchan) -> Iterator[str]:
    """Yield the rules that apply only because of what happened in this game."""
    seats = game.seats.all()
    if any(seat.late_minutes for seat in seats):
        yield from RULES_OF_LATENESS
    if any(seat.penalty for seat in seats):
        yield from RULES_OF_PENALTIES
    if any(seat.is_substituted for seat in seats):
        yield from RULES_OF_SUBSTITUTES


def _rules(game: Hanchan) -> list[Rule]:
    """Return the rules that made the results. If the game varied a rule, also show the rule set's value."""
    shown = []
    for name in dict.fromkeys([*RULES_SHOWN, *_deciding(game), *game.variation]):
        parameter = rulesets.PARAMETERS[name]
        own, usual = (getattr(rules, name) for rules in (game.rules, game.rule_set.rules))
        shown.append(
            Rule(
                gettext(parameter.label),
                _told(parameter, own, game.rules),
                words(parameter, usual) if own != usual else None,
            )
        )
    return shown


def _told(parameter: rulesets.Parameter, value: object, rules: rulesets.Rules) -> Phrase:
    """Return the words for a rule; for one that is not stated also what was taken instead."""
    taken = parameter.taken(rules) if value is None else None
    return words(parameter, value) if taken is None else unstated_words(parameter, taken)
