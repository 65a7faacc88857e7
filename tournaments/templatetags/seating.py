"""`{% load seating %}`: the certificate of a schedule in words, each figure with the best possible value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import template
from django.utils.translation import gettext, ngettext

from clubsite import components
from tournaments.queries import schedules
from tournaments.queries.schedules import Drawing
from tournaments.seating.verify import Certificate

register = template.Library()


class CertificateLine(NamedTuple):
    """One figure: what it counts, its value, and how near it is to the best possible."""

    name: str
    label: str
    value: str
    sentence: str
    verdict: str
    optimal: bool


@register.filter
def certificate_lines(figures: Mapping[str, Any] | Certificate | None) -> list[CertificateLine]:
    """The figures that the certificate has, in order of importance."""
    if not figures:
        return []
    data: Mapping[str, Any] = figures.as_dict() if isinstance(figures, Certificate) else figures
    return [_line(name, data[name]) for name in _LABELS if isinstance(data.get(name), Mapping)]


@register.filter
def best_possible(lines: Sequence[CertificateLine]) -> int:
    """How many of the figures cannot be better."""
    return sum(line.optimal for line in lines)


@register.simple_tag
def compared(before: Any, after: Any) -> list[tuple[str, str, str, str]]:
    """Label, value before, value after, and a tag for better or worse if that can be decided."""
    old = {line.name: line for line in certificate_lines(before)}
    rows = []
    for line in certificate_lines(after):
        was = old.get(line.name)
        rows.append((line.label, was.value if was else "–", line.value, _trend(line, was)))
    return rows


def _trend(line: CertificateLine, was: CertificateLine | None) -> str:
    if was is None or not was.value.isdigit() or not line.value.isdigit() or was.value == line.value:
        return ""
    grew = int(line.value) > int(was.value)
    if grew == (line.name in _MORE_IS_BETTER):
        return components.tag(gettext("better"), "green")
    return components.tag(gettext("worse"), "red")


@register.filter
def drawn_words(drawing: Drawing) -> str:
    """How the seats were drawn: a sentence about the way, and one for each kind of group that was kept apart."""
    chosen = drawing.chosen_way
    wishes = {
        gettext("Teams are kept apart."): drawing.teams_apart,
        gettext("Countries are kept apart in the first round."): drawing.countries_apart == schedules.FIRST_ROUND,
        gettext("Countries are kept apart."): drawing.countries_apart == schedules.ALWAYS,
        gettext("Clubs are kept apart in the first round."): drawing.clubs_apart == schedules.FIRST_ROUND,
        gettext("Clubs are kept apart."): drawing.clubs_apart == schedules.ALWAYS,
        gettext("Listed pairs are kept apart."): bool(drawing.pairs),
    }
    way = gettext(chosen.way.sentence) % chosen.gaps
    return " ".join([way, *(words for words, wished in wishes.items() if wished)])


@register.filter
def rank_of(ranks: Mapping[int, int], number: int) -> int | None:
    return ranks.get(number)


def _line(name: str, figure: Mapping[str, Any]) -> CertificateLine:
    value, bound, optimal = figure["value"], figure["bound"], bool(figure["optimal"])
    shown = "–" if value is None else str(value)
    if value is None:
        verdict = gettext("nothing to count")
    elif optimal:
        verdict = gettext("cannot be better")
    else:
        verdict = gettext("the best possible may be %(bound)s") % {"bound": bound}
    return CertificateLine(name, _label(name), shown, _sentence(name, value), verdict, optimal or value is None)


_LABELS = (
    "forbidden", "max_meetings", "excess", "wind_range", "table_repeats", "table_visits", "zero_indirect",
    "min_indirect", "byes", "substitutes", "substitute_pairs",
)  # fmt: skip
_MORE_IS_BETTER = {"min_indirect"}


def _label(name: str) -> str:
    return {
        "forbidden": gettext("Forbidden meetings"),
        "max_meetings": gettext("Most meetings of two players"),
        "excess": gettext("Repeated meetings"),
        "wind_range": gettext("Winds apart"),
        "table_repeats": gettext("Returns to a table"),
        "table_visits": gettext("Most games at one table"),
        "zero_indirect": gettext("Pairs without a common opponent"),
        "min_indirect": gettext("Fewest common opponents"),
        "byes": gettext("Byes apart"),
        "substitutes": gettext("Most games with substitutes"),
        "substitute_pairs": gettext("Substitutes at one table"),
    }[name]


def _sentence(name: str, value: int | None) -> str:
    if value is None:
        return gettext("Everyone meets everyone.")
    params = {"n": value}
    match name:
        case "forbidden":
            text = (
                gettext("No forbidden meetings.")
                if not value
                else ngettext("%(n)s forbidden meeting.", "%(n)s forbidden meetings.", value)
            )
        case "max_meetings":
            text = ngettext("No two players meet more than once.", "Two players meet up to %(n)s times.", value)
        case "excess":
            text = (
                gettext("No meeting is repeated.")
                if not value
                else ngettext("%(n)s meeting is a repeat.", "%(n)s meetings are repeats.", value)
            )
        case "wind_range":
            text = gettext("Each player’s winds differ by at most %(n)s.")
        case "table_repeats":
            text = (
                gettext("No one returns to a table.")
                if not value
                else ngettext("%(n)s return to a table.", "%(n)s returns to a table.", value)
            )
        case "table_visits":
            text = ngettext("No one plays twice at a table.", "A player plays %(n)s times at the same table.", value)
        case _:
            text = _sentence_of_others(name, value)
    return text % params


def _sentence_of_others(name: str, value: int) -> str:
    if name == "zero_indirect" and not value:
        return gettext("Any two who do not meet have a common opponent.")
    if name == "substitute_pairs" and not value:
        return gettext("No two substitutes share a table.")
    return {
        "zero_indirect": gettext("%(n)s pairs who do not meet have no common opponent."),
        "min_indirect": gettext("Players who do not meet have at least %(n)s common opponents."),
        "byes": gettext("No one sits out more than %(n)s rounds more often than another."),
        "substitutes": gettext("No one meets substitutes more than %(n)s times."),
        "substitute_pairs": gettext("%(n)s times two substitutes share a table."),
    }[name]
