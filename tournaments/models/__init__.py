"""Everything an event keeps beside its games, which are ratings' own: each stage is a Season, each table a Hanchan."""

from tournaments.models.entries import Entry
from tournaments.models.events import Stage, Tournament
from tournaments.models.registrations import Registration
from tournaments.models.rounds import PlannedSeat, Round, Table
from tournaments.models.rulings import Ruling

__all__ = ["Entry", "PlannedSeat", "Registration", "Round", "Ruling", "Stage", "Table", "Tournament"]
