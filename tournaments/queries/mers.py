"""What an event gives for the European ranking: its weight, and each player's base rank (RULES §3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ratings.models import Standing
from tournaments import mers
from tournaments.models import Entry, Tournament
from tournaments.queries.standings import final_ranking, view_event


@dataclass(frozen=True)
class MersRow:
    place: int
    entry: Entry
    total: int
    points: int
    stage: int  # the last one the entry was in


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
    rows = [
        MersRow(row.rank, entries[row.entry], row.total, mers.base_rank(row.rank, len(ranked)), row.stage)
        for row in ranked
    ]
    return MersReport(weight, tournament.days, len(ranked), countries, rows)


def kept_totals(tournament: Tournament) -> dict[tuple[int, int], int]:
    """What each player's games and valid adjustments add up to, by number of the stage and player.

    Read from the kept standings, so another way than the one the ranking goes.
    """
    rows = Standing.objects.filter(season__stage__tournament=tournament)
    found = rows.values_list("season__stage__number", "player_id", "results", "adjustments")
    return {(stage, player): results + adjustments for stage, player, results, adjustments in found}
