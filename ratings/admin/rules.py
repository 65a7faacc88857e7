"""Rule sets among all data. They are copied and changed on their own pages (`ratings.views.rule_settings`)."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import FactAdmin
from ratings.models import RuleSet
from ratings.queries.history import Happening
from ratings.queries.settings_history import rule_set_history


@admin.register(RuleSet)
class RuleSetAdmin(FactAdmin):
    list_display = ["name", "version", "club", "preset", "games"]
    list_filter = ["club"]
    search_fields = ["name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSet]:
        return super().get_queryset(request).select_related("club").annotate(game_count=Count("hanchans"))

    @admin.display(description=_("games"))
    def games(self, rule_set: RuleSet) -> int:
        return int(getattr(rule_set, "game_count", 0))

    def happenings(self, request: HttpRequest, row: RuleSet) -> list[Happening]:
        return rule_set_history(row)
