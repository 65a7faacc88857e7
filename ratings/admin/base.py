"""The classes from which every model admin of “All data” derives.

Only the owner of the site comes here (`ratings.admin.site`). Nothing is deleted, there are no bulk actions, and what
services write can only be read: it is changed on pages of its own, where they check it.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch
from django.utils.text import capfirst
from django.utils.translation import gettext

from ratings.queries.history import Happening, happenings

LAST_YEAR = 9998  # Django computes the first day of the next year, and 10000 is too large


class DataChangeList(ChangeList):
    """A list whose link that clears all filters keeps the chosen days as they are in the address.

    Django puts the bounds of the query into this link instead, and no list accepts those.
    """

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        days = f"{self.date_hierarchy}__"
        filters = [name for name in self.get_filters_params() if not name.startswith(days)]
        self.clear_all_filters_qs = self.get_query_string(remove=filters)
        return rows


class DataAdmin(admin.ModelAdmin):
    """Rows that the owner of the site may read and change, and never delete. Lists are filtered by fields only."""

    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return DataChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the lookups of the list's own filters and days. Django allows all lookups on the model's fields.

        One of them is a regular expression, which SQLite runs in Python: a bad one blocks the whole site.
        """
        if self.date_hierarchy and lookup in {f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day")}:
            return value.isascii() and value.isdigit() and 0 < int(value[:5]) <= LAST_YEAR
        asked = {f"{field}__{kind}" for field in self.list_filter for kind in ("exact", "isnull", "id__exact")}
        return "\x00" not in value and lookup in asked

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row, or 404. The pages for change and history call this."""
        found = super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404(f"no {self.opts.verbose_name} {object_id}")
        return found

    def view_on_site(self, obj: Any) -> str | None:
        """The row's own page, without Django's redirect through content types; None if it has no page."""
        try:
            return obj.get_absolute_url() if hasattr(obj, "get_absolute_url") else None
        except NoReverseMatch:
            return None


class FactAdmin(DataAdmin):
    """Rows that services write, and that can only be read here, with their history."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def happenings(self, request: HttpRequest, row: Any) -> list[Happening]:
        return happenings(row.history.all()) if hasattr(row, "history") else []

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("History of %(name)s") % {"name": row},
            "module_name": capfirst(self.opts.verbose_name_plural),
            "object": row,
            "opts": self.opts,
            "happenings": self.happenings(request, row),
        }
        return TemplateResponse(request, "admin/happenings.html", context)


class FactInline(admin.TabularInline):
    """Facts that are part of another fact."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    has_change_permission = has_add_permission
