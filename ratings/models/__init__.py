"""The models of ratings. Facts are entered once; derived columns are marked as such and written only by services."""

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
