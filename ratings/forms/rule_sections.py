"""The form of a rule set in sections, and where it differs from the rules that it was copied from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from ratings.forms.amounts import SURE
from ratings.forms.rules import BESIDES, OKA, TARGET
from ratings.mahjong.amounts import is_amount
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets import GROUPS, PARAMETERS, Rules
from ratings.mahjong.rulesets.rules import SCORING
from ratings.mahjong.rulesets.words import words

FURTHER = "further"
UNITS = {"minutes": _("minutes"), "han": _("han"), "fu": _("fu")}


@dataclass(frozen=True)
class RuleSource:
    """The rules that a set was copied from: a preset, or another set of the club."""

    name: str
    address: str
    rules: Rules


@dataclass(frozen=True)
class RuleRow:
    """One field of the form. `source` is the value in the source, if that differs from what the form says."""

    field: forms.BoundField
    unit: Any = ""
    source: Phrase | None = None


@dataclass(frozen=True)
class RuleSection:
    """The fields of one group of rules."""

    key: str
    label: Any
    rows: list[RuleRow]
    shown: str = ""  # the rule that the reader came for

    @property
    def is_open(self) -> bool:
        """The first section is open, one in which something was refused, and that of the rule asked for."""
        return self.key == SCORING or any(row.field.errors or row.field.name == self.shown for row in self.rows)

    @property
    def has_rules(self) -> bool:
        return self.key != FURTHER

    @property
    def changed(self) -> int:
        return sum(row.source is not None for row in self.rows)


def rule_sections(form: Any, source: RuleSource | None, shown: str = "") -> list[RuleSection]:
    """The sections of a `RuleSetForm`; notes, sources and ranges come last."""
    sections = [
        RuleSection(key, _(label), [_row(form, name, source) for name in _fields_of(key)], shown)
        for key, label in GROUPS.items()
    ]
    further = [RuleRow(form[name]) for name in BESIDES]
    return [*sections, RuleSection(FURTHER, _("Notes, sources and what a game may vary"), further)]


def changes_of(sections: list[RuleSection]) -> int:
    """In how many rules the form differs from the source."""
    return sum(section.changed for section in sections)


def section_fields() -> list[str]:
    """Every field of the form, in the order of the sections."""
    return ["name", SURE, *(name for group in GROUPS for name in _fields_of(group)), *BESIDES]


def _fields_of(group: str) -> list[str]:
    """The parameters of a group in their order, with the oka after the target points."""
    names = [name for name, parameter in PARAMETERS.items() if parameter.group == group]
    if TARGET in names:
        names.insert(names.index(TARGET) + 1, OKA)
    return names


def _row(form: Any, name: str, source: RuleSource | None) -> RuleRow:
    parameter = PARAMETERS.get(name)
    if parameter is None:
        return RuleRow(form[name])
    unit = "" if is_amount(parameter) else UNITS.get(parameter.unit, "")
    typed = form.typed(name)
    if source is None or typed is NotImplemented or typed == getattr(source.rules, name):
        return RuleRow(form[name], unit)
    return RuleRow(form[name], unit, words(parameter, getattr(source.rules, name)))


def restored(data: QueryDict, fields: Mapping[str, forms.Field], name: str, source: RuleSource) -> QueryDict:
    """What was sent, with one rule as in the source. A restored target takes the place of a typed oka."""
    sent = data.copy()
    field, value = fields[name], getattr(source.rules, name)
    shown = field.prepare_value(value)
    if isinstance(field.widget, forms.MultiWidget):
        for index, part in enumerate(field.widget.decompress(shown) or []):
            sent[f"{name}_{index}"] = part or ""
    elif isinstance(shown, list | tuple):
        sent.setlist(name, [str(part) for part in shown])
    else:
        sent[name] = "" if shown is None else str(shown)
    if name == TARGET:
        sent[OKA] = ""
    return sent
