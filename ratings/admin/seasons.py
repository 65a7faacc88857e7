"""Seasons of a club among all data. They are added and changed on their own pages (`ratings.views.season_settings`)."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ratings.admin.base import FactAdmin
from ratings.models import Season
from ratings.queries.history import Happening
from ratings.queries.settings_history import season_history


@admin.register(Season)
class SeasonAdmin(FactAdmin):
    """Rated and simplified seasons. Seasons of tournaments are managed by their tournaments."""

    list_display = ["name", "club", "kind", "starts_on", "ends_on", "rule_set", "formula"]
    list_filter = ["club", "kind"]
    list_select_related = ["club", "rule_set"]
    search_fields = ["name"]

    def happenings(self, request: HttpRequest, row: Season) -> list[Happening]:
        return season_history(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        return super().get_queryset(request).filter(kind__in=Season.CLUB_KINDS)
