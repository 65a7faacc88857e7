"""Files of an event for its staff: the workbook, and the results for the European ranking.

If the results are incomplete, the page lists what is missing.
"""

from __future__ import annotations

import tempfile

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.views.workbooks import download
from tournaments.models import Tournament
from tournaments.views.access import manage_url, page_context, staff_page
from tournaments.workbooks import ema, event


@require_safe
@staff_page(rights.may_enter)
def workbook(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    file = tempfile.TemporaryFile()  # noqa: SIM115 – closed by the response
    try:
        event.write(tournament, file)
    except Refused as refused:
        file.close()
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
        return redirect(manage_url("home", tournament))
    return download(file, f"{tournament.slug}-{tournament.today().isoformat()}")


@require_safe
@staff_page(rights.may_enter)
def results(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The file if it is complete, or a draft with `?draft=1`; otherwise the list of what is missing."""
    draft = request.GET.get("draft") == "1"
    file = tempfile.TemporaryFile()  # noqa: SIM115 – closed by the response
    try:
        ema.write(tournament, file, draft=draft)
    except Refused as refused:
        file.close()
        return _missing(request, tournament, refused)
    return download(file, f"{tournament.slug}-ema{'-draft' if draft else ''}")


def _missing(request: HttpRequest, tournament: Tournament, refused: Refused) -> HttpResponse:
    missing = refused.sentences(gettext)
    context = page_context(
        request, tournament, "home", heading=gettext("Results for the European ranking"), missing=missing
    )
    return render(request, "tournaments/manage/ema.html", context)
