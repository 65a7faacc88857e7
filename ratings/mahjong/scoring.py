"""From final scores to results: the ten steps of RULES §1, exactly.

The input is a table as it was played and the rules. The output is every step of each seat's result and, with
`work_out`, the values that the steps used. Amounts are game points; fractions stay exact until they are rounded. This
module knows nothing of players, seasons or storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ratings.mahjong.problems import Problem, Term, gettext_noop
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.rulesets.parameters import Uma

_ = gettext_noop

Exact = int | Fraction

WINDS = (_("East"), _("South"), _("West"), _("North"))
NONE, FROM_START, MID_GAME = "none", "from_start", "mid_game"
SUBSTITUTES = (NONE, FROM_START, MID_GAME)
STICK = 1000
LARGEST = 10_000_000  # far more than in any game; every number still fits into a database column


class Seat(NamedTuple):
    """What happened on one seat, as entered."""

    points: int
    chombo: int = 0
    late_minutes: int = 0
    penalty: int = 0
    substitute: str = NONE


class Table(NamedTuple):
    """A finished hanchan: seats in order East, South, West, North."""

    seats: tuple[Seat, ...]
    sticks_left: int = 0
    override: str = ""  # a written reason; with it a wrong sum is accepted


class SeatResult(NamedTuple):
    """Every step of a seat's result; `total` is the sum of `base` to `penalty`."""

    place: int
    net: int
    base: int
    sticks: int
    uma: Exact
    oka: Exact
    rounding: Exact
    balance: int
    chombo: int
    late: int
    penalty: int
    total: int


FourResults = tuple[SeatResult, SeatResult, SeatResult, SeatResult]


class Working(NamedTuple):
    """The four results and the values they follow from; lists by seat include the seats whose result is fixed."""

    results: FourResults
    late: list[int]  # taken off before placing (step 2)
    penalties: list[int]  # also taken off before placing
    firsts: list[int]  # the seats that share first place (step 3)
    sticks: int  # what each of these seats gets of the sticks left (step 4)
    oka: Exact  # what each of these seats gets of the oka (step 7)
    uma: list[Exact]  # what each seat's place was worth (step 6)
    uma_table: Uma  # the uma by place that was used
    above_start: int | None  # with a floating uma: how many seats are at or above the start


def places_twice(places: Sequence[int]) -> list[int]:
    """Return double the mean of the places that each seat covers: a whole number also if seats are tied."""
    return [2 * place + places.count(place) - 1 for place in places]


# --- step 1: check ------------------------------------------------------------------------------------------


def difference(table: Table, rules: Rules) -> int:
    """Return how many points are too many on the table; negative if points are missing."""
    return sum(seat.points for seat in table.seats) + STICK * table.sticks_left - rules.full_sum


def deduction(seat: Seat, rules: Rules) -> int:
    """Return what lateness and a penalty take off, before placing or after.

    If exactly the deductions of all seats are missing on the table, they were already taken from the players' sticks
    during play.
    """
    return seat.penalty + _late(seat, rules)


def check(table: Table, rules: Rules) -> list[Problem]:
    """Return everything that prevents scoring this table; the list is empty if it can be scored."""
    if len(table.seats) != 4:
        return [
            Problem(
                _("A hanchan has four seats, this one has %(count)s. Games of three or five cannot be recorded."),
                {"count": len(table.seats)},
                code="not_four",
            )
        ]
    problems = [p for index, seat in enumerate(table.seats) for p in _check_seat(index, seat, rules)]
    if table.sticks_left < 0 or table.sticks_left > LARGEST:
        problems.append(
            Problem(
                _("%(count)s riichi sticks cannot be left on the table; use 0 or more."),
                {"count": table.sticks_left},
                code="negative",
            )
        )
    if not problems and not table.override:
        problems += _check_sum(table, rules)
    return problems


def _check_sum(table: Table, rules: Rules) -> list[Problem]:
    off = difference(table, rules)
    if not off:
        return []
    params = {"sum": rules.full_sum + off, "full": rules.full_sum, "difference": abs(off)}
    if off < 0:
        message = _("The points sum to %(sum)s instead of %(full)s: %(difference)s are missing.")
    else:
        message = _("The points sum to %(sum)s instead of %(full)s: %(difference)s are too many.")
    return [Problem(message, params, code="wrong_sum")]


def _check_seat(index: int, seat: Seat, rules: Rules) -> list[Problem]:
    found = []

    def refuse(code: str, message: str, **params: object) -> None:
        found.append(Problem(message, params, code=code, seat=index))

    if seat.substitute not in SUBSTITUTES:
        refuse(
            "bad_substitute",
            _("“%(value)s” is not a kind of substitute; use none, from_start or mid_game."),
            value=seat.substitute,
        )
    if not -LARGEST <= seat.points <= LARGEST:
        refuse("too_large", _("%(value)s points are more than a game can have."), value=seat.points)
    elif seat.points % 100:
        refuse("not_hundreds", _("%(value)s points are not a multiple of 100."), value=seat.points)
    for name, value in (("chombo", seat.chombo), ("late_minutes", seat.late_minutes), ("penalty", seat.penalty)):
        if not 0 <= value <= LARGEST:
            refuse("negative", _("%(name)s is %(value)s; it must be 0 or more."), name=Term(name), value=value)
    if seat.penalty % 100 and seat.penalty > 0:
        refuse("not_hundreds", _("A penalty of %(value)s is not a multiple of 100."), value=seat.penalty)
    if _too_late(seat, rules):
        refuse(
            "too_late",
            _("%(minutes)s minutes late is more than %(maximum)s; a substitute has to play this seat."),
            minutes=seat.late_minutes,
            maximum=rules.late_max_minutes,
        )
    return found


def _too_late(seat: Seat, rules: Rules) -> bool:
    maximum = rules.late_max_minutes
    return maximum is not None and seat.substitute == NONE and seat.late_minutes > maximum


# --- steps 2 to 10 ------------------------------------------------------------------------------------------


def score(table: Table, rules: Rules) -> FourResults:
    """Return the four results, East to North, of a table in which `check` found no problem."""
    return work_out(table, rules).results


def work_out(table: Table, rules: Rules) -> Working:
    """Return the same results together with the values that the steps used."""
    seats = table.seats
    late, late_after = _lateness(seats, rules)
    penalties, penalties_after = _penalties(seats, rules)
    net = [seats[i].points - late[i] - penalties[i] for i in range(4)]
    strength = [n - 4 * LARGEST if s.substitute == MID_GAME else n for n, s in zip(net, seats, strict=True)]
    order = sorted((0, 1, 2, 3), key=strength.__getitem__, reverse=True)  # stable: East first among equals
    places, groups = _places(order, strength, rules)
    uma_table, above_start = _uma_table(net, rules)
    uma = _uma(groups, uma_table)
    firsts = groups[0]
    sticks = _sticks(table.sticks_left, len(firsts), rules)
    oka = _share(rules.oka, len(firsts))
    target = rules.target_points
    exact = [net[i] - target + uma[i] + (sticks + oka if i in firsts else 0) for i in range(4)]
    rounded = [round_to(value, rules.rounding_unit, rules.rounding_mode) for value in exact]
    balance = _balance(exact, rounded, seats, rules)
    results = []
    for i, seat in enumerate(seats):
        if seat.substitute != NONE:
            results.append(_fixed(places[i], net[i], rules))
            continue
        first = i in firsts
        balanced = balance if i == firsts[0] else 0
        chombo = -seat.chombo * rules.chombo_penalty
        results.append(
            SeatResult(
                places[i],
                net[i],
                net[i] - target,
                sticks if first else 0,
                uma[i],
                oka if first else 0,
                _whole(rounded[i] - exact[i]),
                balanced,
                chombo,
                -late_after[i],
                -penalties_after[i],
                rounded[i] + balanced + chombo - late_after[i] - penalties_after[i],
            )
        )
    east, south, west, north = results
    four = (east, south, west, north)
    return Working(four, late, penalties, firsts, sticks, oka, uma, uma_table, above_start)


def _late(seat: Seat, rules: Rules) -> int:
    """Return what lateness costs. On a substituted seat the minutes are only the reason and cost nothing (step 2)."""
    return seat.late_minutes * rules.late_per_minute if seat.substitute == NONE else 0


def _lateness(seats: tuple[Seat, ...], rules: Rules) -> tuple[list[int], list[int]]:
    """Return by seat the lateness taken off before placing (step 2) and that taken off the result (step 10)."""
    late = [_late(seat, rules) for seat in seats]
    return (late, [0, 0, 0, 0]) if rules.late_applies == "net" else ([0, 0, 0, 0], late)


def _penalties(seats: tuple[Seat, ...], rules: Rules) -> tuple[list[int], list[int]]:
    """Return the same for penalties."""
    penalties = [seat.penalty for seat in seats]
    return ([0, 0, 0, 0], penalties) if rules.penalty_off_result else (penalties, [0, 0, 0, 0])


def _fixed(place: int, net: int, rules: Rules) -> SeatResult:
    """Step 9: the result of a substituted seat, which does not depend on what happened at the table."""
    points, uma = rules.substitute_points, rules.substitute_uma
    return SeatResult(place, net, points, 0, uma, 0, 0, 0, 0, 0, 0, points + uma)


def _places(order: list[int], strength: list[int], rules: Rules) -> tuple[list[int], list[list[int]]]:
    """Step 3: each seat's place, and the groups of seats that share a place, best first and in seat order inside."""
    places = [0, 0, 0, 0]
    if rules.ties == "seat":
        for place, i in enumerate(order, 1):
            places[i] = place
        return places, [[i] for i in order]
    groups: list[list[int]] = []
    previous: int | None = None
    for place, i in enumerate(order, 1):
        if strength[i] == previous:
            places[i] = places[groups[-1][0]]
            groups[-1].append(i)
        else:
            places[i] = place
            groups.append([i])
            previous = strength[i]
    return places, groups


def _uma_table(net: list[int], rules: Rules) -> tuple[Uma, int | None]:
    """Return the uma by place and, with a floating uma, the number of seats at or above the start that decided it."""
    if rules.floating_uma is None:
        return rules.uma, None
    above = sum(n >= rules.start_points for n in net)
    return dict(rules.floating_uma).get(above, rules.uma), above


def _uma(groups: list[list[int]], table: Uma) -> list[Exact]:
    """Step 6: the uma by place; tied seats get the mean uma of the places they cover."""
    uma: list[Exact] = [0, 0, 0, 0]
    covered = 0
    for group in groups:
        size = len(group)
        if size == 1:
            uma[group[0]] = table[covered]
        else:
            share = _share(sum(table[covered : covered + size]), size)
            for i in group:
                uma[i] = share
        covered += size
    return uma


def _sticks(left: int, firsts: int, rules: Rules) -> int:
    """Step 4: what each first-placed seat gets of the sticks left, in whole hundreds."""
    if not left or rules.leftover_sticks == "lost":
        return 0
    return left * STICK // firsts // 100 * 100


def _share(amount: int, among: int) -> Exact:
    whole, rest = divmod(amount, among)
    return Fraction(amount, among) if rest else whole


def _whole(value: Exact) -> Exact:
    """Return an int if the value is whole, so that whole steps stay plain numbers."""
    return value.numerator if value.denominator == 1 else value


def _balance(exact: list[Exact], rounded: list[int], seats: tuple[Seat, ...], rules: Rules) -> int:
    """Step 8, `balance: first`: what the first-placed seat gets so that the four add up to their rounded exact sum."""
    if rules.balance == "none" or any(seat.substitute != NONE for seat in seats):
        return 0
    return round_to(sum(exact), rules.rounding_unit, rules.rounding_mode) - sum(rounded)


def round_to(value: Exact, unit: int, mode: str) -> int:
    """Step 8: round an exact value to a multiple of the unit."""
    whole, rest = divmod(value, unit)
    if not rest:
        return whole * unit
    if mode == "half_away":
        up = 2 * rest >= unit if value > 0 else 2 * rest > unit
    elif mode == "half_up":
        up = 2 * rest >= unit
    elif mode == "up":
        up = True
    elif mode == "down":
        up = False
    elif mode == "toward_zero":
        up = value < 0
    elif mode == "half_even":
        up = 2 * rest > unit or (2 * rest == unit and whole % 2 == 1)
    elif mode == "five_down_six_up":
        up = 10 * rest >= 6 * unit if value > 0 else 10 * rest > 4 * unit
    else:
        raise ValueError(f"unknown way of rounding: {mode}")
    return (whole + up) * unit
