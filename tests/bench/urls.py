"""The addresses of the site, and the empty view that everything is compared with."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """One word, through the same middleware as every page."""
    return HttpResponse("tile")


urlpatterns = [
    path("bench/empty/", empty),
    path("", include("clubsite.urls")),
]
