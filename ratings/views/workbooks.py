"""Download a season as a workbook, with the names that the reader may see. A job writes large workbooks first."""

from __future__ import annotations

from contextlib import suppress
from typing import IO

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from clubsite.export import TYPES
from clubsite.signing_in import user_of
from ratings.mahjong.problems import Problem, Refused
from ratings.models import Season
from ratings.views.seasons import SeasonPage, frame_of, open_season
from ratings.workbooks import job
from ratings.workbooks.keeping import kept_book, write_book
from ratings.workbooks.unchanged import BUSY, TRIES


@require_http_methods(["GET", "HEAD", "POST"])
def season_workbook(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    if not opened.sees_results:
        raise Http404
    season = opened.season()
    name = opened.file_name(slug, "workbook")
    if job.is_large(season):
        return _large(request, opened, season, name)
    if request.method == "POST":
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        return download(_book(season, opened.sees_hidden), name)
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
        return redirect(season)


def _book(season: Season, sees_hidden: bool) -> IO[bytes]:
    """Open the workbook, which is written once for all readers who see the same names.

    Another process may remove an old workbook between finding and opening it, so this tries several times.
    """
    for _attempt in range(TRIES):
        path = kept_book(season, sees_hidden=sees_hidden) or write_book(season, sees_hidden=sees_hidden)
        with suppress(FileNotFoundError):
            if path is not None:
                return path.open("rb")
    raise Refused(Problem(BUSY, code="busy"))


def _large(request: HttpRequest, opened: SeasonPage, season: Season, name: str) -> HttpResponseBase:
    """Staff start the job with a button and download the file when it is ready. Strangers can only use the lists."""
    if request.method == "POST":
        if not opened.sees_hidden:
            raise PermissionDenied
        return redirect(job.start(season, by=user_of(request), back_url=request.path))
    kept = kept_book(season, sees_hidden=True) if opened.sees_hidden else None
    if kept is not None:
        return download(kept.open("rb"), name)
    context = {**frame_of(opened, season, "season"), "may_start": opened.sees_hidden}
    return render(request, "ratings/large_workbook.html", context)


def download(file: IO[bytes], name: str) -> FileResponse:
    file.seek(0)
    answer = FileResponse(file, as_attachment=True, filename=f"{name}.xlsx")
    answer["Content-Type"] = TYPES["xlsx"]
    answer["Cache-Control"] = "private, no-store"  # the names in it depend on the reader
    return answer
