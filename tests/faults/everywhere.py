"""Every address of the project with something on it: the club of the URL matrix, and an event in the middle of a round.

The addresses come from the table in which every new address must have a row, so that none can be forgotten here.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from tests.test_urls_matrix import TABLE, places
from tests.tournaments.hall import Hall
from tests.world import World, make_world
from tournaments.models import Registration, Ruling
from tournaments.queries.tokens import token_of
from tournaments.services.rulings import withdraw
from tournaments.services.tables import record_table

EVENT = "{event_slug}"


@dataclass
class Everywhere:
    world: World
    hall: Hall
    addresses: dict[str, list[str]]  # row of the table -> at the club of the table, and at the event in play
    session: str

    @property
    def owner(self) -> Client:
        """A client that may open everything; a new one each time, since no rollback undoes a logout by a request."""
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = self.session
        return client

    @property
    def stranger(self) -> Client:
        return Client()

    def all_addresses(self) -> list[str]:
        return [address for several in self.addresses.values() for address in several]


def make_everywhere() -> Everywhere:
    world = make_world()
    now, day = timezone.now(), datetime.timedelta(days=1)
    days: dict[str, Any] = {
        "starts_on": now.date() - day,
        "ends_on": now.date() + 2 * day,
        "registration_closes_at": now + day,
    }
    hall = Hall(9, club=world.furiten.club, registration_open=True, **days)
    Registration.objects.create(tournament=hall.tournament, name="Jan Kot", latin_first="Jan", team="Koty")
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8), absent=(9,))
    hall.seat(2, (1, 5, 2, 6), (3, 7, 4, 8), absent=(9,))
    record_table(hall.table(1, 2), hall.sheet(hall.table(1, 2)))
    withdraw(hall[9], hall.stage(), 2, keep_results=True, reason="ill")
    names = places(world)
    found = {row: [row.format(**names), *([_at(hall, row, names)] if EVENT in row else [])] for row in TABLE}
    session = world.client("owner").cookies[settings.SESSION_COOKIE_NAME].value
    return Everywhere(world, hall, found, session)


def _at(hall: Hall, row: str, names: dict[str, object]) -> str:
    """The same address at the event in play, where there is a round, a table and a ruling."""
    ruling = Ruling.objects.filter(stage__tournament=hall.tournament).latest("pk")
    there = row.replace("1000000", str(ruling.pk)).replace("/1/1/7/", "/1/2/1/").replace("/1/1/", "/1/2/", 1)
    there = there.replace("forged", token_of(hall.table(2, 2)))
    return there.format(**names | {"event_slug": hall.tournament.slug, "hanchan": hall.table(1).hanchan_id})


PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")


@dataclass(frozen=True)
class Route:
    """An address split into its pattern and the values of the pattern's parameters."""

    pattern: str
    values: dict[str, str]

    def filled(self, other: dict[str, str]) -> str:
        values = self.values | other
        return "/" + PARAMETER.sub(lambda found: values[found[2]], self.pattern)


def taken_apart(address: str) -> Route:
    match = resolve(address)
    return Route(str(match.route), {name: str(value) for name, value in match.kwargs.items()})
