"""Importing games into a season: the dry run, the writing, the same file again, and taking it back."""

from __future__ import annotations

import datetime

import pytest

from ratings.imports.games import GamesPlan as Plan
from ratings.imports.kinds import Choices
from ratings.imports.names import NEW
from ratings.imports.read import open_file
from ratings.mahjong.problems import Refused
from ratings.models import Alias, Hanchan, HanchanEvent, ImportBatch, ImportMapping, Player, Season, Standing
from ratings.services.hanchans import change_hanchan, record_hanchan, sheet_of
from ratings.services.players import refresh_search_text
from tests.cast import make_players, make_season, make_sheet
from tests.ratings.files import LONG, WIDE, csv, wide, xlsx
from tests.ratings.importing import make_plan, undo, write_plan

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 4, 16)
RIGHT = [45_200, 31_100, 25_700, 18_000]


def plan_of(season: Season, content: bytes, name: str = "old.xlsx", **choices: object) -> Plan:
    return make_plan(season.club, season, open_file(content, name), Choices(**choices))  # type: ignore[arg-type]


def written(plan: Plan) -> ImportBatch:
    batch = ImportBatch.objects.create(club=plan.club, season=plan.season, file_name="old.xlsx", content=b"x")
    return write_plan(plan, batch)


def names(players: list[Player]) -> list[str]:
    return [player.native_name for player in players]


def codes(plan: Plan) -> list[str]:
    return [problem.code for problem in plan.findings.wrong]


def test_a_wide_file_becomes_games_with_results_standings_and_history() -> None:
    season, players = make_season(), make_players()
    content = xlsx(WIDE, wide(DAY, names(players), RIGHT), wide(DAY, names(players)[::-1], RIGHT, game=2))

    batch = written(plan_of(season, content))

    assert (batch.state, batch.games, batch.content) == ("done", 2, None)
    assert Hanchan.objects.filter(season=season, status="final").count() == 2
    assert HanchanEvent.objects.filter(action="entered").count() == 2
    assert sorted(Standing.objects.filter(season=season).values_list("games", flat=True)) == [2, 2, 2, 2]
    assert sum(Standing.objects.filter(season=season).values_list("results", flat=True)) == 0


def test_an_imported_game_is_what_the_entry_page_would_have_made_of_it() -> None:
    typed, players = make_season(), make_players()
    imported = make_season(typed.club, rule_set=typed.rule_set)
    noon = datetime.datetime(2026, 4, 16, 12, tzinfo=datetime.UTC)
    record_hanchan(typed, make_sheet(players, *RIGHT, at=noon, table=1))

    written(plan_of(imported, xlsx(WIDE, wide(DAY, names(players), RIGHT))))

    facts = ["player", "wind", "points", "place", "place_twice", "result", "counts", "played_at", "played_on"]
    one, other = (Hanchan.objects.get(season=season) for season in (typed, imported))
    assert list(one.seats.values(*facts)) == list(other.seats.values(*facts))
    kept = [field.name for field in Standing._meta.fields if field.name not in ("id", "season")]
    rows = [list(Standing.objects.filter(season=s).order_by("player").values(*kept)) for s in (typed, imported)]
    assert rows[0] == rows[1]


def test_an_import_into_an_elo_season_rates_like_entering_one_by_one() -> None:
    players = make_players()
    typed = make_season(formula="elo", initial_rating=1_500_000)
    imported = make_season(typed.club, rule_set=typed.rule_set, formula="elo", initial_rating=1_500_000)
    days = [DAY + datetime.timedelta(days=number) for number in (2, 0, 1)]
    for day in days:
        at = datetime.datetime.combine(day, datetime.time(12), datetime.UTC)
        record_hanchan(typed, make_sheet(players, *RIGHT, at=at))

    written(plan_of(imported, xlsx(WIDE, *(wide(day, names(players), RIGHT) for day in days))))

    ratings = [dict(Standing.objects.filter(season=s).values_list("player", "rating")) for s in (typed, imported)]
    assert ratings[0] == ratings[1]
    assert len(set(ratings[0].values())) > 1


def test_the_long_form_is_grouped_by_round_and_table_and_seated_by_wind() -> None:
    season, players = make_season(), make_players()
    rows = [
        [1, 1, name, wind, points, penalty]
        for name, wind, points, penalty in zip(names(players), "NWSE", RIGHT, [None, 1000, None, None], strict=True)
    ]

    plan = plan_of(
        season, csv(LONG, *([cell if cell is not None else "" for cell in row] for row in rows)), "r.csv", day=DAY
    )
    written(plan)

    seats = Hanchan.objects.get().seats.order_by("wind")
    assert [seat.player.native_name for seat in seats] == names(players)[::-1]
    assert [seat.penalty for seat in seats] == [0, 0, 1000, 0]


def test_a_file_without_dates_needs_a_day() -> None:
    season, players = make_season(), make_players()
    rows = [[1, 1, n, w, p, ""] for n, w, p in zip(names(players), "ESWN", RIGHT, strict=True)]

    assert codes(plan_of(season, csv(LONG, *rows), "r.csv")) == ["no_date"]


@pytest.mark.parametrize(("scale", "unit"), [(1, "points"), (100, "hundreds"), (1000, "thousands")])
def test_the_unit_nobody_named_is_the_one_in_which_the_sums_are_right(scale: int, unit: str) -> None:
    season, players = make_season(), make_players()
    plan = plan_of(season, xlsx(WIDE, wide(DAY, names(players), [points / scale for points in RIGHT])))

    assert plan.layout is not None
    assert plan.layout.unit == unit
    assert [seat.played.points for seat in plan.games[0].ready.sheet.seats] == RIGHT


def test_decimal_commas_and_triangles_are_read_in_the_unit_of_the_column_and_noted() -> None:
    season, players = make_season(), make_players()
    content = csv(WIDE, wide("16.04.2026", names(players), ["72,9", "31,1", "28", "△12"]), sign=";")

    plan = plan_of(season, content, "old.csv", unit="thousands")

    assert [seat.played.points for seat in plan.games[0].ready.sheet.seats] == [72_900, 31_100, 28_000, -12_000]
    assert [note.sentence() for note in plan.findings.notes] == [
        "Sheet “old”, row 2, column E: “72,9” was read as 72\xa0900 points.",
        "Sheet “old”, row 2, column G: “31,1” was read as 31\xa0100 points.",
        "Sheet “old”, row 2, column K: “△12” was read as −12\xa0000 points.",
    ]


def test_every_problem_says_sheet_row_and_column() -> None:
    season, players = make_season(), make_players()
    four = names(players)
    content = xlsx(
        WIDE,
        wide(DAY, four, [45_200, 31_100, 25_700, 17_000]),
        wide(DAY, [four[0], four[1], four[0], four[3]], RIGHT),
        wide(datetime.date(2025, 4, 16), four, RIGHT),
        wide(DAY, four, ["many", *RIGHT[1:]]),
        wide("someday", four, RIGHT),
    )

    plan = plan_of(season, content)

    assert [problem.sentence() for problem in plan.findings.wrong] == [
        "Sheet “Games”, row 5, column E: “many” is text, not a number.",
        "Sheet “Games”, row 6, column A: “someday” is not a date. Write it as 2026-04-16 or 16.04.2026.",
        "Sheet “Games”, row 4, column A: 16 April 2025 is outside the season, "
        "which runs from 1 January 2026 to 30 June 2026.",
        "Sheet “Games”, row 2: The points sum to 119\xa0000 instead of 120\xa0000: 1000 are missing.",
        "Sheet “Games”, row 3, column H: This player sits at this table already, as East. "
        "Each seat needs another player.",
    ]
    assert not plan.may_be_written


def test_one_bad_row_keeps_the_whole_file_out() -> None:
    season, players = make_season(), make_players()
    content = xlsx(WIDE, wide(DAY, names(players), RIGHT), wide(DAY, names(players), [1000, *RIGHT[1:]], game=2))

    with pytest.raises(Refused):
        written(plan_of(season, content))

    assert not Hanchan.objects.exists()


def test_an_unknown_wind_is_named() -> None:
    season, players = make_season(), make_players()
    rows = [[1, 1, n, w, p, ""] for n, w, p in zip(names(players), ["E", "S", "X", "N"], RIGHT, strict=True)]

    assert codes(plan_of(season, csv(LONG, *rows), "r.csv", day=DAY)) == ["unknown_wind"]


# --- names ------------------------------------------------------------------------------------------------


def test_names_are_found_by_alias_case_and_latin_form() -> None:
    season, players = make_season(), make_players()
    Alias.objects.create(player=players[1], name="Gosia")
    refresh_search_text(players[1])
    content = xlsx(WIDE, wide(DAY, ["dmitry sokolov", "Gosia", "Satō Ken", "THOMAS BERGMANN"], RIGHT))

    plan = plan_of(season, content)

    assert not plan.questions
    assert [seat.player for seat in plan.games[0].ready.sheet.seats] == [player.pk for player in players]


def test_unknown_names_come_with_those_who_are_written_nearly_so() -> None:
    season, players = make_season(), make_players()
    content = xlsx(WIDE, wide(DAY, ["Dmitri Sokolow", "Szczęsna Małgorzata", "佐藤 健", "Somebody Else"], RIGHT))

    questions = {question.name: question.candidates for question in plan_of(season, content).questions}

    assert questions == {
        "Dmitri Sokolow": [players[0].pk],
        "Szczęsna Małgorzata": [players[1].pk],
        "Somebody Else": [],
    }


def test_a_name_of_two_people_is_ambiguous() -> None:
    season, players = make_season(), make_players(4)
    twin = make_players(1)[0]
    plan = plan_of(season, xlsx(WIDE, wide(DAY, names(players), RIGHT)))

    assert [(q.candidates, q.ambiguous) for q in plan.questions] == [([players[0].pk, twin.pk], True)]


def test_a_name_is_settled_once_for_the_file_and_known_from_then_on() -> None:
    season, players = make_season(), make_players()
    rows = [wide(DAY, ["Dima", *names(players)[1:3], "New Guest"], RIGHT, game=game) for game in (1, 2)]
    content = xlsx(WIDE, *rows)

    written(plan_of(season, content, names={"Dima": players[0].pk, "New Guest": NEW}))

    assert Player.objects.get(native_name="New Guest").seats.count() == 2
    assert players[0].seats.count() == 2
    again = plan_of(season, content)
    assert (again.questions, again.games, again.already) == ([], [], 2)


# --- again, and back --------------------------------------------------------------------------------------


def test_importing_the_same_file_again_changes_nothing() -> None:
    season, players = make_season(), make_players()
    same = wide(DAY, names(players), RIGHT)
    content = xlsx(WIDE, same, same, wide(DAY, names(players)[::-1], RIGHT, game=2))
    written(plan_of(season, content))
    change_hanchan(
        (first := Hanchan.objects.order_by("pk")[0]),
        sheet_of(first).__class__(**{**vars(sheet_of(first)), "comment": "corrected"}),
        version=1,
    )

    again = plan_of(season, content)

    assert Hanchan.objects.count() == 3
    assert (again.games, again.already, again.may_be_written) == ([], 3, False)


def test_games_entered_by_hand_are_not_imported_twice() -> None:
    season, players = make_season(), make_players()
    noon = datetime.datetime(2026, 4, 16, 12, tzinfo=datetime.UTC)
    record_hanchan(season, make_sheet(players, *RIGHT, at=noon))

    plan = plan_of(season, xlsx(WIDE, wide(DAY, names(players), RIGHT)))

    assert (plan.games, plan.already) == ([], 1)


def test_an_import_is_undone_by_voiding_its_games_with_an_event_each() -> None:
    season, players = make_season(), make_players()
    record_hanchan(season, make_sheet(players, *RIGHT))
    before = list(Standing.objects.order_by("player").values())
    content = xlsx(WIDE, wide(DAY, names(players)[::-1], RIGHT), wide(DAY, names(players), RIGHT, game=2))
    batch = written(plan_of(season, content))

    undo(batch)

    assert list(Standing.objects.order_by("player").values()) == before
    assert list(Hanchan.objects.order_by("pk").values_list("status", flat=True)) == ["final", "void", "void"]
    assert HanchanEvent.objects.filter(action="voided").count() == 2
    assert len(plan_of(season, content).games) == 2, "after that the file may come again"


def test_an_import_with_an_edited_game_is_not_undone() -> None:
    season, players = make_season(), make_players()
    batch = written(plan_of(season, xlsx(WIDE, wide(DAY, names(players), RIGHT))))
    game = Hanchan.objects.get()
    change_hanchan(game, make_sheet(players, 46_200, 30_100, 25_700, 18_000), version=1)

    with pytest.raises(Refused, match=str(game.pk)):
        undo(batch)

    assert Hanchan.objects.get().status == "final"


def test_a_plan_made_before_the_rules_of_the_season_changed_is_refused() -> None:
    season, players = make_season(), make_players()
    plan = plan_of(season, xlsx(WIDE, wide(DAY, names(players), RIGHT)))
    Season.objects.filter(pk=season.pk).update(ends_on=datetime.date(2026, 2, 1))

    with pytest.raises(Refused, match="changed meanwhile"):
        written(plan)

    assert not Hanchan.objects.exists()
    assert not ImportBatch.objects.filter(state="done").exists()


def test_two_who_confirm_the_same_file_write_it_once() -> None:
    season, players = make_season(), make_players()
    content = xlsx(WIDE, wide(DAY, names(players), RIGHT))
    one, other = plan_of(season, content), plan_of(season, content)
    written(one)

    with pytest.raises(Refused):
        written(other)

    assert Hanchan.objects.count() == 1


def test_the_headings_of_a_file_are_remembered_for_its_club() -> None:
    season, players = make_season(), make_players()
    written(plan_of(season, xlsx(WIDE, wide(DAY, names(players), RIGHT))))

    assert ImportMapping.objects.get().club == season.club
