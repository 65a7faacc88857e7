"""A small site with one of everything a database may hold, made through the services of the version at hand.

Every name is invented. What the totals must be is written down in `test_upgrades.py`, not here.
"""

from __future__ import annotations

import datetime
import uuid
from dataclasses import replace

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone
from django_otp.oath import TOTP

from clubsite import second_factor
from clubsite.models import Job
from ratings.imports.kinds import Choices
from ratings.imports.names import NEW
from ratings.imports.read import open_file
from ratings.imports.uploads import store_upload
from ratings.models import Adjustment, Affiliation, Alias, Club, ImportBatch, Player, Season
from ratings.services import adjustments
from ratings.services.anonymising import anonymise
from ratings.services.hanchans import change_hanchan, record_hanchan, void_hanchan
from ratings.services.merging import merge_players
from ratings.services.players import refresh_search_text, save_player
from ratings.services.replay import apply_from_now_on
from ratings.services.rulesets import as_file, change_rule_set
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user
from tests.ratings import player_lists as lists
from tests.ratings.files import WIDE, csv, wide
from tests.ratings.importing import make_plan, undo, write_plan
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Stage, Tournament
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.registration import Newcomer, confirm_registrations, register_oneself
from tournaments.services.rulings import give_penalty, revoke_penalty, withdraw
from tournaments.services.stages import finish_event, open_next_stage

POINTS = (45_200, 31_100, 25_700, 18_000)
DAY = datetime.timedelta(days=1)
TODAY = datetime.date.today()
KEY = "3132333435363738393031323334353637383930"  # the secret of RFC 6238's examples


def tell() -> None:
    """The whole story, into an empty database."""
    call_command("migrate", verbosity=0)
    club = make_club("Furiten", city="Minsk", country="BY", time_zone="Europe/Minsk")
    make_club("Haneman")  # without anything
    users = _users(club)
    people = make_players(8)
    for person in people[:6]:
        Affiliation.objects.create(player=person, club=club, kind=Affiliation.Kind.REGULAR)
    _spring(club, people, users)
    _formulas(club, people, users)
    _imports(club, people, users["admin"])
    _event(club, people, users)
    anonymise(people[6], by=users["admin"])
    Job.objects.create(kind="replay", title="Replay of Elo", started_by=users["admin"], state=Job.State.DONE)


def _users(club: Club) -> dict[str, User]:
    users = {role: make_user(role, club, role) for role in ("scorer", "referee", "admin")}
    users["owner"] = User.objects.create_superuser("owner", "owner@example.org", "tile-for-tile")
    app = TOTP(bytes.fromhex(KEY))
    second_factor.turn_on(users["referee"], KEY, f"{app.token():06}")
    facts = {"username": "scorer", "ip_address": "192.0.2.7", "user_agent": "Firefox", "path_info": "/admin/login/"}
    AccessLog.objects.create(**facts)
    AccessFailureLog.objects.create(**facts)
    AccessAttempt.objects.create(**facts, get_data="", post_data="", failures_since_start=3)
    return users


def _spring(club: Club, people: list[Player], users: dict[str, User]) -> None:
    """A season of sums: a game, one corrected, one void, a draft; penalties; a player with two rows."""
    season = make_season(club, name="Spring", slug="spring")
    scorer, referee = users["scorer"], users["referee"]
    record_hanchan(season, make_sheet(people[:4], *POINTS), by=scorer)
    wrong = make_sheet(people[:4], 31_100, 45_200, 25_700, 18_000, at=THURSDAY + DAY)
    game = record_hanchan(season, wrong, by=scorer)
    right = make_sheet(people[:4], *POINTS, at=THURSDAY + DAY)
    change_hanchan(game, right, version=game.version, by=referee, reason="East and South were swapped")
    void = record_hanchan(season, make_sheet(people[:4], *POINTS, at=THURSDAY + 2 * DAY), by=scorer)
    void_hanchan(void, version=void.version, by=referee, reason="Entered twice")
    record_hanchan(season, make_sheet(people[:4], 45_200, 31_100, 25_700, 0), by=scorer, draft=True)
    late = (season, people[0], Adjustment.Kind.PENALTY, -5_000, "Late")
    adjustments.give(*late, by=referee)
    taken_back = adjustments.give(season, people[1], Adjustment.Kind.PENALTY, -20_000, "Late", by=referee)
    adjustments.revoke(taken_back, by=referee, reason="It was the tram")
    double = Player(native_name="D. Sokolov", country="BY")
    save_player(double, club=club)
    record_hanchan(season, make_sheet([double, *people[4:7]], *POINTS, at=THURSDAY + 3 * DAY), by=scorer)
    merge_players(double, people[0], by=users["admin"])
    Alias.objects.create(player=people[3], name="Tom")
    refresh_search_text(people[3])


def _formulas(club: Club, people: list[Player], users: dict[str, User]) -> None:
    for formula, initial in (("average", 0), ("tenhou", 1_500_000), ("elo", 1_500_000)):
        season = make_season(club, name=formula.title(), slug=formula, formula=formula, initial_rating=initial)
        record_hanchan(season, make_sheet(people[:4], *POINTS), by=users["scorer"])
        record_hanchan(season, make_sheet(people[3::-1], *POINTS, at=THURSDAY + DAY), by=users["scorer"])
    free = make_season(club, name="Free games", slug="free", kind=Season.Kind.SIMPLIFIED)
    record_hanchan(free, make_sheet(people[:4], *POINTS), by=users["scorer"])
    content = as_file(season.rule_set)
    newer = change_rule_set(season.rule_set, replace(content, rules=replace(content.rules, session_minutes=90)))
    apply_from_now_on(season, newer, by=users["admin"], reason="Voted in May")


def _imports(club: Club, people: list[Player], admin: User) -> None:
    """A file of games, one taken back, one that waits, and a list of people."""
    season = make_season(club, name="Old", slug="old")
    names = [person.native_name for person in people[:3]]
    for day, guest in ((THURSDAY, "Гость из Гродно"), (THURSDAY + DAY, "Second Guest")):
        content = csv(WIDE, wide(day.date(), [*names, guest], POINTS))
        book, choices = open_file(content, "old.csv"), Choices()
        plan = make_plan(club, season, book, choices)
        choices.names |= {question.key: NEW for question in plan.questions}
        batch = store_upload(club, season, "old.csv", content, by=admin)
        write_plan(make_plan(club, season, book, choices), batch, by=admin)
    undo(batch, by=admin)
    store_upload(club, season, "waits.csv", content, by=admin)
    people_file = open_file(csv(["Name", "Country"], ["Ирина Листова", "BY"]), "people.csv")
    listed = ImportBatch.objects.create(club=club, kind="players", file_name="people.csv", by=admin)
    lists.write_plan(lists.make_plan(club, people_file, Choices(), by=admin), listed, by=admin)


def _event(club: Club, people: list[Player], users: dict[str, User]) -> None:
    """Teams, two stages with halved totals, fines, a withdrawal and a final; and an event that is still hidden."""
    plans = [StagePlan("Main", 2, top=4, totals=Stage.Totals.HALVE), StagePlan("Final", 1)]
    days = {"starts_on": TODAY, "ends_on": TODAY}
    hall = Hall(0, plans, club=club, registration_open=True, reports_to_mers=True, **days)
    for number, person in enumerate(people, 1):
        enter(hall.tournament, person, status=Entry.Status.CHECKED_IN, team="Odd" if number % 2 else "Even")
    register_oneself(hall.tournament, Newcomer("Late Comer"), uuid.uuid4())
    confirm_registrations(hall.tournament, hall.tournament.registrations.values_list("pk", flat=True))
    hall.tournament.entries.filter(number=9).update(status=Entry.Status.WAITING)
    register_oneself(hall.tournament, Newcomer("Too Early"), uuid.uuid4())
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    hall.play(2, (1, 2, 3, 4), (5, 6, 7, 8))
    referee = users["referee"]
    give_penalty(hall.stage(), hall[3], 8_000, "Phone at the table", after_round=2, by=referee)
    mistaken = give_penalty(hall.stage(), hall[4], 8_000, "Phone at the table", after_round=2, by=referee)
    revoke_penalty(hall.stage(), mistaken, by=referee, reason="The neighbour's phone")
    withdraw(hall[8], hall.stage(), 2, keep_results=True, reason="Ill", by=referee)
    open_next_stage(hall.stage(), by=users["admin"])
    hall.play(1, (1, 5, 2, 6), stage=2)
    finish_event(hall.tournament, by=users["admin"])
    days = {"starts_on": timezone.localdate(), "ends_on": timezone.localdate()}
    secret = Tournament(club=club, name="Secret", slug="secret", rule_set=hall.tournament.rule_set, **days)
    secret.is_public = False
    make_event(secret, [StagePlan("Main", 1)])
