"""Copy, change and look back at the rule sets of a club, with a table scored by them beside the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.new_rules import NewRuleSetForm
from ratings.forms.rule_sections import RuleSource, changes_of, restored, rule_sections
from ratings.forms.rules import RuleSetForm, remarks
from ratings.mahjong import amounts
from ratings.mahjong.explain import Step
from ratings.mahjong.payments import PaymentRow
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets import PARAMETERS, PRESETS, Rules
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import RuleSet
from ratings.queries.settings_history import rule_set_history
from ratings.services.rulesets import as_file, newest_version
from ratings.views.rules import STAYS_ON_A_PHONE, TELLING, RulesPage, in_short
from ratings.views.settings_pages import Editing, asked_club, history_page

SHOWN_FU = (30, 40)  # rows of the payment table that are enough to compare rules


@dataclass(frozen=True)
class SeatExample:
    """One seat of the example: its result by these rules, and by their source if there is one."""

    wind: int
    place: int
    points: Any
    source: Any
    result: Any


@dataclass(frozen=True)
class RulesExample:
    """A table scored by the rules that are being typed, beside the results of the same hands by their source."""

    content: RuleFile
    source: RuleSource | None = None

    @property
    def page(self) -> RulesPage:
        return _page_of(self.content.rules)

    @property
    def readings(self) -> list[tuple[str, Phrase]]:
        rules = self.content.rules
        told = [(PARAMETERS[name].label, getattr(rules, name)) for name in ("start_points", "target_points")]
        told += [(amounts.OKA, rules.oka), (PARAMETERS["chombo_penalty"].label, rules.chombo_penalty)]
        uma = (PARAMETERS["uma"].label, amounts.reading(*rules.uma))
        return [*((label, amounts.reading(points)) for label, points in told), uma]

    @property
    def seats(self) -> list[SeatExample]:
        page = self.page
        theirs = _outcome(_page_of(self.source.rules)) if self.source is not None else [None] * 4
        columns = zip(_points(page), theirs, _outcome(page), strict=True)
        return [
            SeatExample(wind, place, points, source, result)
            for (wind, _name, place, _steps), (points, source, result) in zip(page.example_seats, columns, strict=True)
        ]

    @property
    def first(self) -> tuple[int, str, int, tuple[Step, ...]]:
        """The seat in first place, with the steps to its result."""
        return min(self.page.example_seats, key=lambda seat: seat[2])

    @property
    def payments(self) -> list[PaymentRow]:
        return [row for row in self.page.payment_table if row.fu in SHOWN_FU]


def _page_of(rules: Rules) -> RulesPage:
    return RulesPage(RuleFile("", rules), title="", address="", download="")


def _points(page: RulesPage) -> Sequence[Any]:
    return next(row.values for row in page.example.rows if row.holds_points)


def _outcome(page: RulesPage) -> Sequence[Any]:
    return next(row.values for row in page.example.rows if row.is_outcome)


def add(request: HttpRequest) -> HttpResponse:
    """Copy rules into the club. The form of the new copy follows, because a copy is made to be changed."""
    heading = gettext("New rule set")
    club = asked_club(request, heading)
    if isinstance(club, HttpResponse):
        return club
    is_sent = request.method == "POST"
    form = NewRuleSetForm(
        club,
        request.POST if is_sent else None,
        request.FILES if is_sent else None,
        initial={"preset": request.GET.get("preset", "")},
    )
    if is_sent and form.is_valid():
        saved = form.apply()
        _tell_remarks(request, saved)
        return redirect("desk:rule_set", saved.pk)
    context = {
        "heading": heading,
        "club": club,
        "form": form,
        "presets": [(preset, in_short(preset.rules)) for preset in PRESETS.values()],
        "columns": TELLING,
        "stays": STAYS_ON_A_PHONE,
        "cancel_url": reverse("ratings:club_rules", args=[club.slug]),
    }
    return render(request, "desk/settings/rule_set_add.html", context, status=422 if is_sent else 200)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    rule_set = _rule_set(request, pk)
    source = _source(rule_set)
    restoring = request.POST.get("restore", "")
    data: QueryDict | None = request.POST if request.method == "POST" else None
    if data is not None and source is not None and restoring in PARAMETERS:
        data = restored(request.POST, RuleSetForm(instance=rule_set).fields, restoring, source)
    form: Any = RuleSetForm(data, instance=rule_set)
    editing = Editing.of(request, newest_version(rule_set), lambda: rule_set_history(rule_set))
    if data is not None and not restoring and form.is_valid():
        saved = editing.save(form, form.apply)
        if saved:
            _tell_saved(request, rule_set, saved)
            return redirect(saved)
    context = {
        "heading": rule_set.name,
        "club": rule_set.club,
        "rule_set": rule_set,
        "editing": editing,
        "games": rule_set.hanchans.count(),
        "newest": newest_version(rule_set),
        "next_version": newest_version(rule_set).version + 1,
        "example_at": reverse("desk:rule_set_example", args=[pk]),
        "history_at": reverse("desk:rule_set_history", args=[pk]),
        "cancel_url": rule_set.get_absolute_url(),
        **_beside(form, rule_set, source, request.GET.get("rule", "")),
    }
    answer = render(request, "desk/settings/rule_set.html", context, status=200 if restoring else editing.status(form))
    if restoring:
        answer["HX-Trigger"] = "restored"
    return answer


def example(request: HttpRequest, pk: int) -> HttpResponse:
    """A fragment of the form: the worked example of what is typed, and what differs from the source."""
    rule_set = _rule_set(request, pk)
    form: Any = RuleSetForm(request.POST if request.method == "POST" else None, instance=rule_set)
    context = {"rule_set": rule_set, "is_fragment": True, **_beside(form, rule_set, _source(rule_set))}
    return render(request, "desk/settings/rule_set_example.html", context)


def _beside(form: Any, rule_set: RuleSet, source: RuleSource | None, shown: str = "") -> dict[str, Any]:
    """The sections with what differs from the source, and the example; none while the form cannot be read."""
    if form.is_bound:
        form.is_valid()
    content = form.content if form.is_bound else as_file(rule_set)
    sections = rule_sections(form, source, shown)
    return {
        "form": form,
        "source": source,
        "sections": sections,
        "changes": changes_of(sections),
        "example": RulesExample(content, source) if content else None,
    }


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    rule_set = _rule_set(request, pk)
    back = reverse("desk:rule_set", args=[pk])
    return history_page(request, rule_set.club, rule_set.name, back, rule_set_history(rule_set))


def _rule_set(request: HttpRequest, pk: int) -> RuleSet:
    """A rule set of a club that the user manages; all others read rule sets on their public pages."""
    found = RuleSet.objects.select_related("club", "parent").filter(pk=pk).first()
    if found is None or not rights.may_manage(user_of(request), found.club_id):
        raise Http404
    return found


def _source(rule_set: RuleSet) -> RuleSource | None:
    """What the set was copied from: a preset, else another set of the club; None for a file of its own."""
    preset = PRESETS.get(rule_set.preset)
    if preset is not None:
        return RuleSource(preset.name, reverse("ratings:preset", args=[preset.key]), preset.rules)
    if rule_set.parent is not None:
        return RuleSource(str(rule_set.parent), rule_set.parent.get_absolute_url(), rule_set.parent.rules)
    return None


def _tell_saved(request: HttpRequest, before: RuleSet, saved: RuleSet) -> None:
    if saved.pk != before.pk:
        text = gettext("Games use version %(old)s, so it stays as it is, and your changes became version %(new)s.")
        messages.info(request, text % {"old": before.version, "new": saved.version})
    else:
        messages.success(request, gettext("Rules saved."))
    _tell_remarks(request, saved)


def _tell_remarks(request: HttpRequest, saved: RuleSet) -> None:
    for remark in remarks(saved):
        messages.warning(request, remark)
