"""Recount a finished schedule independently, and prove how much better any schedule could be.

Only the types of request and schedule are shared with the makers, none of their code. Every bound holds for all
schedules that fulfil the request with no more forbidden meetings, so `optimal` is a proof. If a figure is not
`optimal`, nothing is proved.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from .request import Apart, Request, Round, Schedule

Pair = frozenset[int]


class BrokenScheduleError(ValueError):
    """Not a valid schedule: for example, a player sits twice, nowhere, or at a table that does not exist."""


@dataclass(frozen=True)
class CertificateFigure:
    """A figure, its best possible value, and whether it is reached. `value` is None if there is nothing to count."""

    value: int | None
    bound: int | None

    @property
    def optimal(self) -> bool:
        return self.value == self.bound

    def as_dict(self) -> dict[str, int | bool | None]:
        return {"value": self.value, "bound": self.bound, "optimal": self.optimal}


@dataclass(frozen=True)
class Certificate:
    """The figures by name, and the moves made if the search was stopped before its budget ended."""

    figures: dict[str, CertificateFigure]
    moves: int | None = None

    def __getitem__(self, name: str) -> CertificateFigure:
        return self.figures[name]

    def as_dict(self) -> dict[str, object]:
        shown: dict[str, object] = {name: figure.as_dict() for name, figure in self.figures.items()}
        if self.moves is not None:
            shown["moves"] = self.moves
        return shown


def certify(request: Request, schedule: Schedule) -> Certificate:
    """Recount everything. Raises BrokenScheduleError if the schedule does not seat the field."""
    _check_seats(request, schedule)
    judge = _Judge(request, schedule)
    figures = {
        "forbidden": judge.forbidden(),
        "max_meetings": judge.max_meetings(),
        "excess": judge.excess(),
        "wind_range": judge.wind_range(),
        "zero_indirect": judge.zero_indirect(),
        "min_indirect": judge.min_indirect(),
        "table_repeats": judge.table_repeats(),
        "table_visits": judge.table_visits(),
    }
    if any(schedule.byes):
        figures["byes"] = judge.byes()
    if request.substitutes:
        figures["substitutes"] = judge.substitutes()
        figures["substitute_pairs"] = judge.substitute_pairs()
    return Certificate(figures, schedule.moves if schedule.stopped else None)


def _check_seats(request: Request, schedule: Schedule) -> None:
    field = sorted(request.players + request.substitutes)
    out = len(request.players) % 4 if request.odd == "byes" else 0
    if len(schedule.rounds) != request.rounds or len(schedule.byes) != request.rounds:
        raise BrokenScheduleError(f"{len(schedule.rounds)} rounds instead of {request.rounds}")
    for number, (games, byes) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
        if any(len(game) != 4 for game in games) or len(games) != (len(field) - out) // 4:
            raise BrokenScheduleError(f"round {number} is not made of full tables")
        if sorted([player for game in games for player in game] + list(byes)) != field or len(byes) != out:
            raise BrokenScheduleError(f"round {number} does not seat everybody once")
        for player, table in request.stationary:
            if player not in games[table - 1]:
                raise BrokenScheduleError(f"player {player} does not stay at table {table} in round {number}")


def _pairs(games: Round) -> list[Pair]:
    return [frozenset(pair) for game in games for pair in combinations(game, 2)]


def _crowding(size: int, tables: int) -> int:
    """Meetings in one round if `size` players are spread over the tables as evenly as possible."""
    each, more = divmod(max(0, size), tables)
    return tables * each * (each - 1) // 2 + more * each


class _Judge:
    """The figures of one schedule. Every figure is a method."""

    def __init__(self, request: Request, schedule: Schedule) -> None:
        self.request, self.schedule = request, schedule
        self.players = request.players
        self.subs = set(request.substitutes)
        self.tables = len(schedule.rounds[0])
        self.rounds = len(schedule.rounds)
        self.out = len(schedule.byes[0])
        here = set(self.players)
        self.before = Counter(p for games in request.history for p in _pairs(games) if p <= here)
        self.made = Counter(p for games in schedule.rounds for p in _pairs(games) if p <= here)
        self.total = self.before + self.made
        self.never: dict[int, set[int]] = {player: set() for player in self.players}
        # Breaking a rule can save repeats, so a proof may use the rules only if this schedule keeps them itself.
        if not self.forbidden().value:
            for group in request.apart:
                if not group.round1:
                    for a, b in self._within(group):
                        self.never[a].add(b)
                        self.never[b].add(a)
        self.opponents: dict[int, set[int]] = {player: set() for player in self.players}
        for games in (*request.history, *schedule.rounds):
            for game in games:
                for player in game:
                    self.opponents.setdefault(player, set()).update(other for other in game if other != player)

    def _within(self, group: Apart) -> list[Pair]:
        return [frozenset(pair) for pair in combinations(sorted(set(group.players).intersection(self.players)), 2)]

    # forbidden meetings

    def forbidden(self) -> CertificateFigure:
        value = bound = 0
        for number, games in enumerate(self.schedule.rounds):
            first = number == 0 and not self.request.history
            binding = [group for group in self.request.apart if first or not group.round1]
            ruled_out = {pair for group in binding for pair in self._within(group)}
            value += sum(1 for pair in _pairs(games) if pair in ruled_out)
            bound += self._forbidden_bound(first)
        return CertificateFigure(value, bound)

    def _forbidden_bound(self, first: bool) -> int:
        """Forbidden meetings needed in a round. Those of (disjoint) teams add up; of other groups the worst counts."""
        here = set(self.players)

        def crowded(group: Apart) -> int:
            if group.round1 and not first:
                return 0
            return _crowding(len(here.intersection(group.players)) - self.out, self.tables)

        teams = sum(crowded(team) for team in self.request.teams)
        return max([teams, *(crowded(group) for group in self.request.forbidden)])

    def _partners(self, player: int) -> int:
        """How many others a player may meet."""
        return len(self.players) - 1 - len(self.never[player])

    # repeated meetings

    def max_meetings(self) -> CertificateFigure:
        value = max(self.total.values(), default=0)
        bound = max([1, *self.before.values()])
        if self.excess().bound:
            bound = max(bound, 2)
        if not self.out and not self.subs:
            met = dict.fromkeys(self.players, 3 * self.rounds)
            for (a, b), count in self.before.items():
                if b not in self.never[a]:
                    met[a] += count
                    met[b] += count
            bound = max([bound, *(-(-met[player] // max(1, self._partners(player))) for player in self.players)])
        else:
            pairs = len(self.players) * (len(self.players) - 1) // 2
            bound = max(bound, -(-(self._slots() + self.before.total()) // pairs))
        return CertificateFigure(value, bound)

    def _slots(self) -> int:
        """Meetings of two players that must take place. Each substitute takes at most three from a round."""
        return 6 * self.tables * self.rounds - 3 * len(self.subs) * self.rounds

    def excess(self) -> CertificateFigure:
        value = sum(count - 1 for count in self.total.values() if count > 1)
        played = sum(count - 1 for count in self.before.values() if count > 1)
        fresh = self._fresh().values()
        bound = self._slots() - sum(fresh) // 2
        if not self.out and not self.subs:
            short = sum(max(0, 3 * self.rounds - count) for count in fresh)
            # With fewer than four tables, two rounds always share pairs: at least 6, 2 · 2 or 3 · 1 of them.
            shared = {1: 6, 2: 4, 3: 3}.get(self.tables, 0) * (self.rounds - 1)
            bound = max(bound, -(-short // 2), shared)
        return CertificateFigure(value, played + max(0, bound))

    def _fresh(self) -> dict[int, int]:
        """For every player, how many others the player can still meet for the first time."""
        known = {player: set(self.never[player]) for player in self.players}
        for a, b in self.before:
            known[a].add(b)
            known[b].add(a)
        return {player: len(self.players) - 1 - len(others) for player, others in known.items()}

    # winds

    def wind_range(self) -> CertificateFigure:
        counts = {player: [0, 0, 0, 0] for player in self.players}
        for games in self.request.history:
            self._seat(games, counts)
        bounds = []
        for held in counts.values():
            bounds.append(self._evenest(held))
        # With byes a player may have no new game, so the players with the worst bounds are left out of the proof.
        bounds.sort(reverse=True)
        bound = bounds[min(self.out * self.rounds, len(bounds) - 1)]
        value = 0
        for games in self.schedule.rounds:
            self._seat(games, counts)
            seated = {player for game in games for player in game if player in counts}
            value = max([value, *(max(counts[player]) - min(counts[player]) for player in seated)])
        return CertificateFigure(value, bound)

    def _evenest(self, held: list[int]) -> int:
        """The largest difference between a player's winds, even if the player always gets the wind had least."""
        best, worst = list(held), 0
        for _ in range(max(1, self._even_share())):
            best[best.index(min(best))] += 1
            worst = max(worst, max(best) - min(best))
        return worst

    @staticmethod
    def _seat(games: Round, counts: dict[int, list[int]]) -> None:
        for game in games:
            for wind, player in enumerate(game):
                if player in counts:
                    counts[player][wind] += 1

    # indirect meetings

    @cached_property
    def _commons(self) -> list[int]:
        """Common opponents of every two players who never met."""
        order = {player: 1 << at for at, player in enumerate(self.opponents)}
        masks = {player: sum(order[other] for other in self.opponents[player]) for player in self.players}
        return [(masks[a] & masks[b]).bit_count() for a, b in combinations(self.players, 2) if not masks[a] & order[b]]

    def _reach(self) -> list[tuple[int, int]]:
        """For every player, the most possible opponents, and the most paths through them to other players.

        Each opponent shared a game with the player and two others, so three opponents of this opponent lead back.
        """
        before: dict[int, set[int]] = {}
        for games in self.request.history:
            for game in games:
                for player in game:
                    before.setdefault(player, set()).update(other for other in game if other != player)
        most = {player: len(before.get(player, ())) + 3 * self.rounds for player in self.opponents}
        widest = max(most.values())
        return [(most[player], most[player] * (widest - 3)) for player in self.players]

    def zero_indirect(self) -> CertificateFigure:
        missing = [max(0, len(self.players) - 1 - met - paths) for met, paths in self._reach()]
        return CertificateFigure(self._commons.count(0), -(-sum(missing) // 2))

    def min_indirect(self) -> CertificateFigure:
        value = min(self._commons, default=None)
        field = len(self.players)
        bounds = [min(met, paths // (field - 1 - met)) for met, paths in self._reach() if met < field - 1]
        if value is None:
            return CertificateFigure(None, None)
        # If every pair could have met, only the number of other people limits the common opponents.
        return CertificateFigure(value, min(bounds, default=len(self.opponents) - 2))

    # tables

    def _visits(self, *, history: bool) -> dict[int, Counter[int]]:
        staying = {player for player, _ in self.request.stationary}
        visits: dict[int, Counter[int]] = {player: Counter() for player in self.players if player not in staying}
        for games in self.request.history + (() if history else self.schedule.rounds):
            for table, game in enumerate(games):
                for player in game:
                    if player in visits:
                        visits[player][table] += 1
        return visits

    def _even_share(self) -> int:
        """The games that every player gets if byes are shared evenly."""
        return self.rounds - -(-self.out * self.rounds // len(self.players))

    def _games(self, player: int) -> int:
        """Games this player must play at least: an even share, or fewer for a player who sat out less often before.

        `byes` judges who sits out. So here a schedule is not blamed for games that it rightly did not give.
        """
        given = sum(1 for games in self.schedule.rounds for game in games if player in game)
        return min(self._even_share(), given)

    def table_repeats(self) -> CertificateFigure:
        value = sum(count - 1 for seen in self._visits(history=False).values() for count in seen.values())
        bound = 0
        for player, seen in self._visits(history=True).items():
            unseen = sum(1 for table in range(self.tables) if not seen[table])
            bound += sum(count - 1 for count in seen.values()) + max(0, self._games(player) - unseen)
        return CertificateFigure(value, bound)

    def table_visits(self) -> CertificateFigure:
        value = max((max(seen.values(), default=0) for seen in self._visits(history=False).values()), default=0)
        bound = 0
        for player, seen in self._visits(history=True).items():
            spread = sum(seen[table] for table in range(self.tables)) + self._games(player)
            bound = max([bound, -(-spread // self.tables), *seen.values()])
        return CertificateFigure(value, bound)

    # byes and substitutes

    def byes(self) -> CertificateFigure:
        """The largest difference between players in rounds sat out, after the worst round."""
        missed = {
            player: sum(1 for games in self.request.history if not any(player in game for game in games))
            for player in self.players
        }
        ideal = sorted(missed.values())
        value = bound = 0
        for byes in self.schedule.byes:
            for player in byes:
                missed[player] += 1
            value = max(value, max(missed.values()) - min(missed.values()))
            ideal = sorted([count + 1 for count in ideal[: self.out]] + ideal[self.out :])
            bound = max(bound, ideal[-1] - ideal[0])
        return CertificateFigure(value, bound)

    def substitutes(self) -> CertificateFigure:
        """The most meetings of one player with substitutes."""
        met: Counter[int] = Counter()
        for games in self.schedule.rounds:
            for game in games:
                guests = len(self.subs.intersection(game))
                for player in game:
                    if player not in self.subs:
                        met[player] += guests
        together = _crowding(len(self.subs), self.tables)
        seats = (3 * len(self.subs) - 2 * together) * self.rounds
        return CertificateFigure(max(met.values()), -(-seats // len(self.players)))

    def substitute_pairs(self) -> CertificateFigure:
        pairs = [pair for games in self.schedule.rounds for pair in _pairs(games) if pair <= self.subs]
        return CertificateFigure(len(pairs), _crowding(len(self.subs), self.tables) * self.rounds)
