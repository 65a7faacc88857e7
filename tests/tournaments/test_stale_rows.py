"""Two users work on one event: what one of them wrote stays when the other one saves with older rows."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ratings.mahjong.problems import Refused
from ratings.models import Player
from ratings.services.merging import merge_players
from ratings.services.players import save_player
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Stage, Tournament
from tournaments.services.entries import change_entry, check_in, enter, remove_entry, set_status
from tournaments.services.events import StagePlan, change_event, plan_rounds, set_results_hidden
from tournaments.services.rulings import give_penalty, mark_absent, reinstate, withdraw
from tournaments.services.stages import close_stage, finish_event, open_next_stage
from tournaments.services.tables import record_table

pytestmark = pytest.mark.django_db


def new_player(name: str = "Survivor") -> Player:
    player = Player(native_name=name)
    save_player(player)
    return player


class TestAnEntryReadBefore:
    def test_that_withdraws_keeps_the_team_it_got_meanwhile_in_the_history_too(self, hall: Hall) -> None:
        old, now = hall[1], hall[1]
        now.team = "Reds"
        change_entry(now)

        withdraw(old, hall.stage(), 1, keep_results=True, reason="train")

        assert (hall[1].team, hall[1].status) == ("Reds", "withdrawn")
        assert hall[1].history.latest().team == "Reds"

    def test_that_changes_its_team_does_not_come_back_from_a_withdrawal(self, hall: Hall) -> None:
        old = hall[1]
        withdraw(hall[1], hall.stage(), 1, keep_results=True, reason="train")

        old.team = "Reds"
        change_entry(old)

        assert (hall[1].team, hall[1].status, hall[1].left_round) == ("Reds", "withdrawn", 1)

    def test_does_not_get_a_number_that_was_taken_meanwhile(self, hall: Hall) -> None:
        old = hall[1]
        old.number = 20
        now = hall[2]
        now.number = 20
        change_entry(now)

        with pytest.raises(Refused, match="Number 20 is taken"):
            change_entry(old)

    def test_is_taken_back_once(self, hall: Hall) -> None:
        withdraw(hall[1], hall.stage(), 1, keep_results=True, reason="train")
        old = hall[1]
        reinstate(hall[1], reason="missed it")

        with pytest.raises(Refused, match="has not left"):
            reinstate(old, reason="missed it")

    def test_is_not_made_anew_after_it_was_removed(self, hall: Hall) -> None:
        old = hall[8]
        remove_entry(hall[8])

        for write in (change_entry, check_in, remove_entry):
            with pytest.raises(Refused, match="was removed by another user"):
                write(old)
        assert not Entry.objects.filter(number=8).exists()

    def test_of_a_substitute_who_plays_meanwhile_is_checked_in_as_a_player(self) -> None:
        hall = Hall(3)
        old = hall.add_substitute()
        now = hall[4]
        now.substitute_kind = ""
        change_entry(now)

        check_in(old)

        assert hall[4].status == Entry.Status.CHECKED_IN
        set_status(hall[4], Entry.Status.CONFIRMED)

    def test_of_a_player_merged_meanwhile_goes_on_as_the_survivor(self, hall: Hall) -> None:
        penalised, absent, survivors = hall[1], hall[2], [new_player(), new_player("Another")]
        for old, survivor in zip((penalised, absent), survivors, strict=True):
            assert old.player  # loaded before the merge, as on a page
            merge_players(Player.objects.get(pk=old.player_id), survivor)

        give_penalty(hall.stage(), penalised, 1000, "late", after_round=1)
        mark_absent(hall.round(1), absent)

        assert [survivor.adjustments.count() for survivor in survivors] == [1, 1]

    def test_at_a_table_is_recorded_for_the_survivor(self) -> None:
        hall = Hall(4)
        hall.seat(1, [1, 2, 3, 4])
        table = hall.table()
        facts, survivor = hall.sheet(table), new_player()
        merge_players(hall[1].player, survivor)

        record_table(table, facts)

        assert survivor.seats.count() == 1


class TestAnEventReadBefore:
    def test_that_hides_its_results_keeps_the_settings_of_somebody_else(self, hall: Hall) -> None:
        old, now = Tournament.objects.get(), Tournament.objects.get()
        now.capacity = 40
        change_event(now)

        set_results_hidden(old, True)

        stored = Tournament.objects.get()
        assert (stored.capacity, stored.results_hidden) == (40, True)
        assert hall.stage().season.results_public is False

    def test_whose_settings_are_saved_stays_finished(self) -> None:
        Hall(stages=[StagePlan("Main", 0)])
        old = Tournament.objects.get()
        finish_event(Tournament.objects.get())

        change_event(old)

        assert Tournament.objects.get().finished_at

    def test_whose_stage_is_renamed_keeps_it_open_and_closed(self) -> None:
        hall = Hall(4, stages=[StagePlan("Main", 0), StagePlan("Final", 0)])
        first, second = hall.stage(1), hall.stage(2)
        open_next_stage(hall.stage(1))

        for stage in (first, second):
            stage.name += " stage"
            plan_rounds(stage, 0)
        close_stage(second)

        stored = [
            (stage.name, stage.opened_at is not None, stage.closed_at is not None) for stage in Stage.objects.all()
        ]
        assert stored == [("Main stage", True, True), ("Final stage", True, True)]


class TestAPlayerMergedAway:
    def test_is_not_entered(self) -> None:
        hall, player, survivor = Hall(0), new_player("Written twice"), new_player()
        merge_players(player, survivor)

        with pytest.raises(Refused, match="was merged into another player"):
            enter(hall.tournament, player)

    def test_loses_an_entry_that_an_older_version_left_there(self) -> None:
        hall, survivor = Hall(2), new_player()
        merged = hall[1].player
        merge_players(merged, survivor)
        Entry.objects.filter(number=1).update(player=merged)

        with pytest.raises(CommandError):
            call_command("rebuild", check=True, stdout=(said := StringIO()))
        call_command("rebuild", stdout=StringIO())

        assert f"entry {hall[1].pk}: player is {merged.pk}, must be {survivor.pk}" in said.getvalue()
        assert hall[1].player == survivor
        assert hall[1].history.latest().player_id == survivor.pk

    def test_keeps_it_where_both_are_entered_and_people_are_asked(self) -> None:
        hall, survivor = Hall(2), new_player()
        merged = hall[1].player
        merge_players(merged, survivor)
        Entry.objects.filter(number=1).update(player=merged)
        enter(hall.tournament, survivor)

        with pytest.raises(CommandError, match="Both are entered in Open"):
            call_command("rebuild", stdout=StringIO())
