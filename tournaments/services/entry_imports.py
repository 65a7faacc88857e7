"""A list of entries into an event, as lists of players come into clubs: a dry run, all or nothing, and back.

Whoever is entered already stays as entered; what the file says otherwise is noted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from ratings.imports.books import Book
from ratings.imports.headings import ENTRIES
from ratings.imports.lists import FilePerson
from ratings.models import ImportBatch, ImportedRow, Player
from ratings.problems import Problem, Refused, gettext_noop
from ratings.services.imports import lists
from ratings.services.imports.files import Choices
from ratings.services.imports.lists import ListPlan
from ratings.services.seasons import touch
from tournaments.models import Entry, Tournament
from tournaments.queries.registration import places_taken
from tournaments.services.entries import enter, hold_entrants, remove_entry

_ = gettext_noop

Status = Entry.Status


@dataclass(frozen=True)
class Planned:
    person: FilePerson
    player: Player | None
    entry: Entry | None = None  # entered already

    @property
    def substitute_kind(self) -> str:
        return self.person.status if self.person.status in Entry.SubstituteKind.values else ""

    @property
    def status(self) -> str:
        return Status.SUBSTITUTE if self.substitute_kind else self.person.status or Status.REGISTERED

    @property
    def status_words(self) -> str:
        return str(Entry.Status(self.status).label)


@dataclass
class EntriesPlan(ListPlan):
    rows: list[Planned] = field(default_factory=list)

    @property
    def new(self) -> list[Planned]:
        return [row for row in self.rows if row.entry is None]

    @property
    def new_players(self) -> int:
        return sum(row.player is None for row in self.new)

    @property
    def already(self) -> int:
        return len(self.rows) - len(self.new)

    @property
    def has_something(self) -> bool:
        return bool(self.new)


def into(tournament: Tournament) -> str:
    """How an upload says which event it is for."""
    return f"tournament {tournament.pk}"


def make_plan(tournament: Tournament, book: Book, choices: Choices, *, by: User | None = None) -> EntriesPlan:
    earlier = {"into": into(tournament), "kind": ImportBatch.Kind.ENTRIES}
    reading, layout, persons, came_before = lists.read_plan(tournament.club, book, choices, ENTRIES, earlier, by)
    plan = EntriesPlan(tournament.club, reading, layout, choices, persons, came_before)
    entered = {entry.player_id: entry for entry in tournament.entries.select_related("player")}
    for person in reading.people:
        player = plan.player_of(person)
        plan.rows.append(Planned(person, player, entered.get(player.pk) if player else None))
    _refuse_anonymous(plan)
    _refuse_numbers(plan, {entry.number for entry in entered.values()})
    _note_differences(plan)
    _note_waiting(plan, tournament)
    return plan


def _refuse_anonymous(plan: EntriesPlan) -> None:
    for row in plan.new:
        if row.player is not None and row.player.anonymised_at:
            message = _("%(name)s was anonymised and cannot be entered. Remove the row.")
            plan.findings.refuse(row.person.place, Problem(message, {"name": row.person.name}, code="anonymised"))


def _refuse_numbers(plan: EntriesPlan, taken: set[int]) -> None:
    counted = Counter(row.person.number for row in plan.new if row.person.number)
    for row in plan.new:
        number = row.person.number
        if number in taken:
            problem = Problem(_("Number %(number)s is taken."), {"number": number}, code="number_taken")
            plan.findings.refuse(_place(plan, row), problem)
        elif number and counted[number] > 1:
            problem = Problem(_("Number %(number)s stands in the file twice."), {"number": number}, code="number_twice")
            plan.findings.refuse(_place(plan, row), problem)


def _place(plan: EntriesPlan, row: Planned) -> Any:
    return row.person.place._replace(column=plan.layout.columns.get("number"))


def _note_differences(plan: EntriesPlan) -> None:
    for row in plan.rows:
        if row.entry is None:
            continue
        said = {"number": row.person.number, "team": row.person.team, "country": row.person.country}
        other = [str(value) for name, value in said.items() if value and value != getattr(row.entry, name)]
        if other:
            message = _("%(name)s is entered already and stays as entered; the file says %(other)s.")
            name = row.entry.player.native_name
            plan.findings.note(row.person.place, message, name=name, other=", ".join(other))


def _note_waiting(plan: EntriesPlan, tournament: Tournament) -> None:
    """Those who will wait because all places are taken, in the order of the file."""
    if tournament.capacity is None:
        return
    free = tournament.capacity - places_taken(tournament)
    for row in plan.new:
        if row.status == Status.REGISTERED and free <= 0:
            message = _("All places are taken: %(name)s will be on the waiting list.")
            plan.findings.note(row.person.place, message, name=row.person.name)
        free -= row.status in (*Entry.PLAYING, Status.WAITING)


# --- writing ----------------------------------------------------------------------------------------------


@transaction.atomic
def write_plan(plan: EntriesPlan, tournament: Tournament, batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    """Enters everybody new, or nobody; whatever changed since the plan was made refuses it."""
    _lock(tournament)
    lists.claim(batch)
    lists.refuse_changed(plan)
    reason = gettext("Imported from “%(file)s”") % {"file": batch.file_name}
    # Numbers that are said are given first, so that nobody without one takes them.
    said_first = sorted(plan.new, key=lambda row: row.person.number is None)
    hold_entrants(tournament, [row.player.pk for row in said_first if row.player])
    rows = [_enter(tournament, row, batch, by, reason) for row in said_first]
    return lists.finish(batch, plan, rows, by=by)


def _lock(tournament: Tournament) -> None:
    touch(tournament.stages.values_list("season_id", flat=True))
    Tournament.objects.select_for_update().get(pk=tournament.pk)


def _enter(tournament: Tournament, row: Planned, batch: ImportBatch, by: User | None, reason: str) -> ImportedRow:
    person = row.person
    player = row.player or lists.make_player(person, by=by, reason=reason)
    facts: dict[str, Any] = {"team": person.team, "substitute_kind": row.substitute_kind, "status": row.status}
    facts |= {name: getattr(person, name) for name in ("country", "ema_number", "number") if getattr(person, name)}
    entry = enter(tournament, player, by=by, **facts)
    made = {"entry": entry.pk, "player": row.player is None}
    return ImportedRow(batch=batch, digest=person.digest, player=player, made=made)


# --- taking back ------------------------------------------------------------------------------------------


def undo_objections(batch: ImportBatch) -> list[Problem]:
    if batch.state != ImportBatch.State.DONE:
        return [Problem(_("Only an import that was done can be undone."), code="not_done")]
    touched = [entry for entry in _entries(batch) if entry.history.count() > 1]
    if not touched:
        return []
    message = _("Entries of this import were changed since, so it cannot be undone as a whole: %(names)s.")
    names = ", ".join(str(entry) for entry in touched[:10]) + (", …" if len(touched) > 10 else "")
    return [Problem(message, {"names": names}, code="edited")]


def _entries(batch: ImportBatch) -> list[Entry]:
    numbers = [row.made["entry"] for row in batch.rows.all() if "entry" in row.made]
    return list(Entry.objects.filter(pk__in=numbers).select_related("player", "tournament"))


@transaction.atomic
def undo(batch: ImportBatch, tournament: Tournament, *, by: User | None = None) -> ImportBatch:
    """Takes every entry off the list again, and players who came with it and did nothing else."""
    _lock(tournament)
    batch = ImportBatch.objects.get(pk=batch.pk)
    lists.lock_players(batch)
    if problems := undo_objections(batch):
        raise Refused(*problems)
    for entry in _entries(batch):
        remove_entry(entry, by=by)  # refuses whoever has a seat or a record
    for row in batch.rows.exclude(player=None).select_related("player"):
        if row.made.get("player") and row.player and not (lists.used(row.player) or lists.edited(row.player)):
            lists.forget_player(row.player)
    return lists.close_undone(batch, by=by)
