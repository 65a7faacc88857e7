"""Where in an event file something is wrong: stage, round, table and seat, in words."""

from __future__ import annotations

from ratings.mahjong.problems import Phrase, Problem, Refused, Term, gettext_noop
from ratings.mahjong.scoring import WINDS

_ = gettext_noop


def whole_file() -> Phrase:
    return Phrase(_("The event file"))


def part(name: str, number: int | None = None) -> Phrase:
    """A list of the file, or one of its members, counted from 1."""
    if number is None:
        return Phrase(_("“%(name)s”"), {"name": name})
    return Phrase(_("“%(name)s”, number %(number)s"), {"name": name, "number": number})


def in_round(stage: str, round_number: int, table: int | None = None, seat: int | None = None) -> Phrase:
    params = {"stage": stage, "round": round_number, "table": table}
    if table is None:
        return Phrase(_("%(stage)s, round %(round)s"), params)
    if seat is None:
        return Phrase(_("%(stage)s, round %(round)s, table %(table)s"), params)
    wind = Term(WINDS[seat])
    return Phrase(_("%(stage)s, round %(round)s, table %(table)s, seat %(wind)s"), {**params, "wind": wind})


def refuse(where: Phrase, message: str, code: str = "bad_event", **params: object) -> Refused:
    return located(Problem(message, params, code=code), where)


def located(problem: Problem, where: Phrase) -> Refused:
    """The same problem with its place in the file."""
    message = _("%(where)s: %(what)s")
    return Refused(Problem(message, {"where": where, "what": problem}, code=problem.code, seat=problem.seat))
