"""Importing a file: upload, columns, dry run, confirmation, undo. One set of pages for all kinds of import.

`ImportPages` are the pages of a club's staff. An upper app shows its kinds of import on its own pages, with a
subclass that defines what is around them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.imports import CorrectionsForm, FileForm, MappingForm, NamesForm, UploadForm
from ratings.imports import large
from ratings.imports.columns import Layout, read_layout
from ratings.imports.corrections import Corrections, RowToCorrect
from ratings.imports.dry_run import read_dry_run
from ratings.imports.kinds import Choices, ImportKind, Plan, kind_of, read_choices
from ratings.imports.names import Question
from ratings.imports.read import open_file
from ratings.imports.uploads import keep_choices, store_upload
from ratings.mahjong.problems import Refused
from ratings.models import Club, ImportBatch

Context = dict[str, Any]


PER_PAGE = 50


@require_safe
def listing(request: HttpRequest, slug: str) -> HttpResponse:
    """The files of a club, newest first."""
    club = get_object_or_404(Club, slug=slug)
    if not rights.may_manage(user_of(request), club.pk):
        raise Http404
    files = ImportBatch.objects.filter(club=club).select_related("season", "by").defer("content", "dry_run")
    page: Page[ImportBatch] = Paginator(files, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/imports.html", {"club": club, "page": page})


def upload(request: HttpRequest) -> HttpResponse:
    return ImportPages(request).upload()


def show(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk, ImportPages.show)


def mapping(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk, ImportPages.mapping)


def undo(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk, ImportPages.undo)


def _page(request: HttpRequest, pk: int, answer: Callable[[ImportPages, ImportBatch], HttpResponse]) -> HttpResponse:
    """Return a page about an import for the club's staff, or redirect to the kind's own pages if it has them."""
    pages = ImportPages(request)
    batch = pages.find(pk)
    kind = kind_of(batch)
    if not kind.has_own_pages:
        return answer(pages, batch)
    try:
        return redirect(kind.address(batch))
    except ObjectDoesNotExist as gone:  # what it was imported into was removed, with its pages
        raise Http404 from gone


class ImportPages:
    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.user = user_of(request)
        self.posted = request.POST if request.method == "POST" else None

    # --- what is around the pages -----------------------------------------------------------------------------

    def find(self, pk: int) -> ImportBatch:
        rows = ImportBatch.objects.select_related("club", "season__club", "season__rule_set", "by")
        batch = rows.filter(pk=pk).first()
        if batch is None or not kind_of(batch).may_import(self.user, batch.club_id):
            raise Http404
        return batch

    def upload_url(self) -> str:
        return reverse("desk:import_add")

    def upload_form(self) -> FileForm:
        if not rights.has_level_somewhere(self.user, rights.Level.ADMIN):
            raise Http404
        asked = {name: self.request.GET.get(name, "") for name in ("into", "club")}
        return UploadForm(self.user, self.request.POST or None, self.request.FILES or None, **asked)

    def destination(self, form: Any) -> Context:
        """Return where the file goes, as columns of ImportBatch."""
        destination: Context = form.destination()
        return destination

    def upload_page(self, form: FileForm) -> HttpResponse:
        context = {"form": form, "heading": gettext("Import a file"), "club": getattr(form, "club", None)}
        return self.render("ratings/imports/upload.html", context)

    def mapping_page(self, form: MappingForm, heading: str, batch: ImportBatch) -> HttpResponse:
        context = {"batch": batch, "club": batch.club, "form": form, "heading": heading}
        context["cancel_url"] = reverse("desk:imports", args=[batch.club.slug])
        return self.render("ratings/imports/upload.html", context)

    def render(self, template: str, context: Context) -> HttpResponse:
        """Render the template. A page in answer to a posted form means that the form was not accepted: status 422."""
        context = {"submit": gettext("Show what it would do"), **context}
        return render(self.request, template, context, status=200 if self.posted is None else 422)

    # --- the pages --------------------------------------------------------------------------------------------

    def upload(self) -> HttpResponse:
        """Store the uploaded file unchanged. The next page shows what the import would do."""
        form = self.upload_form()
        if self.posted is not None and form.is_valid():
            file = form.cleaned_data["file"]
            try:
                destination = self.destination(form)
                return self._go_on(store_upload(name=file.name or "", content=file.read(), by=self.user, **destination))
            except Refused as refused:
                form.add_error("file", refused.sentences(gettext))
        return self.upload_page(form)

    def show(self, batch: ImportBatch) -> HttpResponse:
        """Show the dry run of a file, or the outcome if it was already imported."""
        if not batch.waits:
            return self._shown("done", batch, objections=kind_of(batch).objections(batch))
        if kind_of(batch).is_for_a_job(batch):
            return self._show_large(batch)
        choices = read_choices(batch.choices)
        try:
            book = open_file(bytes(batch.content or b""), batch.file_name)
            kind = kind_of(batch, book)
            plan = kind.plan(batch, book, choices, by=self.user)
        except Refused as refused:
            return self._refused(batch, refused.sentences(gettext), [problem.code for problem in refused.problems])
        confirm = partial(self._confirm, batch, kind, plan)
        return self._dry_run(batch, choices, plan.questions, plan.rows_to_correct, confirm, partial(kind.summary, plan))

    def _show_large(self, batch: ImportBatch) -> HttpResponse:
        """Show what the job found. A button starts the job again."""
        found = batch.dry_run
        if found is None or "again" in self.request.POST:
            if self.posted is not None:
                return self._read(batch)
            return self.render("ratings/imports/unread.html", {"batch": batch, "club": batch.club})
        if "refused" in found:
            return self._refused(batch, found["refused"], found["codes"])
        run = read_dry_run(found["run"])
        changed = batch.season is not None and found["revision"] != batch.season.revision
        confirm = partial(self._write, batch)
        choices = read_choices(batch.choices)
        return self._dry_run(batch, choices, run.questions, run.to_correct, confirm, lambda: run, changed=changed)

    def _dry_run(
        self,
        batch: ImportBatch,
        choices: Choices,
        questions: list[Question],
        rows: list[RowToCorrect],
        confirm: Callable[[], HttpResponse],
        summary: Callable[[], Any],
        **more: Any,
    ) -> HttpResponse:
        """Ask who names are and for corrections of rows, in one form; without questions the import can be confirmed."""
        kind, posted = kind_of(batch), self.posted
        names = NamesForm(questions, self.user, str(kind.newcomer), posted) if questions else None
        cells = CorrectionsForm(rows, posted) if rows else None
        if posted is not None and (names or cells or "rows" in posted):
            valid = [form.is_valid() for form in (names, cells) if form]  # both say what is wrong
            if all(valid):
                choices.names |= names.chosen() if names else {}
                self._correct(choices, rows, cells)
                return self._decided(batch, choices)
        elif posted is not None and "confirm" in posted:
            return confirm()
        context = {"form": names, "cells": cells, "corrections": choices.corrections, **more}
        return self._shown("dry_run", batch, **context, **kind.context(summary(), self.user))

    def _correct(self, choices: Choices, rows: list[RowToCorrect], cells: CorrectionsForm | None) -> None:
        wanted = self.request.POST.get("rows")
        if wanted == "as_in_file":
            choices.corrections = Corrections()
        elif wanted == "leave_out":
            for row in rows:
                choices.corrections.leave_out(row.place)
        elif cells:
            cells.correct(choices.corrections)

    def _shown(self, page: str, batch: ImportBatch, **context: Any) -> HttpResponse:
        kind = kind_of(batch)
        addresses = {f"{step}_url": kind.address(batch, step) for step in ("mapping", "undo")}
        around = {"batch": batch, "club": batch.club, "kind": kind, "upload_url": self.upload_url(), **addresses}
        return self.render(kind.templates[page], {**around, **context})

    def _refused(self, batch: ImportBatch, sentences: list[str], codes: list[str]) -> HttpResponse:
        if "unknown_columns" in codes:
            return redirect(kind_of(batch).address(batch, "mapping"))
        return self._shown("refused", batch, sentences=sentences)

    def mapping(self, batch: ImportBatch) -> HttpResponse:
        """Ask which column holds what."""
        kind, choices = kind_of(batch), read_choices(batch.choices)
        try:
            base = self._layout(batch, kind, choices) if batch.waits else None
        except Refused as refused:
            return self._refused(batch, refused.sentences(gettext), [])
        if base is None:
            return redirect(kind.address(batch))
        form = MappingForm(kind, base, choices, self.posted)
        if self.posted is not None and form.is_valid():
            kind.remember(batch.club, form.decide(choices))
            return self._decided(batch, choices)
        heading = gettext("Columns of “%(file)s”") % {"file": batch.file_name}
        return self.mapping_page(form, heading, batch)

    def _layout(self, batch: ImportBatch, kind: ImportKind[Any], choices: Choices) -> Layout | None:
        """Return the columns as far as they are known; for a large file, those that its job found."""
        if choices.layout:
            return choices.layout
        if not kind.is_for_a_job(batch):
            book = open_file(bytes(batch.content or b""), batch.file_name)
            return kind.layout_to_show(batch.club, book, choices)
        seen = (batch.dry_run or {}).get("layout")
        return read_layout(seen) if seen else None

    def undo(self, batch: ImportBatch) -> HttpResponse:
        """Undo a whole import, on request of the import's page."""
        kind = kind_of(batch)
        if self.posted is not None:
            try:
                kind.undo(batch, by=self.user)
                messages.success(self.request, kind.undone())
            except Refused as refused:
                self._say(refused)
        return redirect(kind.address(batch))

    # --- what happens next ------------------------------------------------------------------------------------

    def _decided(self, batch: ImportBatch, choices: Choices) -> HttpResponse:
        """Store a decision about columns or names. A large file is then read again."""
        keep_choices(batch, choices)
        return self._go_on(batch)

    def _go_on(self, batch: ImportBatch) -> HttpResponse:
        kind = kind_of(batch)
        return self._read(batch) if kind.is_for_a_job(batch) else redirect(kind.address(batch))

    def _read(self, batch: ImportBatch) -> HttpResponse:
        return redirect("job", large.start_reading(batch, by=self.user).pk)

    def _write(self, batch: ImportBatch) -> HttpResponse:
        return redirect("job", large.start_writing(batch, by=self.user).pk)

    def _confirm(self, batch: ImportBatch, kind: ImportKind[Any], plan: Plan) -> HttpResponse:
        if kind.is_long(plan):
            return self._write(batch)
        try:
            messages.success(self.request, kind.result(kind.write(plan, batch, by=self.user)))
        except Refused as refused:
            self._say(refused)
        return redirect(kind.address(batch))

    def _say(self, refused: Refused) -> None:
        for sentence in refused.sentences(gettext):
            messages.error(self.request, sentence)
