"""Compare a season by other rules with the season as it is now. Nothing is stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from clubsite import freshness
from ratings.mahjong.formulas import Rated
from ratings.mahjong.problems import Problem
from ratings.mahjong.standings import PlayerTally
from ratings.models import Club, Hanchan, RuleSet, Season
from ratings.queries.previews import Move, compare, count_seat, standing_rows
from ratings.queries.replay import ReplayedGame, Rulebook, replayed
from ratings.queries.standings import add_adjustments, valid_adjustments

FINAL = Hanchan.Status.FINAL
LISTED = 50  # blocked games that are listed


@dataclass(frozen=True)
class Blocked:
    """A game that the rules cannot be applied to, and why."""

    hanchan_id: int
    problems: tuple[Problem, ...]


@dataclass
class WhatIfOutcome:
    """The season by other rules. Blocked games count by their own rules."""

    games: int = 0  # final ones
    shifts: Counter[int] = field(default_factory=Counter)  # points added to every seat -> in how many final games
    blocked: list[Blocked] = field(default_factory=list)  # the first LISTED of them
    blocked_count: int = 0
    left: int = 0  # drafts and void games that cannot follow; they keep their own rules
    moves: list[Move] = field(default_factory=list)

    @property
    def moving(self) -> int:
        return sum(move.moves for move in self.moves)

    @property
    def reranked(self) -> int:
        """How many players change rank."""
        return sum(move.changes_rank for move in self.moves)

    @property
    def revalued(self) -> int:
        """How many keep their rank and only their total or rating changes."""
        return self.moving - self.reranked

    @property
    def more_blocked(self) -> int:
        return self.blocked_count - len(self.blocked)

    def count(self, played: ReplayedGame) -> None:
        final = played.game.status == FINAL
        self.games += final
        if played.problems and not final:
            self.left += 1
        elif played.problems:
            self.blocked_count += 1
            if len(self.blocked) < LISTED:
                self.blocked.append(Blocked(played.game.pk, tuple(played.problems)))
        elif final and played.shift:
            self.shifts[played.shift] += 1


def what_if(season: Season, book: Rulebook) -> WhatIfOutcome:
    """Return the outcome, cached for its further pages until the season changes."""
    rules = (repr(book.rules), repr(sorted(book.ranges.items())))
    found: WhatIfOutcome = freshness.keep(
        ("what if", season.pk, season.revision, *rules), lambda: _compute(season, book)
    )
    return found


def _compute(season: Season, book: Rulebook) -> WhatIfOutcome:
    outcome, after, ratings = WhatIfOutcome(), dict[int, PlayerTally](), dict[int, Rated]()
    for played in replayed(season, book, state=ratings):
        outcome.count(played)
        if played.game.status == FINAL:
            _count_in(played, after)
    add_adjustments(after, valid_adjustments(season.pk))  # adjustments do not depend on the rules
    if season.depends_on_order:
        for player, row in after.items():
            row.rating = ratings[player].rating if player in ratings else season.initial_rating
    outcome.moves = compare(season, standing_rows(season), after)
    return outcome


def _count_in(played: ReplayedGame, after: dict[int, PlayerTally]) -> None:
    for seat, derived in zip(played.seats, played.derived, strict=True):
        tally = after.get(seat.player_id)
        if tally is None:
            tally = after[seat.player_id] = PlayerTally(player_id=seat.player_id)
        count_seat(tally, seat.played, derived.result or 0, derived.place or 0, derived.place_twice or 0)


def rule_sets_of(club: Club) -> list[RuleSet]:
    """Return the club's own rule sets by name, newest versions first."""
    return list(RuleSet.objects.filter(club=club).order_by("name", "slug", "-version"))
