"""Uploaded files under “All data”, to be read only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ratings.admin.base import FactAdmin
from ratings.models import ImportBatch


@admin.register(ImportBatch)
class ImportBatchAdmin(FactAdmin):
    list_display = ["file_name", "kind", "club", "season", "state", "games", "people", "made_at", "by"]
    list_filter = ["club", "kind", "state"]
    list_select_related = ["club", "season", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("content")
