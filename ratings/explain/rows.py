"""The steps as rows, one a step that these rules or this table know, with a value a seat and their sum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ratings.explain.phrases import PLACE, POINTS, Row, points, result
from ratings.explain.reading import Scored, whole
from ratings.problems import Phrase, gettext_noop
from ratings.rulesets import PARAMETERS, Rules
from ratings.rulesets.words import words
from ratings.scoring import Exact

_ = gettext_noop


def rows(scored: Scored) -> Iterator[Row]:
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


def _before(scored: Scored) -> Iterator[Row]:
    entered = tuple(seat.points for seat in scored.table.seats)
    yield Row("points", _("Points"), Phrase(_("as counted at the end")), entered, sum(entered), POINTS)
    net = tuple(each.net for each in scored.results)
    if net != entered:
        note = Phrase(_("after lateness and penalties"))
        yield Row("net", _("Net"), note, net, sum(net), POINTS)
    places = tuple(each.place for each in scored.results)
    yield Row("place", _("Place"), _place_note(scored), places, None, PLACE)


def _place_note(scored: Scored) -> Phrase:
    if any(scored.level_with(index) for index in range(4)):
        return Phrase(_("equal points: %(ties)s"), {"ties": _word(scored.rules, "ties")})
    return Phrase(_("by points, highest first"))


def _after(scored: Scored) -> Iterator[Row]:
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
    """The chosen value of a parameter, in the words of its declaration."""
    return words(PARAMETERS[name], getattr(rules, name))


def _row(scored: Scored, code: str, label: str, note: Phrase) -> Row:
    values: tuple[Exact, ...] = tuple(getattr(each, code) for each in scored.results)
    return Row(code, label, note, values, whole(sum((Fraction(value) for value in values), Fraction())))
