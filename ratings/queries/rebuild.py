"""Differences between what is kept and what follows from the facts, seat by seat and player by player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import F, Q

from ratings.models import Hanchan, Player, Season, Seat
from ratings.queries.replay import ReplayedGame
from ratings.queries.seats import Derived

FINAL = Hanchan.Status.FINAL
COPIES = ("season_id", "played_at", "played_on", "counts")


class Difference(NamedTuple):
    """A derived column that is not what it must be, and whose it is."""

    model: str
    pk: int
    column: str
    stored: Any
    derived: Any

    def __str__(self) -> str:
        return f"{self.model} {self.pk}: {self.column} is {self.stored!r}, must be {self.derived!r}"


def seat_differences(played: ReplayedGame) -> Iterator[Difference]:
    """Of one game's seats, place to rating."""
    for seat, derived in zip(played.seats, played.derived, strict=True):
        stored = seat.derived
        if stored != derived:
            for name, was, now in zip(Derived._fields, stored, derived, strict=True):
                if was != now:
                    yield Difference("seat", seat.pk, name, was, now)


class Copies(NamedTuple):
    """What a seat repeats of its hanchan."""

    pk: int
    stored: tuple[Any, ...]
    derived: tuple[Any, ...]

    def differences(self) -> Iterator[Difference]:
        for name, was, now in zip(COPIES, self.stored, self.derived, strict=True):
            if was != now:
                yield Difference("seat", self.pk, name, was, now)


def stale_copies(season: Season) -> list[Copies]:
    """Seats that do not repeat their hanchan; also those of other seasons that say they are of this one."""
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
