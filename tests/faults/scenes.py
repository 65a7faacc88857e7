"""`python -m tests.faults.scenes crowd|archive|load`: writes the data for a fault test to the database of DATABASE_URL.

Prints as JSON what the test must know about these data.
"""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any

import django

PASSWORD = "tile-for-tile"
WRITERS = 4


def crowd() -> dict[str, Any]:
    """A running season whose rating depends on order, twelve players, and four club admins who will all enter games."""
    from django.utils import timezone

    from ratings.mahjong import formulas
    from tests.cast import make_club, make_players, make_season, make_user

    club = make_club("Furiten", time_zone="UTC")
    season = make_season(
        club,
        slug="crowd",
        starts_on=timezone.now().date() - datetime.timedelta(days=30),
        ends_on=None,
        formula=formulas.ELO.key,
        initial_rating=formulas.ELO.initial,
    )
    users = [make_user(f"admin{number}", club, "admin").username for number in range(WRITERS)]
    people = {player.native_name: player.pk for player in make_players(12)}
    return {
        "season": season.pk,
        "games": f"/clubs/{club.slug}/seasons/{season.slug}/games/",
        "leaderboard": f"/clubs/{club.slug}/seasons/{season.slug}/",
        "sum": season.rule_set.rules.full_sum,
        "users": users,
        "password": PASSWORD,
        "people": people,
    }


def archive() -> dict[str, Any]:
    """A season of some hundred games and an event, enough for files that do not fit on a small disk."""
    from tests.scale.season import build_season
    from tests.tournaments.hall import Hall

    season = build_season(300, 40)
    hall = Hall()
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return {"season": f"{season.club.slug}/{season.slug}", "page": season.get_absolute_url(), "event": "open"}


def load(players: str) -> dict[str, Any]:
    """Add an event in play and four admins of the season's club to the large season."""
    from ratings.models import Player, Season
    from tests.cast import make_user
    from tests.tournaments.hall import Hall

    season = Season.objects.select_related("club", "rule_set").get(club__slug="large")
    hall = Hall(16)
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))
    hall.seat(2, (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (4, 8, 12, 16))
    everybody = list(Player.objects.filter(standings__season=season).order_by("pk"))
    people = everybody[:: len(everybody) // int(players)]  # those who play most have the lowest numbers
    return {
        "season": season.pk,
        "day": season.starts_on.isoformat(),
        "sum": season.rule_set.rules.full_sum,
        "leaderboard": season.get_absolute_url(),
        "screen": f"{hall.tournament.get_absolute_url()}screen/",
        "players": [player.get_absolute_url() for player in people],
        "people": [[player.pk, player.native_name] for player in people],
        "users": [make_user(f"admin{number}", season.club, "admin").username for number in range(WRITERS)],
        "password": PASSWORD,
    }


SCENES = {scene.__name__: scene for scene in (crowd, archive, load)}

if __name__ == "__main__":
    django.setup()
    print(json.dumps(SCENES[sys.argv[1]](*sys.argv[2:])))
