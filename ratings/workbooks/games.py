"""The sheet of games: one row for each hanchan, with every stored fact of the game and its four seats."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, local
from ratings.mahjong import rulesets, scoring
from ratings.models import Hanchan, RuleSet, Season
from ratings.queries.seats import StoredSeat
from ratings.queries.workbooks import StoredGame, games_in_order
from ratings.workbooks.people import People

Report = Callable[[int], None]  # called with the number of games written so far

FIRST_SEAT, PER_SEAT = 6, 13  # number of columns before the seats, and of each seat
STATE, STICKS, OVERRIDE = 4, 58, 59  # columns, from 0
NO, POINTS, PLACE, RESULT, LATE, PENALTY, SUBSTITUTE = 1, 4, 5, 7, 10, 11, 12  # within a seat
REPORT_EVERY = 500


class WrittenGame(NamedTuple):
    """What the sheet of checks needs to know about a game: its row, and what its rules say about sums and places."""

    row: int
    full_sum: int
    late_per_minute: int  # taken off before places are given
    penalty_in_net: bool  # whether a penalty is also taken off before
    ties_by_seat: bool


def rules_key(rule_set: RuleSet) -> str:
    return f"{rule_set.slug}/{rule_set.version}"


class Games:
    """The games as rows. With `remember`, final games are added to `played` while they are written."""

    def __init__(self, season: Season, people: People, rule_sets: Sequence[RuleSet], *, remember: bool) -> None:
        self.season = season
        self.people = people
        self.played: list[WrittenGame] = []
        self.written = 0
        self._remember = remember
        self._rule_sets = {rule_set.pk: rule_set for rule_set in rule_sets}
        self._keys = {rule_set.pk: rules_key(rule_set) for rule_set in rule_sets}
        self._varied: dict[tuple[int, str], rulesets.Rules] = {}

    @cached_property
    def zone(self) -> datetime.tzinfo:
        return self.season.club.zone

    def sheet(self, report: Report) -> WorkbookSheet:
        seats = [FIRST_SEAT + PER_SEAT * seat for seat in (1, 2, 3)]
        return WorkbookSheet(
            gettext("Games"), self._columns(), self._rows(report), name="games", frozen_columns=2, parts=[0, *seats]
        )

    def _columns(self) -> list[ExportColumn]:
        columns = [
            ExportColumn(gettext("No."), Kind.COUNT),
            ExportColumn(gettext("Date"), Kind.DATE),
            ExportColumn(gettext("Time"), Kind.CLOCK),
            ExportColumn(gettext("Table"), Kind.COUNT),
            ExportColumn(gettext("State"), width=8),
            ExportColumn(gettext("Rules"), width=16),
        ]
        # Translators: East, South, West, North in one letter, before the headings of a seat.
        for wind in (gettext("E"), gettext("S"), gettext("W"), gettext("N")):
            columns += [ExportColumn(f"{wind} {head}", kind, width) for head, kind, width in self._seat_columns()]
        return [
            *columns,
            ExportColumn(gettext("Sticks left"), Kind.COUNT),
            ExportColumn(gettext("Reason for a wrong sum"), width=24),
            ExportColumn(gettext("Variation"), width=20),
            ExportColumn(gettext("Winds unknown"), width=10),
            ExportColumn(gettext("Comment"), width=40),
            ExportColumn(gettext("Played at (UTC)"), Kind.MOMENT),
        ]

    def _seat_columns(self) -> list[tuple[str, Kind, int]]:
        return [
            (gettext("Player"), Kind.TEXT, self.people.width),
            (gettext("No."), Kind.COUNT, 6),
            (gettext("Played by"), Kind.TEXT, 14),
            (gettext("Played by, no."), Kind.COUNT, 9),
            (gettext("Points"), Kind.POINTS, 10),
            (gettext("Place"), Kind.COUNT, 7),
            (gettext("Uma"), Kind.RESULT, 8),
            (gettext("Result"), Kind.RESULT, 9),
            (gettext("Rating"), Kind.RATING, 9),
            (gettext("Chombo"), Kind.COUNT, 9),
            (gettext("Late"), Kind.COUNT, 7),
            (gettext("Penalty"), Kind.POINTS, 9),
            (gettext("Substitute"), Kind.TEXT, 11),
        ]

    def _rows(self, report: Report) -> Iterator[list[Cell]]:
        for number, (game, seats) in enumerate(games_in_order(self.season, uncounted=self.people.sees_hidden), 1):
            yield self._row(number, game, seats)
            self.written = number
            if number % REPORT_EVERY == 0:
                report(number)

    def _row(self, number: int, game: StoredGame, seats: Sequence[StoredSeat]) -> list[Cell]:
        rules = self._rules(game)
        moment = local(game.played_at, self.zone)
        row: list[Cell] = [
            number,
            game.played_on,
            moment.time(),
            game.table,
            game.status,
            self._keys[game.rule_set_id],
        ]
        for seat, uma in zip(seats, _umas(game, seats, rules), strict=True):
            row += self._seat(seat, uma)
        row += [
            game.sticks_left,
            game.override,
            _json(game.variation) if game.variation else None,
            "yes" if game.winds_unknown else None,
            game.comment,
            local(game.played_at, datetime.UTC),
        ]
        if self._remember and game.status == Hanchan.Status.FINAL:
            late = rules.late_per_minute if rules.late_applies == "net" else 0
            in_net = not rules.penalty_off_result
            self.played.append(WrittenGame(number + 1, rules.full_sum, late, in_net, rules.ties == "seat"))
        return row

    def _seat(self, seat: StoredSeat, uma: Cell) -> list[Cell]:
        names, numbers = self.people.names, self.people.numbers
        by, played, derived = seat.played_by_id, seat.played, seat.derived
        return [
            names[seat.player_id],
            numbers.get(seat.player_id),
            None if by is None else names[by],
            None if by is None else numbers.get(by),
            played.points,
            derived.place,
            uma,
            derived.result,
            derived.rating_after,
            played.chombo or None,
            played.late_minutes or None,
            played.penalty or None,
            None if played.substitute == scoring.NONE else played.substitute,
        ]

    def _rules(self, game: StoredGame) -> rulesets.Rules:
        """Return the rules by the game's own version and variation. They are cached, because many games share them."""
        rule_set = self._rule_sets[game.rule_set_id]
        if not game.variation:
            return rule_set.rules
        key = (game.rule_set_id, _json(game.variation))
        if key not in self._varied:
            self._varied[key] = rulesets.vary(rule_set.rules, rule_set.allowed_ranges, game.variation)
        return self._varied[key]


def _umas(game: StoredGame, seats: Sequence[StoredSeat], rules: rulesets.Rules) -> list[Cell]:
    """Compute the uma of a game: it is not stored, because it may be a fraction. A draft has no uma."""
    if any(seat.derived.place is None for seat in seats):
        return [None] * len(seats)
    table = scoring.Table(tuple(seat.played for seat in seats), game.sticks_left, game.override)
    return [result.uma for result in scoring.score(table, rules)]


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
