"""Which texts may be a name, tested wherever the site accepts one."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client

from ratings.imports.columns import Layout
from ratings.imports.kinds import Choices
from ratings.imports.names import NEW
from ratings.imports.person_rows import read_people
from ratings.imports.players import PLAYERS
from ratings.imports.read import open_file
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, files
from ratings.models import Affiliation, Club, Player, RuleSet, Season
from ratings.models.clubs import valid_name
from ratings.services.clubs import save_club
from ratings.services.players import add_guest, save_player
from ratings.services.rulesets import add_rule_set
from ratings.services.seasons import save_season
from tests.cast import make_club, make_players, make_season, make_user
from tests.ratings.files import WIDE, csv, wide
from tests.ratings.importing import make_plan
from tests.tournaments.hall import Hall
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, add_stage, change_event
from tournaments.services.registration import Newcomer, register_oneself
from tournaments.standings import eventfile

TODAY = datetime.date.today()
OPEN: dict[str, Any] = {"registration_open": True, "starts_on": TODAY, "ends_on": TODAY + datetime.timedelta(days=2)}
BAD = {
    "line break": "A\nB",
    "bell": "Anna\x07",
    "nul": "Anna\0",
    "delete": "Anna\x7f",
    "line separator": "A\u2028B",
    "half a letter": "A\ud800",
    "override": "\u202egnp.exe",
    "embedding": "Anna \u202aB\u202c",
    "isolate": "\u2067Anna\u2069",
    "zero width space": "\u200b",
    "byte order mark": "\ufeff\u2060",
    "joiners only": "\u200d\u200c",
    "marks only": "\u0301\u0301",
    "Hangul filler": "\u3164",
    "dots": "…—",
    "spaces": " \u00a0\u3000",
}
GOOD = [
    "Дмитрий Соколов",
    "佐藤 健",
    "ليلى حداد",
    "می\u200cخواهم",
    "क्\u200dष",
    "O’Neil-Żurawski",
    "春",
    "7",
    "R2-D2",
    "한글",
    "A",
]

bad = pytest.mark.parametrize("name", BAD.values(), ids=BAD)


@bad
def test_a_name_nobody_can_read_is_refused(name: str) -> None:
    assert objection_to_name(name) is not None
    with pytest.raises(ValidationError):
        valid_name(name)


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_scripts_are_taken_with_the_joiners_they_need(name: str) -> None:
    assert objection_to_name(name) is None


# --- every door -------------------------------------------------------------------------------------------

TURNED, EMPTY, BROKEN = BAD["override"], BAD["zero width space"], BAD["line break"]
three = pytest.mark.parametrize("name", [TURNED, EMPTY, BROKEN], ids=["turned", "empty", "broken"])


def refused(make: Any) -> None:
    with pytest.raises(Refused) as told:
        make()
    assert told.value.problems[0].code in ("unseen_signs", "nothing_seen", "bad_event")


@three
@pytest.mark.django_db
def test_no_service_stores_such_a_name(name: str) -> None:
    season, hall = make_season(), Hall(1, club=make_club("Haneman"), **OPEN)
    club, event, player = season.club, hall.tournament, hall.players[0]
    preset = files.of_preset(PRESETS["wrc"])

    refused(lambda: add_guest(club, name))
    refused(lambda: save_club(Club(name=name, slug="x")))
    refused(lambda: save_season(Season(club=club, rule_set=season.rule_set, name=name, starts_on=season.starts_on)))
    refused(lambda: add_rule_set(club, preset, f"{name} " if name == EMPTY else name))
    for field in ("native_name", "latin_first", "latin_last", "nickname"):
        refused(lambda field=field: save_player(Player(**{"native_name": "Anna", field: name})))
    refused(lambda: enter(event, Player.objects.create(native_name="Anna"), team=name))
    refused(lambda: register_oneself(event, Newcomer(name), uuid.uuid4()))
    refused(lambda: add_stage(event, StagePlan(name, 1)))
    event.name = name
    refused(lambda: change_event(event))
    assert not Player.objects.filter(native_name=name).exists()
    assert player.entries.get().team == ""


@three
@pytest.mark.django_db
def test_a_new_guest_of_the_sheet_is_told_beside_the_name(name: str, client: Client) -> None:
    season, players = make_season(), make_players(3)
    client.force_login(make_user("scorer", season.club))
    data = {"season": season.pk, "played_on": "2026-04-16", "played_at": "19:30", "sticks_left": "0"}
    for wind, points in enumerate((45_200, 31_100, 25_700, 18_000)):
        person = {"player_id": players[wind].pk} if wind < 3 else {"player": name, "new_guest": "on"}
        data |= {f"seat{wind}-{key}": value for key, value in {**person, "points": points}.items()}

    page = client.post("/admin/ratings/hanchan/add/", data)

    assert page.status_code in (200, 422)
    assert "line breaks" in page.text or "can be seen" in page.text
    assert Player.objects.count() == 3


@three
@pytest.mark.django_db
def test_whoever_registers_is_told_beside_the_name(name: str, client: Client) -> None:
    hall = Hall(0, **OPEN)
    address = f"{hall.tournament.get_absolute_url()}register/"

    for data in ({"name": name}, {"name": "Anna", "latin_first": name}, {"name": "Anna", "team": name}):
        page = client.post(address, data)
        assert "line breaks" in page.text or "can be seen" in page.text
    assert not Player.objects.exists()


@three
@pytest.mark.django_db
def test_imports_say_in_which_cell_such_a_name_stands(name: str) -> None:
    season, players = make_season(), make_players(3)
    typed = name.replace("\n", "\x07")  # a cell of two lines is read as one
    content = csv(
        WIDE, wide("2026-04-16", [*(p.native_name for p in players), typed], [45_200, 31_100, 25_700, 18_000])
    )

    plan = make_plan(season.club, season, open_file(content, "old.csv"), Choices(names={typed: NEW}))
    assert next(problem.code for problem in plan.findings.wrong) in ("unseen_signs", "nothing_seen")

    book = open_file(
        csv(["Name", "Nickname", "Aliases"], ["Anna", typed, "A"], ["Berta", "", f"B;{typed}"]), "list.csv"
    )
    columns = {"name": 0, "nickname": 1, "aliases": 2}
    reading = read_people(book.sheets[0], Layout(form="people", head_row=1, columns=columns), PLAYERS.people)
    assert len(reading.people) == 0
    assert reading.findings.wrong_count == 2


@three
def test_an_event_file_says_where_such_a_name_stands(name: str) -> None:
    entry = {"number": 1, "native_name": name, "status": "player"}

    with pytest.raises(Refused) as told:
        eventfile.reading._entries({"entries": [entry]}, eventfile.where.part("event"))

    assert "“native_name”" in told.value.problems[0].sentence()


@three
@pytest.mark.django_db
def test_admin_forms_refuse_it_beside_the_field(name: str, client: Client) -> None:
    club = make_club()
    client.force_login(make_user("admin", club, "admin"))

    page = client.post("/admin/ratings/player/add/", {"native_name": name, "visibility": "full", "club": club.pk})

    assert page.status_code == 422
    assert "line breaks" in page.text or "can be seen" in page.text
    assert not Affiliation.objects.exists()
    assert not RuleSet.objects.exists()


@three
@pytest.mark.django_db
def test_accounts_have_readable_names_too(name: str, client: Client) -> None:
    owner = User.objects.create_superuser("owner")
    client.force_login(owner)
    address = f"/admin/data/auth/user/{owner.pk}/change/"

    for field in ("username", "first_name", "last_name"):
        page = client.post(address, {"username": "owner", field: name, "is_active": "on", "is_superuser": "on"})
        assert page.status_code == 200, field
    owner.refresh_from_db()
    assert (owner.username, owner.first_name, owner.last_name) == ("owner", "", "")
