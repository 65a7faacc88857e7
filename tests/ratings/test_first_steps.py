"""The first steps of a club: each step stores, may be left and taken up again, and refuses in sentences."""

from __future__ import annotations

import datetime
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from ratings.forms.pasted import digest
from ratings.forms.presets import PresetForm
from ratings.forms.start import season_name
from ratings.imports.columns import find_layout
from ratings.imports.players import PLAYERS
from ratings.imports.read import open_file
from ratings.mahjong.rulesets import PRESETS
from ratings.models import Affiliation, Club, ImportBatch, Player, RuleSet, Season
from ratings.queries.first_steps import first_steps
from ratings.services.first_steps import choose_rules
from ratings.services.hanchans import record_hanchan
from tests.cast import make_club, make_players, make_rule_set, make_season, make_sheet, make_user
from tests.ratings.files import csv

pytestmark = pytest.mark.django_db

FOUR = "Anna Kowalska\nJan Nowak\nВиктор Шевченко\n佐藤 健"


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner")


@pytest.fixture
def browser(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def club() -> Club:
    return make_club("Łódź Mahjong", slug="lodz", time_zone="Europe/Warsaw", country="PL")


def at(step: str, club: Club) -> str:
    return f"/admin/start/{club.slug}/{step}/"


# --- club ---------------------------------------------------------------------------------------------------


def test_the_time_zone_follows_from_the_country(browser: Client) -> None:
    answer = browser.post("/admin/start/", {"name": "Клуб Дора", "city": "Київ", "country": "UA"})

    club = Club.objects.get()
    assert (club.slug, club.country, club.time_zone) == ("klub-dora", "UA", "Europe/Kyiv")
    assert answer.url == at("rules", club)  # type: ignore[attr-defined]
    assert club.history.get().history_user == User.objects.get()


def test_another_time_zone_of_the_country_can_be_chosen(browser: Client) -> None:
    browser.post("/admin/start/", {"name": "Riichi", "country": "RU", "time_zone": "Asia/Vladivostok"})

    assert Club.objects.get().time_zone == "Asia/Vladivostok"


def test_a_country_of_several_zones_without_a_usual_one_asks_for_it(browser: Client) -> None:
    answer = browser.post("/admin/start/", {"name": "Riichi", "country": "US"})

    assert answer.status_code == 422
    assert "several time zones" in answer.text
    assert not Club.objects.exists()


def test_choosing_a_country_proposes_its_zone(browser: Client) -> None:
    answer = browser.post("/admin/start/zone/", {"country": "PL", "time_zone": "Europe/Minsk"})

    assert '<option value="Europe/Warsaw" selected>' in answer.text


@pytest.mark.parametrize(
    "typed", [{"name": ""}, {"name": "\u200b"}, {"name": "A", "country": "XX"}, {"name": "A" * 121}]
)
def test_a_club_that_cannot_be_saved_is_refused_with_what_was_typed(browser: Client, typed: dict[str, str]) -> None:
    answer = browser.post("/admin/start/", {"city": "Białystok", **typed})

    assert answer.status_code == 422
    assert "Białystok" in answer.text
    assert not Club.objects.exists()


def test_two_clubs_of_one_name_get_two_addresses(browser: Client) -> None:
    for _twice in range(2):
        browser.post("/admin/start/", {"name": "Риичи", "country": "UA"})

    assert sorted(Club.objects.values_list("slug", flat=True)) == ["riichi", "riichi-2"]


def test_the_first_step_of_a_club_can_be_changed_later(browser: Client, club: Club) -> None:
    browser.post(
        at("club", club), {"name": "Łódź Riichi", "city": "Łódź", "country": "PL", "time_zone": "Europe/Warsaw"}
    )

    club.refresh_from_db()
    assert (club.name, club.slug) == ("Łódź Riichi", "lodz")


# --- rules --------------------------------------------------------------------------------------------------


def test_ema_2025_is_proposed_and_all_presets_score_the_same_table(browser: Client, club: Club) -> None:
    page = browser.get(at("rules", club)).text
    cards = PresetForm(initial={"preset": "ema-2025"}).cards

    assert {card.preset.key for card in cards} == set(PRESETS)
    assert cards[0].preset.key == "ema-2025"
    assert cards[0].is_chosen
    assert page.count("data-use=") == len(PRESETS)
    for card in cards:
        start = card.preset.rules.start_points
        assert [seat.points - start for seat in card.seats] == [16_200, 2_600, -6_100, -12_700]
        assert all(0 < float(seat.position.rstrip("%")) < 100 for seat in card.seats)
    assert [seat.result for seat in cards[0].seats] == [31_200, 7_600, -11_100, -27_700]


def test_choosing_again_replaces_the_copy_and_what_the_season_is_played_by(browser: Client, club: Club) -> None:
    browser.post(at("rules", club), {"preset": "wrc"})
    browser.post(at("season", club), {"name": "Autumn", "starts_on": "2026-09-01", "minimum_games": "6"})

    answer = browser.post(at("rules", club), {"preset": "m-league"})

    assert answer.url == at("season", club)  # type: ignore[attr-defined]
    assert RuleSet.objects.get().preset == "m-league"
    assert Season.objects.get().rule_set == RuleSet.objects.get()


def test_rules_that_were_changed_are_kept_beside_another_choice(club: Club, owner: User) -> None:
    changed = make_rule_set(club, "wrc", start_points=25_000)

    chosen = choose_rules(club, "ema-2025", by=owner)

    assert set(RuleSet.objects.all()) == {changed, chosen}


def test_the_chosen_rules_can_be_edited_first(browser: Client, club: Club) -> None:
    answer = browser.post(at("rules", club), {"preset": "ema-2025", "edit": "1"})

    assert answer.url == f"/admin/ratings/ruleset/{RuleSet.objects.get().pk}/change/"  # type: ignore[attr-defined]


def test_a_preset_that_does_not_exist_is_refused_in_a_sentence(browser: Client, club: Club) -> None:
    answer = browser.post(at("rules", club), {"preset": "dora-dora"})

    assert (answer.status_code, RuleSet.objects.count()) == (422, 0)
    assert "Choose one of the rule sets." in answer.text


# --- season -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "name"),
    [
        ("2026-11-18", "Autumn 2026"),
        ("2026-03-01", "Spring 2026"),
        ("2026-12-01", "Winter 2026/27"),
        ("2027-02-28", "Winter 2026/27"),
        ("2026-08-31", "Summer 2026"),
    ],
)
def test_a_season_is_named_after_the_time_of_year(day: str, name: str) -> None:
    assert season_name(datetime.date.fromisoformat(day)) == name


def test_a_season_needs_rules_first(browser: Client, club: Club) -> None:
    assert browser.get(at("season", club)).url == at("rules", club)  # type: ignore[attr-defined]


def test_a_season_is_opened_and_changed_on_the_same_page(browser: Client, club: Club) -> None:
    browser.post(at("rules", club), {"preset": "ema-2025"})
    typed = {"name": "Jesień 2026", "starts_on": "2026-09-01", "minimum_games": "6"}
    browser.post(at("season", club), typed)
    browser.post(at("season", club), {**typed, "minimum_games": "4"})

    season = Season.objects.get()
    assert (season.name, season.minimum_games, season.rule_set.preset) == ("Jesień 2026", 4, "ema-2025")


@pytest.mark.parametrize(
    "wrong", [{"starts_on": "soon"}, {"ends_on": "2026-01-01"}, {"minimum_games": "-1"}, {"minimum_games": "many"}]
)
def test_a_season_that_makes_no_sense_is_refused_with_what_was_typed(
    browser: Client, club: Club, wrong: dict[str, str]
) -> None:
    browser.post(at("rules", club), {"preset": "ema-2025"})

    answer = browser.post(
        at("season", club), {"name": "Jesień", "starts_on": "2026-09-01", "minimum_games": "6", **wrong}
    )

    assert answer.status_code == 422
    assert "Jesień" in answer.text
    assert not Season.objects.exists()


# --- people -------------------------------------------------------------------------------------------------


def test_a_list_whose_reading_was_seen_is_imported_at_once_and_can_be_undone(browser: Client, club: Club) -> None:
    season = make_season(club)

    answer = browser.post(at("people", club), {"text": FOUR, "seen": digest(FOUR)})

    assert answer.url == f"/admin/ratings/hanchan/add/?season={season.pk}"  # type: ignore[attr-defined]
    assert club.players.count() == 4
    browser.post(f"/admin/ratings/importbatch/{ImportBatch.objects.get().pk}/undo/")
    assert not Player.objects.exists()


def test_a_list_whose_reading_was_not_seen_is_shown_first(browser: Client, club: Club) -> None:
    make_season(club)
    answer = browser.post(at("people", club), {"text": FOUR, "seen": digest("something else")}, follow=True)

    assert "Nothing is saved yet" in answer.text
    assert not Player.objects.exists()
    address = answer.redirect_chain[-1][0]
    answer = browser.post(address, {"confirm": "yes"}, follow=True)
    assert club.players.count() == 4
    assert "Enter the first table" in answer.text


def test_a_namesake_of_another_club_is_asked_about_beside_the_list(browser: Client, club: Club) -> None:
    (dmitry, *_others) = make_players(1)
    Affiliation.objects.create(player=dmitry, club=make_club("Furiten"), kind="regular")
    url, text = f"/admin/clubs/{club.slug}/players/reading/", f"{dmitry.native_name}\nAnna Nowa"

    asked = browser.post(url, {"text": text}).text
    assert "Same person: Дмитрий Соколов" in asked
    assert "Furiten" in asked
    assert "Add 1 player\n" in asked

    answers: dict[str, Any] = {"text": text, "seen": digest(text), f"who:{dmitry.native_name}": dmitry.pk}
    browser.post(f"/admin/clubs/{club.slug}/players/add/", answers)
    assert set(club.players.values_list("native_name", flat=True)) == {dmitry.native_name, "Anna Nowa"}
    assert Player.objects.count() == 2


def test_a_number_that_was_not_offered_is_no_answer(browser: Client, club: Club) -> None:
    (dmitry, other) = make_players(2)
    data = {"text": dmitry.native_name, "seen": digest(dmitry.native_name), f"who:{dmitry.native_name}": other.pk}

    browser.post(f"/admin/clubs/{club.slug}/players/add/", data)

    assert not club.players.exists()


def test_a_double_name_is_marked_and_nothing_is_added(browser: Client, club: Club) -> None:
    text = "Paweł Gąsior\nPawel Gasior"
    data = {"text": text, "seen": digest(text)}

    page = browser.post(f"/admin/clubs/{club.slug}/players/reading/", data).text
    browser.post(f"/admin/clubs/{club.slug}/players/add/", data)

    assert "twice?" in page
    assert not Player.objects.exists()


@pytest.mark.parametrize("text", ["", " \n\t\n", "\x00", "a" * 200_001, "\u202e"])
def test_nonsense_in_the_box_is_refused_and_kept(browser: Client, club: Club, text: str) -> None:
    live = browser.post(f"/admin/clubs/{club.slug}/players/reading/", {"text": text})
    answer = browser.post(f"/admin/clubs/{club.slug}/players/add/", {"text": text}, follow=True)

    assert live.status_code == 200
    assert answer.status_code in (200, 422)
    assert not Player.objects.exists()


def test_columns_that_cannot_be_told_are_asked_on_the_next_page(browser: Client, club: Club) -> None:
    text = "Anna Kowalska\tAnia\nJan Nowak\tJanek"

    answer = browser.post(f"/admin/clubs/{club.slug}/players/add/", {"text": text, "seen": digest(text)}, follow=True)
    assert "The first row is a person" in answer.text

    columns = {"column_0": "name", "column_1": "nickname", "headless": "on"}
    answer = browser.post(answer.redirect_chain[-1][0], columns, follow=True)
    browser.post(answer.redirect_chain[-1][0], {"confirm": "yes"})
    people = club.players.order_by("pk").values_list("native_name", "nickname")
    assert list(people) == [("Anna Kowalska", "Ania"), ("Jan Nowak", "Janek")]


def test_a_file_is_uploaded_on_the_same_page(browser: Client, club: Club) -> None:
    file = SimpleUploadedFile("people.csv", csv(["Anna Kowalska"], ["Jan Nowak"]))
    answer = browser.post(f"/admin/clubs/{club.slug}/players/add/", {"file": file, "upload": "1"}, follow=True)
    assert "Nothing is saved yet" in answer.text

    none = browser.post(f"/admin/clubs/{club.slug}/players/add/", {"upload": "1"})
    assert none.status_code == 422


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
@pytest.mark.parametrize("language", ["en", "ru", "uk", "pl"])
def test_the_template_is_read_back_in_every_language(browser: Client, club: Club, language: str, ending: str) -> None:
    with translation.override(language):
        answer = browser.get(f"/admin/players/template.{ending}", headers={"accept-language": language})

    layout = find_layout(open_file(answer.content, f"players.{ending}"), PLAYERS.forms, {})
    assert layout is not None
    assert list(layout.columns) == ["name", "latin_first", "latin_last", "nickname", "country", "ema_number", "kind"]


# --- left and taken up again ----------------------------------------------------------------------------------


def test_the_desk_keeps_the_place_until_the_first_game(browser: Client, club: Club) -> None:
    desk = f"/admin/clubs/{club.slug}/"
    assert "1 of 5 steps done" in browser.get(desk).text
    browser.post(at("rules", club), {"preset": "ema-2025"})
    assert "2 of 5 steps done" in browser.get(desk).text
    season = make_season(club)
    players = make_players(4)
    for player in players:
        Affiliation.objects.create(player=player, club=club)
    assert first_steps(club).next == "game"
    assert "4 of 5 steps done" in browser.get(desk).text

    record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))

    assert "steps done" not in browser.get(desk).text
    for step in ("club", "rules", "season", "people"):
        assert browser.get(at(step, club)).url == desk  # type: ignore[attr-defined]


def test_a_club_admin_takes_the_steps_from_the_rules_on(client: Client, club: Club) -> None:
    client.force_login(make_user("anna", club, "admin"))

    assert client.get("/admin/start/").status_code == 403
    assert client.get(at("rules", club)).status_code == 200
    assert "1 of 5 steps done" in client.get(f"/admin/clubs/{club.slug}/").text


@pytest.mark.parametrize("role", ["scorer", "referee"])
def test_others_see_no_checklist_and_take_no_steps(client: Client, club: Club, role: str) -> None:
    client.force_login(make_user("jan", club, role))

    assert client.get(at("rules", club)).status_code == 404
    assert "steps done" not in client.get(f"/admin/clubs/{club.slug}/").text


def test_workbooks_of_the_template_hold_no_people(browser: Client) -> None:
    content = io.BytesIO(browser.get("/admin/players/template.xlsx").content)

    assert [len(list(sheet.rows())) for sheet in open_file(content.read(), "p.xlsx").sheets] == [1]
