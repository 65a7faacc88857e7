"""The page of the standings: after any round, with the cut, with players outside the ranking, and as a file."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from tests.pages import Table, tables, tight
from tests.tournaments.hall import Hall
from tournaments.services.events import StagePlan
from tournaments.services.rulings import disqualify, give_penalty, withdraw
from tournaments.services.stages import finish_event, open_next_stage
from tournaments.services.tables import correct_table

pytestmark = pytest.mark.django_db

ADDRESS = "/tournaments/open/standings/"


def played(rounds: int = 3, **facts: Any) -> Hall:
    """Entry 1 is East at table 1 of every round and wins; by EMA 2012 that is +45 a round."""
    hall = Hall(8, [StagePlan("Main", 3, top=facts.pop("top", None)), *facts.pop("more", ())], **facts)
    for number in range(1, rounds + 1):
        hall.play(number, [1, 2, 3, 4], [5, 6, 7, 8])
    return hall


def tables_in(text: str) -> list[Table]:
    return list(tables(text.encode()).values())


def names(text: str) -> list[str]:
    return [row[2].text for row in tables_in(text)[0].rows if len(row) > 2]


class TestTheTable:
    def test_before_the_first_result_it_says_so(self, client: Client) -> None:
        Hall(0)

        assert "No one is ranked yet" in client.get(ADDRESS).text

    def test_each_round_has_a_column_whose_numbers_open_their_game(self, client: Client) -> None:
        hall = played(2)
        table = tables_in(client.get(ADDRESS).text)[0]
        hanchan = hall.table(1, 2).hanchan

        assert [head.text for head in table.heads][2:] == ["Player", "Total", "R1", "R2"]
        assert table.rows[0][3].text == "+90.0"
        assert table.rows[0][5].links == [f"/hanchans/{hanchan.pk}/"]  # type: ignore[union-attr]

    def test_equal_players_share_a_rank(self, client: Client) -> None:
        played(1)
        table = tables_in(client.get(ADDRESS).text)[0]

        assert table.column(0) == ["1", "1", "3", "3", "5", "5", "7", "7"]

    def test_as_of_a_round_it_shows_only_what_was_played_then(self, client: Client) -> None:
        played(3)
        page = client.get(f"{ADDRESS}?after=1").text

        assert "Standings after round 1 of 3" in page
        assert "after round 1, as known today" in page
        assert tables_in(page)[0].rows[0][3].text == "+45.0"

    @pytest.mark.parametrize("after", ["99", "0", "-1", "x", "", "³", "99999999999999999999"])
    def test_a_round_that_is_not_there_is_forgiven(self, client: Client, after: str) -> None:
        played(2)

        assert client.get(ADDRESS, {"after": after, "stage": after}).status_code == 200

    def test_a_rank_lost_since_the_last_round_is_marked(self, client: Client) -> None:
        hall = played(1)
        hall.play(2, [4, 3, 2, 1], [5, 6, 7, 8])
        moved = {row[2].text: row[1].text for row in tables_in(client.get(ADDRESS).text)[0].rows}

        assert moved[hall.players[3].native_name] == "up 4"
        assert moved[hall.players[0].native_name] == "down 2"
        assert moved[hall.players[4].native_name] == "unchanged"

    def test_a_fine_stands_in_a_column_of_its_own_and_leads_to_its_reason(self, client: Client) -> None:
        hall = played(1)
        give_penalty(hall.stage(), hall[1], 8000, "phone", after_round=1)
        table = tables_in(client.get(ADDRESS).text)[0]
        row = next(row for row in table.rows if row[3].text == "+37.0")

        assert table.heads[-1].text == "Penalty"
        assert (row[-1].text, row[-1].links) == ("−8.0", ["/tournaments/open/rulings/"])

    def test_a_corrected_number_is_marked(self, client: Client) -> None:
        hall = played(1)
        table = hall.table(1)
        facts = hall.sheet(table, (46_000, 34_000, 25_000, 15_000))
        correct_table(table, facts, version=table.hanchan.version, reason="misread")  # type: ignore[union-attr]

        assert client.get(ADDRESS).text.count('<abbr title="corrected">c</abbr>') == 4

    def test_substitutes_stand_outside_the_ranking(self, client: Client) -> None:
        hall = Hall(7)
        substitute = hall.add_substitute()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, substitute.number])
        ranked, outside = tables_in(client.get(ADDRESS).text)[:2]

        assert len(ranked.rows) == 7
        assert [row[2].text for row in outside.rows] == [substitute.player.native_name]
        assert outside.rows[0][0].text == "–"

    def test_the_disqualified_are_last_and_said_to_be(self, client: Client) -> None:
        hall = played(1)
        disqualify(hall[1], hall.stage(), 1, reason="fight")
        last = tables_in(client.get(ADDRESS).text)[0].rows[-1]

        assert "disqualified" in last[2].text
        assert last[0].text == "8"

    def test_a_name_taken_out_is_not_there(self, client: Client) -> None:
        hall = played(1)
        withdraw(hall[2], hall.stage(), 1, keep_results=False, reason="ill")

        assert hall.players[1].native_name not in client.get(ADDRESS).text

    def test_absences_and_byes_are_told_from_games(self, client: Client) -> None:
        hall = Hall(10, [StagePlan("Main", 1)])
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8], absent=[9], byes=[10])
        page = client.get(ADDRESS).text

        assert '<abbr title="absent">a</abbr>' in page
        assert ">bye</td>" in page


class TestTheCut:
    def test_a_line_parts_those_who_go_on(self, client: Client) -> None:
        played(1, top=4)
        rows = tables_in(client.get(ADDRESS).text)[0].rows

        assert "Cut: the first 4 go on" in rows[4][0].text
        assert len(rows) == 9

    def test_what_is_needed_is_said_while_it_is_open(self, client: Client) -> None:
        played(1, top=4)
        page = client.get(ADDRESS).text

        assert "What is still needed in the 2 rounds left" in page
        assert "if no one ends a game below zero and without penalties" in page

    def test_after_the_last_round_the_marks_decide(self, client: Client) -> None:
        played(3, top=4)
        page = client.get(ADDRESS).text

        assert page.count('<span class="tag green">safe</span>') == 4
        assert page.count('<span class="tag">out</span>') == 4
        assert "What is still needed" not in page


class TestStages:
    @pytest.fixture
    def hall(self) -> Hall:
        hall = played(3, top=4, more=[StagePlan("Final", 1)])
        open_next_stage(hall.stage(), qualified=[hall[1], hall[5], hall[2], hall[6]])
        hall.play(1, [5, 1, 2, 6], stage=2)
        return hall

    def test_the_last_open_stage_is_shown_with_what_was_carried(self, client: Client, hall: Hall) -> None:
        table = tables_in(client.get(ADDRESS).text)[0]

        assert [head.text for head in table.heads][3:] == ["Total", "R1", "Carried"]
        assert table.rows[0][-1].text == "+135.0"

    def test_an_earlier_stage_is_asked_for(self, client: Client, hall: Hall) -> None:
        page = client.get(f"{ADDRESS}?stage=1").text

        assert "Main: standings after round 3 of 3" in page
        assert len(names(page)) == 8

    def test_the_whole_event_puts_finalists_above_the_rest(self, client: Client, hall: Hall) -> None:
        rows = tables_in(client.get(f"{ADDRESS}?stage=all").text)[0].rows

        assert [row[-1].text for row in rows] == ["Final"] * 4 + ["Stage reached: Main"] + ["Main"] * 4

    def test_a_finished_event_opens_with_its_final_ranking(self, client: Client, hall: Hall) -> None:
        finish_event(hall.tournament)

        assert "<h1>Final ranking</h1>" in tight(client.get(ADDRESS).text)


class TestFiles:
    def test_the_file_holds_the_same_numbers_for_programs(self, client: Client) -> None:
        hall = played(2)
        give_penalty(hall.stage(), hall[1], 8000, "phone", after_round=1)
        answer = client.get(f"{ADDRESS}?export=csv")
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
        row = next(row for row in rows if row["No."] == "1")

        assert len(rows) == 8
        assert [float(row[head]) for head in ("Total", "R1", "R2", "Penalty")] == [82.0, 45.0, 45.0, -8.0]

    def test_the_workbook_opens_again(self, client: Client) -> None:
        played(1)
        book = load_workbook(io.BytesIO(client.get(f"{ADDRESS}?export=xlsx").content))
        sheet = book.worksheets[0]

        assert sheet.max_row == 9
        assert sheet["H2"].value == 45.0

    def test_the_final_file_holds_points_for_the_european_ranking(self, client: Client) -> None:
        hall = played(3, top=4, more=[StagePlan("Final", 1)], reports_to_mers=True)
        open_next_stage(hall.stage(), qualified=[hall[1], hall[5], hall[2], hall[6]])
        hall.play(1, [5, 1, 2, 6], stage=2)
        answer = client.get(f"{ADDRESS}?stage=all&export=csv")
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))

        assert [row["European ranking points"] for row in rows][:2] == ["1000", "857"]
        assert rows[0]["Weight"] == "2.5"
