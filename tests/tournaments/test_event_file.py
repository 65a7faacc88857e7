"""The event file: loading it gives its standings, exporting gives the same file, and each error is one line."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.mahjong import rulesets
from ratings.mahjong.problems import Refused
from ratings.models import Club, Hanchan, Player, Season, Standing
from ratings.services.anonymising import anonymise
from tests.tournaments.bad_files import ERRORS, seat, small
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Round, Tournament
from tournaments.services.eventfiles import load
from tournaments.services.rulings import disqualify, give_penalty, reinstate, withdraw
from tournaments.services.tables import correct_table, record_table
from tournaments.standings import eventfile

DATA = Path(__file__).with_name("data")
EVENT: dict[str, Any] = json.loads((DATA / "event.json").read_text(encoding="utf-8"))
STANDINGS: dict[str, Any] = json.loads((DATA / "event-standings.json").read_text(encoding="utf-8"))


def loaded(tmp_path: Path, data: Any, **options: Any) -> str:
    path = tmp_path / "event.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    out = io.StringIO()
    call_command("load_event", str(path), stdout=out, **options)
    return out.getvalue()


@pytest.fixture(scope="module")
def golden_event(shared_rows: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Load the golden event into the database; return the output of the command."""
    return loaded(tmp_path_factory.mktemp("golden"), (DATA / "event.json").read_text(encoding="utf-8"))


@pytest.mark.django_db
class TestTheGoldenEvent:
    def test_its_standings_are_what_they_must_be_rank_by_rank_after_every_round(self, tmp_path: Path) -> None:
        found = json.loads(loaded(tmp_path, EVENT, standings=True))

        for stage, expected in zip(found["stages"], STANDINGS["stages"], strict=True):
            for after, wanted in zip(stage["after"], expected["after"], strict=True):
                assert after == wanted
        assert found == STANDINGS

    @pytest.mark.usefixtures("golden_event")
    def test_its_export_is_the_same_file(self, tmp_path: Path) -> None:
        call_command("export", "event", "golden-cup", "-o", str(tmp_path / "out.json"))

        assert (tmp_path / "out.json").read_bytes() == (DATA / "event.json").read_bytes()

    def test_it_looks_like_one_played_here(self, golden_event: str) -> None:
        event = Tournament.objects.get(slug="golden-cup")
        assert golden_event == "Loaded Golden Cup: 25 entries. Its page is /tournaments/golden-cup/\n"
        assert set(Round.objects.values_list("state", flat=True)) == {"confirmed"}
        assert Hanchan.objects.filter(event_table__checked_at__isnull=False).count() == 42
        assert {(each.kind, each.results_public, each.get_absolute_url()) for each in Season.objects.all()} == {
            ("tournament", True, "/tournaments/golden-cup/")
        }
        assert event.finished_at is not None
        assert list(event.entries.filter(substitute_kind="occasional").values_list("number", flat=True)) == [25]
        absent = Entry.objects.get(number=8).player
        seat = absent.seats.get(hanchan__event_table__round__number=2)
        assert (seat.played_by, seat.result) == (Entry.objects.get(number=25).player, -30_000)

    @pytest.mark.usefixtures("golden_event")
    def test_the_kept_standings_of_its_seasons_agree(self) -> None:
        kept = {
            standing.player.entries.get().number: standing.results + standing.adjustments
            for standing in Standing.objects.filter(season__stage__number=1).select_related("player")
        }
        last = STANDINGS["stages"][0]["after"][-1]["rows"]
        assert {row["entry"]: row["total"] for row in last}.items() <= kept.items()


@pytest.mark.django_db
class TestALoadedFile:
    def test_comes_back_as_it_was_with_everything_in_it(self, tmp_path: Path) -> None:
        data = self.rich()

        loaded(tmp_path, data)
        call_command("export", "event", "small", "-o", str(tmp_path / "out.json"))

        assert json.loads((tmp_path / "out.json").read_text()) == data

    def rich(self) -> dict[str, Any]:
        data = small()
        data["dates"] = ["2026-04-18", "2026-04-19", "2026-04-25"]
        data["tie_breaks"] = ["head_to_head", "firsts"]
        data["entries"][0]["team"] = "Reds"
        data["entries"].append({**data["entries"][0], "number": 9, "native_name": "Ninth", "status": "substitute"})
        del data["entries"][8]["team"]
        first, second = data["stages"][0]["rounds"]
        first["tables"][0]["seats"][0] |= {"chombo": 2, "penalty": 800, "late_minutes": 3}
        first["tables"][1]["override"] = "500 lost under the table"
        first["tables"][1]["seats"][0]["points"] -= 500
        second["tables"][1]["seats"][1] |= {"substitute": "mid_game", "played_by": 9}
        second["tables"].pop(0)
        second |= {"absent": [7, 5], "byes": [4, 2]}
        data["stages"][0]["cut"] = {"top": 4, "totals": "reset"}
        data["stages"].append({"name": "Final", "ruleset": "ema-2012", "rounds": [copy.deepcopy(first)]})
        final = data["stages"][1]["rounds"][0]
        final["tables"].pop()
        for row, number in zip(final["tables"][0]["seats"], [1, 3, 2, 5], strict=True):
            row["entry"] = number
        data["penalties"] = [
            {"entry": 3, "stage": 1, "after_round": 1, "points": 1000, "reason": "late"},
            {"entry": 4, "after_round": 0, "points": 0, "reason": "a warning"},
            {"entry": 4, "after_round": 1, "points": 500, "reason": "a mistake", "revoked": True},
        ]
        data["withdrawn"] = [
            {"entry": 7, "after_round": 1, "keep_results": False, "reason": ""},
            {"entry": 5, "stage": 1, "after_round": 1, "keep_results": True, "reason": "train"},
        ]
        data["disqualified"] = [{"entry": 8, "after_round": 2, "reason": "cheated"}]
        return data

    def test_may_have_rules_of_its_own(self, tmp_path: Path) -> None:
        data = small()
        rules = eventfile.read(data).ruleset.rules
        data["ruleset"] = {**rulesets.write(rules), "uma": [20_000, 5000, -5000, -20_000]}

        found = json.loads(loaded(tmp_path, data, standings=True))
        call_command("export", "event", "small", "-o", str(tmp_path / "out.json"))

        assert found["stages"][0]["after"][0]["rows"][0] == {"rank": 1, "entry": 1, "total": 35_000}
        assert json.loads((tmp_path / "out.json").read_text()) == data

    def test_finds_people_it_knows_and_makes_no_second_of_them(self, tmp_path: Path) -> None:
        loaded(tmp_path, EVENT)
        loaded(tmp_path, {**EVENT, "slug": "golden-cup-2"})

        assert Player.objects.count() == 25
        assert Club.objects.count() == 1

    def test_finds_anonymised_people_by_the_name_an_export_gives_them(self, tmp_path: Path) -> None:
        loaded(tmp_path, small())
        for entry in Entry.objects.order_by("number")[:2]:
            anonymise(entry.player)
        people, out = Player.objects.count(), tmp_path / "out.json"
        call_command("export", "event", "small", "-o", str(out))

        loaded(tmp_path, {**json.loads(out.read_text()), "slug": "again"})

        assert Player.objects.count() == people
        assert Player.objects.exclude(anonymised_at=None).filter(entries__tournament__slug="again").count() == 2

    def test_does_not_take_a_namesake_with_another_number_for_the_same(self, tmp_path: Path) -> None:
        Player.objects.create(native_name="Clara Reuter", latin_first="Clara", latin_last="Reuter", ema_number="0" * 8)

        loaded(tmp_path, EVENT)

        assert Player.objects.filter(native_name="Clara Reuter").count() == 2

    def test_the_absent_need_no_table(self, tmp_path: Path) -> None:
        data = small()
        data["stages"][0]["rounds"][1] = {"tables": [], "absent": [1]}

        rows = json.loads(loaded(tmp_path, data, standings=True))["stages"][0]["after"][1]["rows"]

        assert {row["entry"]: row["total"] for row in rows}[1] == 45_000 - 30_000

    def test_a_later_stage_without_a_cut_goes_on_with_everybody_and_their_totals(self, tmp_path: Path) -> None:
        data = small()
        data["stages"].append({"name": "Second", "rounds": [data["stages"][0]["rounds"][0]]})

        found = json.loads(loaded(tmp_path, data, standings=True))

        assert found["stages"][1]["after"][0]["rows"][0] == {"rank": 1, "entry": 1, "total": 135_000}
        assert found["final"] == found["stages"][1]["after"][0]["rows"]

    def test_dates_to_come_do_not_hinder(self, tmp_path: Path) -> None:
        loaded(tmp_path, {**small(), "dates": ["2126-04-18"]})

        assert str(Hanchan.objects.first().played_on) == "2126-04-18"  # type: ignore[union-attr]


@pytest.mark.django_db
class TestWhatIsWrong:
    @pytest.mark.parametrize("case", ERRORS)
    def test_is_said_in_one_line_and_nothing_is_kept(self, case: str, tmp_path: Path) -> None:
        change, sentence = ERRORS[case]
        data = small()
        change(data)

        with pytest.raises(CommandError) as raised:
            loaded(tmp_path, data, standings=True)

        assert str(raised.value).startswith(sentence)
        assert "\n" not in str(raised.value)
        assert raised.value.returncode == 2
        assert not Tournament.objects.exists()
        assert not Player.objects.exists()
        assert not Hanchan.objects.exists()

    def test_an_address_that_is_taken_is_refused(self, tmp_path: Path) -> None:
        loaded(tmp_path, small())

        with pytest.raises(CommandError, match="There is an event with the address “small” already") as raised:
            loaded(tmp_path, small())

        assert raised.value.returncode == 2
        assert Tournament.objects.count() == 1

    @pytest.mark.parametrize(
        "text",
        ["", "{", "[1,]", '{"name": NaN}', '{"name": 1, "name": 2}', "[" * 100_000, "1", "null", "[]", '"x"'],
        ids=lambda text: text[:12] or "nothing",
    )
    def test_a_file_that_is_no_event_is_refused(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(CommandError) as raised:
            loaded(tmp_path, text)

        assert raised.value.returncode == 2
        assert "\n" not in str(raised.value)

    def test_a_file_that_is_not_there_or_no_text_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("load_event", str(tmp_path / "nowhere.json"))
        (tmp_path / "latin.json").write_bytes('{"name": "Łódź"}'.encode("cp1250"))
        with pytest.raises(CommandError, match="is not text in UTF-8"):
            call_command("load_event", str(tmp_path / "latin.json"))

    def test_standard_input_is_read_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(small()).encode())))
        out = io.StringIO()

        call_command("load_event", "-", standings=True, stdout=out)

        assert json.loads(out.getvalue())["stages"][0]["name"] == "Main"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


class TestAnyJson:
    @given(anything)
    def test_is_read_or_refused(self, data: Any) -> None:
        with pytest.raises(Refused):
            eventfile.read(data)

    @given(st.data(), anything)
    @settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
    def test_in_any_place_of_an_event_is_read_or_refused(self, draw: st.DataObject, value: Any) -> None:
        data = small()
        spot: Any = data
        while True:
            keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
            key = draw.draw(st.sampled_from(keys)) if keys else None
            if key is None or not isinstance(spot[key], dict | list) or draw.draw(st.integers(0, 3)) == 0:
                break
            spot = spot[key]
        if key is not None:
            spot[key] = value
        with contextlib.suppress(Refused):
            assert eventfile.read(eventfile.write(eventfile.read(data))) == eventfile.read(data)


@pytest.mark.django_db
class TestTheExport:
    def test_of_an_unknown_event_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="There is no event with the address “nowhere”") as raised:
            call_command("export", "event", "nowhere", "-o", str(tmp_path / "out.json"))

        assert raised.value.returncode == 2
        assert not (tmp_path / "out.json").exists()

    def test_to_where_nothing_can_be_written_is_refused(self, tmp_path: Path) -> None:
        Hall()
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export", "event", "open", "-o", str(tmp_path / "nowhere" / "out.json"))

    def test_of_a_running_event_leaves_out_the_round_being_played_and_says_so(self, tmp_path: Path) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [5, 2, 7, 4], [1, 6, 3, 8])
        table = hall.table(1, 2)
        record_table(table, hall.sheet(table))
        said = io.StringIO()

        call_command("export", "event", "open", "-o", str(tmp_path / "out.json"), stderr=said)

        data = json.loads((tmp_path / "out.json").read_text())
        assert len(data["stages"][0]["rounds"]) == 1
        assert "Main, round 2 has tables without a result" in said.getvalue()

    def test_of_an_event_played_here_loads_to_the_same_standings(self, tmp_path: Path) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        withdraw(hall[7], hall.stage(), 1, keep_results=True, reason="mistaken")
        reinstate(hall[7], reason="came back")
        withdraw(hall[8], hall.stage(), 1, keep_results=False, reason="ill")
        disqualify(hall[4], hall.stage(), 1, reason="cheated")
        give_penalty(hall.stage(), hall[1], 3000, "late again", after_round=1)
        call_command("export", "event", "open", "-o", str(tmp_path / "out.json"))
        before = hall.ranks()
        Tournament.objects.filter(slug="open").update(slug="other")

        tournament = load(eventfile.read(json.loads((tmp_path / "out.json").read_text())))

        hall.tournament = tournament
        assert hall.ranks() == before
        assert hall.totals()[1] == 42_000

    def test_a_table_that_was_corrected_is_exported_as_it_stands(self, tmp_path: Path) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        table = hall.table()
        facts = hall.sheet(table, (35_000, 45_000, 25_000, 15_000))
        correct_table(table, facts, version=1, reason="lines swapped")

        call_command("export", "event", "open", "-o", str(tmp_path / "out.json"))

        data = json.loads((tmp_path / "out.json").read_text())
        assert [seat(data, 0, index)["points"] for index in range(4)] == [35_000, 45_000, 25_000, 15_000]
