"""A list of players into a club: who is new, who is known and lacks something, and taking all of it back.

A known player is completed, never overwritten: what the file says otherwise is noted and left as it is. Only the gaps
of players whom the importing member may edit are filled; others become guests of the club and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from ratings import rights
from ratings.imports.books import Book
from ratings.imports.headings import PLAYERS
from ratings.imports.lists import FilePerson
from ratings.models import Affiliation, Alias, Club, ImportBatch, ImportedRow, Player
from ratings.names import folded
from ratings.problems import Problem, Refused, gettext_noop
from ratings.services.belongings import save_with_history, seasons_of, set_history
from ratings.services.holds import hold_players
from ratings.services.imports import lists
from ratings.services.imports.files import Choices
from ratings.services.imports.lists import PERSON_FIELDS, ListPlan
from ratings.services.players import refresh_search_text
from ratings.services.seasons import touch

_ = gettext_noop

Kind = Affiliation.Kind


@dataclass(frozen=True)
class Planned:
    """One row: a new player, or what a known one lacks."""

    person: FilePerson
    player: Player | None
    filled: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    kind: str = ""  # of the affiliation to be made, or that a guest is raised to
    settled: bool = False  # somebody said who this is

    @property
    def makes_guest(self) -> bool:
        return self.kind == Kind.GUEST

    @property
    def changes(self) -> bool:
        return self.player is None or bool(self.filled or self.aliases or self.kind or self.settled)


@dataclass
class PlayersPlan(ListPlan):
    rows: list[Planned] = field(default_factory=list)

    @property
    def new(self) -> list[Planned]:
        return [row for row in self.rows if row.player is None]

    @property
    def completed(self) -> list[Planned]:
        return [row for row in self.rows if row.player and row.changes]

    @property
    def already(self) -> int:
        return sum(not row.changes for row in self.rows)

    @property
    def has_something(self) -> bool:
        return any(row.changes for row in self.rows)


def make_plan(club: Club, book: Book, choices: Choices, *, by: User | None = None) -> PlayersPlan:
    earlier = {"club": club, "kind": ImportBatch.Kind.PLAYERS}
    reading, layout, persons, came_before = lists.read_plan(club, book, choices, PLAYERS, earlier, by)
    plan = PlayersPlan(club, reading, layout, choices, persons, came_before)
    known = [player.pk for player in persons.known.values() if player]
    kinds = dict(Affiliation.objects.filter(club=club, player__in=known).values_list("player_id", "kind"))
    aliases: dict[int, set[str]] = {}
    for pk, name in Alias.objects.filter(player__in=known).values_list("player_id", "name"):
        aliases.setdefault(pk, set()).add(name)
    for person in reading.people:
        player = plan.player_of(person)
        if player is None:
            plan.rows.append(Planned(person, None, kind=person.kind or Kind.REGULAR))
        else:
            mine = aliases.get(player.pk, set())
            plan.rows.append(_completed(plan, person, player, kinds.get(player.pk, ""), mine, by))
    return plan


def _completed(
    plan: PlayersPlan, person: FilePerson, player: Player, here: str, aliases: set[str], by: User | None
) -> Planned:
    kind = "" if here == Kind.REGULAR or (here and person.kind != Kind.REGULAR) else person.kind or Kind.REGULAR
    if here == Kind.REGULAR and person.kind == Kind.GUEST:
        plan.findings.note(person.place, _("%(name)s is a regular of the club and stays one."), name=player.native_name)
    settled = person.key in plan.persons.chosen
    if player.anonymised_at:
        return Planned(person, player)
    if by is not None and not rights.may_edit_player(by, player):
        message = _("%(name)s is a player of other clubs; names, country and number are left as they are.")
        plan.findings.note(person.place, message, name=person.name)
        return Planned(person, player, kind="" if here else Kind.GUEST, settled=settled)
    filled = {}
    for name in PERSON_FIELDS:
        said, has = getattr(person, name), getattr(player, name)
        if said and not has:
            filled[name] = said
        elif said and said != has:
            message = _("%(name)s: the file says “%(said)s”, the site “%(has)s”, which is left as it is.")
            plan.findings.note(person.place, message, name=player.native_name, said=said, has=has)
    names = {folded(player.native_name), folded(player.latin_name), folded(player.nickname)}
    new = [name for name in (person.name, *person.aliases) if name not in aliases and folded(name) not in names]
    return Planned(person, player, filled, tuple(dict.fromkeys(new)), kind, settled)


# --- writing ----------------------------------------------------------------------------------------------


@transaction.atomic
def write_plan(plan: PlayersPlan, batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    """All of it or nothing; whatever changed since the plan was made refuses it."""
    touch(seasons_of(*(row.player for row in plan.completed if row.player and row.filled)))
    Club.objects.select_for_update().get(pk=plan.club.pk)
    lists.claim(batch)
    _lock_players(plan)
    lists.refuse_changed(plan)
    reason = gettext("Imported from “%(file)s”") % {"file": batch.file_name}
    rows = [_write(plan.club, row, batch, by, reason[:100]) for row in plan.rows if row.changes]
    return lists.finish(batch, plan, rows, by=by)


def _lock_players(plan: PlayersPlan) -> None:
    """Locks the known players in order of id, so that two imports cannot deadlock; refuses merged ones."""
    known = [row.player.pk for row in plan.rows if row.changes and row.player]
    list(Player.objects.select_for_update().filter(pk__in=known).order_by("pk").values_list("pk", flat=True))
    hold_players(known)


def _write(club: Club, row: Planned, batch: ImportBatch, by: User | None, reason: str) -> ImportedRow:
    made: dict[str, Any] = {}
    if row.player is None:
        player = lists.make_player(row.person, by=by, reason=reason)
        made["player"] = True
    else:
        player = Player.objects.get(pk=row.player.pk)
        made |= _complete(player, row, by, reason)
    if row.kind:
        made |= _welcome(club, player, row.kind, by, reason)
    return ImportedRow(batch=batch, digest=row.person.digest, player=player, made=made)


def _complete(player: Player, row: Planned, by: User | None, reason: str) -> dict[str, Any]:
    if row.filled:
        for name, value in row.filled.items():
            setattr(player, name, value)
        save_with_history(player, by, reason, *row.filled)
    added = [Alias.objects.get_or_create(player=player, name=name) for name in row.aliases]
    if row.filled or added:
        refresh_search_text(player)
    return {"filled": row.filled, "aliases": [alias.pk for alias, made in added if made]}


def _welcome(club: Club, player: Player, kind: str, by: User | None, reason: str) -> dict[str, Any]:
    here = Affiliation.objects.filter(club=club, player=player).first()
    if here is None:
        row = Affiliation(club=club, player=player, kind=kind)
        save_with_history(row, by, reason)
        return {"affiliation": row.pk}
    here.kind = kind
    save_with_history(here, by, reason)
    return {"raised": here.pk}


# --- taking back ------------------------------------------------------------------------------------------


def undo_objections(batch: ImportBatch) -> list[Problem]:
    if batch.state != ImportBatch.State.DONE:
        return [Problem(_("Only an import that was done can be undone."), code="not_done")]
    rows = batch.rows.exclude(player=None).select_related("player")
    touched = [row.player for row in rows if row.player and _is_touched(row, row.player)]
    if not touched:
        return []
    message = _("Players of this import played or were changed since, so it cannot be undone as a whole: %(names)s.")
    names = ", ".join(player.native_name for player in touched[:10])
    return [Problem(message, {"names": names + (", …" if len(touched) > 10 else "")}, code="edited")]


def _is_touched(row: ImportedRow, player: Player) -> bool:
    if row.made.get("player"):
        others = player.affiliations.exclude(pk=row.made.get("affiliation", 0)).exists()
        return others or lists.used(player) or lists.edited(player)
    if any(getattr(player, name) != value for name, value in row.made.get("filled", {}).items()):
        return True
    here = player.affiliations.filter(pk=row.made.get("affiliation", 0)).first()
    return here is not None and player.seats.filter(season__club=here.club_id).exists()


@transaction.atomic
def undo(batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    """New players leave again, and known ones lose what the import gave them; while nobody of them was touched."""
    Club.objects.select_for_update().get(pk=batch.club_id)
    batch = ImportBatch.objects.get(pk=batch.pk)
    lists.lock_players(batch)
    if problems := undo_objections(batch):
        raise Refused(*problems)
    reason = gettext("The import of “%(file)s” was undone") % {"file": batch.file_name}
    rows = list(batch.rows.exclude(player=None).select_related("player"))
    touch(seasons_of(*(row.player for row in rows if row.player and row.made.get("filled"))))
    for row in rows:
        assert row.player is not None
        if row.made.get("player"):
            lists.forget_player(row.player)
        else:
            _take_back(row.player, row.made, by, reason[:100])
    return lists.close_undone(batch, by=by)


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
