"""Importing a list of players into a club: reading, finding known players, writing, the same list again, and undo."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubsite import export
from clubsite.export import ExportColumn
from ratings import rights
from ratings.imports.columns import Layout
from ratings.imports.kinds import Choices
from ratings.imports.names import NEW
from ratings.imports.person_rows import read_people
from ratings.imports.players import PLAYERS, PlayersPlan
from ratings.imports.read import open_file
from ratings.imports.sheets import Place
from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, Alias, Club, ImportBatch, ImportMapping, Player
from ratings.services.hanchans import record_hanchan
from ratings.workbooks import season as workbook
from tests.cast import make_club, make_players, make_season, make_sheet, make_user
from tests.ratings.files import WIDE, csv, wide, xlsx
from tests.ratings.importing import undo
from tests.ratings.player_lists import make_plan, write_plan
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

HEADS = ["Name", "Latin first name", "Latin last name", "Nickname", "Country", "EMA number", "Aliases", "Regular/guest"]
OLGA = ["Ольга Мельникова", "Olga", "Melnikova", "Olya", "BY", "04270012", "Оля; Olya M.", "regular"]
KEN = ["佐藤 健", "Ken", "Satō", "", "JPN", 4270013, "", "guest"]
LAYLA = ["ليلى حداد", "Layla", "Haddad", "", "LB", "", "", ""]


def plan_of(club: Club, content: bytes, name: str = "people.xlsx", by: Any = None, **choices: Any) -> PlayersPlan:
    return make_plan(club, open_file(content, name), Choices(**choices), by=by)


def written(plan: PlayersPlan, by: Any = None) -> ImportBatch:
    batch = ImportBatch.objects.create(club=plan.club, kind="players", file_name="people.xlsx", content=b"x")
    return write_plan(plan, batch, by=by)


def facts(club: Club) -> list[tuple[Any, ...]]:
    rows = Affiliation.objects.filter(club=club).select_related("player").order_by("player__pk")
    return [
        (
            *(row.player.native_name, row.player.latin_first, row.player.latin_last, row.player.nickname),
            *(row.player.country, row.player.ema_number),
            tuple(row.player.aliases.order_by("pk").values_list("name", flat=True)),
            row.kind,
        )
        for row in rows
    ]


# --- new players ------------------------------------------------------------------------------------------


def test_a_list_becomes_players_of_the_club() -> None:
    club = make_club()
    plan = plan_of(club, xlsx(HEADS, OLGA, KEN, LAYLA))

    batch = written(plan)

    assert (batch.state, batch.people, batch.content) == ("done", 3, None)
    assert facts(club) == [
        ("Ольга Мельникова", "Olga", "Melnikova", "Olya", "BY", "04270012", ("Оля", "Olya M."), "regular"),
        ("佐藤 健", "Ken", "Satō", "", "JP", "04270013", (), "guest"),
        ("ليلى حداد", "Layla", "Haddad", "", "LB", "", (), "regular"),
    ]
    assert Player.objects.get(native_name="Ольга Мельникова").history.count() == 1


def test_the_zero_a_spreadsheet_dropped_is_put_back_and_noted() -> None:
    plan = plan_of(make_club(), xlsx(HEADS, KEN))

    assert [note.sentence() for note in plan.findings.notes] == [
        "Sheet “Games”, row 2, column F: The EMA number was read as 04270013."
    ]


def test_only_a_name_is_needed_and_csv_is_as_good() -> None:
    club = make_club()

    written(plan_of(club, csv(["Имя"], ["Дмитрий Соколов"], ["Юрий Лапин"]), "люди.csv"))

    assert [fact[0] for fact in facts(club)] == ["Дмитрий Соколов", "Юрий Лапин"]


def test_first_and_last_name_alone_make_the_name() -> None:
    club = make_club()

    written(plan_of(club, csv(["First name", "Last name"], ["Anna", "Kowalska"], ["Иван", "Петров"]), "p.csv"))

    assert [fact[:3] for fact in facts(club)] == [("Anna Kowalska", "Anna", "Kowalska"), ("Иван Петров", "", "")]


def test_every_problem_says_sheet_row_and_column() -> None:
    rows: list[list[Any]] = [
        [*OLGA[:4], "Poland", *OLGA[5:]],
        [*KEN[:5], "12", "", "sometimes"],
        ["", "", "", "", "", "04270001", "", ""],
        OLGA,
        OLGA,
    ]
    plan = plan_of(make_club(), xlsx(HEADS, *rows))

    assert [problem.sentence() for problem in plan.findings.wrong] == [
        "Sheet “Games”, row 2, column E: “Poland” is not a country: use its two or three letters, PL or POL.",
        "Sheet “Games”, row 3, column F: “12” is not an EMA number: it must have eight digits.",
        "Sheet “Games”, row 3, column H: “sometimes” is neither regular nor guest.",
        "Sheet “Games”, row 4, column A: The player's name is missing.",
        "Sheet “Games”, row 5, column A: “Ольга Мельникова” is in row 2 already. Delete one of the two.",
        "Sheet “Games”, row 6, column A: “Ольга Мельникова” is in row 2 already. Delete one of the two.",
    ]
    with pytest.raises(Refused):
        written(plan)
    assert not Player.objects.exists()


def test_a_file_of_games_is_no_list_of_people() -> None:
    names = ["A", "B", "C", "D"]

    with pytest.raises(Refused, match="a file of games"):
        plan_of(make_club(), xlsx(WIDE, wide("2026-04-16", names, [25_000] * 4)))


# --- known players ----------------------------------------------------------------------------------------


def test_a_known_player_is_completed_and_never_overwritten() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    row = ["дмитрий соколов", "Dmitri", "Sokolov", "Dima", "PL", "04270001", "Димон", ""]

    plan = plan_of(club, xlsx(HEADS, row))
    written(plan)

    dmitry.refresh_from_db()
    assert (dmitry.latin_first, dmitry.country, dmitry.nickname, dmitry.ema_number) == (
        *("Dmitry", "BY"),
        *("Dima", "04270001"),
    )
    assert facts(club)[0][-2:] == (("Димон",), "regular")
    assert "the file has “PL”, the site “BY”" in " ".join(note.sentence() for note in plan.findings.notes)
    assert Player.objects.count() == 1


def test_an_ema_number_knows_a_player_whatever_the_spelling() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    Player.objects.filter(pk=dmitry.pk).update(ema_number="04270001")

    plan = plan_of(club, xlsx(HEADS, ["D. Sokoloff", "", "", "", "", "04270001", "", ""]))

    assert [row.player for row in plan.rows] == [dmitry]
    assert plan.rows[0].aliases == ("D. Sokoloff",)


def test_a_namesake_with_another_ema_number_is_asked_about() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    Player.objects.filter(pk=dmitry.pk).update(ema_number="04270001")

    plan = plan_of(club, xlsx(HEADS, ["Дмитрий Соколов", "", "", "", "", "04279999", "", ""]))

    assert [(question.candidates, question.ambiguous) for question in plan.questions] == [([dmitry.pk], True)]
    assert not plan.may_be_written


def test_a_name_written_nearly_like_a_known_one_is_asked_about_once() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    content = csv(["Name"], ["Dmitri Sokolow"], ["Nobody Near"])

    assert [q.name for q in plan_of(club, content, "p.csv").questions] == ["Dmitri Sokolow"]
    written(plan_of(club, content, "p.csv", names={"Dmitri Sokolow": dmitry.pk}))

    assert dmitry.aliases.get().name == "Dmitri Sokolow"
    assert Player.objects.count() == 2
    again = plan_of(club, content, "p.csv")
    assert (again.questions, again.already, again.may_be_written) == ([], 2, False)


def test_somebody_whose_latin_form_alone_is_known_is_asked_about() -> None:
    club, players = make_club(), make_players(3)

    plan = plan_of(club, xlsx(HEADS, ["佐藤 健一", "Ken", "Satō", "", "JP", "", "", ""]))

    assert [question.candidates for question in plan.questions] == [[players[2].pk]]


def test_players_of_other_clubs_are_welcomed_and_left_as_they_are() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    other = make_club("Other")
    Affiliation.objects.create(player=dmitry, club=other)
    admin = make_user("admin", club, "admin")

    plan = plan_of(club, xlsx(HEADS, ["Дмитрий Соколов", "", "", "Dima", "", "", "", ""]), by=admin)
    written(plan, by=admin)

    dmitry.refresh_from_db()
    assert dmitry.nickname == ""
    assert dmitry.affiliations.get(club=club).kind == "guest"


@pytest.mark.parametrize("here", ["", "guest"])
def test_a_list_makes_no_regular_of_another_clubs_player(here: str) -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    Affiliation.objects.create(player=dmitry, club=make_club("Other"), kind="regular")
    if here:
        Affiliation.objects.create(player=dmitry, club=club, kind=here)
    admin = make_user("admin", club, "admin")

    plan = plan_of(club, csv(["Name", "Regular/guest"], [dmitry.native_name, "regular"]), "p.csv", by=admin)
    if not here:
        written(plan, by=admin)

    assert plan.has_something is not bool(here)
    assert dmitry.affiliations.get(club=club).kind == "guest"
    assert not rights.may_edit_player(admin, dmitry)


def test_a_guest_becomes_a_regular_and_a_regular_stays_one() -> None:
    club, (guest, regular) = make_club(), make_players(2)
    Affiliation.objects.create(player=guest, club=club, kind="guest")
    Affiliation.objects.create(player=regular, club=club, kind="regular")
    rows = [[guest.native_name, "regular"], [regular.native_name, "guest"]]

    written(plan_of(club, csv(["Name", "Regular/guest"], *rows), "p.csv"))

    assert [fact[-1] for fact in facts(club)] == ["regular", "regular"]


def test_two_rows_of_one_known_player_are_refused() -> None:
    club, _players = make_club(), make_players(1)

    plan = plan_of(club, csv(["Name"], ["Дмитрий Соколов"], ["Dmitry Sokolov"]), "p.csv")

    assert [problem.code for problem in plan.findings.wrong] == ["person_twice"]


# --- again, and back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [xlsx, csv], ids=["xlsx", "csv"])
def test_importing_the_same_list_again_changes_nothing(make: Any) -> None:
    club, content = make_club(), make(HEADS, OLGA, KEN, LAYLA)
    name = "people.xlsx" if make is xlsx else "people.csv"
    written(plan_of(club, content, name))
    before = facts(club)

    again = plan_of(club, content, name)

    assert (again.already, again.has_something, again.questions) == (3, False, [])
    assert facts(club) == before


def test_new_namesakes_are_the_same_two_when_the_list_comes_again() -> None:
    club = make_club()
    content = csv(["Name", "EMA number"], ["Jan Nowak", "04270001"], ["Jan Nowak", "04270002"])
    written(plan_of(club, content, "p.csv"))

    again = plan_of(club, content, "p.csv")

    assert Player.objects.count() == 2
    assert (again.already, again.questions) == (2, [])


def test_an_import_is_undone_as_a_whole_and_leaves_no_name_behind() -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    row = ["Дмитрий Соколов", "", "", "Dima", "", "04270001", "Димон", ""]
    content = xlsx(HEADS, OLGA, row)
    batch = written(plan_of(club, content))

    undo(batch)

    dmitry.refresh_from_db()
    assert (dmitry.nickname, dmitry.ema_number, dmitry.aliases.count()) == ("", "", 0)
    assert facts(club) == []
    assert not Player.objects.filter(native_name=OLGA[0]).exists()
    assert not Player.history.filter(native_name=OLGA[0]).exists()
    assert len(plan_of(club, content).new) == 1, "after that the list may come again"


def test_an_import_whose_player_played_is_not_undone() -> None:
    season, (_dmitry, *others) = make_season(), make_players(4)
    batch = written(plan_of(season.club, xlsx(HEADS, OLGA)))
    olga = Player.objects.get(native_name=OLGA[0])
    record_hanchan(season, make_sheet([olga, *others], 45_200, 31_100, 25_700, 18_000))

    with pytest.raises(Refused, match="Ольга Мельникова"):
        undo(batch)


def test_an_import_whose_player_was_edited_is_not_undone() -> None:
    club = make_club()
    batch = written(plan_of(club, xlsx(HEADS, OLGA)))
    olga = Player.objects.get()
    olga.country = "PL"
    olga.save()

    with pytest.raises(Refused, match="were changed since"):
        undo(batch)


def test_a_plan_is_refused_when_somebody_of_it_appeared_meanwhile() -> None:
    club, content = make_club(), xlsx(HEADS, OLGA)
    one, other = plan_of(club, content), plan_of(club, content)
    written(one)

    with pytest.raises(Refused, match="meanwhile"):
        written(other)
    assert Player.objects.count() == 1


# --- round trips ------------------------------------------------------------------------------------------

CYRILLIC, POLISH, JAPANESE, HEBREW, ARABIC = "ёжЖяЮщґї", "łŻźćąęÓ", "佐藤健さタ々", "אבגדשתל", "ابتثليم"
LETTERS = st.sampled_from([CYRILLIC, POLISH, JAPANESE, HEBREW, ARABIC, "abzXYZ"])
WORD = LETTERS.flatmap(lambda letters: st.text(letters, min_size=2, max_size=8))
NAME = st.lists(WORD, min_size=1, max_size=3).map(" ".join) | st.sampled_from(["=SUM(A1)", "-Олег", "@Żaba", "+ 健"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAME, min_size=1, max_size=6, unique_by=lambda name: name.casefold()), in_csv=st.booleans())
def test_names_of_any_script_come_back_as_they_were_exported(names: list[str], in_csv: bool) -> None:
    """Exported with our own writer, neutralised where they look like formulas, and read back."""
    columns, rows = [ExportColumn("Name")], [[name] for name in names]
    content = export.csv_file(columns, rows) if in_csv else export.workbook("Players", columns, rows)
    book = open_file(content, "p.csv" if in_csv else "p.xlsx")

    reading = read_people(book.sheets[0], Layout("players", {"name": 0}), PLAYERS.people)

    assert [person.name for person in reading.people] == names


def test_the_players_of_our_own_workbook_come_back_in_any_language(settings: Any) -> None:
    season = make_season()
    first = season.club
    written(plan_of(first, xlsx(HEADS, OLGA, KEN, LAYLA)))
    record_hanchan(season, make_sheet([*Player.objects.all(), *make_players(1)], 45_200, 31_100, 25_700, 18_000))
    file = io.BytesIO()
    workbook.write(season, file, sees_hidden=True)
    before = facts(first)
    names = [fact[0] for fact in before]
    Player.objects.update(native_name="gone", search_text="", ema_number="")
    second = make_club("Second")

    written(plan_of(second, file.getvalue(), "book.xlsx"))

    assert sorted(facts(second), key=lambda fact: names.index(fact[0])) == [
        (*fact[:6], tuple(sorted(fact[6])), fact[7]) for fact in before
    ]


# --- pages and the shell ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    world = make_world()
    ImportBatch.objects.all().delete()
    return world


@pytest.fixture
def admin(world: World) -> Client:
    return world.client("admin")


def send(client: Client, world: World, content: bytes, name: str = "people.csv") -> Any:
    data = {"target": f"players-{world.furiten.club.pk}", "file": SimpleUploadedFile(name, content)}
    return client.post("/admin/ratings/importbatch/add/", data, follow=True)


def address() -> str:
    return f"/admin/ratings/importbatch/{ImportBatch.objects.get().pk}/"


def test_a_list_is_shown_asked_about_imported_and_taken_back(admin: Client, world: World) -> None:
    page = send(admin, world, csv(["Name", "Country"], ["New Person", "PL"], ["Dmitri Sokolow", "BY"]))
    assert "What “people.csv” would do" in page.text
    assert "Who are these?" in page.text
    assert "Import the list" not in page.text
    admin.post(f"{address()}change/", {"confirm": "yes"})
    assert not Player.objects.filter(native_name="New Person").exists()

    page = admin.post(f"{address()}change/", {"name_0": world.furiten.player.pk}, follow=True)
    assert "Import the list" in page.text
    page = admin.post(f"{address()}change/", {"confirm": "yes"}, follow=True)
    assert "2 players were imported." in page.text
    assert Alias.objects.get(name="Dmitri Sokolow").player == world.furiten.player

    page = admin.post(f"{address()}undo/", follow=True)
    assert "The import is undone" in page.text
    assert not Player.objects.filter(native_name="New Person").exists()


def test_other_headings_are_mapped_and_remembered_for_the_club(admin: Client, world: World) -> None:
    content = csv(["Kto", "Skąd"], ["Anna Kowalska", "PL"])
    page = send(admin, world, content)
    assert "Columns of “people.csv”" in page.text
    assert "Select the column with the names." in admin.post(f"{address()}mapping/", {"column_1": "country"}).text

    page = admin.post(f"{address()}mapping/", {"column_0": "name", "column_1": "country"}, follow=True)
    assert "Import the list" in page.text
    assert ImportMapping.objects.get().club == world.furiten.club
    ImportBatch.objects.all().delete()

    assert "Import the list" in send(admin, world, content).text


def test_a_list_too_large_to_be_one_is_refused_unread(admin: Client, world: World) -> None:
    page = send(admin, world, b"Name\n" + b"Somebody\n" * 40_000)

    assert page.status_code == 422
    assert "too much for a list of people" in page.text
    assert not ImportBatch.objects.exists()


def test_the_list_of_players_leads_to_the_import(admin: Client, world: World) -> None:
    page = admin.get("/admin/")
    assert "/admin/ratings/importbatch/add/?club=furiten&amp;into=players" in page.text

    page = admin.get("/admin/ratings/importbatch/add/?into=players")

    assert f'<option value="players-{world.furiten.club.pk}" selected>' in page.text


def test_the_shell_imports_a_list(tmp_path: Path) -> None:
    club, (dmitry, *_others) = make_club(), make_players(1)
    file = tmp_path / "people.csv"
    file.write_bytes(csv(["Name"], ["Anna Kowalska"], ["Dmitri Sokolow"]))
    said, wrong = io.StringIO(), io.StringIO()

    call_command("import_players", file, club="furiten", dry_run=True, stdout=said, stderr=wrong)
    assert "1 open names" in said.getvalue()
    assert f'--name "Dmitri Sokolow={dmitry.pk}"' in wrong.getvalue()
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import_players", file, club="furiten", stdout=said, stderr=wrong)
    name = [f"Dmitri Sokolow={dmitry.pk}"]
    call_command("import_players", file, club="furiten", name=name, stdout=said, stderr=wrong)
    call_command("import_players", file, club="furiten", stdout=said, stderr=wrong)

    assert "Imported 2 players" in said.getvalue()
    assert "There is nothing new in the file." in said.getvalue()
    assert club.players.count() == 2


def test_the_shell_makes_new_players_of_whoever_is_written_nearly_so(tmp_path: Path) -> None:
    make_club()
    make_players(1)
    file = tmp_path / "people.csv"
    file.write_bytes(csv(["Name"], ["Dmitri Sokolow"]))

    call_command("import_players", file, club="furiten", all_new=True, stdout=io.StringIO(), stderr=io.StringIO())

    assert Player.objects.count() == 2


def test_a_name_given_as_new_is_new() -> None:
    club, _players = make_club(), make_players(1)

    plan = plan_of(club, csv(["Name"], ["Дмитрий Соколов"]), "p.csv", names={"Дмитрий Соколов": NEW})

    assert [row.person.place for row in plan.new] == [Place("p", 2, 0)]
