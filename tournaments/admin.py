"""Events under “All data”. What happens at an event is written on its own pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubsite.signing_in import user_of
from ratings.admin.base import ClubModelAdmin, FactAdmin, OwnClubFilter
from ratings.queries.settings_history import metric_names
from tournaments.models import Entry, Round, Ruling, Stage, Tournament
from tournaments.services.events import change_event, plan_rounds


@admin.register(Tournament)
class TournamentAdmin(ClubModelAdmin):
    """Settings of an event. An event is created on its own page, which asks for its stages too."""

    to_add = None
    list_display = ["name", "club", "city", "starts_on", "ends_on", "is_public", "results_hidden", "registration_open"]
    list_filter = [OwnClubFilter, "is_public", "registration_open"]
    list_select_related = ["club"]
    search_fields = ["name", "city"]
    readonly_fields = ["club", "slug", "rule_set"]  # the slug is printed on paper; rules change only by what-if
    history_formatters = {"tie_breaks": metric_names}
    fieldsets = [
        (None, {"fields": ["club", "name", "slug", "city", "country", "starts_on", "ends_on", "about"]}),
        (_("Play"), {"fields": ["rule_set", "tie_breaks", "tables", "odd"]}),
        (_("Who sees it"), {"fields": ["is_public", "results_hidden"]}),
        (_("Registration"), {"fields": ["registration_open", "capacity"]}),
        (_("European ranking"), {"fields": ["reports_to_mers", "is_championship", "count_substitutes"]}),
    ]

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        change_event(obj, by=user_of(request))


@admin.register(Stage)
class StageAdmin(ClubModelAdmin):
    club_lookup = "tournament__club"
    to_add = None
    list_display = ["name", "tournament", "number", "rounds_planned", "cut_top", "cut_totals"]
    list_select_related = ["tournament"]
    fields = ["tournament", "number", "name", "rounds_planned", "cut_top", "cut_totals"]
    readonly_fields = ["tournament", "number"]
    search_fields = ["name", "tournament__name"]

    def save_model(self, request: HttpRequest, obj: Stage, form: Any, change: bool) -> None:
        plan_rounds(obj, obj.rounds_planned, by=user_of(request))


@admin.register(Entry)
class EntryAdmin(FactAdmin):
    club_lookup = "tournament__club"
    list_display = ["number", "player", "tournament", "team", "country", "status"]
    list_filter = ["status"]
    list_select_related = ["player", "tournament"]
    search_fields = ["player__native_name", "player__latin_last", "team"]


@admin.register(Round)
class RoundAdmin(FactAdmin):
    club_lookup = "stage__tournament__club"
    list_display = ["stage", "number", "state", "confirmed_at", "confirmed_by"]
    list_filter = ["state"]
    list_select_related = ["stage__tournament", "confirmed_by"]


@admin.register(Ruling)
class RulingAdmin(FactAdmin):
    club_lookup = "tournament__club"
    list_display = ["tournament", "kind", "stage", "round", "entry", "reason", "by", "at"]
    list_filter = ["kind"]
    list_select_related = ["tournament", "stage", "entry__player", "by"]
