"""Imports a list of players into a club: adds new players, completes known ones, and can undo all of it.

A known player is completed, never overwritten: if the file differs, that is noted and the player stays as before. Gaps
are filled only for players whom the importing member may edit; other players only become guests of the club.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings import rights
from ratings.imports.columns import ImportColumn
from ratings.imports.kinds import Report
from ratings.imports.own_rows import PLAYER_COLUMNS
from ratings.imports.people import PeopleImport, PeoplePlan, lock_players, make_player, names_of
from ratings.imports.person_rows import FilePerson, PersonForm, one_of
from ratings.mahjong.names import folded
from ratings.mahjong.problems import Problem, gettext_noop
from ratings.models import Affiliation, Alias, Club, ImportBatch, ImportedRow, Player
from ratings.services.holds import hold_players
from ratings.services.player_rows import save_with_history, seasons_of, set_history
from ratings.services.players import forget_player, is_used, refresh_search_text, was_edited
from ratings.services.seasons import touch

_ = gettext_noop

Kind = Affiliation.Kind

COLUMNS = (
    ImportColumn(
        "kind",
        _("regular or guest"),
        (
            *("in the club", "regular guest", "regular or guest", "kind", "membership", "в клубе", "постоянный гость"),
            *("w klubie", "im verein", "会員"),
        ),
        one_of(
            {
                "regular": "regular|regulars|member|yes|постоянный|член клуба|постійний|stały|członek|mitglied|会員",
                "guest": "guest|visitor|no|гость|гість|gość|gast|ゲスト",
            },
            _("“%(value)s” is neither regular nor guest."),
            "bad_kind",
        ),
    ),
    ImportColumn(
        "visibility",
        _("shown as"),
        ("shown as",),
        one_of(
            {"full": "full|full name", "nickname": "nickname|nickname only", "hidden": "hidden"},
            _("“%(value)s” is none of full, nickname and hidden."),
            "bad_visibility",
        ),
    ),
)


@dataclass(frozen=True)
class PlayerRow:
    """What one row becomes: a new player, or what is added to a known player."""

    person: FilePerson
    player: Player | None
    filled: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    kind: str = ""  # of the affiliation to be made, or the new kind of a guest
    settled: bool = False  # the user was asked who this is, and answered

    @property
    def makes_guest(self) -> bool:
        return self.kind == Kind.GUEST

    @property
    def changes(self) -> bool:
        return self.player is None or bool(self.filled or self.aliases or self.kind or self.settled)

    @property
    def gains(self) -> str:
        """What a known player gains, in words."""
        labels = {column.into: column.label for column in PlayersImport.people.columns}
        told = []
        for name, value in self.filled.items():
            label = gettext(labels[name])
            told.append(f"{label}: {value}")
        told += [gettext("also called “%(name)s”") % {"name": name} for name in self.aliases]
        if self.kind:
            told.append(gettext("regular of the club") if self.kind == Kind.REGULAR else gettext("guest of the club"))
        return "; ".join(told) or gettext("as you chose")


@dataclass(kw_only=True)
class PlayersPlan(PeoplePlan):
    rows: list[PlayerRow] = field(default_factory=list)

    @property
    def new(self) -> list[PlayerRow]:
        return [row for row in self.rows if row.player is None]

    @property
    def completed(self) -> list[PlayerRow]:
        return [row for row in self.rows if row.player and row.changes]

    @property
    def already(self) -> int:
        return sum(not row.changes for row in self.rows)

    @property
    def has_something(self) -> bool:
        return any(row.changes for row in self.rows)

    @property
    def counts(self) -> list[tuple[str, int]]:
        return [
            (gettext("New players"), len(self.new)),
            (gettext("Known players with new details"), len(self.completed)),
            (gettext("Known already"), self.already),
        ]


class PlayersImport(PeopleImport[PlayersPlan]):
    key = "players"
    label = gettext_lazy("players")
    people = PersonForm(key, COLUMNS)
    forms = (people,)
    plan_class = PlayersPlan
    own_sheets = {"umaoka_players": PLAYER_COLUMNS}
    rows_template = "ratings/imports/player_rows.html"

    def plan_rows(self, plan: PlayersPlan, batch: ImportBatch, by: User | None) -> None:
        known = [player.pk for player in plan.persons.known.values() if player]
        kinds = dict(Affiliation.objects.filter(club=plan.club, player__in=known).values_list("player_id", "kind"))
        aliases: dict[int, set[str]] = {}
        for pk, name in Alias.objects.filter(player__in=known).values_list("player_id", "name"):
            aliases.setdefault(pk, set()).add(name)
        for person in plan.reading.people:
            player = plan.persons.known[person.key]
            if player is None:
                plan.rows.append(PlayerRow(person, None, kind=person["kind"] or Kind.REGULAR))
            else:
                mine = aliases.get(player.pk, set())
                plan.rows.append(_completed(plan, person, player, kinds.get(player.pk, ""), mine, by))

    def lock(self, plan: PlayersPlan, batch: ImportBatch) -> None:
        touch(seasons_of(*(row.player for row in plan.completed if row.player and row.filled)))
        Club.objects.select_for_update().get(pk=plan.club.pk)

    def refuse_changed(self, plan: PlayersPlan) -> None:
        """Locks the known players in order of id, so that imports cannot deadlock; refuses merged or removed ones."""
        known = [row.player.pk for row in plan.rows if row.changes and row.player]
        list(Player.objects.select_for_update().filter(pk__in=known).order_by("pk").values_list("pk", flat=True))
        hold_players(known)
        super().refuse_changed(plan)

    def store(
        self, plan: PlayersPlan, batch: ImportBatch, *, by: User | None, reason: str, report: Report | None
    ) -> list[ImportedRow]:
        rows = [_write(plan.club, row, batch, by, reason[:100]) for row in plan.rows if row.changes]
        batch.people = len(rows)
        return rows

    def result(self, batch: ImportBatch) -> str:
        words = ngettext("%(count)s player was imported.", "%(count)s players were imported.", batch.people)
        return words % {"count": batch.people}

    def touched(self, batch: ImportBatch) -> list[Problem]:
        rows = batch.rows.exclude(player=None).select_related("player")
        touched = [row.player.native_name for row in rows if row.player and _is_touched(row, row.player)]
        if not touched:
            return []
        message = _(
            "Players of this import played or were changed since, so it cannot be undone as a whole: %(names)s."
        )
        return [Problem(message, {"names": names_of(touched)}, code="edited")]

    def lock_to_undo(self, batch: ImportBatch) -> None:
        Club.objects.select_for_update().get(pk=batch.club_id)
        lock_players(batch)

    def take_back(self, batch: ImportBatch, *, by: User | None, reason: str) -> None:
        """Removes the new players, and removes from known players what the import gave them."""
        rows = list(batch.rows.exclude(player=None).select_related("player"))
        touch(seasons_of(*(row.player for row in rows if row.player and row.made.get("filled"))))
        for row in rows:
            assert row.player is not None
            if row.made.get("player"):
                forget_player(row.player)
            else:
                _take_back(row.player, row.made, by, reason[:100])

    def undone(self) -> str:
        return gettext("The import is undone: the players it added are removed.")

    def undo_words(self) -> str:
        return gettext(
            "New players are removed and known ones lose what this file added, as long as none of them has "
            "played or been changed since. The file can be imported again afterwards."
        )


def _completed(
    plan: PlayersPlan, person: FilePerson, player: Player, here: str, aliases: set[str], by: User | None
) -> PlayerRow:
    kind = "" if here == Kind.REGULAR or (here and person["kind"] != Kind.REGULAR) else person["kind"] or Kind.REGULAR
    if here == Kind.REGULAR and person["kind"] == Kind.GUEST:
        plan.findings.note(person.place, _("%(name)s is a regular of the club and stays one."), name=player.native_name)
    settled = person.key in plan.persons.chosen
    if player.anonymised_at:
        return PlayerRow(person, player)
    if by is not None and not rights.may_edit_player(by, player):
        message = _("%(name)s is a player of other clubs; names, country and number are left as they are.")
        plan.findings.note(person.place, message, name=person.name)
        return PlayerRow(person, player, kind="" if here else Kind.GUEST, settled=settled)
    filled = {}
    for name, said in person.filled(PlayersImport.people.columns).items():
        has = getattr(player, name)
        if said and not has:
            filled[name] = said
        elif said and said != has:
            message = _("%(name)s: the file has “%(said)s”, the site “%(has)s”, which is kept.")
            plan.findings.note(person.place, message, name=player.native_name, said=said, has=has)
    names = {folded(player.native_name), folded(player.latin_name), folded(player.nickname)}
    new = [name for name in (person.name, *person["aliases"]) if name not in aliases and folded(name) not in names]
    return PlayerRow(person, player, filled, tuple(dict.fromkeys(new)), kind, settled)


def _write(club: Club, row: PlayerRow, batch: ImportBatch, by: User | None, reason: str) -> ImportedRow:
    made: dict[str, Any] = {}
    if row.player is None:
        visibility = row.person["visibility"] or Player.Visibility.FULL
        facts = {"visibility": visibility, **row.person.filled(COLUMNS)}
        player = make_player(row.person, by=by, reason=reason, **facts)
        made["player"] = True
    else:
        player = Player.objects.get(pk=row.player.pk)
        made |= _complete(player, row, by, reason)
    if row.kind:
        made |= _add_to_club(club, player, row.kind, by, reason)
    return ImportedRow(batch=batch, digest=row.person.digest, player=player, made=made)


def _complete(player: Player, row: PlayerRow, by: User | None, reason: str) -> dict[str, Any]:
    if row.filled:
        for name, value in row.filled.items():
            setattr(player, name, value)
        save_with_history(player, by, reason, *row.filled)
    added = [Alias.objects.get_or_create(player=player, name=name) for name in row.aliases]
    if row.filled or added:
        refresh_search_text(player)
    return {"filled": row.filled, "aliases": [alias.pk for alias, made in added if made]}


def _add_to_club(club: Club, player: Player, kind: str, by: User | None, reason: str) -> dict[str, Any]:
    here = Affiliation.objects.filter(club=club, player=player).first()
    if here is None:
        row = Affiliation(club=club, player=player, kind=kind)
        save_with_history(row, by, reason)
        return {"affiliation": row.pk}
    here.kind = kind
    save_with_history(here, by, reason)
    return {"raised": here.pk}


def _is_touched(row: ImportedRow, player: Player) -> bool:
    if row.made.get("player"):
        others = player.affiliations.exclude(pk=row.made.get("affiliation", 0)).exists()
        return others or is_used(player) or was_edited(player)
    if any(getattr(player, name) != value for name, value in row.made.get("filled", {}).items()):
        return True
    here = player.affiliations.filter(pk=row.made.get("affiliation", 0)).first()
    return here is not None and player.seats.filter(season__club=here.club_id).exists()


def _take_back(player: Player, made: dict[str, Any], by: User | None, reason: str) -> None:
    if made.get("filled"):
        for name in made["filled"]:
            setattr(player, name, "")
        save_with_history(player, by, reason, *made["filled"])
    player.aliases.filter(pk__in=made.get("aliases", [])).delete()
    for row in player.affiliations.filter(pk=made.get("affiliation", 0)):
        set_history(row, by, reason)
        row.delete()
    for row in player.affiliations.filter(pk=made.get("raised", 0)):
        row.kind = Kind.GUEST
        save_with_history(row, by, reason)
    refresh_search_text(player)


PLAYERS = PlayersImport()
