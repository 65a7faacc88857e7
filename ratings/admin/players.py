"""Players under “All data”, to be read only: staff change them on the pages of a player."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import FactAdmin, FactInline
from ratings.models import Affiliation, Alias, Player
from ratings.queries.players import matching


class AliasInline(FactInline):
    model = Alias


class AffiliationInline(FactInline):
    model = Affiliation
    verbose_name, verbose_name_plural = _("club"), _("clubs")


@admin.register(Player)
class PlayerAdmin(FactAdmin):
    list_display = ["native_name", "latin_name", "nickname", "country", "ema_number", "visibility", "clubs_named"]
    list_filter = ["affiliations__club", "visibility"]
    search_fields = ["search_text"]
    inlines = [AliasInline, AffiliationInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("affiliations__club")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return queryset.filter(matching(search_term)), False

    @admin.display(description=_("clubs"))
    def clubs_named(self, player: Player) -> str:
        return ", ".join(affiliation.club.name for affiliation in player.affiliations.all())

    @admin.display(description=_("in Latin letters"), ordering="latin_last")
    def latin_name(self, player: Player) -> str:
        return player.latin_name
