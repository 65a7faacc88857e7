"""Adding a list of people to a club: pasted or as a file, with a template for files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from clubsite import export
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.imports import FileForm
from ratings.forms.pasted import PastedListForm, PastedReading, live_reading, read_pasted
from ratings.imports.columns import plain
from ratings.imports.players import PLAYERS
from ratings.imports.uploads import keep_choices, store_pasted, store_upload
from ratings.mahjong.problems import Refused
from ratings.models import Club, ImportBatch

TEMPLATE_COLUMNS = ("name", "latin_first", "latin_last", "nickname", "country", "ema_number", "kind")


class PeoplePage:
    """The box and the form for a file, on any page of a club."""

    def __init__(self, request: HttpRequest, club: Club) -> None:
        self.request, self.club, self.user = request, club, user_of(request)
        self.status = 200
        self.is_file = "file" in request.FILES or "upload" in request.POST
        sent = (request.POST, request.FILES) if self.is_file else ()
        self.form = PastedListForm(request.POST if request.method == "POST" and not self.is_file else None)
        self.file_form = FileForm(*sent)
        self.reading: PastedReading | None = None

    def accept(self) -> ImportBatch | None:
        """Store what was posted, or return None if the page is to be shown again.

        A pasted list whose reading the user saw is imported at once; anything else waits for its dry run.
        """
        try:
            batch = self._file() if self.is_file else self._pasted()
        except Refused as refused:
            form, field = (self.file_form, "file") if self.is_file else (self.form, "text")
            form.add_error(field, refused.sentences(gettext))
            batch = None
        self.status = 200 if batch else 422
        return batch

    def _file(self) -> ImportBatch | None:
        if not self.file_form.is_valid():
            return None
        file = self.file_form.cleaned_data["file"]
        return store_upload(self.club, None, file.name or "", file.read(), by=self.user, kind=PLAYERS.key)

    def _pasted(self) -> ImportBatch | None:
        if not self.form.is_valid():
            return None
        text = self.form.cleaned_data["text"]
        reading = self.reading = read_pasted(self.club, text, self.request.POST, self.user)
        if reading.refused and not reading.asks_for_columns:
            self.form.add_error("text", reading.refused)
            return None
        batch = store_pasted(self.club, text, by=self.user, kind=PLAYERS.key)
        if reading.choices.names:
            keep_choices(batch, reading.choices)
        if reading.plan and reading.may_be_written and self.form.was_seen:
            PLAYERS.write(reading.plan, batch, by=self.user)
            messages.success(self.request, PLAYERS.result(batch))
        return batch

    def next_url(self, batch: ImportBatch) -> str:
        """The page of the import: its dry run, or the question what the columns hold."""
        asks = self.reading is not None and self.reading.asks_for_columns
        return PLAYERS.address(batch, "mapping" if asks else "")

    def context(self) -> dict[str, Any]:
        return {
            "club": self.club,
            "form": self.form,
            "file_form": self.file_form,
            "reading": self.reading or PastedReading(""),
            "reading_url": reverse("desk:people_reading", args=[self.club.slug]),
        }


def _managed(request: HttpRequest, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    if not rights.may_manage(user_of(request), club.pk):
        raise Http404
    return club


def add(request: HttpRequest, slug: str) -> HttpResponse:
    page = PeoplePage(request, _managed(request, slug))
    if request.method == "POST" and (batch := page.accept()):
        return redirect(page.next_url(batch))
    return render(request, "desk/people/add.html", page.context(), status=page.status)


@require_POST
def reading(request: HttpRequest, slug: str) -> HttpResponse:
    """How the text in the box is read, while it is typed."""
    found = live_reading(_managed(request, slug), request.POST.get("text", ""), request.POST, user_of(request))
    context = {"reading": found, "reading_url": request.path, "is_live": True}
    return render(request, "desk/people/reading.html", context)


@require_safe
def template(request: HttpRequest, ending: str) -> HttpResponse:
    """An empty list with headings in the reader's language, which the import recognises."""
    if ending not in export.FORMATS:
        raise Http404
    columns = [export.ExportColumn(_heading(key)) for key in TEMPLATE_COLUMNS]
    return export.response(ending, "players", gettext("Players"), columns, [])


def _heading(key: str) -> str:
    """A heading that is recognised: the label in the reader's language, else the first declared heading."""
    column = next(column for column in PLAYERS.people.columns if column.key == key)
    words = gettext("player") if key == "name" else gettext(column.label)
    known = PLAYERS.people.key_of(plain(words)) == key
    heading = words if known else column.headings[0]
    return heading[:1].upper() + heading[1:]
