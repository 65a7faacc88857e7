"""Games and penalties under “All data”, to be read only: services write them, on pages of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import FactAdmin, FactInline
from ratings.models import Adjustment, Hanchan, Seat


class SeatInline(FactInline):
    model = Seat
    fk_name = "hanchan"


@admin.register(Hanchan)
class HanchanAdmin(FactAdmin):
    list_display = ["played_on", "season", "table", "status", "players", "corrections"]
    list_filter = ["status"]
    date_hierarchy = "played_on"
    list_select_related = ["season__club"]
    inlines = [SeatInline]

    @admin.display(description=_("players"))
    def players(self, hanchan: Hanchan) -> str:
        return ", ".join(seat.player.native_name for seat in hanchan.seats.all())

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("seats__player")


@admin.register(Adjustment)
class AdjustmentAdmin(FactAdmin):
    list_display = ["given_on", "season", "player", "kind", "points", "reason", "revoked_at"]
    list_filter = ["kind"]
    list_select_related = ["season__club", "player"]
