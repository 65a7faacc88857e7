"""Why the four results sum to what they sum to: lines that add up exactly.

Base and oka of a full table cancel out, and a uma mostly does. Everything else that is not nought has a line.
"""

from __future__ import annotations

from fractions import Fraction

from ratings.explain.phrases import Line, points, result, winds
from ratings.explain.reading import Scored, whole
from ratings.problems import Phrase, Term, gettext_noop
from ratings.scoring import STICK, WINDS, difference

_ = gettext_noop


def account(scored: Scored) -> list[Line]:
    return [_full(scored), *_table(scored), *_taken_before_placing(scored), *_substitutes(scored), *_after_uma(scored)]


def _full(scored: Scored) -> Line:
    """Base and oka cancel out on a full table, and so does a uma that takes what it gives."""
    message = (
        _("base, uma and oka of a full table of %(full)s")
        if any(scored.uma) and not sum(scored.uma)
        else _("base and oka of a full table of %(full)s")
    )
    return Line(0, Phrase(message, {"full": points(scored.rules.full_sum)}))


def _table(scored: Scored) -> list[Line]:
    """A wrong sum, a uma that does not sum to nought, and where the sticks went (steps 1, 4 and 6)."""
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
        message = _("riichi sticks left on the table: %(count)s; by these rules nobody gets them")
    else:
        message = _("riichi sticks left on the table: %(count)s; what tied firsts cannot share in hundreds stays there")
    return Line(-unclaimed, Phrase(message, {"count": left}))


def _taken_before_placing(scored: Scored) -> list[Line]:
    """Lateness and penalties (step 2). What a substituted seat pays is in its own line: its result is fixed."""
    late = [index for index in scored.own if scored.working.late[index]]
    fined = [index for index in scored.own if scored.working.penalties[index]]
    return [
        *_given_to_nobody(
            _("lateness of %(seats)s, given to nobody"), late, -sum(scored.working.late[index] for index in late)
        ),
        *_given_to_nobody(
            _("penalty of %(seats)s, given to nobody"), fined, -sum(scored.working.penalties[index] for index in fined)
        ),
    ]


def _given_to_nobody(message: str, seats: list[int], amount: int) -> list[Line]:
    return [Line(amount, Phrase(message, {"seats": winds(seats)}))] if seats else []


def _substitutes(scored: Scored) -> list[Line]:
    """Steps 7 and 9: a fixed result instead of what the seat played for, which nobody gets."""
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
    """Rounding and balance (step 8), chombo, lateness and penalty off the result (step 10)."""
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
    lines += _given_to_nobody(_("chombo of %(seats)s, given to nobody"), chombo, sum(each.chombo for each in results))
    lines += _given_to_nobody(_("lateness of %(seats)s, off the result"), late, sum(each.late for each in results))
    lines += _given_to_nobody(_("penalty of %(seats)s, off the result"), fined, sum(each.penalty for each in results))
    return lines
