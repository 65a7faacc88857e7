"""The demo's three events."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from django.db import transaction

from ratings.demo.builders import Progress
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet
from ratings.models import Affiliation, Club, Player, RuleSet
from ratings.services.rulesets import add_rule_set, as_file
from tournaments.demo.hall import Hall
from tournaments.models import Entry, Registration, Stage, Tournament
from tournaments.queries.rounds import tables_of
from tournaments.queries.standings import standings_after
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.rounds import start_clock
from tournaments.services.rulings import give_penalty, revoke_penalty, withdraw
from tournaments.services.sheets import sheet_at
from tournaments.services.stages import finish_event, open_next_stage
from tournaments.services.tables import check_table, correct_table

DAY = datetime.timedelta(days=1)
TEAMS = ("Piotrkowska", "Manufaktura", "Księży Młyn", "Bałuty")


@transaction.atomic
def load(today: datetime.date, seed: int, progress: Progress) -> None:
    """Create all three events relative to a day; the clubs of the demo must exist."""
    clubs = {club.slug: club for club in Club.objects.filter(slug__in=("furiten", "phoenix", "lodz"))}
    _finished(clubs["lodz"], today, seed, progress)
    _running(clubs["furiten"], today, seed, progress)
    _open(clubs["phoenix"], today)


def _people(club: Club, count: int) -> list[Player]:
    """The club's own players first, then visitors."""
    own = Player.objects.filter(affiliations__club=club, affiliations__kind=Affiliation.Kind.REGULAR).order_by("pk")
    others = Player.objects.exclude(pk__in=own.values("pk")).order_by("-pk")
    return [*own, *others][:count]


def _rules(club: Club) -> RuleSet:
    newest = club.rule_sets.order_by("-version", "pk").first()
    assert newest is not None
    return newest


def _event(club: Club, name: str, slug: str, days: tuple[datetime.date, datetime.date], **facts: Any) -> Tournament:
    first, last = days
    return Tournament(
        club=club,
        name=name,
        slug=slug,
        city=club.city,
        country=club.country,
        starts_on=first,
        ends_on=last,
        rule_set=_rules(club),
        **facts,
    )


def _enter_all(tournament: Tournament, players: Sequence[Player], **facts: Any) -> None:
    for player in players:
        enter(tournament, player, **{"status": Entry.Status.CHECKED_IN, **facts})


# --- finished: 24 players in teams, six rounds, a final of four with halved totals ---------------------------


def _finished(club: Club, today: datetime.date, seed: int, progress: Progress) -> None:
    saturday = today - 30 * DAY - ((today - 30 * DAY).weekday() - 5) % 7 * DAY
    event = _event(
        club, f"Łódź Open {saturday.year}", "lodz-open", (saturday, saturday + DAY), reports_to_mers=True, tables=6
    )
    plans = [StagePlan("Eliminacje", 6, top=4, totals=Stage.Totals.HALVE), StagePlan("Finał", 2)]
    make_event(event, plans)
    for index, player in enumerate(_people(club, 24)):
        enter(event, player, status=Entry.Status.CHECKED_IN, team=TEAMS[index % 4])
    hall = Hall.of(event, Random(f"{seed} {event.slug}"))
    qualifying, final = event.stages.all()
    late = {7: SeatSheet(hall.entries[7], scoring.Seat(0, late_minutes=4))}
    for index, (round_, tables) in enumerate(
        zip(qualifying.rounds.all(), hall.draw(qualifying, sorted(hall.entries), seed), strict=True)
    ):
        hall.seat(round_, tables)
        hall.play(round_, hall.hour(saturday + index // 4 * DAY, index % 4), late if index == 1 else {})
        progress(event.name, 6 * (index + 1), 38)
    _mend(hall, qualifying)
    open_next_stage(qualifying, by=hall.staff["admin"])
    best = [hall.entries[row.entry] for row in standings_after(final, 0).rows]
    for index, round_ in enumerate(final.rounds.all()):
        hall.seat(round_, [[*best[index:], *best[:index]]])
        hall.play(round_, hall.hour(saturday + DAY, 2 + index), {})
    progress(event.name, 38, 38)
    finish_event(event, by=hall.staff["admin"])


def _mend(hall: Hall, stage: Stage) -> None:
    """Correct a sheet of the second round that was read wrongly, and take a penalty back."""
    referee = hall.staff["referee"]
    table = tables_of(stage.rounds.get(number=2))[1]
    sheet = sheet_at(table)
    east, south, *others = sheet.seats
    swapped = (east.changed(points=south.played.points), south.changed(points=east.played.points), *others)
    assert table.hanchan is not None
    reason = "East and South were written in each other's line."
    correct_table(table, replace(sheet, seats=swapped), version=table.hanchan.version, by=referee, reason=reason)
    give_penalty(stage, hall.entries[9], 8000, "Used a phone at the table", after_round=3, by=referee)
    mistaken = give_penalty(stage, hall.entries[10], 8000, "Used a phone at the table", after_round=3, by=referee)
    revoke_penalty(stage, mistaken, by=referee, reason="It was the neighbour's phone.")


def _timed(event: Tournament) -> RuleSet:
    """The club's rules with a session of 90 minutes: a signal when 15 are left, then one more hand."""
    content = as_file(event.rule_set)
    rules = replace(content.rules, session_minutes=90, warning_minutes=15, at_signal="one_more", end_signal=False)
    return add_rule_set(event.club, replace(content, rules=rules), event.name)


# --- being played: 18 players and two who fill up, the fifth round of seven under way -------------------------


def _running(club: Club, today: datetime.date, seed: int, progress: Progress) -> None:
    event = _event(club, "Minsk Riichi Days", "minsk-riichi-days", (today - DAY, today + DAY), tables=5)
    event.rule_set = _timed(event)
    make_event(event, [StagePlan("Main event", 7)])
    people = _people(club, 21)
    _enter_all(event, people[:18])
    _enter_all(event, people[18:20], substitute_kind=Entry.SubstituteKind.PERMANENT)
    _enter_all(event, people[20:], substitute_kind=Entry.SubstituteKind.OCCASIONAL)
    hall = Hall.of(event, Random(f"{seed} {event.slug}"))
    stage = event.stages.get()
    helper = hall.entries[21]
    ill = {5: SeatSheet(hall.entries[5], scoring.Seat(0, substitute=scoring.MID_GAME), helper)}
    gone = {5: ill[5].changed(substitute=scoring.FROM_START)}
    schedule = hall.draw(stage, range(1, 21), seed)
    rounds = list(stage.rounds.all())
    for index, incidents in enumerate(({}, {}, ill, gone)):
        hall.seat(rounds[index], schedule[index])
        hall.play(rounds[index], hall.hour(today - DAY, index), incidents)
        progress(event.name, 5 * (index + 1), 23)
    give_penalty(stage, hall.entries[12], 0, "Talked to a neighbouring table", after_round=2, by=hall.staff["referee"])
    reason = "Ill since the third round"
    withdraw(hall.entries[5], stage, 4, keep_results=True, reason=reason, by=hall.staff["referee"])
    hall.seat(rounds[4], schedule[4])
    start_clock(rounds[4])
    tables = list(tables_of(rounds[4]))
    check_table(hall.play_table(tables[0], None, gone), by=hall.staff["referee"])
    hall.play_table(tables[1], None, gone)
    hall.play_table(tables[2], None, gone, draft=True)
    progress(event.name, 23, 23)


# --- open for registration ------------------------------------------------------------------------------------


def _open(club: Club, today: datetime.date) -> None:
    saturday = today + 24 * DAY + (5 - (today + 24 * DAY).weekday()) % 7 * DAY
    event = _event(
        club,
        "Кубок Севера",
        "northern-cup",
        (saturday, saturday + DAY),
        registration_open=True,
        capacity=12,
        about="Шесть ханчанов за два дня, регистрация в клубе с девяти утра.",
    )
    make_event(event, [StagePlan("Основной этап", 6)])
    for index, player in enumerate(_people(club, 13)):
        enter(event, player, status=Entry.Status.CONFIRMED if index < 5 else Entry.Status.REGISTERED)
    for name, country in (("Ольга Гринько", "BY"), ("Jurgis Kalnins", "LV")):
        Registration.objects.create(tournament=event, name=name, country=country)
