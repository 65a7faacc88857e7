"""What all imports of lists of people share: reading the list, finding the people and making new players.

Each kind decides what the people become: players of a club in `players`, entries of an event in the app above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from ratings.imports import game_rows
from ratings.imports.columns import Layout, heads_of, recognise
from ratings.imports.kinds import Choices, ImportKind, Plan, Report, unknown_columns
from ratings.imports.names import Answers, Persons, find_people
from ratings.imports.person_rows import PERSON, FilePerson, PeopleReading, PersonForm, read_people
from ratings.imports.read import first_rows
from ratings.imports.sheets import Book, Findings
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Alias, ImportBatch, ImportedRow, Player
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import save_with_history
from ratings.services.players import refresh_search_text

_ = gettext_noop


@dataclass(kw_only=True)
class PeoplePlan(Plan):
    layout: Layout
    reading: PeopleReading
    answers: Answers
    persons: Persons
    came_before: Mapping[str, int]  # digest of a row -> the player it became in an earlier import
    rows: list[Any] = field(default_factory=list)  # one for each person, of the kind's own class

    @property
    def asked(self) -> set[str]:
        return {question.key for question in self.questions}

    @property
    def counts(self) -> list[tuple[str, int]]:
        """What the page says about the plan, in words and numbers."""
        raise NotImplementedError


L = TypeVar("L", bound=PeoplePlan)


class PeopleImport(ImportKind[L]):
    people: PersonForm
    plan_class: type[L]
    own_sheets: Mapping[str, Mapping[str, int]]  # of our own workbooks: name -> columns; the first found is used
    rows_template: str
    newcomer = gettext_lazy("a new player")
    templates = dict.fromkeys(("dry_run", "done", "refused"), "ratings/imports/list.html")

    def plan(
        self,
        batch: ImportBatch,
        book: Book,
        choices: Choices,
        *,
        by: User | None = None,
        report: Report | None = None,
    ) -> L:
        book = choices.corrections.apply(book)
        layout = choices.layout or self._own_layout(book)
        if layout is None and _is_of_games(book):
            message = _("This is a file of games, not a list of people. Choose a season to import it into.")
            raise Refused(Problem(message, code="games"))
        layout = layout or self.find_layout(batch.club, book)
        if layout is None:
            raise unknown_columns()
        sheet = layout.sheet_of(book)
        reading = read_people(sheet, layout, self.people)
        came_before = self._came_before(batch)
        persons = find_people(reading.people, choices.names, reading.findings, came_before, by=by)
        plan = self.plan_class(
            club=batch.club,
            layout=layout,
            findings=reading.findings,
            questions=persons.questions,
            reading=reading,
            answers=choices.names,
            persons=persons,
            came_before=came_before,
            sheet=sheet,
        )
        self.plan_rows(plan, batch, by)
        return plan

    def plan_rows(self, plan: L, batch: ImportBatch, by: User | None) -> None:
        """Adds to the plan what each person becomes."""
        raise NotImplementedError

    def _own_layout(self, book: Book) -> Layout | None:
        """The layout of the sheet of people in our own workbooks, in whatever language it was written."""
        for name, columns in self.own_sheets.items():
            if sheet := book.sheet_named(name):
                known = {key: index for key, index in columns.items() if key in self.people.labels}
                return Layout(self.people.key, known, sheet=sheet.title)
        return None

    def _came_before(self, batch: ImportBatch) -> dict[str, int]:
        rows = ImportedRow.objects.filter(batch__in=self.earlier(batch).filter(state=ImportBatch.State.DONE))
        living = rows.filter(player__isnull=False, player__merged_into=None, player__anonymised_at=None)
        return {digest: pk for digest, pk in living.values_list("digest", "player_id") if pk}

    def earlier(self, batch: ImportBatch) -> QuerySet[ImportBatch]:
        """The imports that may have imported the same file before."""
        return ImportBatch.objects.filter(kind=self.key, club=batch.club_id)

    def refuse_changed(self, plan: L) -> None:
        now = find_people(plan.reading.people, plan.answers, Findings(), plan.came_before)
        known = {key: player.pk if player else None for key, player in now.known.items()}
        planned = {key: player.pk if player else None for key, player in plan.persons.known.items()}
        if known != planned or not plan.may_be_written:
            message = _("Another user has changed these players meanwhile. Look at the dry run again.")
            raise Refused(Problem(message, code="meanwhile"))

    def undo_words(self) -> str:
        """A sentence that says what undoing would do."""
        raise NotImplementedError


def _is_of_games(book: Book) -> bool:
    rows = [row for sheet in book.sheets if not sheet.hidden for row in first_rows(sheet)]
    return any(recognise(heads_of(row.cells), game_rows.FORMS) for row in rows)


def make_player(person: FilePerson, *, by: User | None, reason: str, **facts: Any) -> Player:
    """Store a new player as the list describes them, with aliases and no club yet. `facts` are fields of the kind."""
    player = Player(native_name=person.name, **person.filled(PERSON), **facts)
    refuse_bad_names(player)
    save_with_history(player, by, reason[:100])
    Alias.objects.bulk_create([Alias(player=player, name=name) for name in person["aliases"]])
    refresh_search_text(player)
    return player


def lock_players(batch: ImportBatch) -> None:
    """Locks the players of an import before they are removed, so that no game is entered for them."""
    players = Player.objects.select_for_update(of=("self",)).filter(imported_as__batch=batch).order_by("pk")
    list(players.values_list("pk", flat=True))


def names_of(touched: list[str]) -> str:
    """The first ten names, for a sentence."""
    return ", ".join(touched[:10]) + (", …" if len(touched) > 10 else "")
