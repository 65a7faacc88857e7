"""Limit downloads. Lists and seasons as files cost more than pages. A download is recognised by its address."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from clubsite import counting, limits
from clubsite.counting import Claim
from clubsite.export import FORMATS


class DownloadLimitMiddleware:
    """Refuse before any work is done. Staff are counted by account, so visitors can never use up their share."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if asks_for_file(request):
            refusal = counting.spend(*_claims(request))
            if refusal is not None:
                answer: HttpResponse = render(request, "429.html", {"refusal": refusal})
                return refusal.mark(answer)
        return self.get_response(request)


def asks_for_file(request: HttpRequest) -> bool:
    return request.path.endswith(".xlsx") or request.GET.get("export") in FORMATS


def _claims(request: HttpRequest) -> list[Claim]:
    if request.user.is_authenticated:
        return [Claim(limits.FILES_ACCOUNT, str(request.user.pk))]
    return [
        Claim(limits.FILES_NET, counting.network_of(request)),
        Claim(limits.FILES_FILE, request.path[:300]),
    ]
