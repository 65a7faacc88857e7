"""Import a list of entries into an event, like lists of players into clubs: with a dry run, all or nothing, undoable.

Players who are already entered keep their entry; differences in the file are noted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings.imports import values
from ratings.imports.columns import ImportColumn
from ratings.imports.kinds import Report
from ratings.imports.own_rows import PLAYER_COLUMNS, in_order
from ratings.imports.people import PeopleImport, PeoplePlan, lock_players, make_player, names_of
from ratings.imports.person_rows import FilePerson, PersonForm, name_of, one_of
from ratings.imports.sheets import Place
from ratings.imports.values import FileLine
from ratings.mahjong.problems import Problem, gettext_noop
from ratings.models import ImportBatch, ImportedRow, Player
from ratings.services.players import forget_player, is_used, was_edited
from ratings.services.seasons import touch
from tournaments.models import Entry, Tournament
from tournaments.queries.registration import places_taken
from tournaments.services.entries import enter, hold_entrants, remove_entry

_ = gettext_noop

Status = Entry.Status
LARGEST_NUMBER = 9_999


def _number(line: FileLine, key: str) -> int | None:
    number = line.get(key, values.read_count, None)
    if number is not None and not 1 <= number <= LARGEST_NUMBER:
        message = _("%(value)s is not a number of an entry: use 1 to %(most)s.")
        line.refuse(key, Problem(message, {"value": number, "most": LARGEST_NUMBER}, code="bad_number"))
        return None
    return number


# `into` is a field of Entry.
COLUMNS = (
    ImportColumn(
        "number",
        _("number"),
        ("number", "no", "nr", "№", "start number", "номер", "numer", "nummer", "番号"),
        _number,
        into="number",
    ),
    ImportColumn("team", _("team"), ("team", "команда", "drużyna", "mannschaft", "チーム"), name_of(80), into="team"),
    ImportColumn(
        "status",
        _("state"),
        ("state", "status", "статус", "состояние", "стан", "stan", "状態"),
        one_of(
            {
                "waiting": "waiting|on the waiting list|waiting list|лист ожидания|lista oczekujących|warteliste",
                "registered": "registered|entered|зарегистрирован|zarejestrowany|angemeldet",
                "confirmed": "confirmed|подтвержден|potwierdzony|bestätigt",
                "checked_in": "checked in|checked_in|present|на месте|obecny|anwesend",
                "permanent": "permanent substitute|permanent|substitute|запасной|rezerwowy|ersatz",
                "occasional": "occasional substitute|occasional",
            },
            _(
                "“%(value)s” is not a state for an entry. Use registered, confirmed, checked in, waiting, or "
                "permanent or occasional substitute."
            ),
            "bad_status",
        ),
    ),
)


@dataclass(frozen=True)
class EntryRow:
    """One row of the file: it makes an entry, unless the player is already entered."""

    person: FilePerson
    player: Player | None
    entry: Entry | None = None  # the existing entry, if any

    @property
    def substitute_kind(self) -> str:
        status = str(self.person["status"])
        return status if status in Entry.SubstituteKind.values else ""

    @property
    def status(self) -> str:
        return Status.SUBSTITUTE if self.substitute_kind else self.person["status"] or Status.REGISTERED

    @property
    def status_words(self) -> str:
        return str(Entry.Status(self.status).label)


@dataclass(kw_only=True)
class EntriesPlan(PeoplePlan):
    rows: list[EntryRow] = field(default_factory=list)

    @property
    def new(self) -> list[EntryRow]:
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

    @property
    def counts(self) -> list[tuple[str, int]]:
        return [
            (gettext("New entries"), len(self.new)),
            (gettext("Entered already"), self.already),
            (gettext("New players"), self.new_players),
        ]


def into(tournament: Tournament) -> str:
    """The stored text by which an upload names its event."""
    return f"tournament {tournament.pk}"


def event_of(batch: ImportBatch) -> Tournament:
    return Tournament.objects.select_related("club", "rule_set").get(pk=int(batch.into.partition(" ")[2]))


class EntriesImport(PeopleImport[EntriesPlan]):
    key = "entries"
    label = gettext_lazy("entries of an event")
    people = PersonForm(key, COLUMNS)
    forms = (people,)
    has_own_pages = True
    plan_class = EntriesPlan
    own_sheets = {
        "umaoka_entries": in_order(
            "number", "name", "latin_first", "latin_last", "country", "ema_number", "team", "status"
        ),
        "umaoka_players": PLAYER_COLUMNS,
    }
    rows_template = "tournaments/manage/entry_rows.html"
    templates = dict.fromkeys(("dry_run", "done", "refused"), "tournaments/manage/entry_import.html")

    def plan_rows(self, plan: EntriesPlan, batch: ImportBatch, by: User | None) -> None:
        tournament = event_of(batch)
        entered = {entry.player_id: entry for entry in tournament.entries.select_related("player")}
        for person in plan.reading.people:
            player = plan.persons.known[person.key]
            plan.rows.append(EntryRow(person, player, entered.get(player.pk) if player else None))
        _refuse_anonymous(plan)
        _refuse_numbers(plan, {entry.number for entry in entered.values()})
        _note_differences(plan)
        _note_waiting(plan, tournament)

    def earlier(self, batch: ImportBatch) -> QuerySet[ImportBatch]:
        return ImportBatch.objects.filter(kind=self.key, into=batch.into)

    def lock(self, plan: EntriesPlan, batch: ImportBatch) -> None:
        _lock(event_of(batch))

    def store(
        self, plan: EntriesPlan, batch: ImportBatch, *, by: User | None, reason: str, report: Report | None
    ) -> list[ImportedRow]:
        tournament = event_of(batch)
        # Rows with a number are entered first, so that no row without one takes it.
        said_first = sorted(plan.new, key=lambda row: row.person["number"] is None)
        hold_entrants(tournament, [row.player.pk for row in said_first if row.player])
        rows = [_enter(tournament, row, batch, by, reason) for row in said_first]
        batch.people = len(rows)
        return rows

    def result(self, batch: ImportBatch) -> str:
        words = ngettext("%(count)s player is entered.", "%(count)s players are entered.", batch.people)
        return words % {"count": batch.people}

    def touched(self, batch: ImportBatch) -> list[Problem]:
        touched = [str(entry) for entry in _entries(batch) if entry.history.count() > 1]
        if not touched:
            return []
        message = _("Entries of this import were changed since, so it cannot be undone as a whole: %(names)s.")
        return [Problem(message, {"names": names_of(touched)}, code="edited")]

    def lock_to_undo(self, batch: ImportBatch) -> None:
        _lock(event_of(batch))
        lock_players(batch)

    def take_back(self, batch: ImportBatch, *, by: User | None, reason: str) -> None:
        """Remove every entry of the import, and the players it created that are neither used nor edited."""
        for entry in _entries(batch):
            remove_entry(entry, by=by)  # refuses an entry that has a seat or a record
        for row in batch.rows.exclude(player=None).select_related("player"):
            if row.made.get("player") and row.player and not (is_used(row.player) or was_edited(row.player)):
                forget_player(row.player)

    def undone(self) -> str:
        return gettext("The import is undone: its entries are removed from the list.")

    def undo_words(self) -> str:
        return gettext(
            "Its entries are removed from the list, as long as none of them was changed or seated since. "
            "Players who came with it and did nothing else are removed too. The file can be imported again "
            "afterwards."
        )

    def address(self, batch: ImportBatch, step: str = "") -> str:
        name = f"manage_entry_import_{step}" if step else "manage_entry_import"
        return reverse(f"tournaments:{name}", args=[event_of(batch).slug, batch.pk])


def _lock(tournament: Tournament) -> None:
    touch(tournament.stages.values_list("season_id", flat=True))
    Tournament.objects.select_for_update().get(pk=tournament.pk)


def _enter(tournament: Tournament, row: EntryRow, batch: ImportBatch, by: User | None, reason: str) -> ImportedRow:
    person = row.person
    player = row.player or make_player(person, by=by, reason=reason)
    said = {**person.filled(COLUMNS), "country": person["country"], "ema_number": person["ema_number"]}
    facts: dict[str, Any] = {name: value for name, value in said.items() if value}
    entry = enter(tournament, player, by=by, substitute_kind=row.substitute_kind, status=row.status, **facts)
    made = {"entry": entry.pk, "player": row.player is None}
    return ImportedRow(batch=batch, digest=person.digest, player=player, made=made)


def _entries(batch: ImportBatch) -> list[Entry]:
    numbers = [row.made["entry"] for row in batch.rows.all() if "entry" in row.made]
    return list(Entry.objects.filter(pk__in=numbers).select_related("player", "tournament"))


# --- what is wrong, and what is noted ---------------------------------------------------------------------


def _refuse_anonymous(plan: EntriesPlan) -> None:
    for row in plan.new:
        if row.player is not None and row.player.anonymised_at:
            message = _("%(name)s was anonymised and cannot be entered. Remove the row.")
            plan.findings.refuse(row.person.place, Problem(message, {"name": row.person.name}, code="anonymised"))


def _refuse_numbers(plan: EntriesPlan, taken: set[int]) -> None:
    counted = Counter(row.person["number"] for row in plan.new if row.person["number"])
    for row in plan.new:
        number = row.person["number"]
        if number in taken:
            problem = Problem(_("Number %(number)s is taken."), {"number": number}, code="number_taken")
            plan.findings.refuse(_place(plan, row), problem)
        elif number and counted[number] > 1:
            problem = Problem(_("Number %(number)s is in the file twice."), {"number": number}, code="number_twice")
            plan.findings.refuse(_place(plan, row), problem)


def _place(plan: EntriesPlan, row: EntryRow) -> Place:
    return row.person.place._replace(column=plan.layout.columns.get("number"))


def _note_differences(plan: EntriesPlan) -> None:
    for row in plan.rows:
        if row.entry is None:
            continue
        said = {**row.person.filled(COLUMNS), "country": row.person["country"]}
        other = [str(value) for name, value in said.items() if value and value != getattr(row.entry, name)]
        if other:
            message = _("%(name)s is entered already and stays as entered; the file says %(other)s.")
            name = row.entry.player.native_name
            plan.findings.note(row.person.place, message, name=name, other=", ".join(other))


def _note_waiting(plan: EntriesPlan, tournament: Tournament) -> None:
    """Note the players who will wait because all places are taken, in the order of the file."""
    if tournament.capacity is None:
        return
    free = tournament.capacity - places_taken(tournament)
    for row in plan.new:
        if row.status == Status.REGISTERED and free <= 0:
            message = _("All places are taken: %(name)s will be on the waiting list.")
            plan.findings.note(row.person.place, message, name=row.person.name)
        free -= row.status in (*Entry.PLAYING, Status.WAITING)


ENTRIES = EntriesImport()
