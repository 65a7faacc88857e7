"""Load an event file: the whole tournament, through the same services that the pages use, all or nothing.

A file holds neither times of day nor who typed what. Rounds are spread over the event's days in their order, and every
round counts as checked and confirmed.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from django.db import transaction
from django.utils import timezone

from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Phrase, Refused
from ratings.mahjong.rulesets import PRESETS, files
from ratings.models import Club, Player, RuleSet
from ratings.services.players import save_player
from ratings.services.rulesets import add_rule_set
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.queries.standings import view_stage
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.rounds import LineUp, confirm_round, seat_round
from tournaments.services.rulings import disqualify, give_penalty, revoke_penalty, withdraw
from tournaments.services.stages import finish_event, open_next_stage
from tournaments.services.tables import check_table, new_sheet, record_table
from tournaments.standings import ranking
from tournaments.standings.eventfile import Event, FileEntry, FileRound, FileStage, RulesOf, in_round, located

Entries = dict[int, Entry]
FIRST_HOUR = datetime.time(9)
PLAYING_DAY = datetime.timedelta(hours=14)
LONGEST_ROUND = datetime.timedelta(hours=2)


@transaction.atomic
def load(event: Event) -> Tournament:
    """Store the event as if it had been played here. Refuses a slug that is taken, and everything a service refuses."""
    tournament = _tournament(event)
    entries = {row.number: _enter(tournament, event, row) for row in event.entries}
    stages = list(tournament.stages.select_related("season__rule_set", "tournament__club"))
    _rule(event, stages, entries)
    times = _times(tournament, sum(len(stage.rounds) for stage in event.stages))
    for index, (stage, content) in enumerate(zip(stages, event.stages, strict=True)):
        for round_, played in zip(stage.rounds.all(), content.rounds, strict=True):
            _play(round_, content.name, played, entries, next(times))
        if index + 1 < len(stages):
            _go_on(stage, event.stages[index + 1], entries)
    if all(stage.rounds for stage in event.stages):
        finish_event(tournament)
    return tournament


# --- the event and its people -------------------------------------------------------------------------------


def _tournament(event: Event) -> Tournament:
    club = Club.objects.filter(name=event.club).order_by("pk").first() or _club(event)
    byes = any(each.byes for stage in event.stages for each in stage.rounds)
    tournament = Tournament(
        club=club,
        name=event.name,
        slug=event.slug,
        city=event.city,
        country=event.country,
        starts_on=event.dates[0],
        ends_on=event.dates[-1],
        rule_set=_rule_set(club, event.ruleset, event.name),
        tie_breaks=list(event.tie_breaks),
        odd=Tournament.Odd.BYES if byes else Tournament.Odd.SUBSTITUTES,
    )
    if tournament.dates != list(event.dates):
        tournament.play_dates = [day.isoformat() for day in event.dates]
    plans = [
        StagePlan(
            stage.name,
            len(stage.rounds),
            _rule_set(club, stage.ruleset, f"{event.name}: {stage.name}") if stage.ruleset else None,
            stage.cut.top if stage.cut else None,
            stage.cut.totals if stage.cut else Stage.Totals.CARRY,
        )
        for stage in event.stages
    ]
    return make_event(tournament, plans)


def _club(event: Event) -> Club:
    taken = set(Club.objects.values_list("slug", flat=True))
    slug = slug_from(event.club, f"club-{len(taken) + 1}", taken)
    return Club.objects.create(name=event.club, slug=slug, city=event.city, country=event.country)


def _rule_set(club: Club, ruleset: RulesOf, name: str) -> RuleSet:
    """The club's rule set with exactly these rules, or a new one."""
    for known in club.rule_sets.filter(preset=ruleset.key).order_by("pk"):
        if known.rules == ruleset.rules:
            return known
    preset = PRESETS.get(ruleset.key)
    content = files.of_preset(preset) if preset else files.RuleFile(name[: files.LONGEST_NAME], ruleset.rules)
    return add_rule_set(club, content)


def _enter(tournament: Tournament, event: Event, row: FileEntry) -> Entry:
    return enter(
        tournament,
        _player(tournament, row),
        number=row.number,
        team=row.team,
        country=row.country,
        ema_number=row.ema_number,
        status=Entry.Status.SUBSTITUTE if row.is_substitute else Entry.Status.CHECKED_IN,
        substitute_kind=_substitute_kind(event, row),
    )


def _substitute_kind(event: Event, row: FileEntry) -> str:
    if not row.is_substitute:
        return ""
    for_others = {
        seat.played_by
        for stage in event.stages
        for each in stage.rounds
        for table in each.tables
        for seat in table.seats
    }
    kind = Entry.SubstituteKind
    return kind.OCCASIONAL if row.number in for_others else kind.PERMANENT


def _player(tournament: Tournament, row: FileEntry) -> Player:
    """A known player with exactly these names: one with the same EMA number, or one of the club's players.

    A player of the club must not have another EMA number or another country. In doubt a new player is made: two rows
    of one person can be merged, but one row of two people cannot be split. An anonymised player is found by the
    replacement name, which is all that an exported file holds.
    """
    names = {"native_name": row.native_name, "latin_first": row.latin_first, "latin_last": row.latin_last}
    known = Player.objects.filter(**names, merged_into=None).exclude(entries__tournament=tournament)
    same = list(known.filter(ema_number=row.ema_number)[:2]) if row.ema_number else []
    if not same:
        numbers = ["", row.ema_number]
        countries = ["", row.country]
        same = list(known.filter(clubs=tournament.club_id, ema_number__in=numbers, country__in=countries)[:2])
    if len(same) == 1:
        return same[0]
    player = Player(**names, country=row.country, ema_number=row.ema_number)
    save_player(player)
    return player


# --- what happened ------------------------------------------------------------------------------------------


def _rule(event: Event, stages: list[Stage], entries: Entries) -> None:
    """Apply penalties and departures in the order of the file; each counts from its round on."""
    for fine in event.penalties:
        stage, entry = stages[fine.stage - 1], entries[fine.entry]
        given = give_penalty(stage, entry, fine.points, fine.reason, after_round=fine.after_round)
        if fine.revoked:
            revoke_penalty(stage, given, reason="revoked")
    for leave in event.disqualified:
        disqualify(entries[leave.entry], stages[leave.stage - 1], leave.after_round, reason=leave.reason)
    for leave in event.withdrawn:
        stage, keep = stages[leave.stage - 1], leave.keep_results
        withdraw(entries[leave.entry], stage, leave.after_round, keep_results=keep, reason=leave.reason)


def _play(round_: Round, stage: str, played: FileRound, entries: Entries, at: datetime.datetime) -> None:
    line_up = LineUp(
        [[entries[seat.player] for seat in table.seats] for table in played.tables],
        [entries[number] for number in played.absent],
        [entries[number] for number in played.byes],
    )
    Round.objects.filter(pk=round_.pk).update(started_at=at)
    seat_round(round_, line_up)
    for table, content in zip(Table.objects.filter(round=round_).order_by("number"), played.tables, strict=True):
        sheet = new_sheet(
            table,
            [seat.map(entries.__getitem__) for seat in content.seats],
            sticks_left=content.sticks_left,
            override=content.override,
            # The day is the event's; a time in the future is replaced by now.
            played_at=min(at, timezone.now()),
            played_on=at.date(),
        )
        try:
            check_table(record_table(table, sheet))
        except Refused as refused:
            problem = refused.problems[0]
            raise located(problem, in_round(stage, round_.number, table.number, problem.seat)) from refused
    confirm_round(round_, missing_ok=True)


def _times(tournament: Tournament, rounds: int) -> Iterator[datetime.datetime]:
    """The estimated start of each round: rounds are spread over the days, from the morning on."""
    listed = [datetime.date.fromisoformat(day) for day in tournament.play_dates]
    first, span = tournament.starts_on, (tournament.ends_on - tournament.starts_on).days + 1
    days = listed or [first + datetime.timedelta(days=n) for n in range(min(span, max(rounds, 1)))]
    a_day = max(1, -(-rounds // len(days)))
    length = min(LONGEST_ROUND, PLAYING_DAY / a_day)
    for number in range(rounds):
        day, nth = days[number // a_day], number % a_day
        yield datetime.datetime.combine(day, FIRST_HOUR, tournament.zone) + nth * length


def _go_on(stage: Stage, following: FileStage, entries: Entries) -> None:
    """Make the cut. The players of the next stage show how a tie was decided and who replaced a player who left."""
    rows = view_stage(stage).at_end().rows
    places = dict(_places(following, entries))
    try:
        through = ranking.line_up(rows, stage.cut_top, places.keys())
    except Refused as refused:
        number = int(str(refused.problems[0].params["entry"]))
        raise located(refused.problems[0], places[number]) from refused
    open_next_stage(stage, qualified=[entries[number] for number in through])


def _places(stage: FileStage, entries: Entries) -> Iterable[tuple[int, Phrase]]:
    """Each ranked entry with every place of a stage where it is named; substitutes may play anywhere."""
    for number, each in enumerate(stage.rounds, 1):
        for table, content in enumerate(each.tables, 1):
            for wind, seat in enumerate(content.seats):
                if entries[seat.player].is_ranked:
                    yield seat.player, in_round(stage.name, number, table, wind)
        for entry in (*each.absent, *each.byes):
            if entries[entry].is_ranked:
                yield entry, in_round(stage.name, number)
