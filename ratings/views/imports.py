"""Importing a file inside the admin site: upload, columns, dry run, confirmation, undoing. Club admins only.

Lists of people take the same way with steps of their own; those of an event have their pages at the event.
"""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from ratings import rights
from ratings.forms.imports import MappingForm, NamesForm, UploadForm
from ratings.imports import layouts
from ratings.imports.books import Book
from ratings.imports.layouts import WIDE, Layout
from ratings.models import ImportBatch, Player
from ratings.problems import Refused
from ratings.queries import previews
from ratings.queries.leaderboard import Person
from ratings.queries.leaderboard import people as people_of
from ratings.queries.name_matches import players_by_id
from ratings.services.imports import files, job, writing
from ratings.services.imports.files import Choices, open_file, read_choices
from ratings.services.imports.planning import Plan, make_plan
from ratings.services.imports.uploads import keep_choices, store_upload
from ratings.standings import primary_metric
from ratings.views import player_imports

Context = dict[str, Any]
MOST_MOVES = 100


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
            return redirect(_address(batch))
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
    choices = read_choices(batch.choices)
    try:
        book = open_file(bytes(batch.content), batch.file_name)
        plan = make_plan(batch.club, batch.season, book, choices, by=_user(request))
    except Refused as refused:
        if any(problem.code == "unknown_columns" for problem in refused.problems):
            return redirect("admin:ratings_importbatch_mapping", batch.pk)
        return render(request, "ratings/imports/refused.html", {"batch": batch, "problems": refused.problems})
    return _dry_run(request, batch, choices, plan)


def _dry_run(request: HttpRequest, batch: ImportBatch, choices: Choices, plan: Plan) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    candidates = players_by_id(pk for question in plan.questions for pk in question.candidates)
    form = NamesForm(plan.questions, candidates, posted) if plan.questions else None
    if form and posted is not None and form.is_valid():
        choices.names |= form.chosen()
        keep_choices(batch, choices)
        return redirect(_address(batch))
    if posted is not None and form is None and "confirm" in posted:
        return _confirm(request, batch, plan)
    context = {
        "batch": batch,
        "plan": plan,
        "form": form,
        "choices": choices,
        "new_names": [plan.reading.names[key] for key in plan.new_people],
        **_preview(plan),
    }
    return render(request, "ratings/imports/dry_run.html", context, status=422 if posted is not None else 200)


def _preview(plan: Plan) -> Context:
    """The leaderboard as it would be; players who are not there yet stand in it by name."""
    games = [
        (planned.ready.sheet, [result for result in planned.ready.results if result])
        for planned in plan.games
        if planned.ready.status == "final"
    ]
    moves = previews.moves_of_many(plan.season, games) if not plan.findings.wrong_count else []
    people: dict[int, Player | Person] = {}
    people.update(people_of([move.player_id for move in moves if move.player_id > 0]))
    for key, number in plan.new_people.items():
        people[number] = Player(native_name=plan.reading.names[key])
    return {
        "moves": moves[:MOST_MOVES],
        "more_moves": max(0, len(moves) - MOST_MOVES),
        "people": people,
        "metric": primary_metric(plan.season.formula),
    }


def _confirm(request: HttpRequest, batch: ImportBatch, plan: Plan) -> HttpResponse:
    if len(plan.games) > job.LARGE:
        return redirect("job", job.start(batch, by=_user(request), back_url=_address(batch)).pk)
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
        book = open_file(bytes(batch.content), batch.file_name)
        base = choices.layout or files.find_layout(batch.club, book) or _blank(book)
    except Refused as refused:
        return render(request, "ratings/imports/refused.html", {"batch": batch, "problems": refused.problems})
    if base is None:
        raise Http404
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
        keep_choices(batch, choices)
        files.remember(batch.club, choices.layout)
        return redirect(_address(batch))
    context = {
        "batch": batch,
        "form": form,
        "heading": gettext("Columns of “%(file)s”") % {"file": batch.file_name},
        "submit": gettext("Show what it would do"),
        "cancel_url": reverse("admin:ratings_importbatch_changelist"),
    }
    return render(request, "ratings/imports/upload.html", context, status=422 if request.method == "POST" else 200)


def _blank(book: Book) -> Layout | None:
    found = files.heads_to_map(book)
    if found is None:
        return None
    sheet, row = found
    return Layout(WIDE, {}, sheet=sheet.title, head_row=row.number, heads=layouts.heads_of(row.cells))


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
