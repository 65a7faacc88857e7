"""What a preset is, and the remarks that go with its numbers.

A remark says how certain a number is (HANDS §5). Without a remark the text of the rules states the number. With one, it
is our reading because the text does not state it, or it comes from excerpts, from secondary sources or from real games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.rulesets.rules import Rules
from ratings.mahjong.rulesets.variations import Ranges

_ = gettext_noop

OUR_READING = _("The source is silent or unclear here: this is our reading, and a club may change it.")
EXCERPTS = _("Known from excerpts of the rules that are reproduced elsewhere.")
SECONDARY = _("Known from secondary sources only.")
ONE_SOURCE = _("Known from one secondary source only.")
MEASURED = _("Measured on real games.")


@dataclass(frozen=True)
class Preset:
    key: str
    name: str
    source: str
    rules: Rules
    notes: Mapping[str, str] = field(default_factory=dict)  # parameter -> what a reader must know about it
    paragraphs: Mapping[str, str] = field(default_factory=dict)  # parameter -> where the source states it
    ranges: Ranges = field(default_factory=dict)  # what may vary from game to game


def about(remark: str, *parameters: str) -> dict[str, str]:
    """Return the same remark for several parameters."""
    return dict.fromkeys(parameters, remark)


# The values that the rule sets of federations, leagues and platforms start from (RULES §1).
INTERNATIONAL = Rules(
    start_points=30_000,
    target_points=30_000,
    uma=(15_000, 5_000, -5_000, -15_000),
    ties="split",
    leftover_sticks="winner",
    rounding_unit=100,
    rounding_mode="half_away",
    balance="none",
    chombo_penalty=20_000,
    late_per_minute=0,
    late_max_minutes=None,
    late_applies="net",
    penalty_applies="net",
    substitute_points=-15_000,
    substitute_uma=-15_000,
)
