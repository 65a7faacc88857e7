"""Compute all derived data again from the facts, and store what differs. A correct database is not changed.

It can also find the differences without storing anything. How they are reported is up to the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q

from ratings.mahjong.formulas import Rated
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, Player, Season, Seat
from ratings.queries.merges import survivors
from ratings.queries.replay import ReplayedGame, Report, replayed
from ratings.queries.seats import Derived
from ratings.services.merging import LeftBehind, bring_along, left_behind
from ratings.services.player_rows import seasons_of
from ratings.services.players import search_text_for, search_words_for
from ratings.services.replay import ATTEMPTS, Overtaken, lock_unchanged, stage
from ratings.services.seasons import touch
from ratings.services.staging import Staged, staged, update_rows
from ratings.services.standings import overhaul, refresh_all_standings

FINAL = Hanchan.Status.FINAL
COPIES = ("season_id", "played_at", "played_on", "counts")


class Difference(NamedTuple):
    """A derived column with a wrong value, and the row that it belongs to."""

    model: str
    pk: int
    column: str
    stored: Any
    derived: Any

    def __str__(self) -> str:
        return f"{self.model} {self.pk}: {self.column} is {self.stored!r}, must be {self.derived!r}"


def seat_differences(played: ReplayedGame) -> Iterator[Difference]:
    """Yield the differences of one game's seats, in the columns from place to rating."""
    for seat, derived in zip(played.seats, played.derived, strict=True):
        stored = seat.derived
        if stored != derived:
            for name, was, now in zip(Derived._fields, stored, derived, strict=True):
                if was != now:
                    yield Difference("seat", seat.pk, name, was, now)


class Copies(NamedTuple):
    """The columns of a seat that repeat those of its hanchan."""

    pk: int
    stored: tuple[Any, ...]
    derived: tuple[Any, ...]

    def differences(self) -> Iterator[Difference]:
        for name, was, now in zip(COPIES, self.stored, self.derived, strict=True):
            if was != now:
                yield Difference("seat", self.pk, name, was, now)


def stale_copies(season: Season) -> list[Copies]:
    """Return seats that differ from their hanchan, also seats that name this season but belong to another."""
    same = Q(
        season_id=F("hanchan__season_id"), played_at=F("hanchan__played_at"), played_on=F("hanchan__played_on")
    ) & (Q(counts=True, hanchan__status=FINAL) | Q(counts=False) & ~Q(hanchan__status=FINAL))
    theirs = ("hanchan__season_id", "hanchan__played_at", "hanchan__played_on", "hanchan__status")
    own = Seat.objects.filter(hanchan__season=season).exclude(same)
    strange = Seat.objects.filter(season=season).exclude(hanchan__season=season)
    rows = [row for seats in (own, strange) for row in seats.order_by("pk").values_list("pk", *COPIES, *theirs)]
    return [Copies(row[0], row[1:5], (*row[5:8], row[8] == FINAL)) for row in rows]


def players_with_names() -> Iterator[Player]:
    return Player.objects.prefetch_related("aliases").order_by("pk").iterator(chunk_size=500)


_ = gettext_noop

SHOWN = 20


@dataclass
class RebuildFindings:
    """The number of differences, and the first of them."""

    count: int = 0
    first: list[Difference] = field(default_factory=list)
    stuck: list[Problem] = field(default_factory=list)  # problems that a person has to solve

    def add(self, difference: Difference) -> None:
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(difference)

    def __iadd__(self, other: RebuildFindings) -> RebuildFindings:
        self.count += other.count
        self.first += other.first[: SHOWN - len(self.first)]
        self.stuck += other.stuck
        return self


class _Undo(Exception):
    """Ends a check by rolling back what it had to store to find further differences."""


def rebuild_season(season_id: int, *, check: bool = False, report: Report | None = None) -> RebuildFindings:
    """Rebuild seats and standings of a season. With `check` nothing is stored."""
    for _attempt in range(ATTEMPTS):
        season = Season.objects.get(pk=season_id)
        try:
            with staged(Seat, Derived._fields) as seats:
                return _rebuild(season, seats, check, report)
        except Overtaken:
            continue
    raise Refused(
        Problem(_("Games are being entered in season “%(name)s”. Try it again later."), {"name": season.name})
    )


def _rebuild(season: Season, seats: Staged, check: bool, report: Report | None) -> RebuildFindings:
    found, ratings = RebuildFindings(), dict[int, Rated]()
    stage(seats, _wrong_seats(season, ratings, found, report))
    copies = stale_copies(season)
    for each in copies:
        for difference in each.differences():
            found.add(difference)
    if not found.count:
        # The seats are right, so the standings can be compared with them as they are, without a lock.
        standings = overhaul(season, ratings)
        if not standings.differences and Season.objects.get(pk=season.pk).revision == season.revision:
            return found
    try:
        with transaction.atomic():
            _store(lock_unchanged(season), seats, copies, ratings, found)
            if check:
                raise _Undo
    except _Undo:
        pass
    return found


def _wrong_seats(
    season: Season, ratings: dict[int, Rated], found: RebuildFindings, report: Report | None
) -> Iterator[tuple[Any, ...]]:
    for played in replayed(season, state=ratings, report=report):
        for difference in seat_differences(played):
            found.add(difference)
        for seat, derived in zip(played.seats, played.derived, strict=True):
            if seat.derived != derived:
                yield seat.pk, *derived


def _store(
    season: Season, seats: Staged, copies: list[Copies], ratings: dict[int, Rated], found: RebuildFindings
) -> None:
    """Store seats first, because the standings are read from them."""
    seats.apply()
    update_rows(Seat, COPIES, [(each.pk, *each.derived) for each in copies])
    touch({each.derived[0] for each in copies} - {season.pk})
    for wrong in refresh_all_standings(season, ratings).differences:
        found.add(Difference("standing of player", wrong.player_id, wrong.field or "row", wrong.stored, wrong.derived))


def rebuild_search_texts(*, check: bool = False) -> RebuildFindings:
    """Rebuild what searches of players read."""
    found, changed = RebuildFindings(), []
    for player in players_with_names():
        derived = {"search_text": search_text_for(player), "search_words": search_words_for(player)}
        wrong = {column: text for column, text in derived.items() if getattr(player, column) != text}
        for column, text in wrong.items():
            found.add(Difference("player", player.pk, column, getattr(player, column), text))
        if wrong:
            changed.append((player.pk, *derived.values()))
    if changed and not check:
        update_rows(Player, ["search_text", "search_words"], changed)
    return found


def rebuild_merged(season_id: int | None = None, *, check: bool = False) -> RebuildFindings:
    """Move rows that merged players still have to the survivors, over any number of merges.

    With a season, only rows of players who appear in it are moved.
    """
    found, rows = RebuildFindings(), _left_behind(season_id)
    today = survivors(row.merged.pk for row in rows)
    for row in rows:
        found.add(Difference(row.name, row.pk, row.kind.field, row.merged.pk, today[row.merged.pk]))
    stuck: set[int] = set()
    while not check and (waiting := {row.merged.pk: row.merged for row in rows if row.merged.pk not in stuck}):
        for merged in waiting.values():
            try:
                bring_along(merged)
            except Refused as refused:
                found.stuck += refused.problems
                stuck.add(merged.pk)
        rows = _left_behind(season_id)
    return found


def _left_behind(season_id: int | None) -> list[LeftBehind]:
    return [row for row in left_behind() if season_id is None or season_id in seasons_of(row.merged)]
