"""Workbooks of seasons with a hidden, anonymised, merged or renamed player, read back: the games are the same."""

from __future__ import annotations

import io
from typing import Any

import pytest
from openpyxl import load_workbook

from ratings.imports.games import GamesPlan as Plan
from ratings.imports.kinds import Choices
from ratings.imports.read import open_file
from ratings.models import Adjustment, Alias, Hanchan, ImportBatch, Player, Season
from ratings.services.adjustments import give
from ratings.services.anonymising import anonymise
from ratings.services.hanchans import record_hanchan
from ratings.services.merging import merge_players
from ratings.services.players import save_player
from ratings.tables.names import Names
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet
from tests.ratings import player_lists as lists
from tests.ratings.books import SAME, cells, exported
from tests.ratings.files import csv
from tests.ratings.importing import make_plan, write_plan

pytestmark = pytest.mark.django_db

RIGHT = [45_200, 31_100, 25_700, 18_000]


def played() -> tuple[Season, list[Player]]:
    """One game and one penalty of the first of four players, and a fifth who did not play."""
    season, players = make_season(), make_players(5)
    record_hanchan(season, make_sheet(players[:4], *RIGHT))
    give(season, players[0], Adjustment.Kind.PENALTY, -8_000, "late", on=THURSDAY.date())
    return season, players


def planned(season: Season, content: bytes, **choices: Any) -> Plan:
    season = Season.objects.select_related("club", "rule_set").get(pk=season.pk)
    return make_plan(season.club, season, open_file(content, "spring.xlsx"), Choices(**choices))


def nothing_new(plan: Plan) -> bool:
    assert [problem.sentence() for problem in plan.findings.wrong] == []
    return (plan.games, plan.adjustments, plan.questions, plan.new_people, plan.already) == ([], [], [], {}, 2)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_with_anonymised_players_at_one_table(count: int) -> None:
    season, players = played()
    for player in players[:count]:
        anonymise(player)

    assert nothing_new(planned(season, exported(season)))


@pytest.mark.parametrize(("visibility", "nickname"), [("hidden", ""), ("nickname", "Lis"), ("nickname", "")])
def test_with_hidden_players_and_players_shown_by_nickname(visibility: str, nickname: str) -> None:
    season, players = played()
    for number, player in enumerate(players[:2]):
        player.visibility, player.nickname = visibility, nickname and f"{nickname} {number}"
        save_player(player)

    assert nothing_new(planned(season, exported(season)))


def test_with_a_player_merged_before_or_after_it_was_written() -> None:
    season, players = played()
    before = exported(season)
    merge_players(players[0], players[4])

    assert nothing_new(planned(season, before))
    assert nothing_new(planned(season, exported(season)))


def test_anonymised_players_come_into_another_club_and_out_again_the_same() -> None:
    season, players = played()
    anonymise(players[0])
    anonymise(players[1])
    first, club = exported(season), make_club("Empty")

    plan = make_plan(club, None, open_file(first, "spring.xlsx"), Choices())
    write_plan(plan, ImportBatch.objects.create(club=club, file_name="spring.xlsx"))

    assert Player.objects.count() == 5
    second = exported(Season.objects.get(club=club))
    for name in SAME:
        if name != "umaoka_players":  # it shows who belongs to the club: the games made all four guests
            assert cells(second, name) == cells(first, name), name


@pytest.mark.parametrize("count", [1, 2])
def test_a_workbook_from_before_somebody_was_anonymised_is_asked_about(count: int) -> None:
    season, players = played()
    before = exported(season)
    for player in players[:count]:
        anonymise(player)

    plan = planned(season, before)
    assert not plan.may_be_written
    answers = {question.key: question.candidates[0] for question in plan.questions}
    assert sorted(answers.values()) == sorted(player.pk for player in players[:count])

    again = planned(season, before, names=answers)
    assert (again.games, again.questions, again.adjustments) == ([], [], [])


def test_a_workbook_that_calls_an_anonymised_player_hidden_is_asked_about() -> None:
    """Earlier versions of the site wrote such workbooks."""
    season, players = played()
    anonymise(players[0])
    book = load_workbook(io.BytesIO(exported(season)))
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value == f"Anonymous player {players[0].pk}":
                    cell.value = "Hidden player"
    file = io.BytesIO()
    book.save(file)

    plan = planned(season, file.getvalue())

    assert [(question.name, question.candidates) for question in plan.questions] == [("Hidden player", [players[0].pk])]
    assert not plan.may_be_written


def test_a_workbook_from_before_a_player_was_renamed_is_asked_about() -> None:
    season, players = played()
    before = exported(season)
    Player.objects.filter(pk=players[2].pk).update(native_name="Quite Other", latin_first="", latin_last="")
    save_player(Player.objects.get(pk=players[2].pk))

    assert [question.candidates for question in planned(season, before).questions] == [[players[2].pk]]


def test_the_answer_gives_an_anonymised_player_no_name_back() -> None:
    season, players = played()
    before = exported(season)
    anonymise(players[0])
    Hanchan.objects.all().delete()  # so that there is something to write
    names = planned(season, before).reading.names
    key = next(key for key, name in names.items() if name == players[0].native_name)

    plan = planned(season, before, names={key: players[0].pk})
    write_plan(plan, ImportBatch.objects.create(club=season.club, season=season, file_name="spring.xlsx"))

    assert not Alias.objects.filter(player=players[0]).exists()
    assert Player.objects.get(pk=players[0].pk).native_name == f"Anonymous player {players[0].pk}"


def test_a_list_of_players_gives_an_anonymised_player_nothing_back() -> None:
    player = make_players(1)[0]
    anonymise(player)
    content = csv(["Name", "Nickname", "Aliases", "Country"], [f"Anonymous player {player.pk}", "Dima", "Дима", "BY"])

    plan = lists.make_plan(make_club(), open_file(content, "list.csv"), Choices())

    assert (plan.new, plan.completed, plan.questions) == ([], [], [])


def test_files_for_staff_tell_anonymised_players_apart_and_files_for_visitors_do_not() -> None:
    player = make_players(1)[0]
    anonymise(player)
    player.refresh_from_db()

    assert Names(sees_hidden=True).text(player) == f"Anonymous player {player.pk}"
    assert Names(sees_hidden=False).text(player) == "Hidden player"
