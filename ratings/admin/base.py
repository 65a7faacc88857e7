"""The class from which every model admin of “All data” derives.

It shows a member only the rows of clubs in which the member has the level that the class declares; other rows are 404.
This holds for lists, forms, choices, autocompletes and histories. Nothing is deleted unless a class allows it, there
are no bulk actions, and history cannot be reverted here. Only `ratings.rights` knows what a level is and who has it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import PermissionDenied
from django.db.models import Field, JSONField, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from clubsite.fields import FOR_MODEL_FIELDS
from ratings import rights
from ratings.forms.fields import JSONTextField
from ratings.mahjong.problems import Refused
from ratings.models import Club
from ratings.queries.history import Formatters, Happening, happenings
from ratings.rights import Level

LAST_YEAR = 9998  # Django computes the first day of the next year, and 10000 is too large


class ClubChangeList(ChangeList):
    """A list whose link that clears all filters keeps the chosen days as they are in the address.

    Django puts the bounds of the query into this link instead, and no list accepts those.
    """

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        days = f"{self.date_hierarchy}__"
        filters = [name for name in self.get_filters_params() if not name.startswith(days)]
        self.clear_all_filters_qs = self.get_query_string(remove=filters)
        return rows


class ClubModelAdmin(admin.ModelAdmin):
    formfield_overrides = {JSONField: {"form_class": JSONTextField}, **FOR_MODEL_FIELDS}
    # The lookup that leads from a row to its club or clubs; None: rows of no club, only for the owner of the site.
    club_lookup: ClassVar[str | None] = "club"
    # The level a member must have in the row's club; None: no one may do it, not even the owner.
    to_view: ClassVar[Level | None] = Level.SCORER
    to_add: ClassVar[Level | None] = Level.ADMIN
    to_change: ClassVar[Level | None] = Level.ADMIN
    to_delete: ClassVar[Level | None] = None
    # How the history writes stored values that are not readable as they are.
    history_formatters: ClassVar[Formatters] = {}

    actions = None
    save_as = False
    object_history_template: ClassVar[Any] = "admin/happenings.html"

    # --- which rows -------------------------------------------------------------------------------------------

    def within(self, rows: QuerySet[Any], request: HttpRequest, at_least: Level) -> QuerySet[Any]:
        """The rows that belong to a club in which the member has the level."""
        return limit_to_clubs(rows, self.club_lookup, request, at_least)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows.none() if self.to_view is None else self.within(rows, request, self.to_view)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ClubChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the lookups of the list's own filters and days. Django allows all lookups on the model's fields.

        One of them is a regular expression, which SQLite runs in Python: a bad one blocks the whole site.
        """
        if lookup in self._hierarchy():
            return value.isascii() and value.isdigit() and 0 < int(value[:5]) <= LAST_YEAR
        return "\x00" not in value and lookup in self._filters(request)

    def _hierarchy(self) -> set[str]:
        """The parameters of the days above a list."""
        return {f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day")} if self.date_hierarchy else set()

    def _filters(self, request: HttpRequest | None) -> set[str]:
        """The parameters of the filters beside a list: a filter's own, or those of Django's filters for a field."""
        asked: set[str] = set()
        for declared in self.list_filter if request is None else self.get_list_filter(request):
            if isinstance(declared, type) and issubclass(declared, SimpleListFilter):
                asked.add(str(declared.parameter_name))
            else:
                field = declared[0] if isinstance(declared, (list, tuple)) else declared
                asked |= {f"{field}__exact", f"{field}__isnull", f"{field}__id__exact"}
        return asked

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row, or 404 for a guessed id. The pages for change, delete and history call this."""
        found = super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404(f"no {self.opts.verbose_name} {object_id} in the clubs of {request.user}")
        return found

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Limit choices to the clubs in which the member may add or change such a row; preselect a single club."""
        form = super().get_form(request, obj, change=change, **kwargs)
        site, at_least = self.admin_site, (self.to_change if change else self.to_add) or Level.OWNER

        class WithinClubs(form):  # type: ignore[misc, valid-type]
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                for name, field in self.fields.items():
                    if isinstance(field, ModelChoiceField) and field.queryset is not None:
                        rows = field.queryset = limit_choices(field.queryset, site, request, at_least)
                        if rows.model is Club and not change and rows.count() == 1:
                            self.initial.setdefault(name, rows.get())

        return WithinClubs

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: Any, **kwargs: Any) -> Any:
        return without_links(super().formfield_for_dbfield(db_field, request, **kwargs))

    # --- who --------------------------------------------------------------------------------------------------

    def has(self, request: HttpRequest, at_least: Level | None, row: Model | None) -> bool:
        if at_least is None:
            return False
        if self.club_lookup is None or row is None:
            needed = Level.OWNER if self.club_lookup is None else at_least
            return rights.has_level_somewhere(request.user, needed)
        return self.within(self.model._default_manager.filter(pk=row.pk), request, at_least).exists()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has(request, self.to_view, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has(request, self.to_add, None)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has(request, self.to_change, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has(request, self.to_delete, obj)

    # --- pages ------------------------------------------------------------------------------------------------

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show a refusal of a service after the form was valid (another user was faster); nothing is stored then."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refused:
            return self.say_and_return(request, refused, request.path)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refused:
            row = f"{self.opts.app_label}_{self.opts.model_name}_change"
            return self.say_and_return(request, refused, reverse(f"admin:{row}", args=[object_id]))

    def say_and_return(self, request: HttpRequest, refused: Refused, address: str) -> HttpResponse:
        for sentence in refused.sentences(gettext):
            self.message_user(request, sentence, messages.ERROR)
        return HttpResponseRedirect(address)

    def view_on_site(self, obj: Any) -> str | None:
        """The row's own page, without Django's redirect through content types; None if it has no page."""
        try:
            return obj.get_absolute_url() if hasattr(obj, "get_absolute_url") else None
        except NoReverseMatch:
            return None

    def happenings(self, request: HttpRequest, row: Any) -> list[Happening]:
        return happenings(row.history.all(), self.history_formatters)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("History of %(name)s") % {"name": row},
            "module_name": capfirst(self.opts.verbose_name_plural),
            "object": row,
            "opts": self.opts,
            "happenings": self.happenings(request, row),
            **(extra_context or {}),
        }
        return TemplateResponse(request, self.object_history_template, context)


class FactAdmin(ClubModelAdmin):
    """Rows that services write, and that can only be read here. Without a history of their own, the page is empty."""

    to_view = Level.OWNER
    to_add = to_change = None

    def happenings(self, request: HttpRequest, row: Any) -> list[Happening]:
        return super().happenings(request, row) if hasattr(row, "history") else []


def limit_to_clubs(rows: QuerySet[Any], lookup: str | None, request: HttpRequest, at_least: Level) -> QuerySet[Any]:
    if rights.is_owner(request.user):
        return rows
    if lookup is None:
        return rows.none()
    # With a subquery, a player of two of the member's clubs is still one row.
    clubs = rights.clubs_of(request.user, at_least)
    return rows.filter(pk__in=rows.model._default_manager.filter(**{f"{lookup}__in": clubs}).values("pk"))


def limit_choices(rows: QuerySet[Any], site: admin.AdminSite, request: HttpRequest, at_least: Level) -> QuerySet[Any]:
    """The rows that a field may offer. Rows of a model without a club are offered only to the owner."""
    return limit_to_clubs(rows, _lookup_of(rows.model, site), request, at_least)


def _lookup_of(model: type[Model], site: admin.AdminSite) -> str | None:
    """The lookup from rows of a model to their club: as its model admin declares, or a field named `club`."""
    if site.is_registered(model):
        return getattr(site.get_model_admin(model), "club_lookup", None)
    return "club" if any(field.name == "club" for field in model._meta.fields) else None


def without_links(field: Any) -> Any:
    """The field without the icons that open the chosen row in a window of its own."""
    if isinstance(getattr(field, "widget", None), RelatedFieldWidgetWrapper):
        field.widget = field.widget.widget
    return field


class FactInline(admin.TabularInline):
    """Facts that are part of another fact."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return rights.is_owner(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    has_change_permission = has_add_permission


class OwnClubFilter(admin.SimpleListFilter):
    """A filter by club. It offers only the member's own clubs, and only if there are several."""

    title = capfirst(Club._meta.verbose_name)
    parameter_name = "club"

    def __init__(self, request: HttpRequest, params: Any, model: type[Model], model_admin: ClubModelAdmin) -> None:
        super().__init__(request, params, model, model_admin)
        self.lookup = model_admin.club_lookup

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        clubs = rights.clubs_of(request.user)
        return [(str(club.pk), club.name) for club in clubs] if len(clubs) > 1 else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        offered = {str(key) for key, _name in self.lookup_choices}
        return queryset.filter(**{str(self.lookup): self.value()}) if self.value() in offered else queryset
