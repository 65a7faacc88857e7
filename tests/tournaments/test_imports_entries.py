"""Importing a list of entries into an event: the dry run, the writing, the same list again, and taking it back."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from ratings.imports.kinds import Choices
from ratings.imports.read import open_file
from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, ImportBatch, ImportMapping, Player
from ratings.services.anonymising import anonymise
from tests.cast import make_players
from tests.ratings.files import csv, xlsx
from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall
from tournaments.imports import ENTRIES, EntriesPlan, into
from tournaments.models import Entry, Tournament
from tournaments.services.entries import change_entry
from tournaments.services.events import change_event
from tournaments.workbooks import event as workbook

pytestmark = pytest.mark.django_db

ADDRESS = "/tournaments/open/manage/entries/import/"
HEADS = ["No.", "Name", "First name", "Last name", "Team", "Country", "EMA number", "State"]
MINA = [21, "美奈 田中", "Mina", "Tanaka", "Tokyo", "JP", "04270021", "confirmed"]
NOAM = ["", "נועם לוי", "Noam", "Levi", "", "ISR", "", ""]
SUB = ["", "Piotr Wójcik", "", "", "", "PL", "", "occasional substitute"]


@pytest.fixture
def hall() -> Hall:
    return Hall(0)


def plan_of(event: Tournament, content: bytes, name: str = "entries.xlsx", **choices: Any) -> EntriesPlan:
    batch = ImportBatch(club=event.club, kind="entries", into=into(event))
    return ENTRIES.plan(batch, open_file(content, name), Choices(**choices))


def written(event: Tournament, plan: EntriesPlan) -> ImportBatch:
    facts = {"kind": "entries", "into": into(event), "content": b"x"}
    batch = ImportBatch.objects.create(club=event.club, file_name="entries.xlsx", **facts)
    return ENTRIES.write(plan, batch)


def facts(event: Tournament) -> list[tuple[Any, ...]]:
    rows = event.entries.select_related("player").order_by("number")
    return [
        (row.number, row.player.native_name, row.team, row.country, row.ema_number, row.status, row.substitute_kind)
        for row in rows
    ]


def test_a_list_becomes_entries_and_new_players(hall: Hall) -> None:
    event = hall.tournament

    batch = written(event, plan_of(event, xlsx(HEADS, NOAM, MINA, SUB)))

    assert (batch.state, batch.people) == ("done", 3)
    assert facts(event) == [
        (21, "美奈 田中", "Tokyo", "JP", "04270021", "confirmed", ""),
        (22, "נועם לוי", "", "IL", "", "registered", ""),
        (23, "Piotr Wójcik", "", "PL", "", "substitute", "occasional"),
    ]
    assert Player.objects.get(ema_number="04270021").latin_name == "Mina Tanaka"
    assert Affiliation.objects.filter(club=event.club, kind="guest").count() == 3


def test_the_workbook_of_an_event_with_anonymised_players_reads_back_as_the_same_entries() -> None:
    event = Hall(4).tournament
    for entry in event.entries.order_by("number")[:2]:
        anonymise(entry.player)
    file = io.BytesIO()
    workbook.write(event, file)

    plan = plan_of(event, file.getvalue())

    assert [problem.sentence() for problem in plan.findings.wrong] == []
    assert (plan.already, plan.new, plan.questions) == (4, [], [])


def test_an_anonymised_player_is_not_entered_again(hall: Hall) -> None:
    player = make_players(1)[0]
    anonymise(player)

    plan = plan_of(hall.tournament, csv(["Name"], [f"Anonymous player {player.pk}"]), "e.csv")

    assert [problem.code for problem in plan.findings.wrong] == ["anonymised"]


def test_known_players_are_recognised_and_keep_their_country(hall: Hall) -> None:
    event, players = hall.tournament, make_players(2)

    plan = plan_of(event, csv(["Name", "Team"], ["dmitry sokolov", "Minsk"], [players[1].native_name, ""]), "e.csv")
    written(event, plan)

    assert plan.new_players == 0
    assert [fact[:4] for fact in facts(event)] == [
        (1, players[0].native_name, "Minsk", "BY"),
        (2, players[1].native_name, "", "PL"),
    ]


def test_numbers_taken_or_twice_and_states_nobody_enters_in_are_refused() -> None:
    event = Hall(1).tournament
    rows = [[1, "A B", ""], [5, "C D", ""], [5, "E F", ""], [6, "G H", "disqualified"], [0, "I J", ""]]

    plan = plan_of(event, csv(["Number", "Name", "Status"], *rows), "e.csv")

    assert [problem.sentence().partition(": ")[2][:46] for problem in plan.findings.wrong] == [
        "“disqualified” is not a state for an entry. Us",
        "0 is not a number of an entry: use 1 to 9999.",
        "Number 1 is taken.",
        "Number 5 is in the file twice.",
        "Number 5 is in the file twice.",
    ]
    assert "Sheet “e”, row 2, column A" in plan.findings.wrong[2].sentence()
    with pytest.raises(Refused):
        written(event, plan)
    assert event.entries.count() == 1


def test_whoever_is_entered_already_stays_as_entered() -> None:
    event = Hall(1).tournament
    name = event.entries.get().player.native_name

    plan = plan_of(event, csv(["Name", "Team"], [name, "Elsewhere"]), "e.csv")

    assert (plan.already, plan.has_something) == (1, False)
    assert "the file says Elsewhere" in plan.findings.notes[0].sentence()


def test_beyond_the_places_one_waits_and_is_told_so_before(hall: Hall) -> None:
    event = hall.tournament
    event.capacity = 1
    change_event(event)

    plan = plan_of(event, csv(["Name"], ["First"], ["Second"]), "e.csv")
    written(event, plan)

    assert [note.sentence().partition(": ")[2] for note in plan.findings.notes] == [
        "All places are taken: Second will be on the waiting list."
    ]
    assert [fact[5] for fact in facts(event)] == ["registered", "waiting"]


def test_importing_the_same_list_again_changes_nothing(hall: Hall) -> None:
    event, content = hall.tournament, xlsx(HEADS, NOAM, MINA, SUB)
    written(event, plan_of(event, content))
    before = facts(event)

    again = plan_of(event, content)

    assert (again.already, again.has_something, again.questions) == (3, False, [])
    assert facts(event) == before


def test_an_import_is_undone_as_a_whole(hall: Hall) -> None:
    event, (dmitry, *_others) = hall.tournament, make_players(1)
    content = xlsx(HEADS, MINA, ["", dmitry.native_name, *[""] * 6])
    batch = written(event, plan_of(event, content))

    ENTRIES.undo(batch)

    assert facts(event) == []
    assert list(Player.objects.all()) == [dmitry]
    assert len(plan_of(event, content).new) == 2, "after that the list may come again"


def test_an_import_with_a_changed_entry_is_not_undone(hall: Hall) -> None:
    event = hall.tournament
    batch = written(event, plan_of(event, xlsx(HEADS, MINA)))
    entry = Entry.objects.get()
    entry.team = "Osaka"
    change_entry(entry)

    with pytest.raises(Refused, match="美奈"):
        ENTRIES.undo(batch)


def test_an_import_with_a_seated_player_is_not_undone(hall: Hall) -> None:
    event = hall.tournament
    batch = written(event, plan_of(event, csv(["Name"], ["A"], ["B"], ["C"], ["D"]), "e.csv"))
    hall.seat(1, [1, 2, 3, 4])

    with pytest.raises(Refused, match="has a part in the event"):
        ENTRIES.undo(batch)
    assert event.entries.count() == 4


def test_a_plan_is_refused_when_somebody_entered_meanwhile(hall: Hall) -> None:
    event, content = hall.tournament, xlsx(HEADS, MINA)
    one, other = plan_of(event, content), plan_of(event, content)
    written(event, one)

    with pytest.raises(Refused, match="meanwhile"):
        written(event, other)


def test_the_entries_of_our_own_event_workbook_come_back_in_any_language(hall: Hall) -> None:
    event = hall.tournament
    written(event, plan_of(event, xlsx(HEADS, NOAM, MINA, SUB)))
    before, file = facts(event), io.BytesIO()
    with translation.override("pl"):
        workbook.write(event, file)
    event.entries.all().delete()

    written(event, plan_of(event, file.getvalue(), "open.xlsx"))

    assert [fact[:6] for fact in facts(event)] == [fact[:6] for fact in before]


# --- pages and the shell ----------------------------------------------------------------------------------


def send(desk: Client, content: bytes, name: str = "entries.csv") -> Any:
    return desk.post(ADDRESS, {"file": SimpleUploadedFile(name, content)}, follow=True)


def test_a_file_is_shown_asked_about_entered_and_taken_back(hall: Hall) -> None:
    event, (dmitry, *_others) = hall.tournament, make_players(1)
    desk = client_of(event.club)
    assert ADDRESS in desk.get("/tournaments/open/manage/entries/").text

    page = send(desk, csv(["Name", "Team"], ["Dmitri Sokolow", "Minsk"], ["New Person", "Łódź"]))
    assert "What “entries.csv” would do" in page.text
    assert "Who are these?" in page.text
    here = f"{ADDRESS}{ImportBatch.objects.get().pk}/"
    page = desk.post(here, {"name_0": dmitry.pk}, follow=True)
    assert "Import the list" in page.text
    page = desk.post(here, {"confirm": "yes"}, follow=True)
    assert "2 players are entered." in page.text
    assert [fact[1:3] for fact in facts(event)] == [(dmitry.native_name, "Minsk"), ("New Person", "Łódź")]

    page = desk.post(f"{here}undo/", follow=True)
    assert "its entries are removed from the list" in page.text
    assert facts(event) == []


def test_other_headings_are_mapped_and_remembered(hall: Hall) -> None:
    desk, content = client_of(hall.tournament.club), csv(["Kto", "Klub"], ["Anna Kowalska", "Łódź"])
    page = send(desk, content)
    assert "Columns of “entries.csv”" in page.text

    here = f"{ADDRESS}{ImportBatch.objects.get().pk}/"
    page = desk.post(f"{here}mapping/", {"column_0": "name", "column_1": "team"}, follow=True)

    assert "Łódź" in page.text
    assert ImportMapping.objects.get().layout["form"] == "entries"
    assert "Import the list" in send(desk, content).text


def test_a_file_that_is_no_spreadsheet_is_refused_with_a_sentence(hall: Hall) -> None:
    page = send(client_of(hall.tournament.club), b"\x89PNG nothing", "old.xlsx")

    assert page.status_code == 422
    assert "is called .xlsx but is not a workbook" in page.text


def test_the_list_of_imports_leads_to_the_event(hall: Hall) -> None:
    desk = client_of(hall.tournament.club)
    send(desk, csv(["Name"], ["New Person"]))
    batch = ImportBatch.objects.get()

    answer = desk.get(f"/admin/ratings/importbatch/{batch.pk}/change/")

    assert answer["Location"] == f"{ADDRESS}{batch.pk}/"


def test_an_import_of_the_shell_leads_to_the_event_too_and_to_nothing_once_the_event_is_gone(
    hall: Hall, tmp_path: Path
) -> None:
    desk, file = client_of(hall.tournament.club), tmp_path / "entries.csv"
    file.write_bytes(csv(["Name"], ["New Person"]))
    call_command("import_entries", file, event="open", stdout=io.StringIO())
    batch = ImportBatch.objects.get()

    assert desk.get(f"/admin/ratings/importbatch/{batch.pk}/change/")["Location"] == f"{ADDRESS}{batch.pk}/"
    ImportBatch.objects.update(into="tournament 999999")

    assert desk.get(f"/admin/ratings/importbatch/{batch.pk}/change/").status_code == 404


def test_the_shell_imports_entries(hall: Hall, tmp_path: Path) -> None:
    file, said = tmp_path / "entries.xlsx", io.StringIO()
    file.write_bytes(xlsx(HEADS, MINA, NOAM))

    call_command("import_entries", file, event="open", dry_run=True, stdout=said)
    assert "2 new entries (2 of new players)" in said.getvalue()
    assert facts(hall.tournament) == []
    call_command("import_entries", file, event="open", stdout=said)
    call_command("import_entries", file, event="open", stdout=said)

    assert "Entered 2 players" in said.getvalue()
    assert "There is nothing new in the file." in said.getvalue()
    assert [fact[0] for fact in facts(hall.tournament)] == [21, 22]
