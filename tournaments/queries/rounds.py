"""Rounds and tables for their pages: who sits where, what is missing, and the seats of one player."""

from __future__ import annotations

from django.db.models import Prefetch, Q, QuerySet

from ratings.models import Adjustment, Hanchan, Seat
from tournaments.models import Entry, PlannedSeat, Round, Stage, Table, Tournament

RECORDS = (Adjustment.Kind.ABSENCE, Adjustment.Kind.BYE)
# Matches `ranking.StageScores.played`: a round is played if one of its tables has a result, or if it is confirmed.
PLAYED = Q(state=Round.State.CONFIRMED) | Q(tables__hanchan__status=Hanchan.Status.FINAL)


def field_of(stage: Stage) -> list[Entry]:
    """The ranked entries in a stage: all in the first stage, in a later one those who reached it.

    Entries that left the event are included.
    """
    entries = stage.tournament.entries.filter(substitute_kind="").exclude(status__in=Entry.NOT_IN)
    if stage.number > 1:
        carried = Adjustment.objects.filter(season=stage.season_id, kind=Adjustment.Kind.CARRIED, revoked_at=None)
        entries = entries.filter(player__in=carried.values("player"))
    return list(entries.select_related("player", "left_stage"))


def records_of(round_: Round) -> list[Adjustment]:
    """Absences and byes of a round."""
    rows = Adjustment.objects.filter(season=round_.stage.season_id, round=round_.number, revoked_at=None)
    return list(rows.filter(kind__in=RECORDS).select_related("player").order_by("pk"))


def played_rounds(tournament: Tournament) -> set[tuple[int, int]]:
    """Season and number of every round that is played; one query."""
    rounds = Round.objects.filter(PLAYED, stage__tournament=tournament).order_by()
    return set(rounds.values_list("stage__season_id", "number").distinct())


def to_seat(round_: Round) -> tuple[list[Entry], list[Entry]]:
    """The entries that the draw of a round has to place, and the absent ones: they left and keep their results."""
    playing, absent = [], []
    for entry in field_of(round_.stage):
        if not entry.has_left_before(round_.stage, round_.number):
            playing.append(entry)
        elif entry.keep_results:
            absent.append(entry)
    return playing, absent


def unaccounted(round_: Round) -> list[Entry]:
    """Entries in the stage without a seat, an absence or a bye in the round.

    Entries whose name was taken out need no record.
    """
    seated = set(round_.seats.values_list("entry_id", flat=True))
    recorded = {record.player_id for record in records_of(round_)}
    return [
        entry
        for entry in field_of(round_.stage)
        if entry.pk not in seated
        and entry.player_id not in recorded
        and (entry.keep_results or not entry.has_left_before(round_.stage, round_.number))
    ]


def tables_of(rounds: QuerySet[Round] | Round) -> QuerySet[Table]:
    """Tables with their planned seats, people and results; the number of queries does not depend on their number."""
    tables = Table.objects.filter(round=rounds) if isinstance(rounds, Round) else Table.objects.filter(round__in=rounds)
    seats = PlannedSeat.objects.select_related("entry__player", "played_by__player").order_by("wind")
    sheet = Seat.objects.select_related("player", "played_by").order_by("wind")
    return (
        tables.select_related("round__stage", "hanchan", "checked_by")
        .prefetch_related(Prefetch("seats", queryset=seats), Prefetch("hanchan__seats", queryset=sheet))
        .order_by("round__stage__number", "round__number", "number")
    )


def rounds_of(tournament: Tournament) -> QuerySet[Round]:
    return (
        Round.objects.filter(stage__tournament=tournament).select_related("stage").order_by("stage__number", "number")
    )


def current_round(tournament: Tournament) -> Round | None:
    """The first round that is published and not confirmed, otherwise the last confirmed one."""
    rounds = list(rounds_of(tournament).exclude(state=Round.State.PLANNED))
    unfinished = [round_ for round_ in rounds if round_.state != Round.State.CONFIRMED]
    return unfinished[0] if unfinished else rounds[-1] if rounds else None


def round_being_played(stage: Stage) -> Round | None:
    """The last round of a stage that has begun: its clock was started, or a result or draft is in.

    None before the first round has begun. Later rounds may already be published. A confirmed round is returned until a
    later round has begun.
    """
    begun = stage.rounds.filter(state__in=(Round.State.PLAYING, Round.State.CONFIRMED))
    return begun.select_related("stage").order_by("number").last()


def seats_of(entry: Entry) -> QuerySet[PlannedSeat]:
    """The published seats of an entry, with table and opponents, as players look them up on the phone."""
    company = PlannedSeat.objects.select_related("entry__player", "played_by__player").order_by("wind")
    return (
        entry.seats.exclude(round__state=Round.State.PLANNED)
        .select_related("round__stage", "table__hanchan")
        .prefetch_related(Prefetch("table__seats", queryset=company))
        .order_by("round__stage__number", "round__number")
    )
