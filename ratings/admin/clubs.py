"""Clubs and their members."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ratings import rights
from ratings.admin.base import ClubModelAdmin, FactAdmin, OwnClubFilter
from ratings.models import Club, Invitation, Membership
from ratings.queries.history import Happening, happenings
from ratings.rights import Level
from ratings.services.clubs import save_club


@admin.register(Club)
class ClubAdmin(ClubModelAdmin):
    club_lookup = "pk"
    to_add = Level.OWNER
    fields = ["name", "slug", "city", "country", "time_zone", "about"]
    prepopulated_fields = {"slug": ["name"]}
    list_display = ["name", "city", "country", "time_zone"]
    search_fields = ["name", "city"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The slug is part of many addresses, so only the owner of the site may change it."""
        return [] if rights.is_owner(request.user) else ["slug"]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else {"slug": ["name"]}

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        save_club(obj)

    def happenings(self, request: HttpRequest, row: Club) -> list[Happening]:
        """Also the history of memberships and invitations: the row of a former member is gone with its page."""
        told = super().happenings(request, row)
        if rights.may_manage(request.user, row.pk):
            told += happenings(Membership.history.filter(club_id=row.pk))
            told += happenings(Invitation.history.filter(club_id=row.pk))
        return sorted(told, key=lambda happening: happening.at, reverse=True)


@admin.register(Membership)
class MembershipAdmin(FactAdmin):
    to_view = Level.ADMIN
    list_display = ["user", "role", "club"]
    list_filter = [OwnClubFilter, "role"]
    list_select_related = ["user", "club"]
    search_fields = ["user__username", "user__email"]
    ordering = ["club", "user__username"]
