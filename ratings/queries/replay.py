"""A season's games computed again from their facts, by their own rules or by other rules.

Games are read in pieces and no cursor is kept open, so a long computation holds no locks. Code that writes the outcome
must check by the season's revision that the season did not change. The scoring and formulas are those used for saving
a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ratings.mahjong import formulas, gamesheet, rulesets, scoring
from ratings.mahjong.formulas import Rated, RatedGame
from ratings.mahjong.problems import Problem, Refused
from ratings.models import Hanchan, RuleSet, Season
from ratings.queries.ratings import rater_of
from ratings.queries.seats import Derived, StoredSeat, stored_seats

AT_ONCE = 1000  # games read at a time
Report = Callable[[int, int], None]  # number of games done, number of all games


class GameToReplay(NamedTuple):
    pk: int
    rule_set_id: int
    sticks_left: int
    winds_unknown: bool
    status: str


NOTHING = Derived(None, None, None, None)


class ReplayedGame(NamedTuple):
    """A game with its seats East to North, as they are stored and as they must be."""

    game: GameToReplay
    seats: Sequence[StoredSeat]
    derived: Sequence[Derived]
    shift: int = 0  # added to every seat's points, if the start points differ
    problems: Sequence[Problem] = ()  # why the game cannot follow other rules; it keeps its own


@dataclass(frozen=True)
class Rulebook:
    """Rules and how far a game may vary them; from a rule set, or from a preset that no club has yet."""

    rules: rulesets.Rules
    ranges: rulesets.Ranges
    varied: dict[str, rulesets.Rules | Refused] = field(default_factory=dict)

    def of(self, variation: Mapping[str, Any]) -> rulesets.Rules:
        """Return the rules of a game with this variation. Raise Refused if the variation is not allowed."""
        if not variation:
            return self.rules
        key = repr(sorted(variation.items()))
        if key not in self.varied:
            try:
                self.varied[key] = rulesets.vary(self.rules, self.ranges, variation)
            except Refused as refused:
                self.varied[key] = refused
        found = self.varied[key]
        if isinstance(found, Refused):
            raise found
        return found


def rulebook(rule_set: RuleSet) -> Rulebook:
    return Rulebook(rule_set.rules, rule_set.allowed_ranges)


def replayed(
    season: Season,
    onto: Rulebook | None = None,
    *,
    state: dict[int, Rated] | None = None,
    report: Report | None = None,
) -> Iterator[ReplayedGame]:
    """Yield every game in order of play, computed again by the rules `onto`, or (None) by the game's own rules.

    `state` is filled with each player's rating after the last game, if the season has ratings.
    """
    own = {rule_set.pk: rulebook(rule_set) for rule_set in RuleSet.objects.filter(hanchans__season=season).distinct()}
    fold = _folder(season, {} if state is None else state)
    games = Hanchan.objects.filter(season=season)
    variations = dict(games.exclude(variation={}).values_list("pk", "variation"))
    order = list(games.order_by("played_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(order), AT_ONCE):
        piece = order[start : start + AT_ONCE]
        found, seats = _games(piece), stored_seats(piece)
        for pk in piece:
            game = found[pk]
            yield fold(_play(game, seats[pk], variations.get(pk, {}), own[game.rule_set_id], onto))
        if report:
            report(start + len(piece), len(order))


def _games(piece: Sequence[int]) -> dict[int, GameToReplay]:
    rows = Hanchan.objects.filter(pk__in=piece).values_list(*GameToReplay._fields)
    return {row[0]: GameToReplay._make(row) for row in rows}


def _play(
    game: GameToReplay, seats: Sequence[StoredSeat], variation: Mapping[str, Any], own: Rulebook, onto: Rulebook | None
) -> ReplayedGame:
    now = own.of(variation)
    if onto is None:
        return ReplayedGame(game, seats, _score(game, seats, now))
    try:
        rules = onto.of(variation)
    except Refused as refused:
        return ReplayedGame(game, seats, _score(game, seats, now), problems=refused.problems)
    problems = _problems(game, seats, rules)
    if problems:
        return ReplayedGame(game, seats, _score(game, seats, now), problems=problems)
    shift = rules.start_points - now.start_points
    return ReplayedGame(game, seats, _score(game, seats, rules, shift), shift)


def _problems(game: GameToReplay, seats: Sequence[StoredSeat], rules: rulesets.Rules) -> list[Problem]:
    """Return why a game entered by its own rules cannot follow other rules. Sum and players are not checked again."""
    found = []
    if any(seat.played.late_minutes for seat in seats):
        found += scoring.check(_table(game, seats, 0)._replace(override="as it was"), rules)
    if game.winds_unknown and rules.needs_winds:
        found.append(gamesheet.WINDS_NEEDED)
    return found


def _table(game: GameToReplay, seats: Sequence[StoredSeat], shift: int) -> scoring.Table:
    played = [seat.played for seat in seats]
    if shift:
        played = [seat._replace(points=seat.points + shift) for seat in played]
    return scoring.Table(tuple(played), game.sticks_left)


def _score(game: GameToReplay, seats: Sequence[StoredSeat], rules: rulesets.Rules, shift: int = 0) -> list[Derived]:
    """Return the derived columns of the four seats, without ratings yet. A draft has no results."""
    if game.status == Hanchan.Status.DRAFT:
        return [NOTHING] * len(seats)
    results = scoring.score(_table(game, seats, shift), rules)
    twice = scoring.places_twice([result.place for result in results])
    return [
        Derived(result.place, place_twice, result.total, None)
        for result, place_twice in zip(results, twice, strict=True)
    ]


def _folder(season: Season, state: dict[int, Rated]) -> Callable[[ReplayedGame], ReplayedGame]:
    """Return a function that adds ratings to games given in order of play, if the season has ratings."""
    if not season.depends_on_order:
        return lambda played: played
    rater = rater_of(season)

    def fold(played: ReplayedGame) -> ReplayedGame:
        if played.game.status != Hanchan.Status.FINAL:
            return played
        ((_key, ratings),) = formulas.fold([_rated(played)], state, rater)
        derived = [seat._replace(rating_after=rating) for seat, rating in zip(played.derived, ratings, strict=True)]
        return played._replace(derived=derived)

    return fold


def _rated(played: ReplayedGame) -> RatedGame[int]:
    east, south, west, north = played.seats
    a, b, c, d = (seat.place_twice or 0 for seat in played.derived)
    substituted = any(seat.played.substitute != scoring.NONE for seat in played.seats)
    people = (east.player_id, south.player_id, west.player_id, north.player_id)
    return RatedGame(played.game.pk, people, (a, b, c, d), substituted)
