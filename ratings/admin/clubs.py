"""Clubs and their members."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from ratings.admin.base import FactAdmin
from ratings.models import Club, Membership
from ratings.queries.history import Happening
from ratings.queries.settings_history import club_history


@admin.register(Club)
class ClubAdmin(FactAdmin):
    """Clubs are added and changed on their own pages (`ratings.views.club_settings`)."""

    list_display = ["name", "city", "country", "time_zone"]
    search_fields = ["name", "city"]

    def happenings(self, request: HttpRequest, row: Club) -> list[Happening]:
        return club_history(row, request.user)


@admin.register(Membership)
class MembershipAdmin(FactAdmin):
    list_display = ["user", "role", "club"]
    list_filter = ["club", "role"]
    list_select_related = ["user", "club"]
    search_fields = ["user__username", "user__email"]
    ordering = ["club", "user__username"]
