"""The leaderboard of a season: ranks, sorting, filters, as of a day, hidden players and exports."""

from __future__ import annotations

import csv
import datetime
import io
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from ratings.mahjong.standings import PlayerTally
from ratings.models import Adjustment, Club, Membership, Player, Season, Standing
from ratings.queries.leaderboard import Span, figures, lines, with_recent
from ratings.services.hanchans import record_hanchan
from ratings.services.seasons import touch
from ratings.services.standings import refresh_standings
from ratings.tables.leaderboard import KeptPlaces, rank_all
from ratings.tables.names import Names
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user
from tests.pages import Table, tables

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
WIN = (45_200, 31_100, 25_700, 18_000)
SWAPPED = (18_000, 25_700, 31_100, 45_200)
LEVEL = (30_000, 30_000, 30_000, 30_000)


def address(season: Season, page: str = "") -> str:
    return f"/clubs/{season.club.slug}/seasons/{season.slug}/{page}"


def page(client: Client, season: Season, **query: Any) -> dict[str, Table]:
    answer = client.get(address(season), query)
    assert answer.status_code == 200
    return tables(answer.content)


def names(client: Client, season: Season, **query: Any) -> list[str]:
    return page(client, season, **query)["board"].column(1)


def export(client: Client, season: Season, **query: Any) -> list[dict[str, str]]:
    answer = client.get(address(season), {"export": "csv", **query})
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


@pytest.fixture
def season(players: list[Player]) -> Season:
    """Dmitry beats Małgorzata, Ken and Thomas on Thursday; Olga plays for Thomas on Friday."""
    season = make_season(name="Spring season")
    record_hanchan(season, make_sheet(players[:4], *WIN))
    record_hanchan(season, make_sheet([*players[:3], players[4]], *WIN, at=THURSDAY + DAY))
    return season


# --- ranks ------------------------------------------------------------------------------------------------


def test_players_stand_by_their_total_with_signs_and_aligned_numbers(client: Client, season: Season) -> None:
    board = page(client, season)["board"]

    assert [(row[0].text, row[1].text, row[2].text) for row in board.rows] == [
        ("1", "Дмитрий Соколов", "+48.4"),
        ("2", "Małgorzata Szczęsna", "+8.2"),
        ("3", "佐藤 健", "−14.6"),
        ("4", "Thomas Bergmann", "−21.0"),
        ("4", "Ольга Мельникова", "−21.0"),
    ]
    assert all("numeric" in row[2].attributes["class"].split() for row in board.rows)
    assert "negative" in board.rows[2][2].attributes["class"].split()


def test_the_next_rank_after_shared_ones_is_skipped(client: Client, players: list[Player]) -> None:
    season = make_season()
    record_hanchan(season, make_sheet(players[:4], 40_000, 30_000, 30_000, 20_000))

    assert page(client, season)["board"].column(0) == ["1", "2", "2", "4"]


def test_a_declared_tie_break_parts_equal_totals(client: Client, players: list[Player]) -> None:
    season = make_season(tie_breaks=["games"])
    record_hanchan(season, make_sheet(players[:4], *LEVEL))
    record_hanchan(season, make_sheet([players[0], *players[3:]], *LEVEL, at=THURSDAY + DAY))

    ranks = dict(zip(names(client, season), page(client, season)["board"].column(0), strict=True))
    assert ranks["Дмитрий Соколов"] == "1"
    assert ranks["Małgorzata Szczęsna"] == "3"


def test_a_tied_place_counts_as_the_best_place_and_as_the_mean(client: Client, players: list[Player]) -> None:
    season = make_season()
    record_hanchan(season, make_sheet(players[:4], 40_000, 30_000, 30_000, 20_000))

    row = export(client, season)[1]
    assert (row["2nd"], row["3rd"], row["Average place"]) == ("1", "0", "2.5")


@pytest.mark.parametrize(
    ("formula", "head"), [("sum", "Total"), ("average", "Average"), ("elo", "Rating"), ("tenhou", "Rating")]
)
def test_the_first_number_is_what_the_season_is_ranked_by(
    client: Client, players: list[Player], formula: str, head: str
) -> None:
    season = make_season(formula=formula, initial_rating=1_500_000)
    record_hanchan(season, make_sheet(players[:4], *WIN))

    heads = page(client, season)["board"].heads
    assert heads[2].text == head
    assert heads[2].attributes["aria-sort"] == "descending"


def test_columns_are_the_metrics_of_the_season(client: Client, players: list[Player]) -> None:
    season = make_season(metrics=["games", "fourths", "total", "games", "no_such_metric"])
    record_hanchan(season, make_sheet(players[:4], *WIN))

    assert [head.text for head in page(client, season)["board"].heads] == ["Rank", "Player", "Total", "Games", "4th"]


def test_penalties_are_in_the_total_and_in_their_own_column(
    client: Client, season: Season, players: list[Player]
) -> None:
    Adjustment.objects.create(season=season, player=players[0], points=-20_000, reason="Late", given_on=THURSDAY.date())
    touch([season.pk])
    refresh_standings(season.pk, [players[0].pk])

    row = next(row for row in export(client, season) if row["Player"] == "Дмитрий Соколов")
    assert (row["Total"], row["Penalties"]) == ("28.4", "-20.0")


# --- sorting ----------------------------------------------------------------------------------------------


def test_sorting_moves_rows_and_never_their_ranks(client: Client, season: Season) -> None:
    board = page(client, season, sort="total")["board"]

    assert board.column(0) == ["4", "4", "3", "2", "1"]
    assert board.heads[2].attributes["aria-sort"] == "ascending"


@pytest.mark.parametrize(
    "key",
    [
        *("player", "games", "average", "average_place", "places", "best_game", "worst_game"),
        *("chombo", "penalties", "recent", "total"),
    ],
)
def test_every_column_sorts_in_both_directions(client: Client, season: Season, key: str) -> None:
    up, down = page(client, season, sort=key)["board"], page(client, season, sort=f"-{key}")["board"]

    assert sorted(up.column(1)) == sorted(down.column(1))
    number = [head.attributes.get("aria-sort") for head in up.heads].index("ascending")
    assert down.heads[number].attributes["aria-sort"] == "descending"
    values = [row[key_of(key)] for row in export(client, season, sort=key)]
    assert values == sorted(values, key=lambda text: text.casefold() if key == "player" else float(text))


def key_of(metric: str) -> str:
    heads = {"player": "Player", "places": "1st", "recent": "Last ten games together", "average": "Average result"}
    return heads.get(metric, metric.replace("_", " ").capitalize())


def test_a_head_sorts_the_better_end_first_and_turns_round_on_the_second_click(client: Client, season: Season) -> None:
    links = {head.text: head.links[0] for head in page(client, season)["board"].heads if head.links}

    assert links["Games"] == "?sort=-games"
    assert links["Avg place"] == "?sort=average_place"
    assert links["Total"] == "?sort=total"  # it is sorted from the top already


def test_links_keep_the_filters_and_go_back_to_the_first_page(client: Client, season: Season) -> None:
    board = page(client, season, minimum=1, page=1)["board"]

    assert board.heads[3].links == ["?minimum=1&sort=-games"]


def test_players_without_a_value_come_last_in_either_direction(client: Client, players: list[Player]) -> None:
    season = make_season()
    record_hanchan(season, make_sheet(players[:4], *WIN, east={"substitute": "from_start"}))

    assert names(client, season, sort="best_game")[-1] == "Дмитрий Соколов"
    assert names(client, season, sort="-best_game")[-1] == "Дмитрий Соколов"


def test_an_unknown_order_is_ignored(client: Client, season: Season) -> None:
    assert names(client, season, sort="-shoe_size") == names(client, season)


# --- minimum of games -------------------------------------------------------------------------------------


def test_players_under_the_minimum_stand_in_their_own_section(client: Client, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(minimum_games=2)

    found = page(client, season)
    assert found["board"].column(1) == ["Дмитрий Соколов", "Małgorzata Szczęsna", "佐藤 健"]
    assert [row[1].text for row in found["under-min"].rows] == ["1 of 2 games", "1 of 2 games"]
    assert found["under-min"].rows[0][2].text == "−21.0"


def test_the_reader_may_ask_for_another_minimum(client: Client, season: Season) -> None:
    found = page(client, season, minimum=2)

    assert found["board"].column(0) == ["1", "2", "3"]
    assert len(found["under-min"].rows) == 2


def test_a_minimum_nobody_reached_is_said_in_words(client: Client, season: Season) -> None:
    answer = client.get(address(season), {"minimum": 50})

    assert "No one has played 50 games yet" in answer.content.decode()


def test_nobody_is_ranked_without_a_game(client: Client, season: Season, players: list[Player]) -> None:
    Adjustment.objects.create(
        season=season, player=players[5], points=90_000, kind="carried", reason="Autumn", given_on=THURSDAY.date()
    )
    touch([season.pk])
    refresh_standings(season.pk, [players[5].pk])

    found = page(client, season)
    assert found["under-min"].column(1) == ["0 of 1 game"]
    assert "Łukasz Żurawski" not in found["board"].column(1)


def test_part_of_a_season_is_not_held_to_the_minimum_of_the_whole(client: Client, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(minimum_games=2)

    assert len(page(client, season, period="2026-04")["board"].rows) == 5


# --- days -------------------------------------------------------------------------------------------------


def test_the_table_as_of_a_day_counts_what_was_played_until_then(client: Client, season: Season) -> None:
    answer = client.get(address(season), {"asof": "2026-04-16"})

    assert tables(answer.content)["board"].column(2) == ["+24.2", "+4.1", "−7.3", "−21.0"]
    text = answer.content.decode()
    assert "as of Thursday 16 April 2026. 1 hanchan has been played since." in text
    assert "Show today’s leaderboard" in text


def test_a_day_before_the_first_game_is_an_empty_table_with_the_way_back(client: Client, season: Season) -> None:
    text = client.get(address(season), {"asof": "2026-01-02"}).content.decode()

    assert "No games in these days" in text
    assert f'href="{address(season)}"' in text


def test_today_and_later_is_the_table_as_it_is(client: Client, season: Season) -> None:
    text = client.get(address(season), {"asof": "2999-01-01"}).content.decode()

    assert "The leaderboard as of" not in text
    assert len(tables(text.encode())["board"].rows) == 5


def test_a_period_counts_only_its_days(client: Client, season: Season, players: list[Player]) -> None:
    record_hanchan(season, make_sheet(players[:4], *SWAPPED, at=THURSDAY + 20 * DAY))

    assert page(client, season, period="2026-05")["board"].column(2) == ["+24.2", "+4.1", "−7.3", "−21.0"]
    assert page(client, season, since="2026-04-17", asof="2026-04-17")["board"].column(1)[-1] == "Ольга Мельникова"
    text = client.get(address(season), {"period": "2026-05"}).content.decode()
    assert "from 1 May 2026 to 31 May 2026" in text


def test_the_last_thirty_days_end_today_or_on_the_day_of_the_table(client: Client, season: Season) -> None:
    # Thirty days that end on 15 May begin on 16 April, the Thursday; a day later only Friday's four are left.
    assert len(page(client, season, period="last30", asof="2026-05-15")["board"].rows) == 5
    assert len(page(client, season, period="last30", asof="2026-05-16")["board"].rows) == 4
    assert "board" not in page(client, season, period="last30", asof="2026-06-16")


def test_a_penalty_counts_from_the_day_it_was_given(client: Client, season: Season, players: list[Player]) -> None:
    Adjustment.objects.create(
        season=season, player=players[0], points=-20_000, reason="Late", given_on=(THURSDAY + 2 * DAY).date()
    )
    touch([season.pk])
    refresh_standings(season.pk, [players[0].pk])

    assert page(client, season, asof="2026-04-17")["board"].column(2)[0] == "+48.4"
    assert page(client, season, asof="2026-04-18")["board"].column(2)[0] == "+28.4"


@pytest.mark.parametrize("formula", ["elo", "tenhou"])
def test_a_rating_as_of_a_day_is_the_one_after_the_last_game_until_then(
    client: Client, players: list[Player], formula: str
) -> None:
    season = make_season(formula=formula, initial_rating=1_500_000)
    first = record_hanchan(season, make_sheet(players[:4], *WIN))
    record_hanchan(season, make_sheet(players[:4], *SWAPPED, at=THURSDAY + DAY))

    then = {line.player_id: line.rating for line in lines(season, Span(None, THURSDAY.date()))}
    assert then == {seat.player_id: seat.rating_after for seat in first.seats.all()}
    assert then != {line.player_id: line.rating for line in lines(season)}


@pytest.mark.parametrize(
    "query",
    [
        {"asof": "31.02.2026"},
        {"since": "soon", "asof": "yesterday", "period": "1999-99", "minimum": "many", "page": "last", "sort": ""},
        {"since": "2026-05-01", "asof": "2026-04-01"},
        {"minimum": "-5"},
        {"minimum": "9" * 40},
        {"page": "99999"},
        {"export": "pdf"},
        {"asof": "\x00"},
        {"period": "2026-04", "since": "0001-01-01", "asof": "0001-01-01"},
    ],
    ids=str,
)
def test_what_cannot_be_read_is_left_out(client: Client, season: Season, query: dict[str, str]) -> None:
    assert client.get(address(season), query).status_code == 200


def test_a_date_that_is_none_is_answered_with_a_sentence(client: Client, season: Season) -> None:
    text = client.get(address(season), {"asof": "31.02.2026"}).content.decode()

    assert "This is not a date, so it is ignored." in text
    assert len(tables(text.encode())["board"].rows) == 5


games = st.lists(
    st.tuples(st.integers(0, 5), st.permutations(range(6)), st.permutations(WIN), st.booleans()), min_size=1, max_size=6
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games=games, formula=st.sampled_from(["sum", "elo"]))
def test_as_of_the_last_day_is_what_is_kept_and_as_of_any_day_what_a_shorter_season_would_keep(
    players: list[Player], games: list[tuple[int, list[int], list[int], bool]], formula: str
) -> None:
    club = Club.objects.first() or make_club()  # every example adds two seasons
    whole, short = (make_season(club, formula=formula, initial_rating=1_500_000) for _ in range(2))
    middle = (THURSDAY + 2 * DAY).date()
    for days, seats, points, substituted in games:
        east = {"substitute": "from_start"} if substituted else None
        sheet = make_sheet([players[seat] for seat in seats[:4]], *points, at=THURSDAY + days * DAY, east=east)
        record_hanchan(whole, sheet)
        if sheet.played_on <= middle:
            record_hanchan(short, sheet)

    assert full_lines(whole, Span(None, (THURSDAY + 9 * DAY).date())) == full_lines(whole)
    assert full_lines(whole, Span(None, middle)) == full_lines(short)


def full_lines(season: Season, span: Span = Span()) -> list[PlayerTally]:  # noqa: B008 - a tuple, never changed
    season = Season.objects.get(pk=season.pk)
    return [replace(line, recent=list(line.recent)) for line in with_recent(season, span, lines(season, span))]


# --- the cut made by the database ----------------------------------------------------------------------------


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    numbers=st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3), st.integers(4, 8)), max_size=14),
    formula=st.sampled_from(["sum", "average", "elo", "tenhou"]),
    size=st.integers(1, 5),
)
def test_pages_cut_by_the_database_are_the_whole_ranking_in_pieces(
    numbers: list[tuple[int, int, int]], formula: str, size: int
) -> None:
    club = Club.objects.first() or make_club()
    season = make_season(club, formula=formula, tie_breaks=["average_place"])
    people = Player.objects.bulk_create(Player(native_name=f"{n}") for n in range(len(numbers)))
    Standing.objects.bulk_create(
        Standing(season=season, player=player, results=r, rating=r, games=g, placed=1, place_twice=t, recent=[r])
        for player, (r, g, t) in zip(people, numbers, strict=True)
    )
    ranked, waiting = rank_all(season, lines(season), minimum=2)
    whole = [(rank, line.player_id) for rank, line in ranked + waiting]

    kept = KeptPlaces(season, 2, figures(season, 2))
    pages = [kept[start : start + size] for start in range(0, len(numbers), size)]
    assert len(kept) == len(numbers)
    assert [(rank, line.player_id) for page in pages for rank, line in page] == whole


def test_the_address_of_a_player_is_the_one_the_player_has() -> None:
    people = [*make_players(8), Player.objects.create(native_name="!?"), Player.objects.create(native_name="a/b & c")]
    Player.objects.filter(pk=people[0].pk).update(visibility="nickname", nickname="Ёж 7%")
    Player.objects.filter(pk=people[1].pk).update(visibility="hidden")

    for player in Player.objects.all():
        assert Names(sees_hidden=True).address(player) == player.get_absolute_url()


@pytest.mark.parametrize("sees_hidden", [True, False])
@pytest.mark.parametrize(
    "changed", [{}, {"visibility": "hidden"}, {"visibility": "nickname", "nickname": "зубр"}], ids=str
)
def test_a_name_in_a_list_is_drawn_as_from_the_player_itself(
    season: Season,
    players: list[Player],
    changed: dict[str, str],
    sees_hidden: bool,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    Player.objects.filter(pk=players[0].pk).update(**changed)
    player = Player.objects.get(pk=players[0].pk)
    kept = KeptPlaces(season, 1, figures(season, 1))
    assert kept[0:5]
    listed = kept.people[player.pk]

    names = Names(sees_hidden)
    with django_assert_num_queries(0):
        assert names.cell(listed) == names.cell(player)
        assert (names.text(listed), names.latin(listed)) == (names.text(player), names.latin(player))


# --- links and people -------------------------------------------------------------------------------------


def test_every_total_opens_the_games_behind_it(client: Client, season: Season, players: list[Player]) -> None:
    row = page(client, season, asof="2026-04-16")["board"].rows[0]

    assert row[2].links == [f"{address(season, 'games/')}?player={players[0].pk}&asof=2026-04-16"]
    assert client.get(row[2].links[0]).status_code == 200


def test_best_and_worst_open_the_game_they_were_made_in(client: Client, season: Season) -> None:
    row = page(client, season)["board"].rows[3]
    games = season.hanchans.order_by("pk")

    answer = client.get(row[7].links[0])
    assert answer.status_code == 302
    assert answer["Location"] == games[0].get_absolute_url()


def hide(player: Player, **changed: str) -> None:
    Player.objects.filter(pk=player.pk).update(**{"visibility": "hidden", **changed})
    touch(Standing.objects.filter(player=player).values_list("season_id", flat=True))


def test_a_hidden_player_keeps_the_row_without_name_or_link(
    client: Client, season: Season, players: list[Player]
) -> None:
    hide(players[0])

    row = page(client, season)["board"].rows[0]
    assert (row[1].text, row[1].links, row[2].text, row[2].links) == ("Hidden player", [], "+48.4", [])
    for wanted in ("csv", "xlsx"):
        assert "Соколов".encode() not in client.get(address(season), {"export": wanted}).content
    assert export(client, season)[0]["Player"] == "Hidden player"
    assert export(client, season)[0]["Name in Latin letters"] == ""


def test_a_hidden_player_sorts_by_what_is_shown(client: Client, season: Season, players: list[Player]) -> None:
    hide(players[4])  # Ольга would come after Дмитрий

    assert names(client, season, sort="player")[0] == "Hidden player"


def test_who_shows_a_nickname_is_listed_by_it(client: Client, season: Season, players: list[Player]) -> None:
    hide(players[0], visibility="nickname", nickname="зубр")

    row = page(client, season)["board"].rows[0]
    assert row[1].text == "зубр"
    assert "Соколов" not in client.get(address(season)).content.decode()


def test_staff_of_the_club_see_the_name_and_others_do_not(
    client: Client, season: Season, players: list[Player]
) -> None:
    hide(players[0])
    client.force_login(make_user("elsewhere", make_club("Riichi")))
    assert names(client, season)[0] == "Hidden player"

    client.force_login(make_user("scorer", season.club))
    assert names(client, season)[0].startswith("Дмитрий Соколов")
    assert export(client, season)[0]["Player"] == "Дмитрий Соколов"


# --- the season itself ------------------------------------------------------------------------------------


def test_a_season_without_games_says_what_to_do(client: Client) -> None:
    season = make_season()

    assert "No hanchan played yet" in client.get(address(season)).content.decode()


def test_results_that_are_not_public_are_shown_to_staff_only(client: Client, season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(results_public=False)

    for query in ({}, {"export": "csv"}, {"export": "xlsx"}):
        answer = client.get(address(season), query)
        assert "not public yet" in answer.content.decode()
        assert "Соколов" not in answer.content.decode()
    client.force_login(make_user("scorer", season.club))
    assert names(client, season)[0] == "Дмитрий Соколов"


def test_a_stage_of_a_tournament_is_shown_on_the_page_of_its_event(client: Client) -> None:
    season = make_season(kind="tournament", competition="open")

    for part in ("", "games/", "penalties/"):
        answer = client.get(address(season, part))
        assert (answer.status_code, answer["Location"]) == (302, "/tournaments/open/")


@pytest.mark.parametrize("part", ["", "games/", "penalties/"])
def test_a_season_is_found_only_under_its_own_club(client: Client, season: Season, part: str) -> None:
    make_club("Riichi")

    assert client.get(f"/clubs/riichi/seasons/{season.slug}/{part}").status_code == 404
    assert client.get(f"/clubs/nowhere/seasons/{season.slug}/{part}").status_code == 404


def test_the_facts_count_hanchans_and_players_of_the_whole_season(
    client: Client, season: Season, players: list[Player]
) -> None:
    Adjustment.objects.create(
        season=season, player=players[5], points=-15_000, kind="absence", reason="Absent", given_on=THURSDAY.date()
    )
    touch([season.pk])
    refresh_standings(season.pk, [players[5].pk])

    text = client.get(address(season), {"asof": "2026-04-16"}).content.decode()
    assert "<b>2</b> hanchans" in text
    assert "<b>6</b> players" in text


# --- pages and files --------------------------------------------------------------------------------------


@pytest.fixture
def crowd() -> Season:
    """250 players, of whom 30 have too few games."""
    season = make_season(minimum_games=4)
    people = Player.objects.bulk_create([Player(native_name=f"Player {number:03}") for number in range(250)])
    Standing.objects.bulk_create(
        Standing(
            season=season,
            player=player,
            games=2 if index >= 220 else 10,
            placed=10,
            results=100_000 - 1000 * index,
            place_twice=50,
            recent=[1000, -2000],
        )
        for index, player in enumerate(people)
    )
    return season


def test_ranks_continue_on_the_next_page(client: Client, crowd: Season) -> None:
    second = page(client, crowd, page=2)["board"]

    assert len(second.rows) == 100
    assert (second.column(0)[0], second.column(0)[-1]) == ("101", "200")


def test_who_is_not_ranked_follows_after_the_last_rank(client: Client, crowd: Season) -> None:
    third = page(client, crowd, page=3)

    assert third["board"].column(0) == [str(rank) for rank in range(201, 221)]
    assert len(third["under-min"].rows) == 30
    assert "under-min" not in page(client, crowd)


def test_files_hold_all_pages_in_the_order_shown(client: Client, crowd: Season) -> None:
    rows = export(client, crowd, sort="total", page=2)

    assert len(rows) == 250
    assert (rows[0]["Rank"], rows[219]["Rank"], rows[220]["Rank"]) == ("220", "1", "")
    assert [row["Player"] for row in rows[:100]] == names(client, crowd, sort="total")


def test_a_workbook_has_the_columns_shown_with_true_numbers(client: Client, season: Season) -> None:
    answer = client.get(address(season), {"export": "xlsx", "asof": "2026-04-16", "sort": "total"})
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0]
    rows = list(sheet.iter_rows(values_only=True))

    assert sheet.title == "Spring season"
    assert rows[0][:5] == ("Rank", "Player", "Name in Latin letters", "Total", "Games")
    assert rows[1][:5] == (4, "Thomas Bergmann", None, -21, 1)
    assert sheet["D2"].number_format.startswith("+0.0")
    assert f"{season.club.slug}-{season.slug}-" in answer["Content-Disposition"]


def test_a_name_that_looks_like_a_formula_is_only_a_name(client: Client, season: Season, players: list[Player]) -> None:
    Player.objects.filter(pk=players[0].pk).update(native_name="=cmd|' /C calc'!A0")

    assert export(client, season)[0]["Player"].startswith("'=")


# --- speed ------------------------------------------------------------------------------------------------


def test_a_page_of_a_hundred_rows_takes_few_queries(
    client: Client, crowd: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):
        client.get(address(crowd))
    with django_assert_num_queries(8):  # names of all
        client.get(address(crowd), {"sort": "player"})


def test_a_page_as_of_a_day_takes_few_queries_and_another_order_of_it_fewer(
    client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(9):  # two sums instead of the stored ones, and the games since then
        client.get(address(season), {"asof": "2026-04-16"})
    with django_assert_num_queries(7):  # the sums are cached
        client.get(address(season), {"asof": "2026-04-16", "sort": "-games"})


def test_a_page_shown_before_and_one_the_reader_has_take_one_query(
    client: Client, crowd: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(address(crowd))
    with django_assert_num_queries(1):
        again = client.get(address(crowd))
    with django_assert_num_queries(1):
        unchanged = client.get(address(crowd), headers={"if-none-match": again["ETag"]})

    assert unchanged.status_code == 304
    assert not unchanged.content
    assert unchanged["ETag"] == again["ETag"]
    assert unchanged["Cache-Control"] == "private, no-cache"
    assert "Cookie" in unchanged["Vary"]


def test_a_new_game_makes_a_new_page(client: Client, season: Season, players: list[Player]) -> None:
    client.get(address(season))
    before = client.get(address(season))
    record_hanchan(season, make_sheet(players[:4], *SWAPPED, at=THURSDAY + 3 * DAY))

    after = client.get(address(season), headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert after.content != before.content


def test_another_season_of_the_club_in_the_switcher_makes_a_new_page(client: Client, season: Season) -> None:
    client.get(address(season))
    before = client.get(address(season))
    make_season(season.club, name="Free games")

    assert b"Free games" in client.get(address(season), headers={"if-none-match": before["ETag"]}).content


def test_a_reader_who_becomes_staff_gets_another_page(client: Client, season: Season, players: list[Player]) -> None:
    hide(players[0])
    user = make_user("nobody")
    client.force_login(user)
    client.get(address(season))
    before = client.get(address(season))
    Membership.objects.create(user=user, club=season.club, role="scorer")

    after = client.get(address(season), headers={"if-none-match": before["ETag"]})
    assert "Дмитрий" in after.content.decode()


def test_a_kept_page_gives_every_reader_a_token_of_their_own(season: Season) -> None:
    tokens = set()
    for _reader in range(2):
        client = Client(enforce_csrf_checks=True)
        client.get(address(season))
        text = client.get(address(season)).content.decode()
        token = text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        tokens.add(token)
        posted = client.post("/i18n/setlang/", {"language": "ru", "csrfmiddlewaretoken": token, "next": "/"})
        assert posted.status_code == 302

    assert len(tokens) == 2


def test_each_language_has_its_own_page(client: Client, season: Season) -> None:
    english = client.get(address(season), headers={"accept-language": "en"})
    russian = client.get(address(season), headers={"accept-language": "ru"})

    assert 'lang="en"' in english.content.decode()
    assert 'lang="ru"' in russian.content.decode()
    assert english["ETag"] != russian["ETag"]
