"""The people and clubs of the tests: Dmitry, Małgorzata, Ken and Thomas play at Furiten on Thursdays."""

from __future__ import annotations

import datetime
import itertools
from typing import Any

from django.contrib.auth.models import User

from ratings.mahjong import rulesets, scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.models import Club, Membership, Player, RuleSet, Season
from ratings.services.players import index_names

NAMES = [
    ("Дмитрий Соколов", "Dmitry", "Sokolov", "BY"),
    ("Małgorzata Szczęsna", "", "", "PL"),
    ("佐藤 健", "Ken", "Satō", "JP"),
    ("Thomas Bergmann", "", "", "DE"),
    ("Ольга Мельникова", "Olga", "Melnikova", "BY"),
    ("Łukasz Żurawski", "", "", "PL"),
    ("Александра Константинопольская", "Alexandra", "Konstantinopolskaya", "RU"),
    ("Юрий Лапин", "Yuri", "Lapin", "UA"),
]
THURSDAY = datetime.datetime(2026, 4, 16, 17, 30, tzinfo=datetime.UTC)
_numbers = itertools.count(1)


def make_club(name: str = "Furiten", **fields: Any) -> Club:
    return Club.objects.create(name=name, slug=fields.pop("slug", name.lower()), **fields)


def make_rule_set(club: Club, preset: str = "furiten", **changed: Any) -> RuleSet:
    source = rulesets.PRESETS[preset]
    return RuleSet.objects.create(
        club=club,
        name=source.name,
        slug=f"{preset}-{next(_numbers)}",
        preset=preset,
        parameters={**rulesets.write(source.rules), **changed},
        ranges=rulesets.write_ranges(source.ranges),
    )


def make_season(club: Club | None = None, preset: str = "furiten", **fields: Any) -> Season:
    club = club or make_club()
    rule_set = fields.pop("rule_set", None) or make_rule_set(club, preset)
    number = next(_numbers)
    return Season.objects.create(
        club=club,
        rule_set=rule_set,
        **{
            "name": f"Season {number}",
            "slug": f"season-{number}",
            "starts_on": datetime.date(2026, 1, 1),
            "ends_on": datetime.date(2026, 6, 30),
            **fields,
        },
    )


def make_players(count: int = 4) -> list[Player]:
    players = []
    for index in range(count):
        native, first, last, country = NAMES[index % len(NAMES)]
        name = native if index < len(NAMES) else f"{native} {index // len(NAMES) + 1}"
        player = Player(native_name=name, latin_first=first, latin_last=last, country=country)
        index_names(player)
        player.save()
        players.append(player)
    return players


def make_user(name: str = "scorer", club: Club | None = None, role: str = "scorer") -> User:
    user = User.objects.create_user(name, password="tile-for-tile", is_staff=True)
    if club is not None:
        Membership.objects.create(user=user, club=club, role=role)
    return user


def make_sheet(
    players: list[Player],
    *points: int,
    at: datetime.datetime = THURSDAY,
    east: dict[str, Any] | None = None,
    **facts: Any,
) -> Sheet[int]:
    """A sheet of four players in order East to North; `east` adds facts to the first seat."""
    seats = [SeatSheet(player.pk, scoring.Seat(p)) for player, p in zip(players, points, strict=True)]
    if east:
        played_by = east.get("played_by")
        of_game = {name: value for name, value in east.items() if name != "played_by"}
        seats[0] = SeatSheet(players[0].pk, scoring.Seat(points[0], **of_game), played_by)
    return Sheet(played_at=at, played_on=at.date(), seats=tuple(seats), **facts)
