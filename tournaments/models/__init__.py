"""What an event stores besides its games. The games belong to ratings: a stage has a Season, a table a Hanchan."""

from tournaments.models.entries import Entry
from tournaments.models.events import Stage, Tournament
from tournaments.models.registrations import Registration
from tournaments.models.rounds import PlannedSeat, Round, Table
from tournaments.models.rulings import Ruling

__all__ = ["Entry", "PlannedSeat", "Registration", "Round", "Ruling", "Stage", "Table", "Tournament"]
