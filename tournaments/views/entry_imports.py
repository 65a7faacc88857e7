"""A file of entries at its event: upload, columns, dry run, confirmation, undoing; the steps of every list."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext

from ratings import rights
from ratings.forms.imports import FileForm
from ratings.imports.books import Book
from ratings.imports.headings import ENTRIES
from ratings.models import ImportBatch
from ratings.problems import Refused
from ratings.services.imports.files import Choices
from ratings.services.imports.uploads import store_upload
from ratings.views import list_imports
from ratings.views.list_imports import Context, ListKind
from tournaments.models import Tournament
from tournaments.services import entry_imports as services
from tournaments.services.entry_imports import EntriesPlan
from tournaments.views.access import manage_url, page_context, sentences, staff_page, user_of


def _batch(tournament: Tournament, pk: int) -> ImportBatch:
    rows = ImportBatch.objects.select_related("club", "by")
    return get_object_or_404(rows, pk=pk, kind=ImportBatch.Kind.ENTRIES, into=services.into(tournament))


def _kind(tournament: Tournament) -> ListKind:
    """The steps of a list, for one event."""

    def plan(batch: ImportBatch, book: Book, choices: Choices, by: User) -> EntriesPlan:
        return services.make_plan(tournament, book, choices, by=by)

    def write(plan: EntriesPlan, batch: ImportBatch, by: User) -> ImportBatch:
        return services.write_plan(plan, tournament, batch, by=by)

    def undo(batch: ImportBatch, by: User) -> object:
        return services.undo(batch, tournament, by=by)

    address = partial(_address, tournament)
    return ListKind(ENTRIES, plan, write, undo, services.undo_objections, address, _said, _said_undone)


def _address(tournament: Tournament, batch: ImportBatch, step: str) -> str:
    names = {"page": "entry_import", "mapping": "entry_import_mapping", "undo": "entry_import_undo"}
    return manage_url(names[step], tournament, batch.pk)


def _said(batch: ImportBatch) -> str:
    words = ngettext("%(count)s player is entered.", "%(count)s players are entered.", batch.people)
    return words % {"count": batch.people}


def _said_undone() -> str:
    return gettext("The import is undone: its entries are off the list again.")


@staff_page(rights.may_manage)
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = FileForm(request.POST or None, request.FILES or None) if request.method == "POST" else FileForm()
    if request.method == "POST" and form.is_valid():
        file, kind = form.cleaned_data["file"], ImportBatch.Kind.ENTRIES
        try:
            batch = store_upload(
                *(tournament.club, None, file.name or "", file.read()),
                by=user_of(request),
                kind=kind,
                into=services.into(tournament),
            )
            batch.page = _address(tournament, batch, "page")
            batch.save(update_fields=["page"])
            return redirect(batch.page)
        except Refused as refused:
            form.add_error("file", sentences(refused, gettext))
    intro = gettext(
        "An .xlsx or .csv file with a row a player: Name, Number, Team, Country, EMA number, State, and names in Latin "
        "letters. Only the name is needed; for other headings you will be asked what the columns are."
    )
    return _form_page(request, tournament, heading=gettext("Import entries"), form=form, intro=intro)


def _form_page(request: HttpRequest, tournament: Tournament, **context: object) -> HttpResponse:
    shared = page_context(request, tournament, "entries", submit=gettext("Show what it would do"), **context)
    shared["cancel_url"] = manage_url("entries", tournament)
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/manage/entry_import_form.html", shared, status=status)


@staff_page(rights.may_manage)
def show(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    batch = _batch(tournament, pk)
    found = list_imports.show(request, batch, _kind(tournament))
    return found if isinstance(found, HttpResponse) else _page(request, tournament, batch, found)


def _page(request: HttpRequest, tournament: Tournament, batch: ImportBatch, found: Context) -> HttpResponse:
    plan = found.get("plan")
    heading = gettext("What “%(file)s” would do") if plan else "%(file)s"
    context = page_context(request, tournament, "entries", heading=heading % {"file": batch.file_name}, **found)
    context |= {
        "counts": _counts(plan) if plan else [],
        "rows_template": "tournaments/manage/entry_rows.html",
        "upload_url": manage_url("entry_import_upload", tournament),
        "undo_words": gettext(
            "Its entries leave the list again, as long as none of them was changed or seated since. Players who came "
            "with it and did nothing else leave too. The file can be imported again afterwards."
        ),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/manage/entry_import.html", context, status=status)


def _counts(plan: EntriesPlan) -> list[tuple[str, int]]:
    return [
        (gettext("New entries"), len(plan.new)),
        (gettext("Entered already"), plan.already),
        (gettext("New players"), plan.new_players),
    ]


@staff_page(rights.may_manage)
def mapping(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    batch = _batch(tournament, pk)
    found = list_imports.mapping(request, batch, _kind(tournament))
    if isinstance(found, HttpResponse):
        return found
    if "problems" in found:
        return _page(request, tournament, batch, found)
    intro = gettext(
        "Say what each column holds. It is remembered for the next file of the club with the same headings."
    )
    return _form_page(request, tournament, heading=found["heading"], form=found["form"], intro=intro)


@staff_page(rights.may_manage)
def undo(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    return list_imports.undo(request, _batch(tournament, pk), _kind(tournament))
