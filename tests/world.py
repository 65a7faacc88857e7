"""Two clubs with their staff and players, for tests of who may do what.

Furiten has a scorer, a referee and an admin; Haneman has an admin of its own. Each has a season, rules, players and
a game. The owner of the site is a member of neither.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clubsite.models import Worker
from ratings.imports.uploads import store_upload
from ratings.models import Adjustment, Club, Hanchan, ImportBatch, Membership, Player, RuleSet, Season
from ratings.services.hanchans import record_hanchan
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user
from tournaments.models import Entry, Round, Ruling, Stage, Tournament
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.rulings import withdraw

OLD_FILE = b"E Player,E Points,S Player,S Points,W Player,W Points,N Player,N Points\nA,1,B,2,C,3,D,4\n"
ROLES = ("stranger", "scorer", "referee", "admin", "foreign", "owner")


@dataclass
class House:
    """One club with a row of everything."""

    club: Club
    season: Season
    players: list[Player]
    hanchan: Hanchan
    adjustment: Adjustment
    upload: ImportBatch
    event_rows: dict[type[Any], Any] = field(default_factory=dict)

    @property
    def rule_set(self) -> RuleSet:
        return self.season.rule_set

    @property
    def player(self) -> Player:
        return self.players[0]

    @property
    def membership(self) -> Membership:
        return self.club.memberships.order_by("pk").last()  # type: ignore[return-value]

    def row(self, model: type[Any]) -> Any:
        """Its row of a model."""
        if model._meta.app_label == "tournaments":
            return self.event_rows[model]
        games = (self.season, self.hanchan, self.adjustment, self.upload)
        rows = (self.club, self.player, self.rule_set, self.membership, *games)
        return next(row for row in rows if type(row) is model)


@dataclass
class World:
    furiten: House
    haneman: House
    users: dict[str, User]

    def client(self, role: str) -> Client:
        client = Client()
        if role != "stranger":
            client.force_login(self.users[role])
        return client


def make_event_rows(house: House) -> dict[type[Any], Any]:
    """One row of each model of an event: the club's open, from which its first player withdrew before the start."""
    days = {"starts_on": THURSDAY.date(), "ends_on": THURSDAY.date()}
    event = Tournament(club=house.club, name="Open", slug=f"{house.club.slug}-open", rule_set=house.rule_set, **days)
    stage = make_event(event, [StagePlan("Main", 1)]).stages.get()
    entry = enter(event, house.player)
    withdraw(entry, stage, 0, keep_results=False, reason="ill")
    return {Tournament: event, Stage: stage, Entry: entry, Round: stage.rounds.get(), Ruling: entry.rulings.get()}


def make_house(name: str, players: list[Player]) -> House:
    club = make_club(name)
    season = make_season(club)
    hanchan = record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))
    adjustment = Adjustment.objects.create(
        season=season, player=players[0], points=-5_000, reason="late", given_on=THURSDAY.date()
    )
    upload = store_upload(club, season, "old.csv", OLD_FILE, by=None)
    house = House(club, season, players, hanchan, adjustment, upload)
    house.event_rows = make_event_rows(house)
    return house


def make_world() -> World:
    people = make_players(8)
    furiten, haneman = make_house("Furiten", people[:4]), make_house("Haneman", people[4:])
    roles = {"scorer": furiten, "referee": furiten, "admin": furiten, "foreign": haneman}
    users = {name: make_user(name, house.club, "admin" if name == "foreign" else name) for name, house in roles.items()}
    users["owner"] = User.objects.create_superuser("owner")
    Worker.objects.create(name="one", last_sign=timezone.now() + datetime.timedelta(days=1))  # answers all day
    return World(furiten, haneman, users)
