"""The entry page as a form: what is saved, what is refused in words, and that nothing typed is lost."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ratings.models import Hanchan, Player, Season, Standing
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.players import refresh_search_text
from tests.cast import THURSDAY, make_club, make_season, make_sheet, make_user
from tests.forms import forms

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/hanchan/add/"
POINTS = (45_200, 31_100, 25_700, 18_000)


@pytest.fixture
def scorer(season: Season) -> User:
    return make_user("scorer", season.club, "scorer")


@pytest.fixture
def referee(season: Season) -> User:
    return make_user("referee", season.club, "referee")


def sheet_data(season: Season, players: list[Player], *points: Any, **changed: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "season": season.pk,
        "date": "2026-04-16",
        "time": "20:30",
        "submit_key": str(uuid.uuid4()),
        "action": "next",
    }
    for wind, (player, typed) in enumerate(zip(players, points, strict=False)):
        data |= {f"seat{wind}-player": player.native_name, f"seat{wind}-points": str(typed)}
    return data | changed


def change_url(hanchan: Hanchan) -> str:
    return reverse("desk:correct", args=[hanchan.pk])


class TestTyping:
    def test_four_names_and_four_numbers_make_a_game(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        response = client.post(ADD, sheet_data(season, players, "452", "31.1", "25,7", "18000"))
        hanchan = Hanchan.objects.get()
        assert response.status_code == 302
        assert [seat.result for seat in hanchan.seats.all()] == [24_200, 4_100, -7_300, -21_000]
        assert (hanchan.entered_by, hanchan.played_on) == (scorer, datetime.date(2026, 4, 16))

    def test_the_next_table_keeps_season_and_evening(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        other = make_season(season.club)
        response = client.post(ADD, sheet_data(other, players, *POINTS), follow=True)
        page = response.content.decode()
        assert f'<option value="{other.pk}" selected>' in page
        assert 'value="2026-04-16"' in page
        assert 'value="20:30"' in page
        assert "Дмитрий Соколов +24.2" in page

    def test_any_name_in_any_script_and_case_is_understood(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        names = ["dmitry sokolov", "MALGORZATA SZCZESNA", "ken satō", "Bergmann Thomas"]
        players[3].aliases.create(name="Bergmann Thomas")
        refresh_search_text(players[3])
        data = sheet_data(season, players, *POINTS, **{f"seat{i}-player": name for i, name in enumerate(names)})
        client.post(ADD, data)
        assert [seat.player for seat in Hanchan.objects.get().seats.all()] == players[:4]

    def test_an_unknown_name_becomes_a_guest_only_when_asked(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        data = sheet_data(season, players, *POINTS, **{"seat3-player": "Новый Гость"})
        response = client.post(ADD, data)
        assert response.status_code == 422
        assert "There is no player “Новый Гость” yet" in response.content.decode()
        client.post(ADD, data | {"seat3-new_guest": "on"})
        guest = Player.objects.get(native_name="Новый Гость")
        assert Hanchan.objects.get().seats.get(wind=3).player == guest
        assert guest.affiliations.get().club == season.club

    def test_two_of_one_name_are_not_guessed_between(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        twin = Player.objects.create(native_name="Thomas Bergmann", search_text="thomas bergmann")
        data = sheet_data(season, players, *POINTS)
        assert "Several players are called" in client.post(ADD, data).content.decode()
        client.post(ADD, data | {"seat3-player_id": str(twin.pk)})
        assert Hanchan.objects.get().seats.get(wind=3).player == twin

    def test_substitute_lateness_and_penalty_are_kept(self, client: Client, players: list[Player]) -> None:
        season = make_season(preset="ema-2012")
        client.force_login(make_user("r", season.club, "referee"))
        extra = {
            "seat0-substitute": "from_start",
            "seat0-played_by": players[4].native_name,
            "seat0-late_minutes": "15",
        }
        client.post(
            ADD, sheet_data(season, players, 50_000, 36_000, 22_000, 12_000, **extra, **{"seat1-penalty": "8000"})
        )
        east, south = Hanchan.objects.get().seats.all()[:2]
        assert (east.substitute, east.played_by, east.late_minutes, east.result) == (
            "from_start",
            players[4],
            15,
            -30_000,
        )
        assert south.penalty == 8_000

    def test_a_penalty_at_the_table_is_an_amount_and_a_score_a_score(
        self, client: Client, players: list[Player]
    ) -> None:
        season = make_season(preset="ema-2012")
        client.force_login(make_user("r", season.club, "referee"))
        data = sheet_data(season, players, 50_000, 36_000, 22_000, 12_000) | {"seat1-points": "360"}
        asked = client.post(ADD, data | {"seat1-penalty": "800"})
        assert asked.status_code == 422
        assert "Is this right?" in asked.content.decode()
        client.post(ADD, data | {"seat1-penalty": "8"})
        hanchan = Hanchan.objects.get()
        assert [(seat.points, seat.penalty) for seat in hanchan.seats.all()][1] == (36_000, 8_000)
        page = client.get(reverse("desk:correct", args=[hanchan.pk])).content.decode()
        (form,) = [form for form in forms(page) if "seat1-penalty" in form.names()]
        assert form.data()["seat1-penalty"] == ["8000"]

    def test_a_variation_is_typed_in_thousands_and_asked_about_when_unlikely(
        self, client: Client, players: list[Player]
    ) -> None:
        season = make_season(kind=Season.Kind.SIMPLIFIED)
        client.force_login(make_user("s", season.club))
        uma = {f"variation-uma_{place}": typed for place, typed in enumerate(["200", "0", "0", "-200"])}
        data = sheet_data(season, players, 41_200, 27_600, 18_900, 12_300, **{"variation-start_points": "25"}, **uma)
        page = client.post(ADD, data).content.decode()
        assert "Is this right?" in page
        (sure,) = [field for form in forms(page) for field in form.fields if field.name == "variation-sure"]
        client.post(ADD, data | {"variation-sure": sure.options[0]})
        assert Hanchan.objects.get().variation == {"start_points": 25_000, "uma": [200_000, 0, 0, -200_000]}

    def test_a_variation_of_a_simplified_game(self, client: Client, players: list[Player]) -> None:
        season = make_season(kind=Season.Kind.SIMPLIFIED)
        client.force_login(make_user("s", season.club))
        page = client.get(f"{ADD}?season={season.pk}").content.decode()
        assert "Variation of this game" in page
        varied = {"variation-start_points": "25000", "variation-target_points": "30000"}
        data = sheet_data(season, players, 41_200, 27_600, 18_900, 12_300, **varied)
        client.post(ADD, data)
        assert Hanchan.objects.get().variation == {"start_points": 25_000}
        response = client.post(ADD, data | {"submit_key": "", "variation-start_points": "60000"})
        assert response.status_code == 422
        assert "25\xa0000 to 50\xa0000" in response.content.decode()


class TestRefusals:
    def test_a_wrong_sum_is_refused_and_everything_typed_stays(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        response = client.post(ADD, sheet_data(season, players, "452", "311", "257", "179", comment="late tram"))
        page = response.content.decode()
        assert response.status_code == 422
        assert "100 points short" in page
        for typed in ('value="452"', 'value="179"', 'value="late tram"', 'value="Дмитрий Соколов"'):
            assert typed in page
        assert not Hanchan.objects.exists()

    def test_a_scorer_cannot_override_the_sum_but_a_referee_can(
        self, client: Client, season: Season, players: list[Player], scorer: User, referee: User
    ) -> None:
        data = sheet_data(season, players, "452", "311", "257", "179", override="one stick was lost")
        client.force_login(scorer)
        assert "Only a referee or a club admin" in client.post(ADD, data).content.decode()
        assert "override" not in client.get(ADD).content.decode()
        client.force_login(referee)
        client.post(ADD, data)
        assert Hanchan.objects.get().override == "one stick was lost"

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"seat1-player": "Дмитрий Соколов"}, "sits at this table already"),
            ({"date": "2025-04-16"}, "outside the season"),
            ({"date": "2199-04-16"}, "future"),
            ({"date": "0001-01-01"}, "too far away"),
            ({"date": "soon"}, "Enter a valid date"),
            ({"time": "25:61"}, "Enter a valid time"),
            ({"seat2-points": "many"}, "not a number of points"),
            ({"seat2-points": "257.55"}, "not a multiple of 100"),
            ({"seat2-points": ""}, "Points are missing"),
            ({"seat2-player": ""}, "The player is missing"),
            ({"seat0-chombo": "-1"}, "greater than or equal to 0"),
            ({"seat0-chombo": "x"}, "Enter a whole number"),
            ({"seat0-late_minutes": "999999999999"}, "less than or equal to 100000"),
            ({"seat0-substitute": "often"}, "not one of the available choices"),
            ({"sticks_left": "-3"}, "greater than or equal to 0"),
            ({"seat0-player": "x" * 500}, "at most 120 characters"),
        ],
    )
    def test_wrong_input_is_answered_in_words(
        self, client: Client, players: list[Player], changed: dict[str, str], sentence: str
    ) -> None:
        season = make_season(ends_on=None) if changed.get("date") == "2199-04-16" else make_season()
        client.force_login(make_user("s", season.club))
        response = client.post(ADD, sheet_data(season, players, *POINTS, **changed))
        assert response.status_code == 422
        assert sentence in response.content.decode()
        assert not Hanchan.objects.exists()

    def test_an_unknown_season_is_not_found(self, client: Client, scorer: User) -> None:
        client.force_login(scorer)
        foreign = make_season(make_club("Phoenix"))
        assert client.get(f"{ADD}?season={foreign.pk}").status_code == 404
        assert client.get(f"{ADD}?season=x").status_code == 404

    def test_strangers_are_asked_to_sign_in(self, client: Client) -> None:
        assert client.get(ADD).status_code == 302

    def test_no_season_yet_says_what_to_do(self, client: Client) -> None:
        club = make_club()
        client.force_login(make_user("boss", club, "admin"))
        assert "No season to enter games into" in client.get(ADD).content.decode()


class TestTwice:
    def test_a_double_submit_makes_one_game_and_one_guest(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        data = sheet_data(season, players, *POINTS, **{"seat3-player": "New Face", "seat3-new_guest": "on"})
        client.post(ADD, data)
        response = client.post(ADD, data, follow=True)
        assert "saved already" in response.content.decode()
        assert Hanchan.objects.count() == 1
        assert Player.objects.filter(native_name="New Face").count() == 1

    def test_the_same_form_with_other_content_is_refused(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        data = sheet_data(season, players, *POINTS)
        client.post(ADD, data)
        response = client.post(ADD, data | {"seat0-points": "46200", "seat1-points": "30100"})
        assert "with other content" in response.content.decode()
        assert Hanchan.objects.count() == 1


class TestLivePreview:
    URL = "/admin/ratings/hanchan/preview/"

    def look(self, client: Client, season: Season, /, **data: Any) -> str:
        return client.post(self.URL, {"date": "2026-04-16", **data, "season": season.pk}).content.decode()

    def test_the_fourth_score_is_suggested_and_never_filled_in(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        page = self.look(client, season, **{"seat0-points": "387", "seat1-points": "315", "seat2-points": "276"})
        assert "3 of 4 scores" in page
        assert 'data-use="22200" data-for="id_seat3-points"' in page
        assert "reads 38\u00a0700" in page

    def test_a_small_suggestion_is_written_so_that_it_is_read_right(
        self, client: Client, season: Season, scorer: User
    ) -> None:
        client.force_login(scorer)
        page = self.look(client, season, **{"seat0-points": "60000", "seat1-points": "50000", "seat2-points": "9500"})
        assert 'data-use="0.5"' in page

    def test_a_shortfall_of_the_penalties_offers_to_add_them_back(self, client: Client, players: list[Player]) -> None:
        season = make_season(preset="ema-2012")
        client.force_login(make_user("s", season.club))
        points = {f"seat{i}-points": str(p) for i, p in enumerate((36_000, 37_000, 28_000, 16_000))}
        page = self.look(client, season, **points, **{"seat0-late_minutes": "3"})
        assert 'data-use="39000" data-for="id_seat0-points"' in page
        assert "already taken out of the sticks" in page

    def test_places_results_and_moves_are_those_of_saving(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        page = self.look(client, season, **sheet_data(season, players, *POINTS))
        assert "This would be recorded" in page
        assert "+24.2" in page
        assert not Hanchan.objects.exists()

    def test_suggestions_find_every_player_those_who_played_here_first(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        record_hanchan(season, make_sheet(players[2:6], *POINTS))
        asked = {"field": "seat0-player", "seat0-player": "o", "season": str(season.pk)}
        page = client.get("/admin/ratings/hanchan/players/", asked).content.decode()
        names = [part.split('"')[0] for part in page.split('data-name="')[1:]]
        assert names[0] in {p.native_name for p in players[2:6]}
        assert "New guest" in page


class TestChanging:
    @pytest.fixture
    def game(self, season: Season, players: list[Player], scorer: User) -> Hanchan:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS), by=scorer)
        Hanchan.objects.filter(pk=hanchan.pk).update(entered_at=THURSDAY)
        return Hanchan.objects.get(pk=hanchan.pk)

    def correction(self, game: Hanchan, players: list[Player], **changed: Any) -> dict[str, Any]:
        return sheet_data(game.season, players, "442", "321", "257", "180", version="1", action="save", **changed)

    def test_before_saving_old_and_new_and_everybody_who_moves_are_shown(
        self, client: Client, game: Hanchan, players: list[Player], referee: User
    ) -> None:
        client.force_login(referee)
        page = client.post(change_url(game), self.correction(game, players)).content.decode()
        assert "45\u00a0200" in page
        assert "44\u00a0200" in page
        assert "+23.2" in page
        assert Hanchan.objects.get().version == 1

    def test_a_correction_needs_a_reason(
        self, client: Client, game: Hanchan, players: list[Player], referee: User
    ) -> None:
        client.force_login(referee)
        data = self.correction(game, players, confirm="1")
        page = client.post(change_url(game), data).content.decode()
        assert "Enter a short reason" in page
        assert 'name="seat0-points" value="442"' in page
        client.post(change_url(game), data | {"reason": "read the wrong line"})
        corrected = Hanchan.objects.get()
        assert corrected.corrections == 1
        assert corrected.events.last().reason == "read the wrong line"  # type: ignore[union-attr]

    def test_who_entered_it_today_needs_no_reason(
        self, client: Client, game: Hanchan, players: list[Player], scorer: User
    ) -> None:
        Hanchan.objects.update(entered_at=datetime.datetime.now(datetime.UTC))
        client.force_login(scorer)
        client.post(change_url(game), self.correction(game, players, confirm="1"))
        assert Hanchan.objects.get().corrections == 1

    def test_a_scorer_may_not_correct_yesterdays_game(
        self, client: Client, game: Hanchan, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        response = client.post(change_url(game), self.correction(game, players, confirm="1", reason="x"), follow=True)
        assert "Ask a referee" in response.content.decode()
        assert Hanchan.objects.get().corrections == 0

    def test_a_game_opened_for_correction_shows_what_was_typed(
        self, client: Client, season: Season, players: list[Player], referee: User
    ) -> None:
        low = record_hanchan(season, make_sheet(players[:4], 60_000, 50_000, 9_500, 500))
        client.force_login(referee)
        page = client.get(change_url(low)).content.decode()
        assert 'value="0.5"' in page

    def test_two_editors_the_second_sees_both_versions_and_chooses(
        self, client: Client, game: Hanchan, players: list[Player], referee: User
    ) -> None:
        client.force_login(referee)
        data = self.correction(game, players, confirm="1", reason="mine")
        client.post(
            change_url(game),
            sheet_data(game.season, players, "440", "323", "257", "180", version="1", confirm="1", reason="theirs"),
        )
        response = client.post(change_url(game), data)
        page = response.content.decode()
        assert response.status_code == 409
        assert "44\u00a0000" in page
        assert "44\u00a0200" in page
        assert 'name="version" value="2"' in page
        client.post(change_url(game), data | {"version": "2"})
        assert Hanchan.objects.get().seats.get(wind=0).points == 44_200

    def test_a_draft_may_have_a_wrong_sum_and_any_scorer_finishes_it(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        client.post(ADD, sheet_data(season, players, "452", "311", "257", "0", action="draft"))
        draft = Hanchan.objects.get()
        assert draft.status == Hanchan.Status.DRAFT
        assert not Standing.objects.exists()
        client.force_login(make_user("other", season.club))
        client.post(change_url(draft), sheet_data(season, players, *POINTS, version="1"))
        assert Hanchan.objects.get().status == Hanchan.Status.FINAL
        assert Standing.objects.count() == 4

    def test_void_shows_who_moves_asks_why_and_can_be_undone(
        self, client: Client, game: Hanchan, referee: User
    ) -> None:
        client.force_login(referee)
        url = reverse("desk:void", args=[game.pk])
        assert "Who moves" in client.get(url).content.decode()
        assert "Enter a short reason" in client.post(url).content.decode()
        client.post(url, {"reason": "137 tiles", "version": "1"})
        assert Hanchan.objects.get().status == Hanchan.Status.VOID
        client.post(reverse("desk:restore", args=[game.pk]), {"version": "2"})
        assert Hanchan.objects.get().status == Hanchan.Status.FINAL

    def test_a_scorer_may_not_void(self, client: Client, game: Hanchan, scorer: User) -> None:
        client.force_login(scorer)
        client.post(reverse("desk:void", args=[game.pk]), {"reason": "x"})
        assert Hanchan.objects.get().status == Hanchan.Status.FINAL

    def test_a_void_game_is_not_corrected(
        self, client: Client, game: Hanchan, players: list[Player], referee: User
    ) -> None:
        void_hanchan(game, version=1, reason="x")
        client.force_login(referee)
        assert client.get(change_url(game)).status_code == 302

    def test_a_guessed_game_of_another_club_is_not_found(self, client: Client, game: Hanchan) -> None:
        client.force_login(make_user("foreign", make_club("Phoenix"), "admin"))
        for name in ("correct", "void", "restore"):
            assert client.get(reverse(f"desk:{name}", args=[game.pk])).status_code == 404


class TestTheSameGameAgain:
    @pytest.fixture
    def stored(self, season: Season, players: list[Player], scorer: User, client: Client) -> Hanchan:
        client.force_login(scorer)
        return record_hanchan(season, make_sheet(players[:4], *POINTS))

    def test_the_same_four_with_the_same_points_are_asked_about(
        self, client: Client, season: Season, players: list[Player], stored: Hanchan
    ) -> None:
        response = client.post(ADD, sheet_data(season, players, *POINTS))
        assert response.status_code == 422
        assert f"Game {stored.pk} has the same four players with the same points." in response.text
        assert 'name="another"' in response.text
        assert Hanchan.objects.count() == 1

    def test_a_yes_saves_it(self, client: Client, season: Season, players: list[Player], stored: Hanchan) -> None:
        assert client.post(ADD, sheet_data(season, players, *POINTS, another="on")).status_code == 302
        assert Hanchan.objects.count() == 2

    def test_other_seats_are_the_same_game_too(
        self, client: Client, season: Season, players: list[Player], stored: Hanchan
    ) -> None:
        data = sheet_data(season, players[3::-1], *reversed(POINTS))
        assert client.post(ADD, data).status_code == 422

    @pytest.mark.parametrize(
        "changed",
        [
            {"date": "2026-04-18"},
            {"seat0-points": "45100", "seat1-points": "31200"},
            {"seat3-player": "Anna Nowak", "seat3-new_guest": "on"},
        ],
        ids=["two days later", "other points", "another player"],
    )
    def test_another_game_is_not_asked_about(
        self, client: Client, season: Season, players: list[Player], stored: Hanchan, changed: dict[str, str]
    ) -> None:
        assert client.post(ADD, sheet_data(season, players, *POINTS, **changed)).status_code == 302
        assert Hanchan.objects.count() == 2

    def test_a_voided_game_may_be_entered_again(
        self, client: Client, season: Season, players: list[Player], stored: Hanchan
    ) -> None:
        void_hanchan(stored, version=stored.version, reason="Wrong season.")
        assert client.post(ADD, sheet_data(season, players, *POINTS)).status_code == 302

    def test_a_guest_is_known_by_name(
        self, client: Client, season: Season, players: list[Player], stored: Hanchan
    ) -> None:
        guest = {"seat3-player": "Новый Гость", "seat3-new_guest": "on"}
        points = ("300", "300", "300", "300")
        assert client.post(ADD, sheet_data(season, players, *points, **guest)).status_code == 302
        assert client.post(ADD, sheet_data(season, players, *points, **guest)).status_code == 422


class TestSentByScript:
    """A page that sends its sheet by script learns from the answer itself that the sheet is saved."""

    def test_what_is_saved_says_where_to_go_on(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        data = sheet_data(season, players, *POINTS, action="save")
        response = client.post(ADD, data, headers={"X-Sheet": "page"})
        assert response.status_code == 204
        assert response.headers["X-Next"] == Hanchan.objects.get().get_absolute_url()

    def test_what_is_refused_is_the_page_again(
        self, client: Client, season: Season, players: list[Player], scorer: User
    ) -> None:
        client.force_login(scorer)
        response = client.post(ADD, sheet_data(season, players, "x", *POINTS[1:]), headers={"X-Sheet": "page"})
        assert response.status_code == 422
        assert "X-Next" not in response.headers
        assert 'aria-invalid="true"' in response.text

    def test_who_is_signed_out_is_sent_to_sign_in(self, client: Client, season: Season, players: list[Player]) -> None:
        response = client.post(ADD, sheet_data(season, players, *POINTS), headers={"X-Sheet": "page"})
        assert response.status_code == 302
        assert "login" in response.headers["Location"]
