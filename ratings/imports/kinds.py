"""What a kind of import is, and the steps that all kinds share: find the columns, write all or nothing, undo it.

A kind is a class that plans what a file would do, stores the plan and can undo it. It also declares its columns, the
addresses of its pages and the sentences they show. An app registers its kinds in `AppConfig.ready()`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext

from ratings import rights
from ratings.imports import columns
from ratings.imports.columns import Layout, RowForm, guessed_layout, read_layout
from ratings.imports.corrections import Corrections, RowToCorrect, read_corrections, rows_to_correct
from ratings.imports.names import Answers, Question
from ratings.imports.read import is_large
from ratings.imports.sheets import Book, FileSheet, Findings
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Club, ImportBatch, ImportedRow, ImportMapping
from ratings.models.imports import kind_labels

_ = gettext_noop

Report = Callable[[int, int], None]
State = ImportBatch.State


@dataclass
class Choices:
    """What users decided about a file; stored as JSON with the file."""

    layout: Layout | None = None
    unit: str = ""
    day: datetime.date | None = None  # of games without a date
    names: Answers = field(default_factory=dict)
    corrections: Corrections = field(default_factory=Corrections)

    def write(self) -> dict[str, Any]:
        return {
            "layout": self.layout.write() if self.layout else None,
            "unit": self.unit,
            "day": self.day.isoformat() if self.day else None,
            "names": self.names,
            **self.corrections.write(),
        }


def read_choices(data: Mapping[str, Any]) -> Choices:
    return Choices(
        layout=read_layout(data["layout"]) if data.get("layout") else None,
        unit=data.get("unit") or "",
        day=datetime.date.fromisoformat(data["day"]) if data.get("day") else None,
        names=dict(data.get("names") or {}),
        corrections=read_corrections(data),
    )


@dataclass(kw_only=True)
class Plan:
    """Everything an import would do. It is computed and not stored."""

    club: Club
    layout: Layout | None  # our own workbook needs none
    findings: Findings
    questions: list[Question] = field(default_factory=list)
    sheet: FileSheet | None = None  # the one that was read; None if nothing in the file can be corrected on the page

    @property
    def together(self) -> Mapping[int, list[int]]:
        """Rows that are one thing, by the first of them."""
        return {}

    @property
    def rows_to_correct(self) -> list[RowToCorrect]:
        if self.sheet is None or self.layout is None or not self.findings.refused:
            return []
        return rows_to_correct(self.sheet, self.layout, self.findings, self.together, gettext)

    @property
    def has_something(self) -> bool:
        raise NotImplementedError

    @property
    def may_be_written(self) -> bool:
        return not self.findings.wrong_count and not self.questions and self.has_something


P = TypeVar("P", bound=Plan)


class ImportKind(Generic[P]):
    """One kind of import. The batch says into what: its club, its season, or `into`. It need not be stored yet."""

    key: ClassVar[str]  # in ImportBatch.kind
    label: ClassVar[str | Promise]
    forms: Sequence[RowForm] = ()
    has_points = False  # the page of columns asks for their unit, and for the day of games without a date
    has_own_pages = False  # its pages are not those of `ratings.views.imports`
    may_be_large = False  # large files are allowed; a job reads and writes them
    newcomer: ClassVar[str | Promise]  # what a name becomes when the user says that it is new
    templates: ClassVar[Mapping[str, str]]  # of the pages dry_run, done and refused

    # --- which files ------------------------------------------------------------------------------------------

    def recognises(self, book: Book) -> bool:
        """Whether a file uploaded under this key is of this kind. The first kind that returns True is used."""
        return True

    def form(self, key: str) -> RowForm:
        return next(form for form in self.forms if form.key == key)

    def find_layout(self, club: Club, book: Book) -> Layout | None:
        """The layout from headings that this club mapped before, else from known headings."""
        remembered = dict(ImportMapping.objects.filter(club=club).values_list("heads", "layout"))
        return columns.find_layout(book, self.forms, remembered)

    def layout_to_show(self, club: Club, book: Book, choices: Choices) -> Layout:
        """The columns as far as they are known."""
        return choices.layout or self.find_layout(club, book) or guessed_layout(book, self.forms)

    def remember(self, club: Club, layout: Layout) -> None:
        """Store the columns for the next file of the club with the same headings."""
        heads = self.form(layout.form).digest(layout.heads)
        ImportMapping.objects.update_or_create(club=club, heads=heads, defaults={"layout": layout.write()})

    def is_for_a_job(self, batch: ImportBatch) -> bool:
        """Whether reading the file takes too long for a page."""
        return self.may_be_large and batch.content is not None and is_large(bytes(batch.content))

    # --- the plan ---------------------------------------------------------------------------------------------

    def plan(
        self,
        batch: ImportBatch,
        book: Book,
        choices: Choices,
        *,
        by: User | None = None,
        report: Report | None = None,
    ) -> P:
        """What importing this file would do. Refuses only what cannot be read at all; the rest is in the findings.

        `by` is the member who imports the file; None if a command does.
        """
        raise NotImplementedError

    def is_long(self, plan: P) -> bool:
        """Whether writing takes too long for a page."""
        return False

    # --- writing ----------------------------------------------------------------------------------------------

    @transaction.atomic
    def write(
        self, plan: P, batch: ImportBatch, *, by: User | None = None, report: Report | None = None
    ) -> ImportBatch:
        """Stores everything in the plan, or nothing. Refuses if something changed since the plan was made."""
        self.lock(plan, batch)
        _claim(batch)
        self.refuse_changed(plan)
        reason = gettext("Imported from “%(file)s”") % {"file": batch.file_name}
        rows = self.store(plan, batch, by=by, reason=reason, report=report)
        ImportedRow.objects.bulk_create(rows, batch_size=2000)
        batch.state, batch.done_at, batch.by = State.DONE, timezone.now(), by or batch.by
        batch.content, batch.choices, batch.dry_run = None, {}, None
        result = ("season", "games", "adjustments", "people")
        batch.save(update_fields=["state", "done_at", "by", "content", "choices", "dry_run", *result])
        if plan.layout:
            self.remember(plan.club, plan.layout)
        return batch

    def lock(self, plan: P, batch: ImportBatch) -> None:
        """Locks the target of the import, so that others wait until this import is done."""
        raise NotImplementedError

    def refuse_changed(self, plan: P) -> None:
        """Refuses if something is no longer as it was when the plan was made."""
        raise NotImplementedError

    def store(
        self, plan: P, batch: ImportBatch, *, by: User | None, reason: str, report: Report | None
    ) -> list[ImportedRow]:
        """Writes the plan and sets the results on the batch. The caller stores the rows that it returns."""
        raise NotImplementedError

    def result(self, batch: ImportBatch) -> str:
        """A sentence that says what was imported."""
        raise NotImplementedError

    # --- taking back ------------------------------------------------------------------------------------------

    @transaction.atomic
    def undo(self, batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
        """Undoes the import as a whole, unless something that it wrote was changed since."""
        self.lock_to_undo(batch)
        batch = ImportBatch.objects.get(pk=batch.pk)
        if problems := self.objections(batch):
            raise Refused(*problems)
        reason = gettext("The import of “%(file)s” was undone") % {"file": batch.file_name}
        self.take_back(batch, by=by, reason=reason)
        batch.state, batch.undone_at, batch.undone_by = State.UNDONE, timezone.now(), by
        batch.save(update_fields=["state", "undone_at", "undone_by"])
        return batch

    def objections(self, batch: ImportBatch) -> list[Problem]:
        """The reasons why the import cannot be undone."""
        return self.touched(batch) if batch.state == State.DONE else [not_done()]

    def touched(self, batch: ImportBatch) -> list[Problem]:
        """A problem for what was changed since the import was done."""
        raise NotImplementedError

    def lock_to_undo(self, batch: ImportBatch) -> None:
        raise NotImplementedError

    def take_back(self, batch: ImportBatch, *, by: User | None, reason: str) -> None:
        raise NotImplementedError

    def undone(self) -> str:
        """A sentence that says what happened to an import that was undone."""
        raise NotImplementedError

    # --- pages ------------------------------------------------------------------------------------------------

    def summary(self, plan: P) -> Any:
        """What the page of the dry run shows about a plan."""
        return plan

    def context(self, summary: Any, user: rights.Person) -> dict[str, Any]:
        """What the template of the dry run needs to show the summary to a user."""
        return {"plan": summary}

    def may_import(self, user: rights.Person, club_id: int) -> bool:
        return rights.may_manage(user, club_id)

    def address(self, batch: ImportBatch, step: str = "") -> str:
        """The address of the batch's own page, or of one of its steps: mapping or undo."""
        return reverse(f"desk:import_{step}" if step else "desk:import", args=[batch.pk])


def _claim(batch: ImportBatch) -> None:
    """Mark the batch as done. If two users confirm the same file, the second is refused."""
    if not ImportBatch.objects.filter(pk=batch.pk, state=State.DRAFT).update(state=State.DONE):
        raise Refused(Problem(_("This file was imported already."), code="imported"))


def not_done() -> Problem:
    return Problem(_("Only an import that was done can be undone."), code="not_done")


def unknown_columns() -> Refused:
    return Refused(
        Problem(_("The columns were not recognised. Select what each column contains."), code="unknown_columns")
    )


_kinds: list[ImportKind[Any]] = []


def register(*kinds: ImportKind[Any]) -> None:
    """Register kinds. If several have the same key, the one that takes all other files must be the last."""
    for kind in kinds:
        _kinds.append(kind)
        kind_labels[kind.key] = kind.label


def kind_of(batch: ImportBatch, book: Book | None = None) -> ImportKind[Any]:
    """The kind of a batch. If several kinds have its key, `book` decides: the kind that recognises the file."""
    same = [kind for kind in _kinds if kind.key == batch.kind]
    return next((kind for kind in same if book and kind.recognises(book)), same[-1])
