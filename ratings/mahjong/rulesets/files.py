"""The JSON file with which clubs exchange rule sets: parameters with their notes, sources and ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets.presets import PRESETS, Preset
from ratings.mahjong.rulesets.reading import read, write
from ratings.mahjong.rulesets.rules import PARAMETERS, Rules
from ratings.mahjong.rulesets.variations import Ranges, read_ranges, write_ranges

_ = gettext_noop

KEYS = ("name", "preset", "parameters", "notes", "paragraphs", "ranges")
LONGEST_NAME = 120
LONGEST_NOTE = 1000

Part = TypeVar("Part")


@dataclass(frozen=True)
class RuleFile:
    """A rule set that does not belong to a club."""

    name: str
    rules: Rules
    preset: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    paragraphs: Mapping[str, str] = field(default_factory=dict)
    ranges: Ranges = field(default_factory=dict)

    def write(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "preset": self.preset,
            "parameters": write(self.rules),
            "notes": dict(self.notes),
            "paragraphs": dict(self.paragraphs),
            "ranges": write_ranges(self.ranges),
        }


def of_preset(preset: Preset) -> RuleFile:
    return RuleFile(preset.name, preset.rules, preset.key, preset.notes, preset.paragraphs, preset.ranges)


def read_file(data: Any) -> RuleFile:
    """Read the rule set in a file, or refuse it with everything that is wrong."""
    if not isinstance(data, Mapping) or not isinstance(data.get("parameters"), Mapping):
        raise Refused(
            Problem(_("The file is not a rule set: it must be a JSON object with “parameters”."), code="bad_rule_file")
        )
    problems = [
        Problem(_("The file has “%(key)s”, which no rule set has."), {"key": str(key)[:60]}, code="bad_rule_file")
        for key in data
        if key not in KEYS
    ]
    rules = _collect(problems, lambda: read(data["parameters"]))
    ranges = _collect(problems, lambda: read_ranges(_object(data, "ranges")))
    notes = _collect(problems, lambda: read_texts(_object(data, "notes")))
    paragraphs = _collect(problems, lambda: read_texts(_object(data, "paragraphs")))
    name, preset = data.get("name") or "", data.get("preset") or ""
    if not _is_text(name, LONGEST_NAME):
        problems.append(
            Problem(_("The name of the rule set must be a text of at most 120 characters."), code="bad_name")
        )
    if not isinstance(preset, str) or preset not in PRESETS:
        preset = ""  # a preset of another site: all parameters are in the file, only the link to the preset is lost
    if problems or rules is None:
        raise Refused(*problems)
    return RuleFile(name.strip(), rules, preset, notes or {}, paragraphs or {}, ranges or {})


def read_texts(data: Mapping[str, Any]) -> dict[str, str]:
    """Read notes or paragraphs: parameter -> text."""
    problems = [
        Problem(
            _("“%(name)s” has no note that can be kept: notes are texts of at most 1000 characters about a parameter."),
            {"name": str(name)[:60]},
            code="bad_note",
        )
        for name, text in data.items()
        if name not in PARAMETERS or not _is_text(text, LONGEST_NOTE)
    ]
    if problems:
        raise Refused(*problems)
    return {name: text for name, text in data.items() if text}


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and "\0" not in value  # PostgreSQL cannot store NUL


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key) or {}
    if not isinstance(found, Mapping):
        raise Refused(Problem(_("“%(key)s” must be a JSON object."), {"key": key}, code="bad_rule_file"))
    return found


def _collect(problems: list[Problem], part: Callable[[], Part]) -> Part | None:
    try:
        return part()
    except Refused as refused:
        problems += refused.problems
        return None
