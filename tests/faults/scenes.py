"""`python -m tests.faults.scenes crowd|archive|load|imports|emails`: writes the data for a fault test.

They go to the database of DATABASE_URL. Prints as JSON what the test must know about these data.
"""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any

import django

PASSWORD = "tile-for-tile"
WRITERS = 4
NEVER = datetime.datetime(2999, 1, 1, tzinfo=datetime.UTC)  # a test makes it due


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


def imports(games: str, *files: str) -> dict[str, Any]:
    """A club for each number of files: files of its season, each of so many games, whose import is due in years."""
    from django.contrib.auth.models import User

    from clubsite.models import Job
    from ratings.imports.large import start_writing
    from ratings.mahjong import formulas
    from ratings.models import ImportBatch
    from tests.cast import make_club, make_players, make_season
    from tests.ratings.files import WIDE, csv, wide

    owner = User.objects.create(username="owner", is_superuser=True)
    names, points = [player.native_name for player in make_players()], [45_200, 31_100, 25_700, 18_000]
    jobs: list[int] = []
    for number, count in enumerate(files, 1):
        club = make_club(f"Club {number}", slug=f"club-{number}", time_zone="UTC")
        elo = formulas.ELO
        season = make_season(club, slug="season", formula=elo.key, initial_rating=elo.initial)
        for _file in range(int(count)):
            day = len(jobs) + 1
            rows = [wide(f"2026-04-{day:02}", names, points, game=game) for game in range(int(games))]
            batch = {"file_name": f"{day}.csv", "content": csv(WIDE, *rows)}
            jobs.append(start_writing(ImportBatch.objects.create(club=club, season=season, **batch), by=owner).pk)
    Job.objects.filter(pk__in=jobs).update(due_at=NEVER)
    return {"imports": jobs}


def emails(count: str) -> dict[str, Any]:
    """Users who forgot their password, and the email to each of them, due in years."""
    from django.contrib.auth.models import User

    from clubsite.models import Job
    from clubsite.passwords import FORGOTTEN, send_link

    for number in range(int(count)):
        send_link(
            User.objects.create(username=f"user{number}", email=f"user{number}@example.org"), "localhost", https=False
        )
    jobs = Job.objects.filter(kind=FORGOTTEN.name)
    jobs.update(due_at=NEVER)
    return {"emails": list(jobs.order_by("pk").values_list("pk", flat=True))}


SCENES = {scene.__name__: scene for scene in (crowd, archive, load, imports, emails)}

if __name__ == "__main__":
    django.setup()
    from django.db import transaction

    with transaction.atomic():  # a worker that already runs sees all of it or nothing
        made = SCENES[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(made))
