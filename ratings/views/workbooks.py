"""A season as a workbook to take home, as whoever asks may see it."""

from __future__ import annotations

import tempfile

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.views.decorators.http import require_safe

from clubsite.export import TYPES
from ratings.views.seasons import open_season
from ratings.workbooks import season as book


@require_safe
def season_workbook(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    if not opened.sees_results:
        raise Http404
    file = tempfile.TemporaryFile()  # noqa: SIM115 – closed by the response
    book.write(opened.season(), file, sees_hidden=opened.sees_hidden)
    file.seek(0)
    answer = FileResponse(file, as_attachment=True, filename=f"{opened.file_name(slug)}.xlsx")
    answer["Content-Type"] = TYPES["xlsx"]
    answer["Cache-Control"] = "private, no-store"  # names in it depend on who asks
    return answer
