"""The rows that belong to a player, and that move to another player when two players are merged.

Each kind of rows is one `PlayerRows`; those of `ratings` are below. A kind must never be removed, because undoing an
old merge needs what the kind wrote into the log. An upper app registers its kinds in its `AppConfig.ready()`:

    from ratings.services.player_rows import register
    register(Entries())

`merging` and `anonymising` call the kinds within their own transaction, with the seasons from `seasons` locked.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext, ngettext

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Adjustment, Affiliation, Alias, Hanchan, Player, Seat, Standing

_ = gettext_noop


class PlayerRows:
    """One kind of rows that belong to players. Override the methods that the kind needs."""

    key: str  # the kind's name in the log of merges; it must never change
    model: type[Model] | None = None  # no row of it may stay with a merged player; `field` names the player's column
    field = "player"

    def seasons(self, player_ids: list[int]) -> set[int]:
        """Return the seasons whose numbers or pages depend on these rows. They are locked, and their pages outdated."""
        return set()

    def objections(self, merged: Player, survivor: Player) -> list[Problem]:
        """Return what forbids merging the two players."""
        return []

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        """Return what would move, in words, for the confirmation page."""
        return []

    def move(self, merged: Player, survivor: Player, by: User | None) -> Any:
        """Move all rows. Return what `move_back` needs to move exactly these rows back, as a JSON value."""
        raise NotImplementedError

    def move_back(self, merged: Player, survivor: Player, moved: Any, by: User | None) -> None:
        raise NotImplementedError

    def joined(self, moved: Any, more: Any) -> Any:
        """Join what the merge moved and what was moved later into one value for `move_back`."""
        return [*moved, *more]

    def erase(self, player: Player) -> None:
        """Remove what identifies the player from these rows (anonymising). Free texts are found elsewhere."""


class SeatRows(PlayerRows):
    """Seats. The log stores the ids of games, because correcting a game creates its seats again with other ids.

    The version of each game is raised, so that a user who is correcting one of the games sees the conflict.
    """

    key = "seats"
    model = Seat

    def seasons(self, player_ids: list[int]) -> set[int]:
        seats = Seat.objects.filter(**{f"{self.field}__in": player_ids})
        return set(seats.values_list("season_id", flat=True).distinct().order_by())

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        count = Seat.objects.filter(**{self.field: merged}).count()
        return [self._words(count) % {"count": count}] if count else []

    def _words(self, count: int) -> str:
        return ngettext("%(count)d game", "%(count)d games", count)

    def move(self, merged: Player, survivor: Player, by: User | None) -> list[int]:
        seats = Seat.objects.filter(**{self.field: merged})
        hanchans = list(seats.order_by("hanchan_id").values_list("hanchan_id", flat=True))
        self._hand_over(hanchans, merged, survivor)
        return hanchans

    def move_back(self, merged: Player, survivor: Player, moved: list[int], by: User | None) -> None:
        self._hand_over(moved, survivor, merged)

    def _hand_over(self, hanchans: list[int], giver: Player, taker: Player) -> None:
        Seat.objects.filter(hanchan__in=hanchans, **{self.field: giver}).update(**{self.field: taker})
        Hanchan.objects.filter(pk__in=hanchans).update(version=F("version") + 1)


class SeatsForOthers(SeatRows):
    """Seats that the player played as a substitute for another player."""

    key = "seats_for_others"
    field = "played_by"

    def _words(self, count: int) -> str:
        return ngettext("%(count)d game as a substitute", "%(count)d games as a substitute", count)


class Adjustments(PlayerRows):
    key = "adjustments"
    model = Adjustment

    def seasons(self, player_ids: list[int]) -> set[int]:
        adjustments = Adjustment.objects.filter(player__in=player_ids)
        standings = Standing.objects.filter(player__in=player_ids)
        return {season for rows in (adjustments, standings) for season in rows.values_list("season_id", flat=True)}

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        count = merged.adjustments.count()
        words = ngettext("%(count)d penalty or adjustment", "%(count)d penalties and adjustments", count)
        return [words % {"count": count}] if count else []

    def move(self, merged: Player, survivor: Player, by: User | None) -> list[int]:
        rows = list(merged.adjustments.order_by("pk"))
        for row in rows:
            row.player = survivor
            save_with_history(row, by, f"merge {merged.pk} → {survivor.pk}")
        return [row.pk for row in rows]

    def move_back(self, merged: Player, survivor: Player, moved: list[int], by: User | None) -> None:
        for row in survivor.adjustments.filter(pk__in=moved):
            row.player = merged
            save_with_history(row, by, f"undo merge {merged.pk} → {survivor.pk}")


class Affiliations(PlayerRows):
    """Clubs of the player. If both players have the same club, the survivor's row stays.

    The survivor becomes a regular there if one of the two was a regular.
    """

    key = "affiliations"
    model = Affiliation

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        own = set(survivor.affiliations.values_list("club_id", flat=True))
        clubs = [row.club.name for row in merged.affiliations.select_related("club") if row.club_id not in own]
        return [gettext("the club %(name)s") % {"name": name} for name in clubs]

    def move(self, merged: Player, survivor: Player, by: User | None) -> dict[str, Any]:
        reason = f"merge {merged.pk} → {survivor.pk}"
        own = {row.club_id: row for row in survivor.affiliations.all()}
        moved, dropped, raised = [], [], []
        for row in merged.affiliations.order_by("pk"):
            mine = own.get(row.club_id)
            if mine is None:
                row.player = survivor
                save_with_history(row, by, reason)
                moved.append(row.pk)
                continue
            if row.kind == Affiliation.Kind.REGULAR and mine.kind == Affiliation.Kind.GUEST:
                mine.kind = Affiliation.Kind.REGULAR
                save_with_history(mine, by, reason)
                raised.append(mine.pk)
            dropped.append({"pk": row.pk, "club_id": row.club_id, "kind": row.kind})
            set_history(row, by, reason)
            row.delete()
        return {"moved": moved, "dropped": dropped, "raised": raised}

    def move_back(self, merged: Player, survivor: Player, moved: dict[str, Any], by: User | None) -> None:
        reason = f"undo merge {merged.pk} → {survivor.pk}"
        for row in survivor.affiliations.filter(pk__in=moved["moved"]):
            row.player = merged
            save_with_history(row, by, reason)
        for row in survivor.affiliations.filter(pk__in=moved["raised"]):
            row.kind = Affiliation.Kind.GUEST
            save_with_history(row, by, reason)
        for columns in moved["dropped"]:
            row = Affiliation(player=merged, **columns)
            set_history(row, by, reason)
            row.save(force_insert=True)
        self._welcome_again(survivor, by, reason)

    def joined(self, moved: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
        """Join both values so that undo restores each club only once."""
        clubs = {row["club_id"] for row in moved["dropped"]}
        clubs |= set(Affiliation.objects.filter(pk__in=moved["moved"]).values_list("club_id", flat=True))
        dropped = [row for row in more["dropped"] if row["club_id"] not in clubs]
        both = {name: [*moved[name], *more[name]] for name in ("moved", "raised")}
        return {**both, "dropped": [*moved["dropped"], *dropped]}

    def _welcome_again(self, player: Player, by: User | None, reason: str) -> None:
        """Make the player at least a guest of every club where they played, also if only after the merge."""
        seats = Seat.objects.filter(Q(player=player) | Q(played_by=player), counts=True)
        clubs = set(seats.values_list("season__club_id", flat=True).distinct().order_by())
        for club in sorted(clubs - set(player.affiliations.values_list("club_id", flat=True))):
            save_with_history(Affiliation(player=player, club_id=club), by, reason)


class Aliases(PlayerRows):
    """Other spellings of names. The merged player's own names become aliases of the survivor."""

    key = "aliases"

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        names = [*self._new_names(merged, survivor), *(alias.name for alias in self._moving(merged, survivor))]
        return [gettext("the name “%(name)s”, as an alias") % {"name": name} for name in names]

    def _moving(self, merged: Player, survivor: Player) -> QuerySet[Alias]:
        own = survivor.aliases.values_list("name", flat=True)
        return merged.aliases.exclude(name__in=list(own)).order_by("pk")

    def _new_names(self, merged: Player, survivor: Player) -> list[str]:
        known = {survivor.native_name, survivor.latin_name, survivor.nickname, ""}
        known |= set(survivor.aliases.values_list("name", flat=True))
        names = (merged.native_name, merged.latin_name, merged.nickname)
        return [name for name in dict.fromkeys(names) if name not in known]

    def move(self, merged: Player, survivor: Player, by: User | None) -> dict[str, list[int]]:
        moved = list(self._moving(merged, survivor).values_list("pk", flat=True))
        Alias.objects.filter(pk__in=moved).update(player=survivor)
        names = self._new_names(merged, survivor)
        made = [Alias.objects.create(player=survivor, name=name).pk for name in names]
        return {"moved": moved, "made": made}

    def move_back(self, merged: Player, survivor: Player, moved: dict[str, list[int]], by: User | None) -> None:
        survivor.aliases.filter(pk__in=moved["made"]).delete()
        survivor.aliases.filter(pk__in=moved["moved"]).update(player=merged)

    def erase(self, player: Player) -> None:
        player.aliases.all().delete()


KINDS: list[PlayerRows] = [SeatRows(), SeatsForOthers(), Adjustments(), Affiliations(), Aliases()]


def register(kind: PlayerRows) -> None:
    if any(known.key == kind.key for known in KINDS):
        raise ValueError(f"player rows {kind.key!r} are registered twice")
    KINDS.append(kind)


def seasons_of(*players: Player) -> set[int]:
    """Return every season that shows something about these players."""
    ids = [player.pk for player in players]
    return {season for kind in KINDS for season in kind.seasons(ids)}


def set_history(row: Any, by: User | None, reason: str) -> None:
    """Set the user and the reason for the history row that the next save or delete writes."""
    row._change_reason = reason
    if by is not None:
        row._history_user = by


def settings_of(model: type[Model], *but: str) -> list[str]:
    """Return the columns that forms change. Columns that are not editable are written by services only."""
    return [each.name for each in model._meta.concrete_fields if each.editable and each.name not in ("id", *but)]


def freshen(row: Any, *but: str) -> None:
    """Read the row from the database again, except these columns. Call it under the lock, before you decide anything.

    Related objects that are already loaded are kept unless their ids changed.
    """
    columns = [each for each in row._meta.concrete_fields if not each.primary_key and each.name not in but]
    stored = type(row)._base_manager.filter(pk=row.pk).values(*(each.attname for each in columns)).first()
    if stored is None:
        raise Refused(Problem(_("This was removed by another user. Reload the page."), code="gone"))
    for name, value in stored.items():
        if getattr(row, name) != value:
            setattr(row, name, value)


def save_with_history(row: Any, by: User | None, reason: str, *fields: str) -> None:
    """Save `fields` of the row. Without `fields`, save the whole row: only for a row the caller created or read itself.

    The other columns keep what was written since the row was read, also in the history row.
    """
    if fields:
        freshen(row, *fields)
    set_history(row, by, reason)
    row.save(update_fields=fields or None)
