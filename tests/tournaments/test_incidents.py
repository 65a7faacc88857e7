"""Late, absent, ill: entered at the desk, which shows the effect first, and filled in when the result is typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from ratings.mahjong import scoring
from ratings.models import Seat
from tests.pages import tight
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import FALLING, Hall
from tournaments.models import Entry, PlannedSeat, Ruling
from tournaments.queries.log import referees_log
from tournaments.queries.tokens import token_of
from tournaments.services.rounds import swap_seats
from tournaments.services.sheets import expected_seats
from tournaments.services.tables import check_table, new_sheet, record_table

pytestmark = pytest.mark.django_db
DESK = "/tournaments/open/manage/rounds/1/1/seat/"
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))
FIXED = -30_000


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)  # number 9
    hall.seat(1, *TABLES)
    return hall


@pytest.fixture
def referee(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "referee")


def tell(client: Client, address: str = DESK, **data: Any) -> str:
    """Show the effect, check that nothing is stored, then save; return what was shown."""
    shown = client.post(address, data)
    assert shown.status_code == 200, shown.content.decode()
    assert not Ruling.objects.exists()
    assert client.post(address, {**data, "confirm": "1"}).status_code == 302
    return shown.content.decode()


def play(hall: Hall, table_number: int = 1, round_number: int = 1) -> None:
    """Enter a table as a scorer does: the expected seats, with points."""
    table = hall.table(table_number, round_number)
    seats = [seat.changed(points=points) for seat, points in zip(expected_seats(table), FALLING, strict=True)]
    check_table(record_table(table, new_sheet(table, seats)))


class TestSubstitutes:
    def test_the_absent_player_gets_the_fixed_result_and_the_effect_is_shown_first(
        self, hall: Hall, referee: Client
    ) -> None:
        shown = tell(referee, entry="1", what=scoring.FROM_START, played_by="9", reason="overslept")
        assert "gets −30.0 for round 1" in shown
        assert "from the start" in shown
        assert "The standings change when the table" in shown
        play(hall)
        # the substitute's 45 000 count when the others are placed: they are second to fourth
        assert hall.totals() == {1: FIXED, 2: 15_000, 3: -15_000, 4: -45_000}
        seat = Seat.objects.get(player=hall[1].player)
        assert (seat.substitute, seat.played_by) == (scoring.FROM_START, hall[9].player)

    def test_mid_game_the_others_share_the_first_three_places(self, hall: Hall, referee: Client) -> None:
        shown = tell(referee, entry="1", what=scoring.MID_GAME, played_by="9")
        assert "placed below the others" in shown
        play(hall)
        # 35 000, 25 000 and 15 000 are first, second and third: 5000 + 30 000, −5000 + 10 000, −15 000 − 10 000
        assert [hall.totals()[number] for number in (1, 2, 3, 4)] == [FIXED, 35_000, 5_000, -25_000]

    def test_whoever_took_over_mid_game_counts_from_the_start_in_the_next_round(
        self, hall: Hall, referee: Client
    ) -> None:
        tell(referee, entry="1", what=scoring.MID_GAME, played_by="9")
        hall.seat(2, *TABLES)
        expected = expected_seats(hall.table(1, 2))[0]  # before the first result is in …
        assert (expected.played.substitute, expected.played_by) == (scoring.FROM_START, hall[9])
        play(hall)
        expected = expected_seats(hall.table(1, 2))[0]  # … and after
        assert (expected.played.substitute, expected.played_by) == (scoring.FROM_START, hall[9])

    def test_the_player_comes_back(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what=scoring.MID_GAME, played_by="9")
        play(hall)
        hall.seat(2, *TABLES)
        address = "/tournaments/open/manage/rounds/1/2/seat/"
        referee.post(address, {"entry": "1", "what": "back", "confirm": "1"})
        assert expected_seats(hall.table(1, 2))[0].played.substitute == scoring.NONE

    def test_nobody_plays_at_two_tables(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what=scoring.FROM_START, played_by="9")
        answer = referee.post(DESK, {"entry": "5", "what": scoring.FROM_START, "played_by": "9", "confirm": "1"})
        assert answer.status_code == 422
        assert "plays at table 1 in this round already" in answer.content.decode()

    def test_whoever_has_a_seat_is_offered_to_nobody(self, hall: Hall, referee: Client) -> None:
        answer = referee.post(DESK, {"entry": "1", "what": scoring.FROM_START, "played_by": "5"})
        assert answer.status_code == 422

    def test_a_table_that_is_in_is_corrected_with_a_reason(self, hall: Hall, referee: Client) -> None:
        play(hall)
        data = {"entry": "1", "what": scoring.FROM_START, "played_by": "9"}
        assert "enter a short reason" in referee.post(DESK, data).content.decode()
        shown = referee.post(DESK, {**data, "reason": "it was the neighbour"}).content.decode()
        assert "+45.0" in shown
        assert hall.totals()[1] == 45_000
        referee.post(DESK, {**data, "reason": "it was the neighbour", "confirm": "1"})
        assert hall.totals()[1] == FIXED
        assert hall.table().hanchan.corrections == 1  # type: ignore[union-attr]

    def test_a_tables_draft_keeps_its_points(self, hall: Hall, referee: Client) -> None:
        table = hall.table()
        record_table(table, hall.sheet(table), draft=True)
        tell(referee, entry="1", what=scoring.MID_GAME, played_by="9")
        seat = Seat.objects.get(player=hall[1].player)
        assert (seat.points, seat.substitute) == (45_000, scoring.MID_GAME)
        assert hall.table().has_draft

    def test_everybody_sees_who_plays(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what=scoring.FROM_START, played_by="9")
        name = hall[9].player.native_name
        assert f'played by<span dir="auto">{name}' in tight(Client().get("/tournaments/open/rounds/").text)
        address = f"/tournaments/open/table/{token_of(hall.table())}/"
        assert name in Client().get(address).content.decode()
        assert name in page(referee, "rounds/1/1/")


class TestLateness:
    def test_minutes_are_points_before_placing(self, hall: Hall, referee: Client) -> None:
        shown = tell(referee, entry="1", what="late", minutes="10")
        assert "10 000 points off at table 1, before placing" in shown.replace("\N{NO-BREAK SPACE}", " ")
        play(hall)
        # 45 000 less 10 000 ties with 35 000: they share first and second uma
        assert [hall.totals()[number] for number in (1, 2)] == [25_000, 25_000]

    def test_beyond_the_maximum_a_substitute_plays(self, hall: Hall, referee: Client) -> None:
        answer = referee.post(DESK, {"entry": "1", "what": "late", "minutes": "11"})
        assert answer.status_code == 422
        assert "More than 10 minutes late: by the rules a substitute plays" in answer.content.decode()

    @pytest.mark.parametrize("minutes", ["", "0", "-3", "ten", "99999", "5.5"])
    def test_minutes_are_a_number(self, referee: Client, minutes: str) -> None:
        answer = referee.post(DESK, {"entry": "1", "what": "late", "minutes": minutes, "confirm": "1"})
        assert answer.status_code == 422
        assert not PlannedSeat.objects.filter(late_minutes__gt=0).exists()

    def test_the_form_of_the_round_has_them(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what="late", minutes="7")
        assert 'name="t1-seat0-late_minutes" value="7"' in page(referee, "rounds/1/1/")


class TestTheDesk:
    def test_the_log_says_what_was_told_and_why(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what=scoring.FROM_START, played_by="9", minutes="25", reason="missed the train")
        line = next(each for each in referees_log(hall.tournament) if each.kind == "at_desk")
        assert (line.entry, line.substitute, line.amount, line.reason) == (hall[1], hall[9], 25, "missed the train")
        assert "missed the train" in page(referee, "rulings/")

    def test_two_who_change_places_take_it_along(self, hall: Hall, referee: Client) -> None:
        tell(referee, entry="1", what="late", minutes="7")
        swap_seats(hall.round(), hall[1], hall[5])
        told = PlannedSeat.objects.get(late_minutes=7)
        assert (told.entry, told.table.number) == (hall[1], 2)

    def test_a_confirmed_round_is_corrected_not_told_about(self, hall: Hall, referee: Client) -> None:
        for number in (1, 2):
            play(hall, number)
        assert "Late or substitute" in page(referee, "rounds/1/1/")
        referee.post("/tournaments/open/manage/rounds/1/1/confirm/")
        assert "Late or substitute" not in page(referee, "rounds/1/1/")

    def test_an_unpublished_round_has_no_seats(self, referee: Client) -> None:
        address = "/tournaments/open/manage/rounds/1/2/seat/"
        assert referee.post(address, {"entry": "1", "what": "back", "confirm": "1"}).status_code == 422


class TestTheEffectWhileTyping:
    PREVIEW = "/tournaments/open/manage/rounds/1/1/1/preview/"

    def typed(self, **more: str) -> dict[str, str]:
        return {f"t1-seat{wind}-points": str(points) for wind, points in enumerate(FALLING)} | more

    def shown(self, referee: Client, **more: str) -> str:
        data = self.typed(**{key.replace("__", "-"): value for key, value in more.items()})
        text = referee.post(self.PREVIEW, data).content.decode()
        return text.replace("\N{NO-BREAK SPACE}", " ")

    def test_results_and_ranks_stand_at_the_table(self, referee: Client) -> None:
        text = self.shown(referee)
        assert "+45.0" in text
        assert "rank 1" in text

    def test_each_incident_says_what_it_does(self, referee: Client) -> None:
        text = self.shown(referee, t1__seat0__late_minutes="10", t1__seat1__chombo="1", t1__seat2__penalty="8000")
        assert "10 minutes late: −10 000 before placing" in text
        assert "1 chombo: no more" in text  # by EMA 2012 it is paid at the table
        assert "penalty: −8000 before placing" in text
        assert "+25.0" in text

    def test_a_substitutes_seat_is_fixed(self, referee: Client) -> None:
        text = self.shown(referee, t1__seat0__substitute="mid_game", t1__seat0__played_by="9")
        assert "substitute mid-game: −30.0, below the others" in text
        assert "+35.0" in text

    def test_too_late_is_said_while_typing(self, referee: Client) -> None:
        assert "11 minutes" in self.shown(referee, t1__seat0__late_minutes="11")
