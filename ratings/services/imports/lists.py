"""What every list of people shares on its way in: the plan, the claim, and players who came and went with it.

Who the people are is `names`; what becomes of them is for `players`, and for the upper app that enters them in events.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from ratings.imports import layouts
from ratings.imports.books import Book
from ratings.imports.headings import ENTRIES
from ratings.imports.layouts import GAMES, Layout, heads_of, recognise
from ratings.imports.lists import FilePerson, ListReading
from ratings.imports.own import ENTRY_COLUMNS, PLAYER_COLUMNS
from ratings.imports.places import Findings
from ratings.models import Affiliation, Alias, Club, ImportBatch, ImportedRow, Player
from ratings.problems import Problem, Refused, gettext_noop
from ratings.services.belongings import save_with_history
from ratings.services.imports import files
from ratings.services.imports.files import Choices
from ratings.services.imports.names import Persons, Question, find_people
from ratings.services.naming import refuse_bad_names
from ratings.services.players import refresh_search_text

_ = gettext_noop

State = ImportBatch.State
PERSON_FIELDS = ("latin_first", "latin_last", "nickname", "country", "ema_number")


@dataclass
class ListPlan:
    """What importing a list would do. `has_something` and the rows themselves are each kind's own."""

    club: Club
    reading: ListReading
    layout: Layout
    choices: Choices
    persons: Persons
    came_before: dict[str, int] = field(default_factory=dict)

    @property
    def findings(self) -> Findings:
        return self.reading.findings

    @property
    def questions(self) -> list[Question]:
        return self.persons.questions

    @property
    def asked(self) -> set[str]:
        return {question.key for question in self.questions}

    @property
    def has_something(self) -> bool:
        raise NotImplementedError

    @property
    def may_be_written(self) -> bool:
        return not self.findings.wrong_count and not self.questions and self.has_something

    def player_of(self, person: FilePerson) -> Player | None:
        return self.persons.known[person.key]


def read_plan(
    club: Club, book: Book, choices: Choices, form: str, batches: dict[str, Any], by: User | None
) -> tuple[ListReading, Layout, Persons, dict[str, int]]:
    """Reads a list and finds its people, for whoever brings it; None is a command.

    `batches` says which earlier imports count for the same file come again.
    """
    layout = choices.layout or _own_layout(book, form)
    if layout is None and _is_of_games(book):
        message = _("This is a file of games, not a list of people. Choose a season to import it into.")
        raise Refused(Problem(message, code="games"))
    layout = layout or files.find_layout(club, book, [form])
    reading = files.read_list(book, layout)
    assert layout is not None
    before = ImportedRow.objects.filter(batch__state=State.DONE, player__merged_into=None, player__anonymised_at=None)
    rows = before.filter(**{f"batch__{name}": value for name, value in batches.items()}).exclude(player=None)
    came_before = {digest: pk for digest, pk in rows.values_list("digest", "player_id") if pk}
    persons = find_people(reading.people, choices, reading.findings, came_before, by=by)
    return reading, layout, persons, came_before


def _own_layout(book: Book, form: str) -> Layout | None:
    """The sheet of players or entries of our own workbooks, whatever language it was written in."""
    columns = {**PLAYER_COLUMNS}
    sheet = book.sheet_named("umaoka_players")
    if form == ENTRIES and (found := book.sheet_named("umaoka_entries")):
        sheet, columns = found, ENTRY_COLUMNS
    if sheet is None:
        return None
    known = layouts.keys_of(form)
    return Layout(form, {key: index for key, index in columns.items() if key in known}, sheet=sheet.title)


def _is_of_games(book: Book) -> bool:
    rows = [row for sheet in book.sheets if not sheet.hidden for row in files.first_rows(sheet)]
    return any(recognise(heads_of(row.cells), GAMES) for row in rows)


def refuse_changed(plan: ListPlan) -> None:
    """Within the transaction: whoever appeared or vanished since the plan was made refuses it."""
    now = find_people(plan.reading.people, plan.choices, Findings(), plan.came_before)
    known = {key: player.pk if player else None for key, player in now.known.items()}
    planned = {key: player.pk if player else None for key, player in plan.persons.known.items()}
    if known != planned or not plan.may_be_written:
        message = _("Somebody changed these players meanwhile. Look at the dry run again.")
        raise Refused(Problem(message, code="meanwhile"))


def claim(batch: ImportBatch) -> None:
    """Of two who confirm the same file, one writes it."""
    if not ImportBatch.objects.filter(pk=batch.pk, state=State.DRAFT).update(state=State.DONE):
        raise Refused(Problem(_("This file was imported already."), code="imported"))


def finish(batch: ImportBatch, plan: ListPlan, rows: list[ImportedRow], *, by: User | None) -> ImportBatch:
    ImportedRow.objects.bulk_create(rows, batch_size=1000)
    batch.people, batch.state, batch.done_at, batch.by = len(rows), State.DONE, timezone.now(), by or batch.by
    batch.content, batch.choices, batch.dry_run = None, {}, None
    batch.save(update_fields=["people", "state", "done_at", "by", "content", "choices", "dry_run"])
    files.remember(plan.club, plan.layout)
    return batch


def close_undone(batch: ImportBatch, *, by: User | None) -> ImportBatch:
    batch.state, batch.undone_at, batch.undone_by = State.UNDONE, timezone.now(), by
    batch.save(update_fields=["state", "undone_at", "undone_by"])
    return batch


# --- players who came with a list ------------------------------------------------------------------------


def make_player(person: FilePerson, *, by: User | None, reason: str) -> Player:
    """A new player as the list describes them, with aliases; of no club yet."""
    player = Player(
        native_name=person.name,
        visibility=person.visibility or Player.Visibility.FULL,
        **{name: getattr(person, name) for name in PERSON_FIELDS},
    )
    refuse_bad_names(player)
    save_with_history(player, by, reason[:100])
    Alias.objects.bulk_create([Alias(player=player, name=name) for name in person.aliases])
    refresh_search_text(player)
    return player


def lock_players(batch: ImportBatch) -> None:
    """Locks the players of an import before they are removed, so that no game is entered for them."""
    players = Player.objects.select_for_update(of=("self",)).filter(imported_as__batch=batch).order_by("pk")
    list(players.values_list("pk", flat=True))


def used(player: Player) -> bool:
    """Whether anything of the site, upper apps included, holds on to a player beside clubs, aliases and imports."""
    beside: tuple[type[Model], ...] = (Affiliation, Alias, ImportedRow)
    relations = [each for each in Player._meta.related_objects if each.related_model not in beside]
    own = Player.history.model
    return any(
        each.related_model._default_manager.filter(**{each.field.name: player}).exists()
        for each in relations
        if each.related_model is not own and not each.many_to_many
    )


def edited(player: Player) -> bool:
    """Whether somebody changed a player since an import made it."""
    return player.history.count() > 1 or any(row.history.count() > 1 for row in player.affiliations.all())


def forget_player(player: Player) -> None:
    """A player who came by mistake and never played leaves no name behind, in no history either."""
    pk = player.pk
    player.delete()
    Affiliation.history.filter(player_id=pk).delete()
    Player.history.filter(id=pk).delete()
