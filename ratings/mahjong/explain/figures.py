"""The steps of scoring as figures: a row for each step, and the account of the sum.

`Scored` is the table with its rules and results, as explanations need it. A row has a value for each seat and their
sum. The lines of the account add up exactly to the sum of the four results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ratings.mahjong.explain.phrases import PLACE, POINTS, ExplainedRow, Line, points, result, winds
from ratings.mahjong.problems import Phrase, Term, gettext_noop
from ratings.mahjong.rulesets import PARAMETERS, Rules
from ratings.mahjong.rulesets.parameters import Uma
from ratings.mahjong.rulesets.words import words
from ratings.mahjong.scoring import MID_GAME, NONE, STICK, WINDS, Exact, FourResults, Table, Working, difference


@dataclass(frozen=True)
class Scored:
    table: Table
    rules: Rules
    working: Working

    @property
    def own(self) -> list[int]:
        """The seats whose result follows from the game; the others are substituted and have a fixed result."""
        return [index for index, seat in enumerate(self.table.seats) if seat.substitute == NONE]

    @property
    def results(self) -> FourResults:
        return self.working.results

    @property
    def uma(self) -> Uma:
        """The uma by place that was used for this table (step 6)."""
        return self.working.uma_table

    def sharing(self, index: int) -> list[int]:
        """Return the seats that share the place of this seat, itself included."""
        return [i for i, result in enumerate(self.results) if result.place == self.results[index].place]

    def shares_place(self, index: int) -> bool:
        return len(self.sharing(index)) > 1

    def level_with(self, index: int) -> list[int]:
        """Return the other seats with the same net. A mid-game substitute ties only with mid-game substitutes."""
        seats, results = self.table.seats, self.results
        late = seats[index].substitute == MID_GAME
        return [
            i
            for i in range(4)
            if i != index and results[i].net == results[index].net and (seats[i].substitute == MID_GAME) == late
        ]

    @property
    def sticks_given(self) -> int:
        """What all first-placed seats together get of the sticks left, a substitute's share included (step 4)."""
        return self.working.sticks * len(self.working.firsts)

    def played_for(self, index: int) -> Exact:
        """Return the sum of a substituted seat's points, uma and shares before deductions; no one gets it (step 7)."""
        working = self.working
        first = working.oka + working.sticks if index in working.firsts else 0
        return whole(self.table.seats[index].points - self.rules.target_points + working.uma[index] + first)


def whole(value: Exact) -> Exact:
    """Return an int if the value is whole."""
    return value.numerator if value.denominator == 1 else value


_ = gettext_noop


def rows(scored: Scored) -> Iterator[ExplainedRow]:
    yield from _before(scored)
    rules = scored.rules
    minus = Phrase(_("points − %(target)s target"), {"target": points(rules.target_points)})
    yield _row(scored, "base", _("Base"), minus)
    if scored.table.sticks_left:
        yield _row(scored, "sticks", _("Sticks left"), _word(rules, "leftover_sticks"))
    if any(scored.uma) or any(each.uma for each in scored.results):
        yield _row(scored, "uma", _("Uma"), _uma(scored))
    if rules.oka:
        params = {"target": points(rules.target_points), "start": points(rules.start_points)}
        yield _row(scored, "oka", _("Oka"), Phrase(_("4 × (%(target)s − %(start)s), first place"), params))
    yield from _after(scored)
    yield _row(scored, "total", _("Result"), Phrase(_("what counts in the season")))


def _before(scored: Scored) -> Iterator[ExplainedRow]:
    entered = tuple(seat.points for seat in scored.table.seats)
    yield ExplainedRow("points", _("Points"), Phrase(_("as counted at the end")), entered, sum(entered), POINTS)
    net = tuple(each.net for each in scored.results)
    if net != entered:
        note = Phrase(_("after lateness and penalties"))
        yield ExplainedRow("net", _("Net"), note, net, sum(net), POINTS)
    places = tuple(each.place for each in scored.results)
    yield ExplainedRow("place", _("Place"), _place_note(scored), places, None, PLACE)


def _place_note(scored: Scored) -> Phrase:
    if any(scored.level_with(index) for index in range(4)):
        return Phrase(_("equal points: %(ties)s"), {"ties": _word(scored.rules, "ties")})
    return Phrase(_("by points, highest first"))


def _after(scored: Scored) -> Iterator[ExplainedRow]:
    rules, results, seats = scored.rules, scored.results, scored.table.seats
    if any(each.rounding for each in results):
        params = {"unit": _word(rules, "rounding_unit"), "mode": _word(rules, "rounding_mode")}
        yield _row(scored, "rounding", _("Rounding"), Phrase("%(unit)s, %(mode)s", params))
    if any(each.balance for each in results):
        yield _row(scored, "balance", _("Balance"), Phrase(_("first place takes what rounding changed")))
    if any(seat.chombo for seat in seats):
        note = Phrase(_("%(each)s each, after uma"), {"each": result(-rules.chombo_penalty)})
        yield _row(scored, "chombo", _("Chombo"), note)
    if any(each.late for each in results):
        note = Phrase(_("%(each)s a minute, off the result"), {"each": result(-rules.late_per_minute)})
        yield _row(scored, "late", _("Lateness"), note)
    if any(each.penalty for each in results):
        yield _row(scored, "penalty", _("Penalty"), Phrase(_("off the result, changes no place")))


def _uma(scored: Scored) -> Phrase:
    if scored.rules.floating_uma is None:
        return Phrase(_("%(uma)s by place"), {"uma": words(PARAMETERS["uma"], scored.uma)})
    params = {
        "uma": words(PARAMETERS["uma"], scored.uma),
        "count": scored.working.above_start,
        "start": points(scored.rules.start_points),
    }
    return Phrase(_("%(uma)s by place, with %(count)s at or above %(start)s"), params)


def _word(rules: Rules, name: str) -> Phrase:
    """Return the value of a parameter in the words of its declaration."""
    return words(PARAMETERS[name], getattr(rules, name))


def _row(scored: Scored, code: str, label: str, note: Phrase) -> ExplainedRow:
    values: tuple[Exact, ...] = tuple(getattr(each, code) for each in scored.results)
    return ExplainedRow(code, label, note, values, whole(sum((Fraction(value) for value in values), Fraction())))


def account(scored: Scored) -> list[Line]:
    return [_full(scored), *_table(scored), *_taken_before_placing(scored), *_substitutes(scored), *_after_uma(scored)]


def _full(scored: Scored) -> Line:
    """Return the line for base and oka, which cancel out on a full table, and for a uma that sums to zero."""
    message = (
        _("base, uma and oka of a full table of %(full)s")
        if any(scored.uma) and not sum(scored.uma)
        else _("base and oka of a full table of %(full)s")
    )
    return Line(0, Phrase(message, {"full": points(scored.rules.full_sum)}))


def _table(scored: Scored) -> list[Line]:
    """Return lines for a wrong sum, a uma that does not sum to zero, and the sticks left (steps 1, 4 and 6)."""
    lines = []
    off = difference(scored.table, scored.rules)
    if off:
        message = (
            _("points too many on the table, recorded all the same: “%(reason)s”")
            if off > 0
            else _("points missing on the table, recorded all the same: “%(reason)s”")
        )
        lines.append(Line(off, Phrase(message, {"reason": scored.table.override})))
    uma = sum(scored.uma)
    if uma:
        lines.append(Line(uma, Phrase(_("uma, which in these rules gives more or less than it takes"))))
    if scored.table.sticks_left:
        lines.append(_sticks(scored))
    return lines


def _sticks(scored: Scored) -> Line:
    left = scored.table.sticks_left
    unclaimed = left * STICK - scored.sticks_given
    if not unclaimed:
        message = _("riichi sticks left on the table: %(count)s; first place takes them")
    elif scored.rules.leftover_sticks == "lost":
        message = _("riichi sticks left on the table: %(count)s; by these rules no one gets them")
    else:
        message = _("riichi sticks left on the table: %(count)s; what tied firsts cannot share in hundreds stays there")
    return Line(-unclaimed, Phrase(message, {"count": left}))


def _taken_before_placing(scored: Scored) -> list[Line]:
    """Return lines for lateness and penalties (step 2).

    What a substituted seat pays is part of its own line, because its result is fixed.
    """
    late = [index for index in scored.own if scored.working.late[index]]
    fined = [index for index in scored.own if scored.working.penalties[index]]
    return [
        *_given_to_nobody(
            _("lateness of %(seats)s, given to no one"), late, -sum(scored.working.late[index] for index in late)
        ),
        *_given_to_nobody(
            _("penalty of %(seats)s, given to no one"), fined, -sum(scored.working.penalties[index] for index in fined)
        ),
    ]


def _given_to_nobody(message: str, seats: list[int], amount: int) -> list[Line]:
    return [Line(amount, Phrase(message, {"seats": winds(seats)}))] if seats else []


def _substitutes(scored: Scored) -> list[Line]:
    """Steps 7 and 9: a fixed result instead of what the seat played for, which no one gets."""
    lines = []
    for index, seat_result in enumerate(scored.results):
        if index in scored.own:
            continue
        played = scored.played_for(index)
        phrase = Phrase(
            _("%(seat)s had a substitute: %(fixed)s is recorded instead of %(played)s"),
            {"seat": Term(WINDS[index]), "fixed": result(seat_result.total), "played": result(played)},
        )
        lines.append(Line(whole(seat_result.total - played), phrase))
    return lines


def _after_uma(scored: Scored) -> list[Line]:
    """Return lines for rounding and balance (step 8) and for chombo, lateness and penalty off the result (step 10)."""
    results = scored.results
    lines = []
    if any(each.rounding for each in results):
        rounding = sum((Fraction(each.rounding) for each in results), Fraction())
        lines.append(Line(whole(rounding), Phrase(_("rounding, taken over the four seats"))))
    balance = sum(each.balance for each in results)
    if balance:
        lines.append(Line(balance, Phrase(_("rounding difference, taken by first place"))))
    chombo = [index for index, each in enumerate(results) if each.chombo]
    late = [index for index, each in enumerate(results) if each.late]
    fined = [index for index, each in enumerate(results) if each.penalty]
    lines += _given_to_nobody(_("chombo of %(seats)s, given to no one"), chombo, sum(each.chombo for each in results))
    lines += _given_to_nobody(_("lateness of %(seats)s, off the result"), late, sum(each.late for each in results))
    lines += _given_to_nobody(_("penalty of %(seats)s, off the result"), fined, sum(each.penalty for each in results))
    return lines
