"""Importing a file inside the admin site: upload, columns, dry run, confirmation, undoing. Club admins only.

Lists of people take the same way with steps of their own; those of an event have their pages at the event.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from ratings import rights
from ratings.forms.imports import MappingForm, NamesForm, UploadForm
from ratings.imports import layouts
from ratings.imports.layouts import Layout
from ratings.models import ImportBatch, Player
from ratings.problems import Refused
from ratings.queries.name_matches import players_by_id
from ratings.services.imports import files, job, reading_job, writing
from ratings.services.imports.dryruns import DryRun, read_dry_run, summed_up
from ratings.services.imports.files import Choices, open_file, read_choices
from ratings.services.imports.planning import Plan, make_plan
from ratings.services.imports.uploads import keep_choices, store_upload
from ratings.standings import primary_metric
from ratings.views import player_imports


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _batch(request: HttpRequest, pk: int) -> ImportBatch:
    rows = ImportBatch.objects.select_related("club", "season__club", "season__rule_set", "by")
    batch = rows.filter(pk=pk).first()
    if batch is None or not rights.may_manage(_user(request), batch.club_id):
        raise Http404
    return batch


def _say(request: HttpRequest, refused: Refused) -> None:
    for problem in refused.problems:
        messages.error(request, problem.sentence(gettext))


def upload(request: HttpRequest) -> HttpResponse:
    """The file is kept as it came; what it would do is shown next."""
    user = _user(request)
    if not rights.has_level_somewhere(user, rights.Level.ADMIN):
        raise Http404
    form = UploadForm(user, request.POST or None, request.FILES or None, into=request.GET.get("into", ""))
    if request.method == "POST" and form.is_valid():
        club, season, kind = form.destination()
        file = form.cleaned_data["file"]
        try:
            batch = store_upload(club, season, file.name or "", file.read(), by=user, kind=kind)
            return _read(request, batch) if reading_job.is_for_a_job(batch) else redirect(_address(batch))
        except Refused as refused:
            for problem in refused.problems:
                form.add_error("file", problem.sentence(gettext))
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "heading": gettext("Import a file"), "submit": gettext("Show what it would do")}
    return render(request, "ratings/imports/upload.html", context, status=status)


def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The dry run of a file; of one that was imported, what became of it."""
    batch = _batch(request, pk)
    if batch.page:
        return redirect(batch.page)
    if batch.kind == ImportBatch.Kind.PLAYERS:
        return player_imports.show(request, batch)
    if batch.state != ImportBatch.State.DRAFT or batch.content is None:
        objections = writing.undo_objections(batch)
        return render(request, "ratings/imports/done.html", {"batch": batch, "objections": objections})
    if reading_job.is_for_a_job(batch):
        return _show_large(request, batch)
    choices = read_choices(batch.choices)
    try:
        book = open_file(bytes(batch.content), batch.file_name)
        plan = make_plan(batch.club, batch.season, book, choices, by=_user(request))
    except Refused as refused:
        codes = [problem.code for problem in refused.problems]
        return _refused(request, batch, [problem.sentence(gettext) for problem in refused.problems], codes)
    return _dry_run(request, batch, choices, summed_up(plan), partial(_confirm, request, batch, plan))


def _show_large(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    """What the job found; it is asked to read again by a button."""
    found = batch.dry_run
    if found is None or "again" in request.POST:
        if request.method == "POST":
            return _read(request, batch)
        return render(request, "ratings/imports/unread.html", {"batch": batch})
    if "refused" in found:
        return _refused(request, batch, found["refused"], found["codes"])
    changed = batch.season is not None and found["revision"] != batch.season.revision
    start_writing = partial(_start_writing, request, batch)
    return _dry_run(request, batch, read_choices(batch.choices), read_dry_run(found["run"]), start_writing, changed)


def _read(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    return redirect("job", reading_job.start(batch, by=_user(request), back_url=_address(batch)).pk)


def _refused(request: HttpRequest, batch: ImportBatch, sentences: list[str], codes: list[str]) -> HttpResponse:
    if "unknown_columns" in codes:
        return redirect("admin:ratings_importbatch_mapping", batch.pk)
    return render(request, "ratings/imports/refused.html", {"batch": batch, "sentences": sentences})


def _dry_run(
    request: HttpRequest,
    batch: ImportBatch,
    choices: Choices,
    run: DryRun,
    confirm: Callable[[], HttpResponse],
    changed: bool = False,
) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = NamesForm(run.questions, request.user, posted) if run.questions else None
    if form and posted is not None and form.is_valid():
        choices.names |= form.chosen()
        return _decided(request, batch, choices)
    if posted is not None and form is None and "confirm" in posted:
        return confirm()
    people = players_by_id([move.player_id for move in run.moves if move.player_id > 0], request.user)
    people |= {number: Player(native_name=name) for number, name in run.names.items()}
    context = {
        "batch": batch,
        "run": run,
        "form": form,
        "changed": changed,
        "people": people,
        "metric": primary_metric(run.formula),
    }
    return render(request, "ratings/imports/dry_run.html", context, status=422 if posted is not None else 200)


def _decided(request: HttpRequest, batch: ImportBatch, choices: Choices) -> HttpResponse:
    """Somebody said what a column or who a name is; a large file is read again with it."""
    keep_choices(batch, choices)
    return _read(request, batch) if reading_job.is_for_a_job(batch) else redirect(_address(batch))


def _start_writing(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    return redirect("job", job.start(batch, by=_user(request), back_url=_address(batch)).pk)


def _confirm(request: HttpRequest, batch: ImportBatch, plan: Plan) -> HttpResponse:
    if len(plan.games) > job.LARGE:
        return _start_writing(request, batch)
    try:
        done = writing.write_plan(plan, batch, by=_user(request))
        messages.success(request, job.said(done))
    except Refused as refused:
        _say(request, refused)
    return redirect(_address(batch))


def mapping(request: HttpRequest, pk: int) -> HttpResponse:
    """Which column holds what, asked of whoever knows the file."""
    batch = _batch(request, pk)
    if batch.kind == ImportBatch.Kind.PLAYERS:
        return player_imports.mapping(request, batch)
    if batch.page or batch.state != ImportBatch.State.DRAFT or batch.content is None:
        return redirect(_address(batch))
    choices = read_choices(batch.choices)
    try:
        base = choices.layout or _layout(batch)
    except Refused as refused:
        sentences = [problem.sentence(gettext) for problem in refused.problems]
        return render(request, "ratings/imports/refused.html", {"batch": batch, "sentences": sentences})
    if base is None:
        return redirect(_address(batch))
    initial = {
        "form": base.form,
        "unit": choices.unit or base.unit,
        "day": choices.day,
        "columns": {index: key for key, index in base.columns.items()},
    }
    form = MappingForm(base.heads, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        choices.layout, choices.day = form.layout(base), form.cleaned_data["day"]
        choices.unit = choices.layout.unit
        files.remember(batch.club, choices.layout)
        return _decided(request, batch, choices)
    context = {
        "batch": batch,
        "form": form,
        "heading": gettext("Columns of “%(file)s”") % {"file": batch.file_name},
        "submit": gettext("Show what it would do"),
        "cancel_url": reverse("admin:ratings_importbatch_changelist"),
    }
    return render(request, "ratings/imports/upload.html", context, status=422 if request.method == "POST" else 200)


def _layout(batch: ImportBatch) -> Layout | None:
    """The columns as far as they are known; of a large file those its job saw."""
    if reading_job.is_for_a_job(batch):
        seen = (batch.dry_run or {}).get("layout")
        return layouts.read_layout(seen) if seen else None
    book = open_file(bytes(batch.content or b""), batch.file_name)
    return files.find_layout(batch.club, book) or reading_job.blank_layout(book)


def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes an import back as a whole; asked by the page of the import."""
    batch = _batch(request, pk)
    if batch.kind == ImportBatch.Kind.PLAYERS:
        return player_imports.undo(request, batch)
    if request.method == "POST" and not batch.page:
        try:
            writing.undo(batch, by=_user(request))
            messages.success(request, gettext("The import is undone: its games are void and count nowhere."))
        except Refused as refused:
            _say(request, refused)
    return redirect(_address(batch))


def _address(batch: ImportBatch) -> str:
    return reverse("admin:ratings_importbatch_change", args=[batch.pk])
