"""Requests and schedules: the values that pages, command, makers and verifier pass to each other.

Players are the organiser's own numbers, starting at 1. The module checks a request; it does not know how to fulfil it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .errors import NOTES, SeatingError

Game = tuple[int, int, int, int]
"""The players on east, south, west and north."""
Round = tuple[Game, ...]
"""Games in the order of the tables."""

DEFAULT_MOVES = 2_000_000
MAX_ROUNDS = 200


class Odd(StrEnum):
    """What happens when the players do not fill tables of four."""

    REFUSE = "refuse"
    BYES = "byes"
    SUBSTITUTES = "substitutes"


@dataclass(frozen=True)
class Apart:
    """Players of whom no two may meet: a team, a club or a listed pair."""

    players: tuple[int, ...]
    round1: bool = False


@dataclass(frozen=True)
class Note:
    """Something the organiser should know, although the request can be fulfilled."""

    code: str
    params: dict[str, int]

    def __str__(self) -> str:
        return NOTES[self.code] % self.params


@dataclass(frozen=True)
class Request:
    """A request for a whole schedule, or for the rest of one.

    `rounds` counts the rounds still to be made; `history` holds the rounds played, winds and tables included.
    `stationary` pairs a player with the table where the player stays. `moves` is the budget of the search.
    """

    players: tuple[int, ...]
    rounds: int
    seed: int = 0
    moves: int = DEFAULT_MOVES
    teams: tuple[Apart, ...] = ()
    forbidden: tuple[Apart, ...] = ()
    history: tuple[Round, ...] = ()
    odd: Odd = Odd.REFUSE
    stationary: tuple[tuple[int, int], ...] = ()

    @property
    def apart(self) -> tuple[Apart, ...]:
        return self.teams + self.forbidden

    @property
    def tables(self) -> int:
        return (len(self.players) + (3 if self.odd is Odd.SUBSTITUTES else 0)) // 4

    @property
    def substitutes(self) -> tuple[int, ...]:
        """Numbers of the substitutes who fill the last table. They follow the highest player number."""
        if self.odd is not Odd.SUBSTITUTES:
            return ()
        first = max(len(self.players), *self.players) + 1
        return tuple(range(first, first + -len(self.players) % 4))


@dataclass(frozen=True)
class Schedule:
    """The rounds made, who sits out in each, and the work it took."""

    rounds: tuple[Round, ...]
    byes: tuple[tuple[int, ...], ...]
    moves: int
    stopped: bool = False


def check(request: Request) -> None:
    """Refuse an impossible request, with a sentence that says why."""
    players = request.players
    _check_numbers(players)
    if len(players) < 4:
        raise SeatingError("too_few_players", players=len(players), missing=4 - len(players))
    if request.rounds < 1:
        raise SeatingError("no_rounds", rounds=request.rounds)
    if request.rounds > MAX_ROUNDS:
        raise SeatingError("too_many_rounds", rounds=request.rounds, most=MAX_ROUNDS)
    if len(players) % 4 and request.odd is Odd.REFUSE:
        fewer = len(players) // 4 * 4
        raise SeatingError("tables_not_full", players=len(players), fewer=fewer, more=fewer + 4)
    _check_history(request.history)
    # After the first round, groups may name players who have left, perhaps without a game.
    known = None if request.history else set(players)
    _check_groups(request.teams, "the teams", known)
    _check_groups(request.forbidden, "the forbidden meetings", known)
    _check_teams(request.teams)
    _check_opponents(request)
    _check_stationary(request)


def _check_numbers(players: tuple[int, ...]) -> None:
    seen: set[int] = set()
    for player in players:
        if player < 1:
            raise SeatingError("player_not_positive", player=player)
        if player in seen:
            raise SeatingError("player_twice", player=player)
        seen.add(player)


def _check_history(history: Iterable[Round]) -> None:
    for number, played in enumerate(history, 1):
        seen: set[int] = set()
        for table, game in enumerate(played, 1):
            if len(game) != 4 or len(set(game)) != 4 or min(game) < 1:
                raise SeatingError("history_table", round=number, table=table)
            for player in game:
                if player in seen:
                    raise SeatingError("history_twice", player=player, round=number)
                seen.add(player)


def _check_groups(groups: tuple[Apart, ...], where: str, known: set[int] | None) -> None:
    for number, group in enumerate(groups, 1):
        if len(group.players) < 2:
            raise SeatingError("group_too_small", number=number, where=where)
        seen: set[int] = set()
        for player in group.players:
            if known is not None and player not in known:
                raise SeatingError("unknown_player", player=player, where=where)
            if player in seen:
                raise SeatingError("group_player_twice", player=player, where=where)
            seen.add(player)


def _check_teams(teams: tuple[Apart, ...]) -> None:
    seen: set[int] = set()
    for team in teams:
        for player in team.players:
            if player in seen:
                raise SeatingError("player_in_two_teams", player=player)
            seen.add(player)


def _check_opponents(request: Request) -> None:
    """Refuse forbidden meetings that leave a player fewer than three opponents. Large teams only get a note."""
    never: dict[int, set[int]] = {player: set() for player in request.players}
    for group in request.forbidden:
        if group.round1 and request.history:
            continue
        for player in group.players:
            if player in never:
                never[player].update(other for other in group.players if other != player and other in never)
    everyone = len(request.players) + len(request.substitutes)
    for player, others in never.items():
        allowed = everyone - 1 - len(others)
        if allowed < 3:
            raise SeatingError("too_few_opponents", player=player, allowed=allowed, drop=3 - allowed)


def _check_stationary(request: Request) -> None:
    taken: dict[int, int] = {}
    for player, table in request.stationary:
        if player not in request.players:
            raise SeatingError("stationary_unknown", player=player)
        if not 1 <= table <= request.tables:
            raise SeatingError("stationary_table", table=table, player=player, tables=request.tables)
        if table in taken:
            raise SeatingError("stationary_taken", player=taken[table], other=player, table=table)
        if player in taken.values():
            raise SeatingError("player_twice", player=player)
        if request.odd is Odd.BYES and len(request.players) % 4:
            raise SeatingError("stationary_bye", player=player)
        taken[table] = player


def notes(request: Request) -> list[Note]:
    """What the schedule cannot fulfil. Notes are shown with the schedule, never instead of it."""
    found = []
    tables, here = request.tables, set(request.players)
    for group in request.apart:
        size = len(here.intersection(group.players))
        if size > tables:
            full, rest = divmod(size, tables)
            meetings = tables * full * (full - 1) // 2 + rest * full
            found.append(Note("team_too_large", {"size": size, "tables": tables, "meetings": meetings}))
    field = len(request.players)
    if field % 4 == 0 and not request.history:
        excess = (3 * request.rounds - (field - 1)) * field // 2
        if excess > 0:
            params = {"rounds": request.rounds, "excess": excess, "most": (field - 1) // 3}
            found.append(Note("repeats_needed", params))
    return found
