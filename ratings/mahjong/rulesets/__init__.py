"""Rule sets as data: the declared parameters, the presets, and how a game may vary them.

Pure: nothing here uses Django, the clock or a database.
"""

from ratings.mahjong.rulesets.parameters import NOT_STATED, Parameter
from ratings.mahjong.rulesets.presets import PLATFORMS, PRESETS, Preset
from ratings.mahjong.rulesets.reading import change, read, remarks, write
from ratings.mahjong.rulesets.rules import GROUPS, PARAMETERS, SCORING_PARAMETERS, Rules
from ratings.mahjong.rulesets.variations import Range, Ranges, difference, read_ranges, vary, write_ranges

__all__ = [
    "GROUPS",
    "NOT_STATED",
    "PARAMETERS",
    "PLATFORMS",
    "PRESETS",
    "SCORING_PARAMETERS",
    "Parameter",
    "Preset",
    "Range",
    "Ranges",
    "Rules",
    "change",
    "difference",
    "read",
    "read_ranges",
    "remarks",
    "vary",
    "write",
    "write_ranges",
]
