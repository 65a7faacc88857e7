"""Staff pages show times in the zone of the club that they are about; other pages name the zone themselves."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from ratings.queries.clubs import staff_zone

STAFF_PAGES = "/admin/"
CLUB_PAGES = "/admin/clubs/"


class ClubZoneMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(STAFF_PAGES) or not request.user.is_authenticated:
            return self.get_response(request)
        with timezone.override(staff_zone(request.user, _club_of(request))):
            return self.get_response(request)


def _club_of(request: HttpRequest) -> str:
    """The slug of the club that the address names, or an empty text."""
    if request.path_info.startswith(CLUB_PAGES):
        return request.path_info.removeprefix(CLUB_PAGES).partition("/")[0]
    return request.GET.get("club", "")
