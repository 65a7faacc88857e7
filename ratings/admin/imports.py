"""Imports in the admin: a list of the uploaded files. Everything else uses our own pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path

from ratings.admin.base import ClubModelAdmin, OwnClubFilter
from ratings.admin.games import _number
from ratings.models import ImportBatch
from ratings.rights import Level
from ratings.views import imports


@admin.register(ImportBatch)
class ImportBatchAdmin(ClubModelAdmin):
    to_view = Level.ADMIN
    list_display = ["file_name", "kind", "club", "season", "state", "games", "people", "made_at", "by"]
    list_filter = [OwnClubFilter, "kind", "state"]
    list_select_related = ["club", "season", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("content")

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<int:pk>/mapping/", wrap(imports.mapping), name="ratings_importbatch_mapping"),
            path("<int:pk>/undo/", wrap(imports.undo), name="ratings_importbatch_undo"),
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return imports.upload(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return imports.show(request, _number(object_id))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect to the page of the import, which shows what happened to it."""
        row = self.get_object(request, object_id)
        return redirect("admin:ratings_importbatch_change", row.pk)
