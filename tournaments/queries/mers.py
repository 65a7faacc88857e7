"""What an event gives for the European ranking: its weight, and each player's base rank (RULES §3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tournaments import mers
from tournaments.models import Entry, Tournament
from tournaments.queries.standings import final_ranking, view_event


@dataclass(frozen=True)
class MersRow:
    place: int
    entry: Entry
    total: int
    points: int


@dataclass(frozen=True)
class MersReport:
    weight: Fraction
    days: int
    players: int
    countries: int
    rows: list[MersRow]


def mers_report(tournament: Tournament) -> MersReport:
    """By the final ranking as it stands: substitutes and names taken out are not in it, the disqualified are last."""
    views = view_event(tournament)
    ranked = final_ranking(views)
    entries = views[0].entries if views else {}
    countries = len({entries[row.entry].country for row in ranked} - {""})
    weight = mers.weight(tournament.days, len(ranked), countries, tournament.is_championship)
    rows = [MersRow(row.rank, entries[row.entry], row.total, mers.base_rank(row.rank, len(ranked))) for row in ranked]
    return MersReport(weight, tournament.days, len(ranked), countries, rows)
