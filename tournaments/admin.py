"""Events under “All data”, to be read only: they are changed on the organiser's pages."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from ratings.admin.base import FactAdmin
from ratings.queries.history import Happening, happenings
from ratings.queries.settings_history import metric_names
from tournaments.models import Entry, Round, Ruling, Stage, Tournament


@admin.register(Tournament)
class TournamentAdmin(FactAdmin):
    list_display = ["name", "club", "city", "starts_on", "ends_on", "is_public", "results_hidden", "registration_open"]
    list_filter = ["club", "is_public", "registration_open"]
    list_select_related = ["club"]
    search_fields = ["name", "city"]

    def happenings(self, request: HttpRequest, row: Tournament) -> list[Happening]:
        return happenings(row.history.all(), {"tie_breaks": metric_names})


@admin.register(Stage)
class StageAdmin(FactAdmin):
    list_display = ["name", "tournament", "number", "rounds_planned", "cut_top", "cut_totals"]
    list_select_related = ["tournament"]
    search_fields = ["name", "tournament__name"]


@admin.register(Entry)
class EntryAdmin(FactAdmin):
    list_display = ["number", "player", "tournament", "team", "country", "status"]
    list_filter = ["status"]
    list_select_related = ["player", "tournament"]
    search_fields = ["player__native_name", "player__latin_last", "team"]


@admin.register(Round)
class RoundAdmin(FactAdmin):
    list_display = ["stage", "number", "state", "confirmed_at", "confirmed_by"]
    list_filter = ["state"]
    list_select_related = ["stage__tournament", "confirmed_by"]


@admin.register(Ruling)
class RulingAdmin(FactAdmin):
    list_display = ["tournament", "kind", "stage", "round", "entry", "reason", "by", "at"]
    list_filter = ["kind"]
    list_select_related = ["tournament", "stage", "entry__player", "by"]
