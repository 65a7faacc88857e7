"""What an event counts for the European ranking: its weight, and each player's base rank (RULES §3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ratings.mahjong import scoring
from ratings.models import Seat, Standing
from tournaments.models import Entry, Tournament
from tournaments.queries.standings import final_ranking, view_event
from tournaments.standings import mers


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
    players: int  # including the substitutes that count
    substitutes: int  # how many of these players are substitutes; they have no row
    countries: int
    rows: list[MersRow]


def mers_report(tournament: Tournament) -> MersReport:
    """The report by the current final ranking.

    Substitutes and names that were taken out are not in the ranking; disqualified players are last.
    """
    views = view_event(tournament)
    ranked = final_ranking(views)
    entries = views[0].entries if views else {}
    countries = len({entries[row.entry].country for row in ranked} - {""})
    substitutes = min(mers.MOST_SUBSTITUTES, _substitutes(tournament)) if tournament.count_substitutes else 0
    players = len(ranked) + substitutes
    weight = mers.weight(tournament.days, players, countries, tournament.is_championship)
    rows = [
        MersRow(row.rank, entries[row.entry], row.total, mers.base_rank(row.rank, players), row.stage) for row in ranked
    ]
    return MersReport(weight, tournament.days, players, substitutes, countries, rows)


def _substitutes(tournament: Tournament) -> int:
    """How many substitutes played, either to fill up a table or for a player."""
    seats = Seat.objects.filter(season__stage__tournament=tournament, counts=True).exclude(substitute=scoring.NONE)
    people = {person for seat in seats.values_list("player_id", "played_by_id") for person in seat}
    return tournament.entries.filter(player__in=people - {None}).exclude(substitute_kind="").count()


def kept_totals(tournament: Tournament) -> dict[tuple[int, int], int]:
    """The sum of each player's games and valid adjustments, by stage number and player.

    It is read from the stored standings, so it is independent of the way in which the ranking is computed.
    """
    rows = Standing.objects.filter(season__stage__tournament=tournament)
    found = rows.values_list("season__stage__number", "player_id", "results", "adjustments")
    return {(stage, player): results + adjustments for stage, player, results, adjustments in found}
