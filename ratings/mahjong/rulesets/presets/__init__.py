"""The rule sets that a club can start from, and those with which the logs of platforms are read.

A club's rule set is a copy of a preset and does not change with it.
"""

from ratings.mahjong.rulesets.presets.documents import BASIC, EMA_2012, FURITEN, PHOENIX
from ratings.mahjong.rulesets.presets.international import EMA_2016, EMA_2025, WRC
from ratings.mahjong.rulesets.presets.leagues import JPML_A, M_LEAGUE
from ratings.mahjong.rulesets.presets.online import MAHJONG_SOUL, TENHOU
from ratings.mahjong.rulesets.presets.preset import Preset

__all__ = ["PLATFORMS", "PRESETS", "Preset"]

# In the order in which they are offered: Europe (the rules now valid first), the world, leagues, platforms, clubs.
_OFFERED = (EMA_2025, EMA_2016, EMA_2012, WRC, JPML_A, M_LEAGUE, TENHOU, FURITEN, PHOENIX, BASIC)

PRESETS: dict[str, Preset] = {preset.key: preset for preset in _OFFERED}
PLATFORMS: dict[str, Preset] = {preset.key: preset for preset in (TENHOU, MAHJONG_SOUL)}
