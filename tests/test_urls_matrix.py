"""Role × address × method: what each role gets at every address of the project, including the admin.

A new address needs one line in TABLE: an example of it, what a GET gives and what an empty POST gives, either as one
status for all or as six in the order of ROLES. Names in braces are those of `places`. The addresses name rows of the
club Furiten, where the scorer, the referee and the admin work; `foreign` is an admin of another club, and `owner` owns
the site.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from ratings.models import Player
from ratings.services.invitations import invite
from ratings.services.merging import merge_players
from ratings.services.replay_job import start_replay
from tests.world import ROLES, World, make_world
from tournaments.models import Entry, Round, Ruling, Stage, Tournament

pytestmark = pytest.mark.django_db

# stranger scorer referee admin foreign owner
MEMBERS = "302 200 200 200 200 200"
STAFF = "302 200 200 200 404 200"
REFEREES = "302 404 200 200 404 200"
ADMINS = "302 404 404 200 404 200"
SOME_ADMINS = "302 403 403 200 200 200"
MANAGES = "302 403 403 200 404 200"  # seen by all staff, done by admins
OWNER = "302 403 403 403 403 200"
DATA = "302 302 302 302 302 200"
NOT_HERE = "302 302 302 302 302 403"
RULES = "302 403 200 200 404 200"
NO_TABLE = "302 404 404 404 404 404"
NO_FILE = "302 403 403 404 404 404"
BEGUN = "302 404 404 302 404 302"

TABLE: dict[str, tuple[str, str]] = {
    # address: (GET, POST without data)
    # --- the desk, signing in and the user's own account
    "/admin/": (MEMBERS, "302 405 405 405 405 405"),
    "/admin/clubs/{club_slug}/": (STAFF, "302 405 405 405 405 405"),
    "/admin/login/": ("200 302 302 302 302 302", "200"),
    "/admin/login/code/": ("302", "302"),  # without a right password just before, the user starts at the login
    "/admin/login/set-up/": ("302", "302"),
    "/admin/account/": (MEMBERS, "302 405 405 405 405 405"),
    "/admin/account/email/": (MEMBERS, "302 422 422 422 422 422"),
    "/admin/account/second-step/": (MEMBERS, "302 422 422 422 422 422"),
    "/admin/account/second-step/off/": ("302", "302"),  # no user has it on
    "/admin/account/recovery-codes/": ("302", "302"),
    "/admin/logout/": ("405", "200"),
    "/admin/password_change/": (MEMBERS, MEMBERS),
    "/admin/password_change/done/": (MEMBERS, "302 405 405 405 405 405"),
    # what Django's admin had here before it moved: the owner is led to it, others to their desk
    "/admin/ratings/season/": ("302", "302 405 405 405 405 405"),
    # --- the first steps of a club, which are over in a club with a game; lists of players; removing the demo
    "/admin/start/": (OWNER, "302 403 403 403 403 422"),
    "/admin/start/zone/": ("302 405 405 405 405 405", "302 404 404 200 200 200"),
    "/admin/start/{club_slug}/club/": (BEGUN, BEGUN),
    "/admin/start/{club_slug}/rules/": (BEGUN, BEGUN),
    "/admin/start/{club_slug}/season/": (BEGUN, BEGUN),
    "/admin/start/{club_slug}/people/": (BEGUN, BEGUN),
    "/admin/clubs/{club_slug}/players/add/": (ADMINS, "302 404 404 422 404 422"),
    "/admin/clubs/{club_slug}/players/reading/": ("302 405 405 405 405 405", ADMINS),
    "/admin/players/template.xlsx": (MEMBERS, "302 405 405 405 405 405"),
    "/admin/demo/": ("302 403 403 403 403 404", "302 403 403 403 403 404"),
    # --- clubs and members
    "/admin/ratings/club/add/": (OWNER, "302 403 403 403 403 422"),
    "/admin/ratings/club/zones/": (MEMBERS, "302 405 405 405 405 405"),
    "/admin/ratings/club/{club}/change/": (STAFF, "302 403 403 422 404 422"),
    "/admin/ratings/club/{club}/history/": (STAFF, "302 405 405 405 405 405"),
    "/admin/clubs/{club_slug}/members/": (ADMINS, "302 405 405 405 405 405"),
    "/admin/ratings/membership/add/": (SOME_ADMINS, "302 403 403 422 422 200"),  # the owner is asked for the club
    "/admin/ratings/membership/{membership}/change/": (ADMINS, "302 404 404 422 404 422"),
    "/admin/ratings/membership/{membership}/delete/": (ADMINS, "302 404 404 302 404 302"),
    "/admin/ratings/membership/{membership}/password/": (ADMINS, "302 404 404 403 404 422"),  # of the admin
    "/admin/ratings/membership/invitations/{invitation}/withdraw/": (ADMINS, "302 404 404 302 404 302"),
    "/admin/invitations/": (MEMBERS, "302"),
    # --- players
    "/admin/ratings/player/add/": (SOME_ADMINS, "302 403 403 422 422 200"),
    "/admin/ratings/player/{player}/change/": (STAFF, "302 403 403 422 404 422"),
    "/admin/ratings/player/{player}/history/": (STAFF, "302 405 405 405 405 405"),
    "/admin/ratings/player/{player}/merge/": (MANAGES, MANAGES),
    "/admin/ratings/player/{player}/unmerge/{merge}/": (MANAGES, "302 403 403 302 404 302"),
    "/admin/ratings/player/{player}/anonymise/": (MANAGES, MANAGES),
    "/admin/ratings/player/{player}/leave/{club}/": (MANAGES, "302 403 403 302 404 302"),
    # --- seasons and rules
    "/admin/ratings/season/add/": (SOME_ADMINS, "302 403 403 422 422 200"),
    "/admin/ratings/season/{season}/change/": (STAFF, "302 403 403 422 404 422"),
    "/admin/ratings/season/{season}/history/": (STAFF, "302 405 405 405 405 405"),
    "/admin/ratings/season/add/preview/": ("302 405 405 405 405 405", SOME_ADMINS),
    "/admin/ratings/season/{season}/preview/": ("302 405 405 405 405 405", ADMINS),
    "/admin/ratings/season/{season}/what-if/": (ADMINS, "302 404 404 422 404 422"),
    "/admin/ratings/ruleset/add/": (SOME_ADMINS, "302 403 403 422 422 200"),
    "/admin/ratings/ruleset/{rule_set}/change/": (ADMINS, "302 404 404 422 404 422"),
    "/admin/ratings/ruleset/{rule_set}/example/": (ADMINS, ADMINS),
    "/admin/ratings/ruleset/{rule_set}/history/": (ADMINS, "302 405 405 405 405 405"),
    # --- games: an empty sheet is answered with 422
    "/admin/ratings/hanchan/add/": (MEMBERS, "302 422 422 422 422 422"),
    "/admin/ratings/hanchan/preview/": ("302 404 404 404 404 404", MEMBERS),
    "/admin/ratings/hanchan/players/": (MEMBERS, MEMBERS),
    "/admin/ratings/hanchan/{hanchan}/change/": ("302 302 200 200 404 200", "302 302 422 422 404 422"),
    "/admin/ratings/hanchan/{hanchan}/void/": ("302 302 200 200 404 200", "302 302 200 200 404 200"),
    "/admin/ratings/hanchan/{hanchan}/restore/": ("302 302 302 302 404 302", "302 302 302 302 404 302"),
    "/admin/ratings/adjustment/add/": ("302 404 200 200 200 200", "302 404 422 422 422 422"),
    "/admin/ratings/adjustment/{adjustment}/revoke/": (REFEREES, "302 404 422 422 404 422"),
    # --- all work behind the pages, for the owner
    "/admin/jobs/": ("302 404 404 404 404 200", "302 405 405 405 405 405"),
    # --- long work of the club, started by its admin
    "/admin/jobs/{job}/": (STAFF, "302 405 405 405 405 405"),
    "/admin/jobs/{job}/stop/": ("302 405 405 405 405 405", "302 302 302 302 404 302"),
    # --- the organiser's pages of an event; staff of the club below the needed level get a page that says so
    "/tournaments/manage/new/": ("302 403 403 200 200 200", "302 403 403 422 422 422"),
    "/tournaments/{event_slug}/manage/": (STAFF, STAFF),
    "/tournaments/{event_slug}/manage/workbook.xlsx": (STAFF, "405"),
    "/tournaments/{event_slug}/manage/ema/": (STAFF, "405"),
    "/tournaments/{event_slug}/manage/settings/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/results-shown/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/finish/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/entries/": (MANAGES, MANAGES),
    "/tournaments/{event_slug}/manage/entries/add/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/entries/paste/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/entries/import/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/entries/import/1000000/": (NO_FILE, NO_FILE),
    "/tournaments/{event_slug}/manage/entries/import/1000000/mapping/": (NO_FILE, NO_FILE),
    "/tournaments/{event_slug}/manage/entries/import/1000000/undo/": (NO_FILE, NO_FILE),
    "/tournaments/{event_slug}/manage/entries/players/": (MANAGES, MANAGES),
    "/tournaments/{event_slug}/manage/entries/admit/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/entries/selected/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/entries/fill/": (MANAGES, "302 403 403 404 404 404"),
    "/tournaments/{event_slug}/manage/entries/1/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/entries/1/status/": ("405", "302 403 403 404 404 404"),
    "/tournaments/{event_slug}/manage/entries/1/cancel/": ("302 403 403 302 404 302", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/entries/1/restore/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/check-in/": (STAFF, "302 404 404 404 404 404"),
    "/tournaments/{event_slug}/manage/schedule/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/schedule/1/1/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/schedule/1/1/publish/": ("405", "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/schedule/1/1/unseat/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/rounds/": (STAFF, STAFF),
    "/tournaments/{event_slug}/manage/rounds/times/": (MANAGES, "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/manage/rounds/1/1/": (STAFF, STAFF),
    "/tournaments/{event_slug}/manage/rounds/1/1/seat/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rounds/1/1/stamps/": (STAFF, STAFF),
    "/tournaments/{event_slug}/manage/rounds/1/1/check/": ("405", "302 302 302 302 404 302"),
    "/tournaments/{event_slug}/manage/rounds/1/1/confirm/": ("405", "302 403 302 302 404 302"),
    "/tournaments/{event_slug}/manage/rounds/1/1/unconfirm/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rounds/1/1/7/": (NO_TABLE, NO_TABLE),
    "/tournaments/{event_slug}/manage/rounds/1/1/7/preview/": ("405", NO_TABLE),
    "/tournaments/{event_slug}/manage/rounds/1/1/7/void/": ("302 403 404 404 404 404", "302 403 404 404 404 404"),
    "/tournaments/{event_slug}/hanchans/{hanchan}/": ("302 302 302 302 404 302", "302 302 302 302 404 302"),
    "/tournaments/{event_slug}/manage/rulings/": (RULES, RULES),
    "/tournaments/{event_slug}/manage/rulings/penalty/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rulings/absent/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rulings/withdraw/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rulings/disqualify/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/rulings/revoke/1000000/": (
        "302 403 404 404 404 404",
        "302 403 404 404 404 404",
    ),
    "/tournaments/{event_slug}/manage/rulings/reinstate/1/": (RULES, "302 403 422 422 404 422"),
    "/tournaments/{event_slug}/manage/stages/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/stages/1/": (MANAGES, "302 403 403 422 404 422"),
    "/tournaments/{event_slug}/manage/stages/1/cut/": (MANAGES, "302 403 403 302 404 302"),
    "/tournaments/{event_slug}/register/": ("200", "200"),
    # --- events for everybody: the wall, the phone, paper; score sheets hold codes and are for staff
    "/tournaments/": ("200", "405"),
    "/tournaments/european-ranking/": ("200", "405"),
    "/tournaments/{event_slug}/": ("200", "405"),
    "/tournaments/{event_slug}/rounds/": ("200", "405"),
    "/tournaments/{event_slug}/standings/": ("200", "405"),
    "/tournaments/{event_slug}/teams/": ("200", "405"),
    "/tournaments/{event_slug}/rulings/": ("200", "405"),
    "/tournaments/{event_slug}/screen/": ("200", "405"),
    "/tournaments/{event_slug}/screen/slides/": ("200", "405"),
    "/tournaments/{event_slug}/clock/": ("200", "302 404 404 404 404 404"),  # the POST names no round
    "/tournaments/{event_slug}/clock/state/": ("200", "405"),
    "/tournaments/{event_slug}/me/": ("200", "405"),
    "/tournaments/{event_slug}/me/1/": ("200", "405"),
    "/tournaments/{event_slug}/table/forged/": ("404", "404"),
    "/tournaments/{event_slug}/table/forged/sum/": ("405", "404"),
    "/tournaments/{event_slug}/print/": ("200", "405"),
    "/tournaments/{event_slug}/print/seating/": ("404", "405"),  # no round is seated
    "/tournaments/{event_slug}/print/names/": ("404", "405"),
    "/tournaments/{event_slug}/print/schedules/": ("200", "405"),
    "/tournaments/{event_slug}/print/sheets/": ("302 404 404 404 404 404", "405"),
    "/tournaments/{event_slug}/print/blank/": ("200", "405"),
    "/tournaments/{event_slug}/print/numbers/": ("200", "405"),
    "/tournaments/{event_slug}/print/standings/": ("200", "405"),
    "/tournaments/{event_slug}/print/log/": ("200", "405"),
    # --- imports: an empty upload is answered with 422
    "/admin/clubs/{club_slug}/imports/": (ADMINS, "302 405 405 405 405 405"),
    "/admin/ratings/importbatch/add/": ("302 404 404 200 200 200", "302 404 404 422 422 422"),
    "/admin/ratings/importbatch/{import}/change/": (ADMINS, "302 404 404 302 404 302"),
    "/admin/ratings/importbatch/{import}/mapping/": (ADMINS, "302 404 404 422 404 422"),
    "/admin/ratings/importbatch/{import}/undo/": ("302 404 404 302 404 302", "302 404 404 302 404 302"),
    # --- “All data”: Django's own admin, for the owner; other staff are led to the desk
    "/admin/data/": (DATA, DATA),
    "/admin/data/autocomplete/": (NOT_HERE, "302 302 302 302 302 405"),
    "/admin/data/jsi18n/": (DATA, "302 302 302 302 302 405"),
    "/admin/data/ratings/": (DATA, DATA),
    "/admin/data/nowhere/": ("302 302 302 302 302 404", "302 302 302 302 302 404"),
    "/admin/data/ratings/club/": (DATA, DATA),
    "/admin/data/ratings/club/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/club/{club}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/club/{club}/history/": (DATA, DATA),
    "/admin/data/ratings/club/{club}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/club/{club}/": ("302", "302"),
    "/admin/data/ratings/membership/": (DATA, DATA),
    "/admin/data/ratings/membership/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/membership/{membership}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/membership/{membership}/history/": (DATA, DATA),
    "/admin/data/ratings/membership/{membership}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/membership/{membership}/": ("302", "302"),
    "/admin/data/ratings/player/": (DATA, DATA),
    "/admin/data/ratings/player/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/player/{player}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/player/{player}/history/": (DATA, DATA),
    "/admin/data/ratings/player/{player}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/player/{player}/": ("302", "302"),
    "/admin/data/ratings/season/": (DATA, DATA),
    "/admin/data/ratings/season/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/season/{season}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/season/{season}/history/": (DATA, DATA),
    "/admin/data/ratings/season/{season}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/season/{season}/": ("302", "302"),
    "/admin/data/ratings/ruleset/": (DATA, DATA),
    "/admin/data/ratings/ruleset/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/ruleset/{rule_set}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/ruleset/{rule_set}/history/": (DATA, DATA),
    "/admin/data/ratings/ruleset/{rule_set}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/ruleset/{rule_set}/": ("302", "302"),
    "/admin/data/ratings/hanchan/": (DATA, DATA),
    "/admin/data/ratings/hanchan/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/hanchan/{hanchan}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/hanchan/{hanchan}/history/": (DATA, DATA),
    "/admin/data/ratings/hanchan/{hanchan}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/hanchan/{hanchan}/": ("302", "302"),
    "/admin/data/ratings/adjustment/": (DATA, DATA),
    "/admin/data/ratings/adjustment/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/adjustment/{adjustment}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/adjustment/{adjustment}/history/": (DATA, DATA),
    "/admin/data/ratings/adjustment/{adjustment}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/adjustment/{adjustment}/": ("302", "302"),
    "/admin/data/ratings/importbatch/": (DATA, DATA),
    "/admin/data/ratings/importbatch/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/importbatch/{import}/change/": (DATA, NOT_HERE),
    "/admin/data/ratings/importbatch/{import}/history/": (DATA, DATA),
    "/admin/data/ratings/importbatch/{import}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/ratings/importbatch/{import}/": ("302", "302"),
    "/admin/data/tournaments/tournament/": (DATA, DATA),
    "/admin/data/tournaments/tournament/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/tournament/{event}/change/": (DATA, NOT_HERE),
    "/admin/data/tournaments/tournament/{event}/history/": (DATA, DATA),
    "/admin/data/tournaments/tournament/{event}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/tournament/{event}/": ("302", "302"),
    "/admin/data/tournaments/stage/": (DATA, DATA),
    "/admin/data/tournaments/stage/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/stage/{stage}/change/": (DATA, NOT_HERE),
    "/admin/data/tournaments/stage/{stage}/history/": (DATA, DATA),
    "/admin/data/tournaments/stage/{stage}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/stage/{stage}/": ("302", "302"),
    "/admin/data/tournaments/entry/": (DATA, DATA),
    "/admin/data/tournaments/entry/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/entry/{entry}/change/": (DATA, NOT_HERE),
    "/admin/data/tournaments/entry/{entry}/history/": (DATA, DATA),
    "/admin/data/tournaments/entry/{entry}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/entry/{entry}/": ("302", "302"),
    "/admin/data/tournaments/round/": (DATA, DATA),
    "/admin/data/tournaments/round/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/round/{round}/change/": (DATA, NOT_HERE),
    "/admin/data/tournaments/round/{round}/history/": (DATA, DATA),
    "/admin/data/tournaments/round/{round}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/round/{round}/": ("302", "302"),
    "/admin/data/tournaments/ruling/": (DATA, DATA),
    "/admin/data/tournaments/ruling/add/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/ruling/{ruling}/change/": (DATA, NOT_HERE),
    "/admin/data/tournaments/ruling/{ruling}/history/": (DATA, DATA),
    "/admin/data/tournaments/ruling/{ruling}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/tournaments/ruling/{ruling}/": ("302", "302"),
    "/admin/data/auth/user/": (DATA, DATA),
    "/admin/data/auth/user/add/": (DATA, DATA),
    "/admin/data/auth/user/{user}/change/": (DATA, DATA),
    "/admin/data/auth/user/{user}/password/": (DATA, DATA),
    "/admin/data/auth/user/{user}/second-step/": (DATA, "302"),
    "/admin/data/auth/user/{user}/history/": (DATA, DATA),
    "/admin/data/auth/user/{user}/delete/": (NOT_HERE, NOT_HERE),
    "/admin/data/auth/user/{user}/": ("302", "302"),
    # --- public pages
    "/": ("200", "405"),
    "/favicon.ico": ("302", "302"),
    "/robots.txt": ("200", "405"),
    "/sitemap.xml": ("200", "200"),
    "/sitemap-players.xml": ("200", "200"),
    "/healthz": ("200", "200"),
    "/healthz/worker": ("200", "200"),
    "/amounts/": ("404", "405"),  # asked without saying what
    "/help/": ("200", "405"),
    "/help/scorer/": ("200", "405"),
    "/privacy/": ("200", "405"),
    "/password/forgotten/": ("200", "200"),
    "/password/forgotten/sent/": ("200", "405"),
    "/password/new/MQ/set-password/": ("200", "200"),
    "/password/new/done/": ("200", "405"),
    "/i18n/setlang/": ("302", "302"),
    "/clubs/{club_slug}/": ("200", "405"),
    "/clubs/{club_slug}/games/": ("302", "405"),
    "/clubs/{club_slug}/penalties/": ("302", "405"),
    "/clubs/{club_slug}/players/": ("200", "405"),
    "/clubs/{club_slug}/seasons/": ("302", "405"),
    "/clubs/{club_slug}/seasons/{season_slug}/": ("200", "405"),
    "/clubs/{club_slug}/seasons/{season_slug}/games/": ("200", "405"),
    "/clubs/{club_slug}/seasons/{season_slug}/race/": ("200", "405"),
    "/clubs/{club_slug}/seasons/{season_slug}/penalties/": ("200", "405"),
    "/clubs/{club_slug}/seasons/{season_slug}/workbook.xlsx": ("200", "405"),
    "/clubs/{club_slug}/rules/": ("200", "405"),
    "/clubs/{club_slug}/rules/{rule_slug}/": ("302", "405"),
    "/clubs/{club_slug}/rules/{rule_slug}/1/": ("200", "405"),
    "/clubs/{club_slug}/rules/{rule_slug}/1/rules.json": ("200", "405"),
    "/rules/": ("200", "405"),
    "/rules/furiten/": ("200", "405"),
    "/rules/furiten/rules.json": ("200", "405"),
    "/hanchans/{hanchan}/": ("200", "405"),
    "/players/": ("200", "405"),
    "/players/{player}/": ("302", "405"),
    "/players/{player}-{player_slug}/": ("200", "405"),
}


def places(world: World) -> dict[str, object]:
    """The values for the names in braces: rows of Furiten."""
    house = world.furiten
    double = Player.objects.create(native_name="D. S.")
    return {
        "club": house.club.pk,
        "club_slug": house.club.slug,
        "membership": house.membership.pk,
        "invitation": invite(house.club, world.users["foreign"], "scorer").pk,
        "player": house.player.pk,
        "player_slug": house.player.slug,
        "merge": merge_players(double, house.player).pk,
        "season": house.season.pk,
        "season_slug": house.season.slug,
        "rule_set": house.rule_set.pk,
        "rule_slug": house.rule_set.slug,
        "hanchan": house.hanchan.pk,
        "adjustment": house.adjustment.pk,
        "user": world.users["scorer"].pk,
        "event": house.row(Tournament).pk,
        "event_slug": house.row(Tournament).slug,
        "stage": house.row(Stage).pk,
        "entry": house.row(Entry).pk,
        "round": house.row(Round).pk,
        "ruling": house.row(Ruling).pk,
        "import": house.upload.pk,
        "job": start_replay(house.season, house.rule_set, by=world.users["admin"]).pk,
    }


def every_route(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from every_route(pattern, route)


def expected(statuses: str) -> dict[str, int]:
    numbers = [int(status) for status in statuses.split()]
    return dict(zip(ROLES, numbers if len(numbers) > 1 else numbers * len(ROLES), strict=True))


def route_of(address: str) -> str:
    example = dict.fromkeys(("player_slug", "club_slug", "season_slug", "rule_slug", "event_slug"), "x")
    names = dict.fromkeys(WORLD_NAMES, 1) | example
    return str(resolve(address.format(**names)).route)


WORLD_NAMES = (
    *("club", "membership", "invitation", "player", "merge", "season", "rule_set", "hanchan", "adjustment", "user"),
    *("event", "stage", "entry", "round", "ruling"),
    *("import", "job"),
)


def test_every_address_of_the_project_has_a_row() -> None:
    missing = set(every_route()) - {route_of(address) for address in TABLE}

    assert missing == set(), "addresses without a row in TABLE"


def test_no_two_rows_are_of_one_address() -> None:
    routes = [route_of(address) for address in TABLE]

    assert sorted(routes) == sorted(set(routes))


@pytest.fixture(scope="module")
def world(shared_rows: None) -> World:
    """The world for all rows of the table; the changes of each request are rolled back."""
    return make_world()


@pytest.fixture(scope="module")
def names(world: World) -> dict[str, object]:
    return places(world)


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, Client]:
    """One client for each role, made once: signing in costs as much as a small page."""
    return {role: world.client(role) for role in ROLES}


@pytest.fixture(scope="module")
def cookies(clients: dict[str, Client]) -> dict[str, str]:
    """The cookies that each role got when signing in."""
    return {role: client.cookies.output(header="") for role, client in clients.items()}


DJANGOS_ADMIN = Path(admin.__file__).parent


def from_djangos_admin(answer: Any) -> set[str]:
    """The templates of an answer that are files of Django's admin."""
    return {str(template.name) for template in answer.templates if DJANGOS_ADMIN in Path(template.origin.name).parents}


@pytest.mark.parametrize("address", TABLE)
def test_everybody_gets_what_the_table_says(
    address: str, clients: dict[str, Client], cookies: dict[str, str], names: dict[str, object]
) -> None:
    path = address.format(**names)
    for method, statuses in zip(("get", "post"), TABLE[address], strict=True):
        got, looks_like_django = {}, {}
        for role, client in clients.items():
            client.cookies = SimpleCookie(cookies[role])  # a request may log it out, which no rollback undoes
            with transaction.atomic():
                answer = getattr(client, method)(path)
                got[role] = answer.status_code
                looks_like_django[role] = from_djangos_admin(answer)
                if answer.streaming:
                    b"".join(answer.streaming_content)  # reading a file to its end closes it
                transaction.set_rollback(True)
        assert got == expected(statuses), f"{method.upper()} {path}"
        if path.startswith("/admin/data/"):
            looks_like_django.pop("owner")
        assert not any(looks_like_django.values()), f"{method.upper()} {path} is a page of Django's admin"
