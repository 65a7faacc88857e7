"""A list of players into a club, inside the admin site; the steps are those of every list (`list_imports`)."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from ratings.imports.books import Book
from ratings.imports.headings import PLAYERS
from ratings.models import ImportBatch
from ratings.services.imports import players
from ratings.services.imports.files import Choices
from ratings.services.imports.players import PlayersPlan
from ratings.views import list_imports
from ratings.views.list_imports import ListKind


def _plan(batch: ImportBatch, book: Book, choices: Choices, by: User) -> PlayersPlan:
    return players.make_plan(batch.club, book, choices, by=by)


def _write(plan: PlayersPlan, batch: ImportBatch, by: User) -> ImportBatch:
    return players.write_plan(plan, batch, by=by)


def _undo(batch: ImportBatch, by: User) -> object:
    return players.undo(batch, by=by)


def _address(batch: ImportBatch, name: str) -> str:
    step = {"page": "change", "mapping": "mapping", "undo": "undo"}[name]
    return reverse(f"admin:ratings_importbatch_{step}", args=[batch.pk])


def _said(batch: ImportBatch) -> str:
    words = ngettext("%(count)s player was imported.", "%(count)s players were imported.", batch.people)
    return words % {"count": batch.people}


def _said_undone() -> str:
    return gettext("The import is undone: who came with it is gone again.")


KIND = ListKind(PLAYERS, _plan, _write, _undo, players.undo_objections, _address, _said, _said_undone)


def show(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    found = list_imports.show(request, batch, KIND)
    if isinstance(found, HttpResponse):
        return found
    plan = found.get("plan")
    context = {
        **found,
        "counts": _counts(plan) if plan else [],
        "rows_template": "ratings/imports/player_rows.html",
        "upload_url": reverse("admin:ratings_importbatch_add"),
        "undo_words": gettext(
            "New players leave again and known ones lose what this file gave them, as long as none of them played or "
            "was changed since. The file can be imported again afterwards."
        ),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "ratings/imports/list.html", context, status=status)


def _counts(plan: PlayersPlan) -> list[tuple[str, int]]:
    return [
        (gettext("New players"), len(plan.new)),
        (gettext("Known players who gain something"), len(plan.completed)),
        (gettext("Known already"), plan.already),
    ]


def mapping(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    found = list_imports.mapping(request, batch, KIND)
    if isinstance(found, HttpResponse):
        return found
    if "problems" in found:
        found["sentences"] = [problem.sentence(gettext) for problem in found["problems"]]
        return render(request, "ratings/imports/refused.html", found)
    found["cancel_url"] = reverse("admin:ratings_importbatch_changelist")
    return render(request, "ratings/imports/upload.html", found, status=422 if request.method == "POST" else 200)


def undo(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    return list_imports.undo(request, batch, KIND)
