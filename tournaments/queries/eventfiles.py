"""Read an event from the database in the form of an event file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.rulesets import PRESETS
from ratings.models import Adjustment, Hanchan, RuleSet
from tournaments.models import Entry, Round, Ruling, Stage, Table, Tournament
from tournaments.queries.rounds import tables_of
from tournaments.queries.standings import entries_of
from tournaments.standings.eventfile import (
    Cut,
    Event,
    FileEntry,
    FileRound,
    FileStage,
    FileTable,
    Leave,
    Penalty,
    RulesOf,
)

PENALTIES = (Adjustment.Kind.PENALTY, Adjustment.Kind.WARNING, Adjustment.Kind.BONUS)


@dataclass(frozen=True)
class EventExport:
    """The event, and the published rounds that are left out because a table has no result yet."""

    event: Event
    left_out: list[Round]


def read_event(tournament: Tournament) -> EventExport:
    entries = [entry for entry in entries_of(tournament) if entry.is_in]
    numbers = {entry.player_id: entry.number for entry in entries}
    stages = list(tournament.stages.select_related("season__rule_set", "own_rule_set"))
    left_out: list[Round] = []
    event = Event(
        name=tournament.name,
        slug=tournament.slug,
        club=tournament.club.name,
        ruleset=_rules_of(tournament.rule_set),
        dates=tuple(tournament.dates),
        city=tournament.city,
        country=tournament.country,
        tie_breaks=tuple(tournament.tie_breaks),
        entries=tuple(_entry(entry) for entry in entries),
        stages=tuple(_stage(stage, tournament, numbers, left_out) for stage in stages),
        penalties=tuple(_penalties(stages, numbers)),
        disqualified=tuple(_leaves(tournament, Ruling.Kind.DISQUALIFIED)),
        withdrawn=tuple(_leaves(tournament, Ruling.Kind.WITHDRAWN)),
    )
    return EventExport(event, left_out)


def _rules_of(rule_set: RuleSet) -> RulesOf:
    preset = PRESETS.get(rule_set.preset)
    same = preset is not None and preset.rules == rule_set.rules
    return RulesOf(rule_set.preset if same else "", rule_set.rules)


def _entry(entry: Entry) -> FileEntry:
    player = entry.player
    return FileEntry(
        number=entry.number,
        native_name=player.native_name,
        latin_first=player.latin_first,
        latin_last=player.latin_last,
        country=entry.country,
        ema_number=entry.ema_number,
        team=entry.team,
        is_substitute=entry.is_substitute,
    )


def _stage(stage: Stage, tournament: Tournament, numbers: dict[int, int], left_out: list[Round]) -> FileStage:
    rules = stage.season.rule_set
    own = stage.own_rule_set_id is not None or rules.rules != tournament.rule_set.rules
    return FileStage(
        stage.name,
        tuple(_rounds(stage, numbers, left_out)),
        _rules_of(rules) if own else None,
        Cut(stage.cut_top, stage.cut_totals) if stage.cut_top is not None else None,
    )


def _rounds(stage: Stage, numbers: dict[int, int], left_out: list[Round]) -> list[FileRound]:
    """Rounds before the first one in which a table has no result, because a file numbers rounds without gaps."""
    absent: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    records = Adjustment.objects.filter(season=stage.season_id, revoked_at=None).order_by("pk")
    for player, number, kind in records.values_list("player_id", "round", "kind"):
        if player in numbers:
            absent[number, kind].append(numbers[player])
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in tables_of(stage.rounds.all()):
        tables[table.round_id].append(table)
    rounds: list[FileRound] = []
    for round_ in stage.rounds.exclude(state=Round.State.PLANNED):
        if len(rounds) + 1 < round_.number or not all(table.has_result for table in tables[round_.pk]):
            left_out.append(round_)
            continue
        sheets = [_table(table.hanchan, numbers) for table in tables[round_.pk] if table.hanchan]
        missing = absent[round_.number, Adjustment.Kind.ABSENCE]
        rounds.append(FileRound(tuple(sheets), tuple(missing), tuple(absent[round_.number, Adjustment.Kind.BYE])))
    return rounds


def _table(hanchan: Hanchan, numbers: dict[int, int]) -> FileTable:
    seats = [
        SeatSheet(
            numbers[seat.player_id],
            seat.as_played(),
            numbers.get(seat.played_by_id) if seat.played_by_id else None,
        )
        for seat in hanchan.seats.all()
    ]
    return FileTable(tuple(seats), hanchan.sticks_left, hanchan.override)


def _penalties(stages: list[Stage], numbers: dict[int, int]) -> list[Penalty]:
    """Penalties in the order in which they were given. Bonuses are left out: a file cannot hold them."""
    by_season = {stage.season_id: stage.number for stage in stages}
    rows = Adjustment.objects.filter(season__in=by_season, kind__in=PENALTIES, points__lte=0).order_by("pk")
    return [
        Penalty(numbers[row.player_id], by_season[row.season_id], row.round or 0, -row.points, row.reason, revoked)
        for row in rows
        if row.player_id in numbers
        for revoked in [row.revoked_at is not None]
    ]


def _leaves(tournament: Tournament, kind: Ruling.Kind) -> list[Leave]:
    """Departures in the order of the rulings, without those that were taken back."""
    rulings = tournament.rulings.filter(kind=kind, entry__status=kind).order_by("pk")
    latest = {ruling.entry_id: ruling.entry for ruling in rulings.select_related("entry__left_stage")}
    return [
        Leave(entry.number, entry.left_stage.number, entry.left_round or 0, entry.reason, entry.keep_results)
        for entry in latest.values()
        if entry is not None and entry.left_stage is not None
    ]
