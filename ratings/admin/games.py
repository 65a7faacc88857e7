"""Games and penalties in the admin: lists to find them. Adding and changing use our own pages, which call services."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from clubsite.digits import whole_number
from ratings.admin.base import ClubModelAdmin
from ratings.models import Adjustment, Hanchan, Player
from ratings.rights import Level
from ratings.views import corrections, entry, penalties


@admin.register(Hanchan)
class HanchanAdmin(ClubModelAdmin):
    club_lookup = "season__club"
    to_add = to_change = Level.SCORER  # the entry page checks which games a scorer may change

    list_display = ["played_on", "season", "table", "status", "players", "corrections"]
    list_filter = ["status"]
    date_hierarchy = "played_on"
    list_select_related = ["season__club"]

    @admin.display(description=_("players"))
    def players(self, hanchan: Hanchan) -> str:
        return ", ".join(self._name(hanchan, seat.player) for seat in hanchan.seats.all())

    def _name(self, hanchan: Hanchan, player: Player) -> str:
        """The full name in a final game or for the club's own players, else the public name.

        Staff may put a player of another club, whose name they may not read, into a draft.
        """
        own = any(row.club_id == hanchan.season.club_id for row in player.affiliations.all())
        return player.native_name if own or hanchan.status == Hanchan.Status.FINAL else player.public_name

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("seats__player__affiliations")

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        void, restore = (partial(corrections.set_status, void=void) for void in (True, False))
        own = [
            path("add/", wrap(entry.add), name="enter"),
            path("preview/", wrap(entry.preview), name="ratings_hanchan_preview"),
            path("players/", wrap(entry.suggestions), name="ratings_hanchan_suggestions"),
            path("<int:pk>/void/", wrap(void), name="ratings_hanchan_void"),
            path("<int:pk>/restore/", wrap(restore), name="ratings_hanchan_restore"),
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return entry.add(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return corrections.change(request, _number(object_id))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """The game's own page shows its history to staff."""
        return redirect(self.get_object(request, object_id))


@admin.register(Adjustment)
class AdjustmentAdmin(ClubModelAdmin):
    club_lookup = "season__club"
    to_add = to_change = Level.REFEREE
    list_display = ["given_on", "season", "player", "kind", "points", "reason", "revoked_at"]
    list_filter = ["kind"]
    list_select_related = ["season__club", "player"]

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:pk>/revoke/", self.admin_site.admin_view(penalties.revoke), name="ratings_adjustment_revoke")
        return [own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return penalties.add(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return penalties.revoke(request, _number(object_id))


def _number(object_id: str) -> int:
    number = whole_number(object_id)
    if number is None:
        raise Http404
    return number
