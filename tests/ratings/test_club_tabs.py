"""The tabs of a club: which season they lead to, its games, players and penalties, as pages and as files."""

from __future__ import annotations

import csv
import datetime
import io
from typing import Any

import openpyxl
import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings.models import Adjustment, Affiliation, Club, Hanchan, Player, Season
from ratings.services.hanchans import change_hanchan, record_hanchan, void_hanchan
from ratings.services.seasons import touch
from ratings.services.standings import refresh_standings
from tests.cast import THURSDAY, make_club, make_season, make_sheet, make_user
from tests.pages import Table, tables

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
WIN = (45_200, 31_100, 25_700, 18_000)
TODAY = timezone.localdate()


@pytest.fixture
def season() -> Season:
    return make_season(name="Spring season")


@pytest.fixture
def games(season: Season, players: list[Player]) -> list[Hanchan]:
    """Thursday's two tables, and Friday's."""
    return [
        record_hanchan(season, make_sheet(players[:4], *WIN, table=1)),
        record_hanchan(season, make_sheet([*players[:3], players[4]], *WIN, table=2)),
        record_hanchan(season, make_sheet([*players[1:4], players[4]], *WIN, at=THURSDAY + DAY)),
    ]


def at(season: Season, page: str) -> str:
    return f"/clubs/{season.club.slug}/seasons/{season.slug}/{page}/"


def shown(client: Client, url: str, kind: str, **query: Any) -> Table:
    answer = client.get(url, query)
    assert answer.status_code == 200
    return tables(answer.content)[kind]


def exported(client: Client, url: str, **query: Any) -> list[dict[str, str]]:
    answer = client.get(url, {"export": "csv", **query})
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


# --- which season -----------------------------------------------------------------------------------------


class TestTabs:
    @pytest.mark.parametrize(
        ("tab", "page"), [("seasons", ""), ("games", "games/"), ("penalties", "penalties/")], ids=str
    )
    def test_a_tab_leads_to_the_running_season(self, client: Client, tab: str, page: str) -> None:
        club = make_club()
        make_season(club, starts_on=TODAY - 400 * DAY, ends_on=TODAY - 300 * DAY)
        running = make_season(club, starts_on=TODAY - 30 * DAY, ends_on=None)
        make_season(club, starts_on=TODAY + 30 * DAY, ends_on=None)

        answer = client.get(f"/clubs/{club.slug}/{tab}/")
        assert answer["Location"] == f"/clubs/{club.slug}/seasons/{running.slug}/{page}"

    def test_a_rated_season_goes_before_free_games(self, client: Client) -> None:
        club = make_club()
        rated = make_season(club, starts_on=TODAY - 60 * DAY, ends_on=None)
        make_season(club, kind="simplified", starts_on=TODAY - 10 * DAY, ends_on=None)
        make_season(club, kind="tournament", competition="x", starts_on=TODAY, ends_on=TODAY)

        assert rated.slug in client.get(f"/clubs/{club.slug}/seasons/")["Location"]

    def test_between_seasons_the_last_one_is_shown(self, client: Client) -> None:
        club = make_club()
        make_season(club, starts_on=TODAY - 400 * DAY, ends_on=TODAY - 300 * DAY)
        last = make_season(club, starts_on=TODAY - 200 * DAY, ends_on=TODAY - 100 * DAY)

        assert last.slug in client.get(f"/clubs/{club.slug}/games/")["Location"]

    def test_the_switcher_leads_to_the_season_chosen_and_nowhere_else(self, client: Client, season: Season) -> None:
        other = make_season(season.club)

        assert other.slug in client.get(f"/clubs/{season.club.slug}/games/", {"season": other.slug})["Location"]
        assert client.get(f"/clubs/{season.club.slug}/games/", {"season": "//evil"})["Location"].startswith("/clubs/")
        assert f'value="{other.slug}"' in client.get(at(season, "games")).content.decode()

    def test_a_club_without_a_season_says_so(self, client: Client) -> None:
        club = make_club()

        assert "No season yet" in client.get(f"/clubs/{club.slug}/seasons/").content.decode()
        client.force_login(make_user("boss", club, "admin"))
        assert "Add a season" in client.get(f"/clubs/{club.slug}/seasons/").content.decode()

    @pytest.mark.parametrize("tab", ["seasons", "games", "penalties", "players"])
    def test_an_unknown_club_is_not_found(self, client: Client, tab: str) -> None:
        assert client.get(f"/clubs/nowhere/{tab}/").status_code == 404

    @pytest.mark.parametrize("tab", ["season", "games", "penalties"])
    def test_pages_answer_only_to_reading(self, client: Client, season: Season, tab: str) -> None:
        assert client.post(at(season, tab).replace("season/", "")).status_code == 405


# --- games ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games")
class TestGames:
    def test_games_are_listed_newest_first_with_four_players_in_order_of_place(
        self, client: Client, season: Season, games: list[Hanchan]
    ) -> None:
        table = shown(client, at(season, "games"), "games")

        assert [row[0].text.strip() for row in table.rows] == ["17 April 2026", "16 April 2026", "16 April 2026"]
        assert [cell.text for cell in table.rows[0]][2:] == [
            "1stMałgorzata Szczęsna45\xa0200+24.2",
            "2nd佐藤 健31\xa0100+4.1",
            "3rdThomas Bergmann25\xa0700−7.3",
            "4thОльга Мельникова18\xa0000−21.0",
        ]
        assert table.rows[0][0].links == [games[2].get_absolute_url()]

    def test_a_game_says_when_and_what_explains_its_results(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        Club.objects.update(time_zone="Europe/Minsk")
        east = {"chombo": 2, "substitute": "mid_game"}
        record_hanchan(season, make_sheet(players[:4], *WIN, east=east, at=THURSDAY + 4 * DAY))

        newest = shown(client, at(season, "games"), "games").rows[0]

        assert "20:30" in client.get(at(season, "games")).content.decode()
        (seat,) = [cell.text for cell in newest[2:] if "chombo" in cell.text]
        assert "45\xa0200" in seat
        assert "substitute" in seat
        assert "2 chombo" in seat

    def test_every_result_links_to_its_game(self, client: Client, season: Season, games: list[Hanchan]) -> None:
        row = shown(client, at(season, "games"), "games").rows[1]

        assert all(cell.links[-1] == games[1].get_absolute_url() for cell in row[2:])

    def test_games_of_a_player_come_with_what_they_add_up_to(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        Adjustment.objects.create(
            season=season, player=players[0], points=-5000, reason="Late", given_on=THURSDAY.date()
        )
        touch([season.pk])
        refresh_standings(season.pk, [players[0].pk])
        text = client.get(at(season, "games"), {"player": players[0].pk}).content.decode()

        assert len(tables(text.encode())["games"].rows) == 2
        assert "Games of Дмитрий Соколов" in text
        assert [number in text for number in ("+48.4", "−5.0", "+43.4")] == [True] * 3

    def test_games_of_a_day(self, client: Client, season: Season) -> None:
        assert len(shown(client, at(season, "games"), "games", day="2026-04-16").rows) == 2
        assert len(shown(client, at(season, "games"), "games", asof="2026-04-16").rows) == 2
        assert len(shown(client, at(season, "games"), "games", since="2026-04-17").rows) == 1

    def test_a_day_without_games_says_so(self, client: Client, season: Season) -> None:
        assert "No games here" in client.get(at(season, "games"), {"day": "2026-05-01"}).content.decode()

    def test_a_single_result_opens_its_game_and_several_are_listed(
        self, client: Client, season: Season, players: list[Player], games: list[Hanchan]
    ) -> None:
        last = client.get(at(season, "games"), {"player": players[3].pk, "result": -21_000})
        both = client.get(at(season, "games"), {"player": players[0].pk, "result": 24_200})

        assert last["Location"] == games[0].get_absolute_url()
        assert len(tables(both.content)["games"].rows) == 2

    def test_drafts_and_void_games_are_for_staff(
        self, client: Client, season: Season, players: list[Player], games: list[Hanchan]
    ) -> None:
        record_hanchan(season, make_sheet(players[:4], *[25_000] * 4, at=THURSDAY + 2 * DAY), draft=True)
        void_hanchan(games[0], version=games[0].version, reason="Wrong table")
        assert len(shown(client, at(season, "games"), "games").rows) == 2
        assert len(exported(client, at(season, "games"))) == 2

        client.force_login(make_user("scorer", season.club))
        dates = shown(client, at(season, "games"), "games").column(0)
        assert [date.split()[-1] for date in dates] == ["draft", "2026", "2026", "void"]

    def test_a_corrected_game_says_so_to_everybody(
        self, client: Client, season: Season, players: list[Player], games: list[Hanchan]
    ) -> None:
        change_hanchan(games[2], make_sheet(players[:4], *WIN, at=THURSDAY + DAY), version=1, reason="Names")

        assert shown(client, at(season, "games"), "games").rows[0][0].text.endswith("corrected")

    def test_a_hidden_player_is_listed_without_name_and_cannot_be_picked_out(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        Player.objects.filter(pk=players[0].pk).update(visibility="hidden")
        answer = client.get(at(season, "games"), {"player": players[0].pk})
        text = answer.content.decode()

        assert "Соколов" not in text
        assert "cannot be filtered" in text
        assert len(tables(answer.content)["games"].rows) == 3
        assert "Соколов" not in str(exported(client, at(season, "games"), player=players[0].pk))

    def test_files_hold_true_times_points_and_results(self, client: Client, season: Season) -> None:
        answer = client.get(at(season, "games"), {"export": "xlsx", "day": "2026-04-17"})
        rows = list(openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0].iter_rows(values_only=True))

        assert len(rows) == 2
        assert rows[1][0] == datetime.datetime(2026, 4, 17, 17, 30)
        assert rows[1][4:8] == ("Małgorzata Szczęsna", 1, 45_200, 24.2)
        assert f"{season.club.slug}-{season.slug}-games-" in answer["Content-Disposition"]

    @pytest.mark.parametrize(
        "query", [{"player": "x"}, {"player": "99999999999999999999"}, {"day": "0"}, {"result": "a"}, {"page": "-1"}]
    )
    def test_what_cannot_be_read_is_left_out(self, client: Client, season: Season, query: dict[str, str]) -> None:
        assert client.get(at(season, "games"), query).status_code == 200

    def test_a_page_of_games_takes_few_queries(
        self, client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(6):
            client.get(at(season, "games"))


def test_games_go_on_on_the_next_page(client: Client, season: Season, players: list[Player]) -> None:
    for number in range(51):
        record_hanchan(season, make_sheet(players[:4], *WIN, at=THURSDAY + number * datetime.timedelta(minutes=1)))

    assert len(shown(client, at(season, "games"), "games").rows) == 50
    assert len(shown(client, at(season, "games"), "games", page=2).rows) == 1
    assert len(exported(client, at(season, "games"), page=2)) == 51


def test_a_season_without_games_says_so(client: Client, season: Season) -> None:
    assert "No hanchan played yet" in client.get(at(season, "games")).content.decode()


@pytest.mark.parametrize("page", ["games", "penalties"])
def test_results_that_are_not_public_are_not_in_lists_either(
    client: Client, season: Season, games: list[Hanchan], page: str
) -> None:
    Season.objects.filter(pk=season.pk).update(results_public=False)

    for query in ({}, {"export": "csv"}):
        answer = client.get(at(season, page), query)
        assert "not public yet" in answer.content.decode()
        assert not tables(answer.content)


# --- players ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games")
class TestPlayers:
    def url(self, season: Season) -> str:
        return f"/clubs/{season.club.slug}/players/"

    def test_regulars_and_guests_are_listed_with_what_they_played(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        Affiliation.objects.filter(player=players[0]).update(kind="regular")
        Affiliation.objects.create(player=players[5], club=season.club, kind="guest")

        rows = {row[0].text: [cell.text for cell in row[1:]] for row in shown(client, self.url(season), "people").rows}
        assert rows["Дмитрий Соколов"] == ["regular", "1", "2", "16 April 2026"]
        assert rows["Ольга Мельникова"] == ["guest", "1", "2", "17 April 2026"]
        assert rows["Łukasz Żurawski"] == ["guest", "–", "–", "–"]

    def test_the_list_sorts_by_every_column(self, client: Client, season: Season) -> None:
        for column in ("player", "kind", "seasons", "games", "last_played_on"):
            up = shown(client, self.url(season), "people", sort=column)
            down = shown(client, self.url(season), "people", sort=f"-{column}")
            number = [head.attributes.get("aria-sort") for head in up.heads].index("ascending")
            assert down.heads[number].attributes["aria-sort"] == "descending"
        games = shown(client, self.url(season), "people", sort="-games").column(3)
        assert games == sorted(games, reverse=True)

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("соколов", ["Дмитрий Соколов"]),
            ("SATŌ", ["佐藤 健"]),
            ("satō ken", ["佐藤 健"]),
            ("  ", None),
            ("nobody", []),
        ],
    )
    def test_players_are_found_by_any_shown_name_in_any_case(
        self, client: Client, season: Season, text: str, found: list[str] | None
    ) -> None:
        answer = client.get(self.url(season), {"q": text})
        read = tables(answer.content)
        if found == []:
            assert "No player of that name" in answer.content.decode()
        else:
            assert read["people"].column(0) == (found or shown(client, self.url(season), "people").column(0))

    def test_a_hidden_player_is_not_found_by_the_name(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        Player.objects.filter(pk=players[0].pk).update(visibility="hidden")

        assert "Hidden player" in shown(client, self.url(season), "people").column(0)
        assert "people" not in tables(client.get(self.url(season), {"q": "соколов"}).content)
        assert "Соколов" not in str(exported(client, self.url(season)))
        client.force_login(make_user("scorer", season.club))
        assert len(shown(client, self.url(season), "people", q="соколов").rows) == 1
        assert "Дмитрий Соколов" in str(exported(client, self.url(season)))

    def test_merged_players_are_gone(self, client: Client, season: Season, players: list[Player]) -> None:
        Affiliation.objects.create(player=players[5], club=season.club)
        Player.objects.filter(pk=players[5].pk).update(merged_into=players[0])

        assert "Łukasz Żurawski" not in shown(client, self.url(season), "people").column(0)

    def test_seasons_whose_results_are_not_public_are_not_counted(self, client: Client, season: Season) -> None:
        Season.objects.filter(pk=season.pk).update(results_public=False)

        assert set(shown(client, self.url(season), "people").column(3)) == {"–"}

    def test_the_file_holds_what_is_shown(self, client: Client, season: Season) -> None:
        rows = exported(client, self.url(season), q="ольг", sort="-games")

        assert [(row["Player"], row["Games"], row["Last played"]) for row in rows] == [
            ("Ольга Мельникова", "2", "2026-04-17")
        ]

    def test_the_list_takes_few_queries(
        self, client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(3):
            client.get(self.url(season))


@pytest.mark.parametrize("sort", ["1.5", "player.name", "-.", "nothing"])
def test_lists_sort_by_no_column_that_is_none(client: Client, season: Season, sort: str) -> None:
    """A dot made django-tables2 warn, which is an error in these tests."""
    for address in (f"/clubs/{season.club.slug}/players/", season.get_absolute_url()):
        assert client.get(address, {"sort": sort}).status_code == 200


def test_a_club_nobody_played_in_says_so(client: Client) -> None:
    club = make_club()

    assert "No players yet" in client.get(f"/clubs/{club.slug}/players/").content.decode()


# --- penalties --------------------------------------------------------------------------------------------


class TestPenalties:
    @pytest.fixture(autouse=True)
    def ledger(self, season: Season, players: list[Player]) -> None:
        referee = make_user("rin", season.club, "referee")
        record_hanchan(season, make_sheet(players[:4], *WIN, east={"penalty": 1000}))
        given = {"season": season, "by": referee}
        Adjustment.objects.create(
            player=players[1], points=-20_000, reason="Late <b>", given_on=(THURSDAY + DAY).date(), **given
        )
        Adjustment.objects.create(
            player=players[2],
            points=-5000,
            reason="Noise",
            given_on=(THURSDAY - DAY).date(),
            revoked_at=THURSDAY,
            revoked_by=referee,
            revoked_reason="It was the radio",
            **given,
        )

    def test_the_ledger_lists_who_what_why_by_whom_and_when(self, client: Client, season: Season) -> None:
        table = shown(client, at(season, "penalties"), "ledger")

        assert [cell.text for cell in table.rows[0]] == [
            "Małgorzata Szczęsna",
            "−20.0",
            "penalty",
            "Late <b>",
            "rin",
            "17 April 2026",
        ]

    def test_a_penalty_within_a_game_is_listed_with_its_game(self, client: Client, season: Season) -> None:
        row = shown(client, at(season, "penalties"), "ledger").rows[1]

        assert (row[0].text, row[1].text) == ("Дмитрий Соколов", "−1.0")
        assert row[3].links == [season.hanchans.get().get_absolute_url()]

    def test_what_was_revoked_stays_with_its_reason(self, client: Client, season: Season) -> None:
        row = shown(client, at(season, "penalties"), "ledger").rows[2]

        assert "revoked on 16 April 2026 by rin: It was the radio" in row[3].text

    def test_the_ledger_of_one_player(self, client: Client, season: Season, players: list[Player]) -> None:
        query = {"player": players[1].pk}

        assert len(shown(client, at(season, "penalties"), "ledger", **query).rows) == 1
        assert len(exported(client, at(season, "penalties"), **query)) == 1
        nobody = client.get(at(season, "penalties"), {"player": players[5].pk})
        assert "No entries" in nobody.content.decode()

    def test_a_hidden_player_is_hidden_here_too(self, client: Client, season: Season, players: list[Player]) -> None:
        Player.objects.filter(pk=players[1].pk).update(visibility="hidden")

        assert shown(client, at(season, "penalties"), "ledger").rows[0][0].text == "Hidden player"
        assert "Szczęsna" not in str(exported(client, at(season, "penalties")))

    def test_the_file_holds_numbers_and_dates(self, client: Client, season: Season) -> None:
        row = exported(client, at(season, "penalties"))[2]

        assert (row["Points"], row["Date"], row["Revoked"], row["Why revoked"]) == (
            "-5.0",
            "2026-04-15",
            "2026-04-16",
            "It was the radio",
        )

    def test_the_ledger_takes_few_queries(
        self, client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(4):
            client.get(at(season, "penalties"))


def test_a_season_without_penalties_says_so(client: Client, season: Season) -> None:
    assert "No penalties" in client.get(at(season, "penalties")).content.decode()


def test_names_in_lists_are_escaped(client: Client, season: Season, players: list[Player]) -> None:
    Player.objects.filter(pk=players[0].pk).update(native_name="<script>alert(1)</script>")
    record_hanchan(season, make_sheet(players[:4], *WIN))
    club = Club.objects.get()

    for url in (at(season, "games"), f"/clubs/{club.slug}/players/", f"/clubs/{club.slug}/seasons/{season.slug}/"):
        assert "<script>alert" not in client.get(url).content.decode()
