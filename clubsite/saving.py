"""The response after a sheet was saved: the page to go to next.

A page that sends its sheet by script keeps what was typed until it knows that the sheet is saved. A response with its
own status says so, because a redirect may also lead to the sign-in page.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

SENT_BY_SCRIPT, NEXT = "X-Sheet", "X-Next"


def sent_as_card(request: HttpRequest) -> bool:
    """Whether the sheet is one of several on its page, so that the response replaces only this sheet."""
    return request.headers.get(SENT_BY_SCRIPT) == "card"


def saved(request: HttpRequest, next_url: str) -> HttpResponse:
    if SENT_BY_SCRIPT in request.headers:
        return HttpResponse(status=204, headers={NEXT: next_url})
    return redirect(next_url)
