"""The steps of a list of people on its way in, for whichever page shows them: columns, dry run, confirmation, undoing.

Each step answers with a redirect, or with what its page needs; the page itself is the admin site's or an event's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from ratings.forms.imports import ListMappingForm, NamesForm
from ratings.imports import layouts
from ratings.imports.books import Book
from ratings.imports.layouts import Layout
from ratings.models import ImportBatch
from ratings.problems import Problem, Refused
from ratings.services.imports import files
from ratings.services.imports.files import Choices, open_file, read_choices
from ratings.services.imports.lists import ListPlan
from ratings.services.imports.uploads import keep_choices

Context = dict[str, Any]


@dataclass(frozen=True)
class ListKind:
    """What a kind of list does at each step, and where its pages are."""

    form: str
    plan: Callable[[ImportBatch, Book, Choices, User], ListPlan]
    write: Callable[[Any, ImportBatch, User], ImportBatch]
    undo: Callable[[ImportBatch, User], object]
    objections: Callable[[ImportBatch], list[Problem]]
    address: Callable[[ImportBatch, str], str]  # of "page", "mapping" and "undo"
    said: Callable[[ImportBatch], str]
    said_undone: Callable[[], str]


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _say(request: HttpRequest, refused: Refused) -> None:
    for problem in refused.problems:
        messages.error(request, problem.sentence(gettext))


def waits(batch: ImportBatch) -> bool:
    return batch.state == ImportBatch.State.DRAFT and batch.content is not None


def addresses(kind: ListKind, batch: ImportBatch) -> Context:
    return {f"{name}_url": kind.address(batch, name) for name in ("page", "mapping", "undo")}


def show(request: HttpRequest, batch: ImportBatch, kind: ListKind) -> HttpResponse | Context:
    """The dry run, or what became of the file."""
    shared = {"batch": batch, **addresses(kind, batch)}
    if not waits(batch):
        return {**shared, "objections": kind.objections(batch)}
    choices = read_choices(batch.choices)
    try:
        book = open_file(bytes(batch.content or b""), batch.file_name)
        plan = kind.plan(batch, book, choices, _user(request))
    except Refused as refused:
        if any(problem.code == "unknown_columns" for problem in refused.problems):
            return HttpResponseRedirect(kind.address(batch, "mapping"))
        return {**shared, "problems": refused.problems}
    posted = request.POST if request.method == "POST" else None
    new = gettext("a new player")
    form = NamesForm(plan.questions, request.user, posted, new=new) if plan.questions else None
    if form and posted is not None and form.is_valid():
        choices.names |= form.chosen()
        keep_choices(batch, choices)
        return HttpResponseRedirect(kind.address(batch, "page"))
    if posted is not None and form is None and "confirm" in posted:
        return _confirm(request, batch, kind, plan)
    return {**shared, "plan": plan, "form": form}


def _confirm(request: HttpRequest, batch: ImportBatch, kind: ListKind, plan: ListPlan) -> HttpResponse:
    try:
        messages.success(request, kind.said(kind.write(plan, batch, _user(request))))
    except Refused as refused:
        _say(request, refused)
    return HttpResponseRedirect(kind.address(batch, "page"))


def mapping(request: HttpRequest, batch: ImportBatch, kind: ListKind) -> HttpResponse | Context:
    """Which column holds what, asked of whoever knows the file."""
    shared = {"batch": batch, **addresses(kind, batch)}
    if not waits(batch):
        return HttpResponseRedirect(kind.address(batch, "page"))
    choices = read_choices(batch.choices)
    try:
        book = open_file(bytes(batch.content or b""), batch.file_name)
        base = choices.layout or files.find_layout(batch.club, book, [kind.form]) or _blank(book, kind)
    except Refused as refused:
        return {**shared, "problems": refused.problems}
    initial = {"columns": {index: key for key, index in base.columns.items()}}
    form = ListMappingForm(base.form, base.heads, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        choices.layout = form.layout(base)
        keep_choices(batch, choices)
        files.remember(batch.club, choices.layout)
        return HttpResponseRedirect(kind.address(batch, "page"))
    heading = gettext("Columns of “%(file)s”") % {"file": batch.file_name}
    return {**shared, "form": form, "heading": heading, "submit": gettext("Show what it would do")}


def _blank(book: Book, kind: ListKind) -> Layout:
    found = files.heads_to_map(book)
    if found is None:
        return Layout(kind.form, {})
    sheet, row = found
    return Layout(kind.form, {}, sheet=sheet.title, head_row=row.number, heads=layouts.heads_of(row.cells))


def undo(request: HttpRequest, batch: ImportBatch, kind: ListKind) -> HttpResponse:
    """Takes an import back as a whole; asked by the page of the import."""
    if request.method == "POST":
        try:
            kind.undo(batch, _user(request))
            messages.success(request, kind.said_undone())
        except Refused as refused:
            _say(request, refused)
    return HttpResponseRedirect(kind.address(batch, "page"))
