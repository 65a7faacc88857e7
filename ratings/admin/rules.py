"""Rule sets under “All data”. Forms are made from the declared parameters; services write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import Count, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import ClubModelAdmin, OwnClubFilter
from ratings.forms.rules import FIELDSETS, NewRuleSetForm, RuleSetForm, remarks
from ratings.mahjong import amounts
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets import PARAMETERS
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import RuleSet
from ratings.rights import Level
from ratings.services.rulesets import as_file
from ratings.views.rules import RulesPage


@dataclass(frozen=True)
class Example:
    """The example of the rules that are being typed: their amounts in points, and the results of a table."""

    content: RuleFile

    @property
    def page(self) -> RulesPage:
        return RulesPage(self.content, title="", address="", download="")

    @property
    def readings(self) -> list[tuple[str, Phrase]]:
        rules = self.content.rules
        told = [(PARAMETERS[name].label, getattr(rules, name)) for name in ("start_points", "target_points")]
        told += [(amounts.OKA, rules.oka), (PARAMETERS["chombo_penalty"].label, rules.chombo_penalty)]
        uma = (PARAMETERS["uma"].label, amounts.reading(*rules.uma))
        return [*((label, amounts.reading(points)) for label, points in told), uma]


@admin.register(RuleSet)
class RuleSetAdmin(ClubModelAdmin):
    """Adding copies the values. Changing a version that games use makes the next version, and a message says so."""

    to_view = Level.ADMIN  # all others read rule sets on their public page
    list_display = ["name", "version", "club", "preset", "games"]
    list_filter = [OwnClubFilter]
    search_fields = ["name"]

    NEW = [
        (None, {"fields": ["club", "name"]}),
        (_("Start from one of these"), {"fields": ["preset", "own", "upload", "pasted"]}),
    ]

    FROZEN = _("Games use this version, so it stays as it is: saving makes the next version.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSet]:
        return super().get_queryset(request).select_related("club").annotate(game_count=Count("hanchans"))

    @admin.display(description=_("games"))
    def games(self, rule_set: RuleSet) -> int:
        return int(getattr(rule_set, "game_count", 0))

    def get_form(
        self, request: HttpRequest, obj: RuleSet | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm[RuleSet]]:
        kwargs["form"] = NewRuleSetForm if obj is None else RuleSetForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: RuleSet | None = None) -> Any:
        if obj is None:
            return self.NEW
        (label, name), *groups = FIELDSETS
        return [(label, {**name, "description": self.FROZEN}), *groups] if obj.is_frozen else FIELDSETS

    def example(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A fragment of the form: the worked example of what is typed. Nothing is stored."""
        found = self.get_object(request, str(pk))
        return render(request, "admin/ratings/ruleset/example.html", {"example": self._example(request, found)})

    def _example(self, request: HttpRequest, rule_set: RuleSet) -> Example | None:
        """The example of the stored rules, or of the sent rules; None while the sent rules cannot be read."""
        if request.method != "POST":
            return Example(as_file(rule_set))
        form: Any = self.get_form(request, rule_set)(request.POST, instance=rule_set)
        form.is_valid()
        return Example(form.content) if form.content else None

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        context = {"show_save_and_continue": False, "show_save_and_add_another": False, **(extra_context or {})}
        if object_id is not None:
            context["example"] = self._example(request, self.get_object(request, unquote(object_id)))
        return super().changeform_view(request, object_id, form_url, context)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> RuleSet:
        """Call the service here and not in `save_model`, because the service decides which row it is."""
        saved: RuleSet = form.apply()
        if change and saved.pk != form.instance.pk:
            text = gettext("Games use version %(old)s, so it stays as it is, and your changes became version %(new)s.")
            messages.info(request, text % {"old": form.instance.version, "new": saved.version})
        for remark in remarks(saved):
            messages.warning(request, remark)
        return saved

    def save_model(self, request: HttpRequest, obj: RuleSet, form: Any, change: bool) -> None:
        """Do nothing: `save_form` has saved it already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: a rule set has no related rows."""

    def response_post_save_add(self, request: HttpRequest, obj: RuleSet) -> HttpResponseRedirect:
        """Go to the form of the new copy, because a copy is made to be changed."""
        return HttpResponseRedirect(reverse("desk:rule_set", args=[obj.pk]))

    def response_post_save_change(self, request: HttpRequest, obj: RuleSet) -> HttpResponseRedirect:
        return HttpResponseRedirect(obj.get_absolute_url())
