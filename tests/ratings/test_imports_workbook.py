"""The round trip of our own workbook: exported, imported into an empty club, exported again; the values are equal."""

from __future__ import annotations

import datetime
import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ratings import rights
from ratings.imports.games import GAMES
from ratings.imports.kinds import Choices
from ratings.imports.read import open_file
from ratings.mahjong.names import folded, objection_to_name
from ratings.models import Adjustment, Affiliation, Alias, Club, Hanchan, ImportBatch, Player, RuleSet, Season, Standing
from ratings.queries import previews
from ratings.services.adjustments import give, revoke
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.players import refresh_search_text
from ratings.services.rulesets import as_file
from ratings.workbooks import season as workbook
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user
from tests.ratings.books import SAME, cells, exported
from tests.ratings.importing import make_plan, write_plan

pytestmark = pytest.mark.django_db

RIGHT = [45_200, 31_100, 25_700, 18_000]


def full_season() -> Season:
    """A season with a game of every kind, of two versions of its rules."""
    season = make_season(make_club(time_zone="Europe/Minsk"), formula="elo", initial_rating=1_500_000)
    players = make_players(6)
    user = make_user("referee", season.club, "referee")
    players[0].visibility, players[0].ema_number = Player.Visibility.HIDDEN, "04270001"
    players[0].remark = "the elder"
    players[0].save()
    Alias.objects.create(player=players[1], name="=Gosia")
    refresh_search_text(players[1])
    record_hanchan(season, make_sheet(players[:4], *RIGHT, table=3, comment="-first"), by=user)
    second = as_file(season.rule_set)
    season.rule_set = RuleSet.objects.create(
        club=season.club,
        slug=season.rule_set.slug,
        version=2,
        **{**second.write(), "name": second.name, "notes": {"start_points": "+ as before"}},
    )
    season.save()
    hour = datetime.timedelta(hours=1, seconds=7)
    east: dict[str, Any] = {"chombo": 1, "penalty": 500, "substitute": "from_start", "played_by": players[5].pk}
    record_hanchan(season, make_sheet(players[1:5], *RIGHT, at=THURSDAY + hour, east=east))
    record_hanchan(season, make_sheet(players[:4], 1000, 2000, 3000, 4000, at=THURSDAY - hour), draft=True)
    record_hanchan(season, make_sheet(players[:4], 45_200, 31_100, 25_700, 17_000, override="lost", sticks_left=0))
    void = record_hanchan(season, make_sheet(players[:4], 44_200, 31_100, 25_700, 18_000, sticks_left=1))
    void_hanchan(void, version=1, reason="twice")
    give(season, players[0], Adjustment.Kind.PENALTY, -8_000, "@late", by=user, on=THURSDAY.date(), round_number=2)
    revoke(give(season, players[2], Adjustment.Kind.BONUS, 1_500, "cake", on=THURSDAY.date()), reason="no cake")
    return season


def test_a_season_comes_back_as_it_was_exported() -> None:
    first = exported(full_season())
    club = make_club("Empty", time_zone="Europe/Minsk")
    make_user("second", club, "referee")
    club.memberships.create(user_id=Season.objects.get().club.memberships.get().user_id, role="referee")

    plan = make_plan(club, None, open_file(first, "spring.xlsx"), Choices())
    assert [problem.sentence() for problem in plan.findings.wrong] == []
    write_plan(plan, ImportBatch.objects.create(club=club, file_name="spring.xlsx"))

    second = exported(Season.objects.get(club=club))
    for name in SAME:
        assert cells(second, name) == cells(first, name), name


def test_a_workbook_makes_no_regular_of_another_clubs_player() -> None:
    season = full_season()
    Affiliation.objects.filter(club=season.club).update(kind="regular")
    club = make_club("Empty", time_zone="Europe/Minsk")
    admin, batch = make_user("admin", club, "admin"), ImportBatch.objects.create(club=club, file_name="spring.xlsx")
    plan = make_plan(club, None, open_file(exported(season), "spring.xlsx"), Choices(), by=admin)
    write_plan(plan, batch, by=admin)

    there = Affiliation.objects.filter(club=club)
    assert set(there.values_list("kind", flat=True)) == {"guest"}
    assert not any(rights.may_edit_player(admin, row.player) for row in there)


WORD = st.sampled_from(["ёжЖяЮщґїў", "łŻźćąęÓń", "佐藤健さタ々美", "אבגדשתל", "ابتثليم", "abzXYZ'-.=+@"]).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=9)
)
TEXT = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
NAME = TEXT.filter(lambda text: objection_to_name(text) is None)


@settings(max_examples=12, deadline=None)
@given(names=st.lists(NAME, min_size=4, max_size=4, unique_by=folded), comment=TEXT | st.just(""), late=TEXT)
@example(names=["=1+1", "'=1", "-Олег", "@Żaba"], comment="+ 健", late="=HYPERLINK()")
def test_a_season_of_any_names_comes_back_as_it_was_exported(names: list[str], comment: str, late: str) -> None:
    with transaction.atomic():
        season, players = make_season(make_club("Any")), make_players()
        for player, name in zip(players, names, strict=True):
            player.native_name, player.latin_first, player.latin_last = name, "", ""
            player.save()
            refresh_search_text(player)
        record_hanchan(season, make_sheet(players, *RIGHT, comment=comment))
        give(season, players[0], Adjustment.Kind.PENALTY, -8_000, late, on=THURSDAY.date())
        first = exported(season)
        Player.objects.update(native_name="gone", search_text="")  # so that no player of the file is known
        club = make_club("Empty")

        plan = make_plan(club, None, open_file(first, "any.xlsx"), Choices())
        assert [problem.sentence() for problem in plan.findings.wrong] == []
        write_plan(plan, ImportBatch.objects.create(club=club, file_name="any.xlsx"))
        second = exported(Season.objects.get(club=club))
        for name in SAME:
            assert cells(second, name) == cells(first, name), name
        transaction.set_rollback(True)


def test_importing_our_workbook_again_or_where_it_came_from_changes_nothing() -> None:
    season = full_season()
    content = exported(season)
    club = make_club("Empty", time_zone="Europe/Minsk")
    write_plan(
        make_plan(club, None, open_file(content, "spring.xlsx"), Choices()),
        ImportBatch.objects.create(club=club, file_name="spring.xlsx"),
    )

    for target in (Season.objects.get(club=club), season):
        target = Season.objects.select_related("club", "rule_set").get(pk=target.pk)
        again = make_plan(target.club, target, open_file(content, "spring.xlsx"), Choices())
        assert (again.games, again.adjustments, again.findings.wrong) == ([], [], [])
        assert again.already == 7


def test_the_preview_counts_penalties_of_the_file_as_the_import_will() -> None:
    content = exported(full_season())
    club = make_club("Empty", time_zone="Europe/Minsk")
    plan = make_plan(club, None, open_file(content, "spring.xlsx"), Choices())
    preview = {move.player_id: (move.rank_after, move.value_after) for move in GAMES.summary(plan).moves}

    season = write_plan(plan, ImportBatch.objects.create(club=club, file_name="spring.xlsx")).season

    assert season is not None
    after = previews.standing_rows(season)
    assert any(row.adjustments for row in after.values())
    found = {move.player_id: (move.rank_after, move.value_after) for move in previews.compare(season, {}, after)}
    assert preview == found


def test_the_preview_of_a_season_by_sums_counts_them_too() -> None:
    season, players = make_season(), make_players()
    record_hanchan(season, make_sheet(players, *RIGHT))
    give(season, players[0], Adjustment.Kind.PENALTY, -80_000, "late", on=THURSDAY.date())
    content = exported(season)
    club = make_club("Empty")

    moves = GAMES.summary(make_plan(club, None, open_file(content, "spring.xlsx"), Choices())).moves

    assert [move.player_id for move in moves if move.rank_after == 4] == [players[0].pk]


def test_a_strangers_copy_with_hidden_players_cannot_be_imported() -> None:
    season = full_season()
    file = io.BytesIO()
    workbook.write(season, file, sees_hidden=False)

    plan = make_plan(make_club("Empty"), None, open_file(file.getvalue(), "spring.xlsx"), Choices())

    assert "hidden_player" in {problem.code for problem in plan.findings.wrong}


def test_other_rules_under_the_same_address_are_told() -> None:
    season = full_season()
    content = exported(season)
    club = make_club("Empty")
    RuleSet.objects.create(
        club=club,
        slug=season.rule_set.slug,
        name="Ours",
        version=1,
        parameters={**season.rule_set.parameters, "start_points": 25_000},
    )

    plan = make_plan(club, None, open_file(content, "spring.xlsx"), Choices())

    assert plan.findings.wrong[0].code == "other_rules"
    assert not plan.may_be_written


# --- from the shell ---------------------------------------------------------------------------------------


def test_the_command_shows_first_and_imports_then(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spring.xlsx"
    file.write_bytes(exported(full_season()))
    make_club("Empty", time_zone="Europe/Minsk")
    before = Hanchan.objects.count()

    call_command("import_games", str(file), season="empty/", dry_run=True)
    assert "5 games, 2 penalties, 0 new players" in capsys.readouterr().out
    assert (Hanchan.objects.count(), Season.objects.filter(club__slug="empty").count()) == (before, 0)

    call_command("import_games", str(file), season="empty/")
    assert "Imported 5 games and 2 penalties" in capsys.readouterr().out
    slug = Season.objects.get(club__slug="empty").slug
    call_command("import_games", str(file), season=f"empty/{slug}")
    assert "There is nothing new in the file." in capsys.readouterr().out
    assert Hanchan.objects.count() == 2 * before


def test_the_command_lists_what_is_wrong_and_stores_nothing(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    season = make_season()
    file = tmp_path / "old.csv"
    file.write_text("Round,Table,Player,Wind,Points,Penalties\n1,1,Ann,E,many,\n")

    with pytest.raises(CommandError, match="put right what is listed"):
        call_command("import_games", str(file), season=f"{season.club.slug}/{season.slug}", date=THURSDAY.date())

    said = capsys.readouterr().err
    assert "row 2, column E: “many” is text, not a number." in said
    assert "“Ann” is not a known player" in said
    assert not ImportBatch.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("where", ["nowhere/x", "furiten/nothing"])
def test_the_command_knows_where_to(where: str, tmp_path: Any) -> None:
    Club.objects.create(name="Furiten", slug="furiten")
    with pytest.raises(CommandError, match="There is no"):
        call_command("import_games", str(tmp_path / "x.csv"), season=where)
    assert not Standing.objects.exists()
