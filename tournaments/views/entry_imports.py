"""Import a file of entries: the usual import pages, in the frame of the event."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from ratings import rights
from ratings.forms.imports import FileForm, MappingForm
from ratings.models import ImportBatch
from ratings.views.imports import Context, ImportPages
from tournaments.imports import ENTRIES, into
from tournaments.models import Tournament
from tournaments.views.access import manage_url, page_context, staff_page


class EntryPages(ImportPages):
    def __init__(self, request: HttpRequest, tournament: Tournament) -> None:
        super().__init__(request)
        self.tournament = tournament

    def find(self, pk: int) -> ImportBatch:
        rows = ImportBatch.objects.select_related("club", "by")
        return get_object_or_404(rows, pk=pk, kind=ENTRIES.key, into=into(self.tournament))

    def upload_url(self) -> str:
        return manage_url("entry_import_upload", self.tournament)

    def upload_form(self) -> FileForm:
        return FileForm(self.request.POST or None, self.request.FILES or None)

    def destination(self, form: Any) -> Context:
        event = self.tournament
        return {"club": event.club, "season": None, "kind": ENTRIES.key, "into": into(event)}

    def upload_page(self, form: FileForm) -> HttpResponse:
        intro = gettext(
            "An .xlsx or .csv file with one row per player: Name, Number, Team, Country, EMA number, State, "
            "and names in Latin letters. Only the name is needed; for other headings you will be asked what "
            "the columns are."
        )
        return self._form_page(form, gettext("Import entries"), intro)

    def mapping_page(self, form: MappingForm, heading: str, batch: ImportBatch) -> HttpResponse:
        intro = gettext(
            "Select what each column contains. It is remembered for the next file of the club with the same headings."
        )
        return self._form_page(form, heading, intro)

    def _form_page(self, form: FileForm | MappingForm, heading: str, intro: str) -> HttpResponse:
        context = {
            "form": form,
            "heading": heading,
            "intro": intro,
            "cancel_url": manage_url("entries", self.tournament),
        }
        return self.render("tournaments/manage/entry_import_form.html", context)

    def render(self, template: str, context: Context) -> HttpResponse:
        if "heading" not in context:
            heading = gettext("What “%(file)s” would do") if "plan" in context else "%(file)s"
            context["heading"] = heading % {"file": context["batch"].file_name}
        return super().render(template, page_context(self.request, self.tournament, "entries", **context))


@staff_page(rights.may_manage)
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return EntryPages(request, tournament).upload()


@staff_page(rights.may_manage)
def show(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    pages = EntryPages(request, tournament)
    return pages.show(pages.find(pk))


@staff_page(rights.may_manage)
def mapping(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    pages = EntryPages(request, tournament)
    return pages.mapping(pages.find(pk))


@staff_page(rights.may_manage)
def undo(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    pages = EntryPages(request, tournament)
    return pages.undo(pages.find(pk))
