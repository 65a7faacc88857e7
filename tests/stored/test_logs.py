"""What logs store about rows that changed: merges, changes of a season's rules, what was told at the desk.

`logs.json` holds what was stored in November 2026; a text in angle brackets is the id of the row it names.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.mahjong import scoring
from ratings.models import Adjustment, Affiliation, Alias, Hanchan, Player, PlayerMerge, Seat
from ratings.queries.history import season_happenings
from ratings.services import adjustments
from ratings.services.hanchans import record_hanchan
from ratings.services.merging import merge_players, undo_merge
from ratings.services.replay import apply_from_now_on, replay_season
from tests.cast import make_club, make_players, make_rule_set, make_season, make_sheet
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Ruling
from tournaments.queries.log import referees_log
from tournaments.services.entries import enter
from tournaments.services.incidents import Incident, report

pytestmark = pytest.mark.django_db
STORED: dict[str, Any] = json.loads((Path(__file__).parent / "logs.json").read_text(encoding="utf-8"))
POINTS = (45_200, 31_100, 25_700, 18_000)


def filled(value: Any, ids: dict[str, int]) -> Any:
    """A stored value with the ids of this test's rows."""
    if isinstance(value, dict):
        return {name: filled(each, ids) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, ids) for each in value]
    return ids[value[1:-1]] if isinstance(value, str) and value.startswith("<") else value


class Double:
    """A player with two rows, each with something of every kind that a merge moves; and the ids of what moves."""

    def __init__(self) -> None:
        hall = Hall(0)
        self.club = hall.tournament.club
        season = make_season(self.club)
        *others, self.merged, self.survivor = [*make_players(4), *self._two_rows()]
        regular, guest = Affiliation.Kind.REGULAR, Affiliation.Kind.GUEST
        for_another = make_sheet(others, *POINTS, east={"substitute": scoring.MID_GAME, "played_by": self.merged.pk})
        self.ids = {
            "game": record_hanchan(season, make_sheet([self.merged, *others[1:]], *POINTS)).pk,
            "game as a substitute": record_hanchan(season, for_another).pk,
            "penalty": adjustments.give(season, self.merged, Adjustment.Kind.PENALTY, -5_000, "Late").pk,
            "club": self.club.pk,
            "club of one": self._joins(self.merged, regular, make_club("Haneman")),
            "club of both": self._joins(self.merged, regular, self.club),
            "kept": self._joins(self.survivor, guest, self.club),
            "nickname": Alias.objects.create(player=self.merged, name="Dima").pk,
            "entry": enter(hall.tournament, self.merged).pk,
        }

    def _two_rows(self) -> list[Player]:
        names = [{"native_name": "Дима", "latin_first": "Dima", "latin_last": "S."}, {"native_name": "Д. Соколов"}]
        return [Player.objects.create(**each) for each in names]

    def _joins(self, player: Player, kind: str, club: Any) -> int:
        return Affiliation.objects.update_or_create(player=player, club=club, defaults={"kind": kind})[0].pk

    def aliases(self) -> dict[str, int]:
        made = Alias.objects.filter(player=self.survivor).exclude(pk=self.ids["nickname"]).order_by("pk")
        return dict(zip(("native name", "latin name"), (alias.pk for alias in made), strict=True))

    def rows(self, player: Player) -> dict[str, list[Any]]:
        return {
            "seats": list(Seat.objects.filter(player=player).values_list("hanchan", flat=True)),
            "seats for others": list(Seat.objects.filter(played_by=player).values_list("hanchan", flat=True)),
            "adjustments": list(player.adjustments.values_list("pk", flat=True)),
            "clubs": list(player.affiliations.order_by("club").values_list("club", "kind")),
            "aliases": list(player.aliases.values_list("name", flat=True)),
            "entries": list(Entry.objects.filter(player=player).values_list("pk", flat=True)),
        }


def test_a_merge_is_stored_as_it_was_and_undone_from_what_was_stored() -> None:
    double = Double()
    before = [double.rows(player) for player in (double.merged, double.survivor)]
    merge = merge_players(double.merged, double.survivor)
    stored = filled(STORED["merge"], double.ids | double.aliases())
    assert merge.moved == stored

    PlayerMerge.objects.update(moved=stored)
    undo_merge(PlayerMerge.objects.get())

    assert [double.rows(player) for player in (double.merged, double.survivor)] == before
    assert all(before[0].values()), "a kind of rows was not tried"


@pytest.mark.parametrize("key", ["rules from now on", "replay"])
def test_a_change_of_rules_is_stored_and_told_as_it_was(key: str) -> None:
    season = make_season()
    record_hanchan(season, make_sheet(make_players(4), 45_000, 31_000, 26_000, 18_000))
    newer = make_rule_set(season.club, "ema-2016", start_points=25_000, target_points=25_000)
    apply = apply_from_now_on if key == "rules from now on" else replay_season
    event = apply(season, newer)
    stored = filled(STORED[key], {"old rules": season.rule_set_id, "new rules": newer.pk})
    assert event.details == stored

    season.events.update(details=stored)

    (told,) = season_happenings(season)
    assert [change.new for change in told.changes][:1] == ["EMA 2016, version 1"]


def test_what_was_told_at_the_desk_is_stored_and_shown_as_it_was() -> None:
    hall = Hall()
    substitute = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    report(hall.table(), hall[1], Incident(scoring.MID_GAME, substitute, 12))
    ruling = Ruling.objects.get(kind=Ruling.Kind.AT_DESK)
    assert ruling.details == STORED["told at the desk"]

    Ruling.objects.update(details=STORED["told at the desk"])

    (line,) = [line for line in referees_log(hall.tournament) if line.kind == Ruling.Kind.AT_DESK]
    assert (line.substitute, line.amount) == (substitute, 12)
    assert Hanchan.objects.count() == 0
