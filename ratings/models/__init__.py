"""Everything ratings keeps. Facts are entered once; what is derived is marked so and written by services alone."""

from ratings.models.clubs import Club, Invitation, Membership, RuleSet
from ratings.models.games import Adjustment, Hanchan, HanchanEvent, Seat, Standing
from ratings.models.imports import ImportBatch, ImportedRow, ImportMapping
from ratings.models.players import Affiliation, Alias, Player, PlayerMerge
from ratings.models.seasons import Season, SeasonEvent

__all__ = [
    "Adjustment",
    "Affiliation",
    "Alias",
    "Club",
    "Hanchan",
    "HanchanEvent",
    "ImportBatch",
    "ImportMapping",
    "ImportedRow",
    "Invitation",
    "Membership",
    "Player",
    "PlayerMerge",
    "RuleSet",
    "Season",
    "SeasonEvent",
    "Seat",
    "Standing",
]
