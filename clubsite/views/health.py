"""For monitoring: does the database answer, and does a worker?"""

from __future__ import annotations

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from clubsite.worker import complaint


def site(request: HttpRequest) -> HttpResponse:
    """200 while the database answers, 503 while it does not. Says also when there is no worker.

    Pages are served without a worker, so a missing one is no reason to take this process out of service.
    """
    return _answer(without_worker=200)


def worker(request: HttpRequest) -> HttpResponse:
    """200 while a worker answers, 503 while none does."""
    return _answer(without_worker=503)


def _answer(without_worker: int) -> HttpResponse:
    try:
        missing = complaint()
    except DatabaseError:
        return HttpResponse("The database does not answer.\n", content_type="text/plain", status=503)
    text, status = (f"The site answers.\n{missing}\n", without_worker) if missing else ("ok\n", 200)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
