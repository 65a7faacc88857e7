"""Merging two player rows that are one person, and undoing exactly that.

The merged player stays as a row with `merged_into`; its pages redirect to the survivor. Histories of games keep the ids
as they were entered: `queries.merges.survivors` returns the current player for such an id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, Player, PlayerMerge, Season, Seat
from ratings.queries.merges import games_together
from ratings.queries.ratings import Moment
from ratings.services.player_rows import KINDS, PlayerRows, save_with_history, seasons_of
from ratings.services.players import refresh_search_text
from ratings.services.ratings import recompute_ratings
from ratings.services.seasons import touch
from ratings.services.standings import refresh_standings

_ = gettext_noop


@dataclass(frozen=True)
class MergePreview:
    """What a merge would do. `together` are the games in which both sat; they forbid the merge."""

    objections: list[Problem]
    together: list[Hanchan]
    moves: list[str]


def preview_merge(merged: Player, survivor: Player) -> MergePreview:
    together = games_together(merged, survivor) if merged != survivor else []
    moves = [line for kind in KINDS for line in kind.describe(merged, survivor)]
    return MergePreview(_objections(merged, survivor, together), together, moves)


def _objections(merged: Player, survivor: Player, together: list[Hanchan]) -> list[Problem]:
    if merged == survivor:
        return [Problem(_("A player cannot be merged with themselves."), code="same_player")]
    for player in (merged, survivor):
        if player.merged_into_id:
            message = _("%(name)s is merged into another player already.")
            return [Problem(message, {"name": player.native_name}, code="merged_already")]
        if player.anonymised_at:
            message = _("%(name)s cannot be merged: the player was anonymised.")
            return [Problem(message, {"name": player.native_name}, code="anonymised")]
    return _in_the_way(merged, survivor, together)


def _in_the_way(merged: Player, survivor: Player, together: list[Hanchan]) -> list[Problem]:
    """Return what shows that they are two people."""
    problems = [problem for kind in KINDS for problem in kind.objections(merged, survivor)]
    if together:
        games = ", ".join(f"{game.pk} ({game.played_on})" for game in together)
        message = _("They sat at one table, so they are two people. Correct or look at these games first: %(games)s.")
        problems.append(Problem(message, {"games": games}, code="sat_together"))
    return problems


@transaction.atomic
def merge_players(merged: Player, survivor: Player, *, by: User | None = None) -> PlayerMerge:
    """Move everything that belongs to `merged` to `survivor`."""
    locked = _lock(merged, survivor)
    merged, survivor = _players(merged, survivor, locked)
    preview = preview_merge(merged, survivor)
    if preview.objections:
        raise Refused(*preview.objections)
    moved = {kind.key: kind.move(merged, survivor, by) for kind in KINDS}
    merged.merged_into = survivor
    save_with_history(merged, by, f"merge {merged.pk} → {survivor.pk}")
    merge = PlayerMerge.objects.create(merged=merged, survivor=survivor, by=by, moved=moved)
    _rederive(locked, (merged, survivor), moved["seats"])
    return merge


def undo_objections(merge: PlayerMerge) -> list[Problem]:
    if merge.undone_at:
        return [Problem(_("This merge is undone already."), code="undone")]
    if merge.survivor.anonymised_at:
        return [Problem(_("The player was anonymised since; the merge stays."), code="anonymised")]
    if merge.survivor.merged_into_id:
        message = _("%(name)s was merged into another player since. Undo that merge first.")
        return [Problem(message, {"name": merge.survivor.native_name}, code="merged_on")]
    return []


@transaction.atomic
def undo_merge(merge: PlayerMerge, *, by: User | None = None) -> None:
    """Move back exactly what the merge moved. Rows added since stay with the survivor."""
    locked = _lock(merge.merged, merge.survivor)
    merged, survivor = _players(merge.merged, merge.survivor, locked)
    merge = PlayerMerge.objects.select_for_update().get(pk=merge.pk)
    merge.merged, merge.survivor = merged, survivor
    if objections := undo_objections(merge):
        raise Refused(*objections)
    for kind in KINDS:
        if kind.key in merge.moved:
            kind.move_back(merged, survivor, merge.moved[kind.key], by)
    merged.merged_into = None
    save_with_history(merged, by, f"undo merge {merged.pk} → {survivor.pk}")
    merge.undone_at, merge.undone_by = timezone.now(), by
    merge.save()
    _rederive(locked, (merged, survivor), merge.moved["seats"])


# --- rows left behind --------------------------------------------------------------------------------------


class LeftBehind(NamedTuple):
    """A row that still belongs to a merged player."""

    kind: PlayerRows
    name: str  # of the model
    pk: int
    merged: Player


def left_behind() -> list[LeftBehind]:
    found: list[LeftBehind] = []
    if not Player.objects.exclude(merged_into=None).exists():
        return found
    for kind in KINDS:
        if kind.model is not None:
            name = str(kind.model._meta.model_name)
            rows = kind.model._default_manager.filter(**{f"{kind.field}__merged_into__isnull": False})
            rows = rows.select_related(f"{kind.field}__merged_into").order_by("pk")
            found += [LeftBehind(kind, name, row.pk, getattr(row, kind.field)) for row in rows]
    return found


@transaction.atomic
def bring_along(merged: Player) -> None:
    """Move the rows that a merged player still has to the survivor, and add them to the merge for its undo."""
    assert merged.merged_into is not None
    locked = _lock(merged, merged.merged_into)
    merged, survivor = _players(merged, merged.merged_into, locked)
    if merged.merged_into_id != survivor.pk:
        return  # the merge was undone in the meantime
    if problems := _in_the_way(merged, survivor, games_together(merged, survivor)):
        raise Refused(*problems)
    moved = {kind.key: kind.move(merged, survivor, None) for kind in KINDS if kind.model is not None}
    merge = PlayerMerge.objects.filter(merged=merged, survivor=survivor, undone_at=None).first()
    if merge is not None:
        for kind in KINDS:
            if kind.key in moved:
                before = merge.moved.get(kind.key)
                merge.moved[kind.key] = kind.joined(before, moved[kind.key]) if before else moved[kind.key]
        merge.save(update_fields=["moved"])
    _rederive(locked, (merged, survivor), moved["seats"])


# --- common to all ----------------------------------------------------------------------------------------


def _lock(*players: Player) -> set[int]:
    seasons = seasons_of(*players)
    touch(seasons)
    return seasons


def _players(first: Player, second: Player, locked: set[int]) -> tuple[Player, Player]:
    """Lock both players and return their current rows. Waits for games that are being entered for them.

    If a game was entered in another season before the rows were locked, Refused asks the user to try again.
    """
    rows = Player.objects.select_for_update().filter(pk__in=[first.pk, second.pk]).order_by("pk")
    now = {row.pk: row for row in rows}
    if not seasons_of(first, second) <= locked:
        raise Refused(Problem(_("A game of these players was entered just now. Try again."), code="try_again"))
    return now[first.pk], now[second.pk]


def _rederive(season_ids: Iterable[int], players: tuple[Player, Player], hanchans: list[int]) -> None:
    """Refresh both players' standings in every season, and recompute ratings from the first game that was moved."""
    people = {player.pk for player in players}
    first: dict[int, Moment] = {}
    seats = Seat.objects.filter(hanchan__in=hanchans, counts=True)
    for season_id, played_at, hanchan_id in seats.values_list("season_id", "played_at", "hanchan_id").order_by():
        moment = Moment(played_at, hanchan_id)
        first[season_id] = min(first.get(season_id, moment), moment)
    for season in Season.objects.filter(pk__in=season_ids).order_by("pk"):
        refresh_standings(season.pk, people)
        if season.pk in first:
            recompute_ratings(season, first[season.pk], people)
    for player in players:
        refresh_search_text(player)
