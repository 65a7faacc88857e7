"""Sentences about what a referee noted for a seat and its effect on the result, and about entries without a seat."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from clubsite import numbers
from ratings.mahjong import scoring
from ratings.mahjong.rulesets import Rules
from tournaments.models import Entry, Round


def unseated_words(entry: Entry, rounds: Sequence[Round]) -> str:
    words = ngettext(
        "%(name)s has no seat in round %(rounds)s. Assign one on its seating page.",
        "%(name)s has no seat in rounds %(rounds)s. Assign seats on their seating pages.",
        len(rounds),
    )
    return words % {"name": entry.player.native_name, "rounds": ", ".join(str(each.number) for each in rounds)}


def seat_effects(seat: scoring.Seat, rules: Rules) -> list[str]:
    """The effects in the order in which they count (RULES §1); empty for a seat on which nothing happened."""
    if seat.substitute != scoring.NONE:
        return [_substituted(seat, rules)]
    found = []
    if seat.late_minutes:
        found.append(_late(seat.late_minutes, rules))
    if seat.penalty:
        taken_when = (
            gettext("penalty: %(points)s off the result")
            if rules.penalty_off_result
            else gettext("penalty: %(points)s before placing")
        )
        found.append(taken_when % {"points": numbers.signed(-seat.penalty)})
    if seat.chombo:
        words = ngettext("%(count)s chombo: %(points)s", "%(count)s chombo: %(points)s", seat.chombo)
        taken = numbers.signed(-seat.chombo * rules.chombo_penalty)
        found.append(words % {"count": seat.chombo, "points": taken if rules.chombo_penalty else gettext("no more")})
    return found


def _substituted(seat: scoring.Seat, rules: Rules) -> str:
    fixed = numbers.result(rules.substitute_points + rules.substitute_uma)
    if seat.substitute == scoring.MID_GAME:
        return gettext("substitute mid-game: %(fixed)s, below the others") % {"fixed": fixed}
    return gettext("substitute from the start: %(fixed)s") % {"fixed": fixed}


def _late(minutes: int, rules: Rules) -> str:
    taken = minutes * rules.late_per_minute
    words = ngettext("%(count)s minute late", "%(count)s minutes late", minutes) % {"count": minutes}
    if not taken:
        return words
    where = gettext("before placing") if rules.late_applies == "net" else gettext("after placing")
    return f"{words}: {numbers.signed(-taken)} {where}"
