"""Seasons of a club and their settings."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import numbers
from clubsite.signing_in import user_of
from ratings.admin.base import ClubModelAdmin, OwnClubFilter
from ratings.forms.seasons import TIE_BREAKS, SeasonForm
from ratings.mahjong import standings
from ratings.models import Season
from ratings.queries.history import Happening, season_happenings
from ratings.services.seasons import save_season


def metric_names(keys: list[str]) -> str:
    return ", ".join(gettext(standings.METRICS[key].label) for key in keys if key in standings.METRICS)


@admin.register(Season)
class SeasonAdmin(ClubModelAdmin):
    """Rated and simplified seasons. Seasons of tournaments are made and managed by their tournaments."""

    form = SeasonForm
    list_display = ["name", "club", "kind", "starts_on", "ends_on", "rule_set", "formula"]
    list_filter = [OwnClubFilter, "kind"]
    list_select_related = ["club", "rule_set"]
    search_fields = ["name"]
    history_formatters = {
        "initial_rating": numbers.rating,
        "metrics": metric_names,
        "tie_breaks": metric_names,
    }

    def happenings(self, request: HttpRequest, row: Season) -> list[Happening]:
        both = [*super().happenings(request, row), *season_happenings(row)]
        return sorted(both, key=lambda happening: happening.at, reverse=True)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        return super().get_queryset(request).filter(kind__in=Season.CLUB_KINDS)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        rules = ["rule_set", "formula", "initial_points", "elo_k"]
        board = ["minimum_games", "columns", *TIE_BREAKS, "results_public"]
        if obj and not self.has_change_permission(request, obj):
            rules = ["rule_set", "formula", "starts_with", "elo_k"]
            board = ["minimum_games", "shown_columns", "shown_tie_breaks", "results_public"]
        fixed = _(
            "The season has games: its kind and rule set are fixed here. “What if” shows what other rules would "
            "change, and applies them. Another rating, initial rating or K computes all ratings again."
        )
        return [
            (None, {"fields": ["club", "name", "slug", "kind", "starts_on", "ends_on"]}),
            (_("Rules and rating"), {"fields": rules, "description": fixed if self._has_games(obj) else ""}),
            (_("Leaderboard"), {"fields": board}),
        ]

    # The values of the form's own fields, for users who may look but not change.

    @admin.display(description=_("initial rating"))
    def starts_with(self, season: Season) -> str:
        return numbers.rating(season.initial_rating)

    @admin.display(description=_("columns"))
    def shown_columns(self, season: Season) -> str:
        return metric_names(season.metrics)

    @admin.display(description=_("tie-breaks"))
    def shown_tie_breaks(self, season: Season) -> str:
        return metric_names(season.tie_breaks)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if self._has_games(obj):
            return ["club", "kind", "rule_set"]
        return ["club"] if obj else []

    def _has_games(self, season: Season | None) -> bool:
        return season is not None and season.hanchans.exists()

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        save_season(obj, by=user_of(request))
