"""The addresses of the site, and beside them the empty view that everything is measured against."""

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
