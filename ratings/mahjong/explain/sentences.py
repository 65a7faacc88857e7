"""A seat's result in sentences, one for each step that applies; the amounts of the steps add up to the total."""

from __future__ import annotations

from ratings.mahjong.explain.figures import Scored, whole
from ratings.mahjong.explain.phrases import Step, place, points, result, winds
from ratings.mahjong.problems import Phrase, gettext_noop
from ratings.mahjong.scoring import FROM_START, MID_GAME, NONE, Exact

_ = gettext_noop


def sentences(scored: Scored, index: int) -> list[Step]:
    seat, total = scored.table.seats[index], scored.results[index].total
    return [
        _step("points", _("Ended with %(points)s points."), points=points(seat.points)),
        *_deductions(scored, index),
        _place(scored, index),
        *(_own(scored, index) if seat.substitute == NONE else _fixed(scored, index)),
        _step("total", _("Result: %(total)s."), total=result(total)),
    ]


def _step(code: str, message: str, amount: Exact = 0, **params: object) -> Step:
    return Step(code, Phrase(message, params), amount)


def _deductions(scored: Scored, index: int) -> list[Step]:
    """Step 2."""
    seat, net = scored.table.seats[index], scored.results[index].net
    steps = []
    late = scored.working.late[index]
    if late:
        steps.append(
            _step(
                "late_net",
                _("Minutes late: %(minutes)s, at %(each)s points each: %(late)s are taken off and go to no one."),
                minutes=seat.late_minutes,
                each=points(scored.rules.late_per_minute),
                late=points(late),
            )
        )
    if scored.working.penalties[index]:
        message = _("A penalty of %(penalty)s points is taken off before places are decided and goes to no one.")
        steps.append(_step("penalty", message, penalty=points(seat.penalty)))
    if net != seat.points:
        steps.append(_step("net", _("That leaves %(net)s."), net=points(net)))
    return steps


def _place(scored: Scored, index: int) -> Step:
    """Step 3."""
    own_place = place(scored.results[index].place)
    level = scored.level_with(index)
    if scored.table.seats[index].substitute == MID_GAME:
        message = _("A substitute came in mid-game, and such a seat is below all others: %(place)s place.")
        return _step("place", message, place=own_place)
    if not level:
        return _step("place", _("Took %(place)s place."), place=own_place)
    if scored.rules.ties == "seat":
        message = _("Level with %(seats)s; the seat nearer to the first dealer is higher: %(place)s place.")
    else:
        message = _("Level with %(seats)s: they share %(place)s place.")
    return _step("place", message, place=own_place, seats=winds(level))


def _fixed(scored: Scored, index: int) -> list[Step]:
    """Step 9: a substituted seat."""
    seat, fixed = scored.table.seats[index], scored.results[index]
    message = (
        _("A substitute played from the start: the result is fixed, whatever happened. Base: %(base)s.")
        if seat.substitute == FROM_START
        else _("The result of such a seat is fixed, whatever happened. Base: %(base)s.")
    )
    steps = [
        _step("base", message, fixed.base, base=result(fixed.base)),
        _step("uma", _("Uma of a substituted seat: %(uma)s."), fixed.uma, uma=result(fixed.uma)),
    ]
    if seat.chombo:
        message = _("Chombo: %(count)s, recorded; on a substituted seat it changes nothing.")
        steps.append(_step("chombo", message, count=seat.chombo))
    if seat.late_minutes:
        message = _("Minutes late: %(minutes)s, kept as the reason and not taken off.")
        steps.append(_step("late", message, minutes=seat.late_minutes))
    if seat.penalty and scored.rules.penalty_off_result:
        message = _("A penalty of %(penalty)s points, recorded; on a substituted seat it changes nothing.")
        steps.append(_step("penalty", message, penalty=points(seat.penalty)))
    return steps


def _own(scored: Scored, index: int) -> list[Step]:
    """Steps 4 to 10 for a seat that was played by its own player."""
    rules, mine = scored.rules, scored.results[index]
    steps = [
        _step(
            "base",
            _("%(net)s − %(target)s target = %(base)s."),
            mine.base,
            net=points(mine.net),
            target=points(rules.target_points),
            base=result(mine.base),
        )
    ]
    if mine.sticks:
        message = (
            _("Riichi sticks left on the table, shared by the tied firsts in whole hundreds: %(sticks)s.")
            if scored.shares_place(index)
            else _("Riichi sticks left on the table go to first place: %(sticks)s.")
        )
        steps.append(_step("sticks", message, mine.sticks, sticks=result(mine.sticks)))
    if any(scored.uma):
        steps.append(Step("uma", _uma(scored, index), mine.uma))
    if mine.oka:
        steps.append(_oka(scored, index))
    return [*steps, *_rounding(scored, index), *_after_rounding(scored, index)]


def _uma(scored: Scored, index: int) -> Phrase:
    """Step 6."""
    mine, sharing = scored.results[index], len(scored.sharing(index))
    params: dict[str, object] = {"place": place(mine.place), "uma": result(mine.uma)}
    if sharing > 1:
        params["last"] = place(mine.place + sharing - 1)
        phrase = Phrase(_("Uma, the mean of %(place)s to %(last)s place: %(uma)s."), params)
    else:
        phrase = Phrase(_("Uma for %(place)s place: %(uma)s."), params)
    if scored.rules.floating_uma is None:
        return phrase
    return Phrase(
        _("Seats at or above %(start)s: %(count)s, which decides the uma. %(uma)s"),
        {"start": points(scored.rules.start_points), "count": scored.working.above_start, "uma": phrase},
    )


def _oka(scored: Scored, index: int) -> Step:
    """Step 7."""
    rules, oka = scored.rules, scored.results[index].oka
    if rules.oka < 0:
        message = _("Oka: the target is below the start, so first place gives the difference: %(oka)s.")
    elif scored.shares_place(index):
        message = _("Oka, the %(each)s each player put in, shared by the tied firsts: %(oka)s.")
    else:
        message = _("Oka, the %(each)s each player put in: %(oka)s.")
    return _step("oka", message, oka, each=points(rules.target_points - rules.start_points), oka=result(oka))


def _rounding(scored: Scored, index: int) -> list[Step]:
    """Step 8."""
    mine = scored.results[index]
    steps = []
    rounded = mine.total - mine.balance - mine.chombo - mine.late - mine.penalty
    if mine.rounding:
        exact = whole(rounded - mine.rounding)
        message = _("%(exact)s is rounded to %(rounded)s.")
        steps.append(_step("rounding", message, mine.rounding, exact=result(exact), rounded=result(rounded)))
    if mine.balance:
        message = _("First place takes what rounding added or removed: %(balance)s.")
        steps.append(_step("balance", message, mine.balance, balance=result(mine.balance)))
    return steps


def _after_rounding(scored: Scored, index: int) -> list[Step]:
    """Step 10."""
    seat, mine = scored.table.seats[index], scored.results[index]
    steps = []
    if mine.chombo:
        each = result(-scored.rules.chombo_penalty)
        message = _("Chombo: %(count)s, at %(each)s each: %(chombo)s.")
        steps.append(_step("chombo", message, mine.chombo, count=seat.chombo, each=each, chombo=result(mine.chombo)))
    elif seat.chombo:
        message = _("Chombo: %(count)s; by these rules nothing is taken off the result.")
        steps.append(_step("chombo", message, count=seat.chombo))
    if mine.late:
        message = _("Minutes late: %(minutes)s, taken off the result: %(late)s.")
        steps.append(_step("late", message, mine.late, minutes=seat.late_minutes, late=result(mine.late)))
    if mine.penalty:
        message = _("A penalty, taken off the result: %(penalty)s.")
        steps.append(_step("penalty", message, mine.penalty, penalty=result(mine.penalty)))
    return steps
