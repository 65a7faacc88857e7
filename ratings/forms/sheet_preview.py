"""What a sheet would give while it is typed, or before a game is corrected: sum, places, results, moves.

The checks and the scoring are the same as for saving; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext

from clubsite import numbers
from ratings.forms.entry import EntrySheet
from ratings.forms.seats import NamedSeatForm, SeatForm
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Problem, Refused
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.shorthand import narrowed, write_points
from ratings.models import Hanchan, Player, RuleSet
from ratings.queries import previews
from ratings.queries.people import clubs_of_others
from ratings.services.hanchans import check_sheet, rules_for, score_sheet

WAIT, RIGHT, WRONG = "wait", "right", "wrong"
MOST_STICKS = 9  # that may be left on the table; a larger gap has another reason


@dataclass(frozen=True)
class Offer:
    """A number for one seat's points that would help to make the sum right; never filled in automatically."""

    wind: int
    points: int
    added_back: int = 0  # what lateness or a penalty took out of the sticks during play

    @property
    def typed(self) -> str:
        return write_points(self.points)


@dataclass(frozen=True)
class PreviewLine:
    """One player's row of the preview."""

    name: str
    place: int | None = None
    result: int | None = None
    move: previews.Move | None = None


class Verdict(NamedTuple):
    title: str
    detail: str
    amount: str = ""


@dataclass(frozen=True)
class SheetPreview:
    typed: EntrySheet
    rule_set: RuleSet
    user: User | None = None
    hanchan: Hanchan | None = None
    draft: bool = field(default=False)

    @cached_property
    def sheet(self) -> Sheet[int] | None:
        return self.typed.sheet()

    @cached_property
    def rules(self) -> Rules:
        """The rules of this game; without its variation while the variation is refused."""
        if self.typed.variation:
            try:
                return rules_for(self.typed.season, self.rule_set, self.typed.variation)
            except Refused:
                pass
        return self.rule_set.rules

    @cached_property
    def problems(self) -> list[Problem]:
        if self.sheet is None:
            return []
        return check_sheet(self.typed.season, self.rule_set, self.sheet, by=self.user, draft=self.draft)

    # --- the sum -------------------------------------------------------------------------------------------

    @cached_property
    def points(self) -> list[int | None]:
        return [seat.typed_points for seat in self.typed.seats]

    @property
    def known(self) -> int:
        return sum(points is not None for points in self.points)

    @property
    def sticks(self) -> int:
        return scoring.STICK * self.typed.frame.sticks

    @property
    def entered(self) -> int:
        return sum(points or 0 for points in self.points) + self.sticks

    @property
    def expected(self) -> int:
        return self.rules.full_sum

    @property
    def difference(self) -> int:
        return self.entered - self.expected

    @property
    def verdict(self) -> Verdict:
        """The check of the sum in words."""
        entered, expected = numbers.points(self.entered), numbers.points(self.expected)
        sums = gettext("%(entered)s entered, %(expected)s expected") % {"entered": entered, "expected": expected}
        if self.is_waiting:
            return Verdict(gettext("%(known)s of 4 scores") % {"known": self.known}, sums)
        if self.is_right:
            start = numbers.points(self.rules.start_points)
            four_times = gettext("%(expected)s, four times %(start)s") % {"expected": expected, "start": start}
            return Verdict(gettext("The sum is right"), four_times, "0")
        words = gettext("%(amount)s points short") if self.difference < 0 else gettext("%(amount)s points too many")
        amount = numbers.points(abs(self.difference))
        return Verdict(words % {"amount": amount}, sums, numbers.signed(self.difference))

    @property
    def state(self) -> str:
        if self.known < 4:
            return WAIT
        return WRONG if self.difference else RIGHT

    @property
    def is_waiting(self) -> bool:
        """Whether scores are still missing."""
        return self.state == WAIT

    @property
    def is_right(self) -> bool:
        return self.state == RIGHT

    @property
    def is_wrong(self) -> bool:
        return self.state == WRONG

    @cached_property
    def offers(self) -> list[Offer]:
        """Offer the one missing score; else scores with deductions added back, if these explain a sum that is too low.

        If neither applies and the sum is wrong, offer a score for North that makes it right.
        """
        missing = [wind for wind, points in enumerate(self.points) if points is None]
        if len(missing) == 1:
            return [Offer(missing[0], -self.difference)]
        if missing or not self.difference:
            return []
        taken = [scoring.deduction(seat.so_far(), self.rules) for seat in self.typed.seats]
        if -self.difference == sum(taken):
            back = [
                (wind, points or 0, amount)
                for wind, (points, amount) in enumerate(zip(self.points, taken, strict=True))
            ]
            return [Offer(wind, points + amount, amount) for wind, points, amount in back if amount]
        last = self.points[3] or 0
        return [Offer(3, last - self.difference)]

    @property
    def sticks_offered(self) -> int:
        """The sticks left on the table that would make the sum right; 0 if whole sticks do not explain it."""
        missing, rest = divmod(-self.difference, scoring.STICK)
        sticks = self.typed.frame.sticks + missing
        return sticks if self.is_wrong and missing > 0 and not rest and sticks <= MOST_STICKS else 0

    # --- results -------------------------------------------------------------------------------------------

    @cached_property
    def results(self) -> Sequence[scoring.SeatResult]:
        """Empty until the sheet could be saved."""
        if self.sheet is None or self.problems:
            return ()
        return score_sheet(self.rules, self.sheet)

    @cached_property
    def moves(self) -> dict[int, previews.Move]:
        if not self.results:
            return {}
        found = previews.moves(self.typed.season, self.sheet, self.results, self.hanchan)
        return {move.player_id: move for move in found}

    @cached_property
    def lines(self) -> list[PreviewLine]:
        names = [seat.name for seat in self.typed.seats]
        if self.sheet is None or not self.results:
            return [PreviewLine(name) for name in names]
        rows = [
            PreviewLine(name, result.place, result.total, self.moves.get(seat.player))
            for name, result, seat in zip(names, self.results, self.sheet.seats, strict=True)
        ]
        return sorted(rows, key=lambda line: line.place or 0)

    @property
    def sum(self) -> int:
        return sum(result.total for result in self.results)

    @cached_property
    def ranks(self) -> dict[int, int]:
        if self.moves:
            return {m.player_id: m.rank_before for m in self.moves.values() if m.rank_before is not None}
        return previews.ranks_now(self.typed.season)

    @cached_property
    def foreign_clubs(self) -> dict[int, list[str]]:
        """The clubs of people who are not players of this club."""
        people = [seat.person for seat in self.typed.seats if seat.person and not seat.person.is_hidden]
        return clubs_of_others(self.typed.season.club, people)

    @cached_property
    def rows(self) -> list[SeatView]:
        return [SeatView(seat, self) for seat in self.typed.seats]

    @property
    def sentences(self) -> list[str]:
        """The problems of the table as a whole, except a wrong sum, which the check bar shows."""
        return [
            problem.sentence(gettext)
            for problem in self.problems
            if problem.code != "wrong_sum" and problem.seat is None
        ]


@dataclass(frozen=True)
class SeatView:
    """A seat row with what is known about it so far."""

    form: SeatForm
    preview: SheetPreview

    @property
    def wind(self) -> int:
        return self.form.wind

    @property
    def person(self) -> Player | None:
        return self.form.person

    @property
    def rank(self) -> int | None:
        return self.preview.ranks.get(self.person.pk) if self.person else None

    @property
    def clubs(self) -> str:
        """The clubs of a person who is not a player of this club."""
        return ", ".join(self.preview.foreign_clubs.get(self.person.pk, [])) if self.person else ""

    @property
    def guest(self) -> str:
        return self.form.guest if isinstance(self.form, NamedSeatForm) else ""

    @property
    def reading(self) -> int | None:
        """The points that were read, if they differ from what was typed."""
        points = self.preview.points[self.wind]
        typed = str(self.form["points"].value() or "")
        plain = "".join(c for c in narrowed(typed) if c in "0123456789-−").replace("−", "-")
        return None if points is None or plain == str(points) else points

    @property
    def offer(self) -> Offer | None:
        return next((offer for offer in self.preview.offers if offer.wind == self.wind), None)

    @property
    def sticks_offered(self) -> int:
        """The sticks to offer in this row: where a number of points is offered that would be right, too."""
        return self.preview.sticks_offered if self.offer and not self.offer.added_back else 0

    @property
    def sentences(self) -> list[str]:
        return [p.sentence(gettext) for p in self.preview.problems if p.seat == self.wind]
