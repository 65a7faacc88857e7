"""What an event file holds, as plain values. Stages and rounds count from 1 here; the file counts stages from 0."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.rulesets import Rules


@dataclass(frozen=True)
class RulesOf:
    """Rules with the key of a preset, or with their own parameters and no key."""

    key: str
    rules: Rules


@dataclass(frozen=True)
class FileEntry:
    number: int
    native_name: str
    latin_first: str = ""
    latin_last: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    is_substitute: bool = False


@dataclass(frozen=True)
class FileTable:
    """Seats in order from East to North, with the numbers of their entries. The file does not say when they played."""

    seats: tuple[SeatSheet[int], ...]
    sticks_left: int = 0
    override: str = ""


@dataclass(frozen=True)
class FileRound:
    tables: tuple[FileTable, ...]
    absent: tuple[int, ...] = ()
    byes: tuple[int, ...] = ()

    def present(self) -> Iterator[int]:
        """The numbers of all entries that have a seat, an absence or a bye in the round."""
        for table in self.tables:
            for seat in table.seats:
                yield seat.player
        yield from self.absent
        yield from self.byes


@dataclass(frozen=True)
class Cut:
    top: int
    totals: str


@dataclass(frozen=True)
class FileStage:
    name: str
    rounds: tuple[FileRound, ...]
    ruleset: RulesOf | None = None
    cut: Cut | None = None


@dataclass(frozen=True)
class Penalty:
    entry: int
    stage: int
    after_round: int
    points: int
    reason: str
    revoked: bool = False


@dataclass(frozen=True)
class Leave:
    """A disqualification, or a withdrawal that keeps or drops the results."""

    entry: int
    stage: int
    after_round: int
    reason: str
    keep_results: bool = True


@dataclass(frozen=True)
class Event:
    name: str
    slug: str
    club: str
    ruleset: RulesOf
    dates: tuple[datetime.date, ...]
    city: str
    country: str
    tie_breaks: tuple[str, ...]
    entries: tuple[FileEntry, ...]
    stages: tuple[FileStage, ...]
    penalties: tuple[Penalty, ...] = ()
    disqualified: tuple[Leave, ...] = ()
    withdrawn: tuple[Leave, ...] = ()
