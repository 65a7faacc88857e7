"""Public pages of rule sets: the presets, a club's own sets with their versions, and each as a file.

Presets and versions of a club's sets share one page class, `RulesPage`, and one template.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings import rights
from ratings.forms.calculator import CalculatorForm
from ratings.mahjong import payments, scoring
from ratings.mahjong.explain import Explanation, Step, example_table, explain
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets import GROUPS, NOT_STATED, PARAMETERS, PRESETS, Parameter, Preset, files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.mahjong.rulesets.parameters import FourNumbers, FourNumbersByCount
from ratings.mahjong.rulesets.words import MOOT, range_words, unstated_words, words
from ratings.models import Club, RuleSet
from ratings.queries.rulesets import rule_sets_of, versions_of
from ratings.services.rulesets import as_file
from ratings.views.rule_comparison import compared

# The columns that distinguish rule sets in a list.
TELLING = tuple(PARAMETERS[name] for name in ("start_points", "target_points", "uma", "ties", "rounding_unit"))
STAYS_ON_A_PHONE = PARAMETERS["uma"]


@dataclass(frozen=True)
class ParameterValue:
    """One parameter on the page: its value in words, where it comes from, and how far a game may vary it."""

    parameter: Parameter
    value: Phrase
    stated: bool
    paragraph: str
    note: str
    varies: Phrase | None
    in_thousands: bool


@dataclass(frozen=True)
class TakenRule:
    """A rule that is not stated but that an amount depends on. `set_at` is where the reader may set it, or empty."""

    name: str
    label: str
    words: Phrase
    set_at: str


@dataclass(frozen=True)
class Version:
    """A version of a club's set in the list of all versions, with what it changed."""

    rule_set: RuleSet
    games: int
    changed: list[Parameter]
    current: bool


@dataclass(frozen=True)
class RulesPage:
    """Everything that the page of a rule set shows, whether it is a preset or a club's own set."""

    content: RuleFile
    title: str
    address: str
    download: str
    source: str = ""
    preset: Preset | None = None  # what a club's set was copied from
    club: Club | None = None
    rule_set: RuleSet | None = None
    games: int = 0
    frozen: bool = False
    versions: list[Version] = field(default_factory=list)

    @cached_property
    def told(self) -> list[ParameterValue]:
        return [self._told(parameter) for parameter in PARAMETERS.values()]

    @property
    def groups(self) -> list[tuple[str, list[ParameterValue]]]:
        """The rules that are stated, by group."""
        stated = [each for each in self.told if each.stated]
        groups = [(label, [each for each in stated if each.parameter.group == key]) for key, label in GROUPS.items()]
        return [group for group in groups if group[1]]

    @property
    def left_open(self) -> list[ParameterValue]:
        """The rules that the source does not state."""
        return [each for each in self.told if not each.stated]

    @property
    def variations(self) -> list[ParameterValue]:
        return [each for each in self.told if each.varies]

    @cached_property
    def example(self) -> Explanation:
        rules = self.content.rules
        table = example_table(rules)
        return explain(table, rules, scoring.work_out(table, rules))

    @property
    def example_winds(self) -> list[str]:
        return [gettext(wind) for wind in scoring.WINDS]

    @property
    def example_seats(self) -> list[tuple[int, str, int, tuple[Step, ...]]]:
        """Wind, name of the wind, place and explanation of each seat."""
        places = next(row.values for row in self.example.rows if row.code == "place")
        return [
            (wind, name, int(places[wind]), self.example.seats[wind]) for wind, name in enumerate(self.example_winds)
        ]

    @cached_property
    def payment_table(self) -> tuple[payments.PaymentRow, ...]:
        return payments.payment_table(self.content.rules)

    @property
    def limits(self) -> tuple[payments.LimitRow, ...]:
        return payments.limits(self.content.rules)

    @property
    def printed(self) -> bool:
        """Whether the club prints its own values, so that the table must mark them."""
        return any(cell.printed for row in self.payment_table for cell in row.cells)

    def _unstated(self, parameter: Parameter) -> Phrase:
        """Describe a rule without a value: another rule makes it irrelevant, or a value is assumed."""
        if parameter.is_moot(self.content.rules):
            return MOOT
        taken = parameter.taken(self.content.rules)
        return words(parameter, None) if taken is None else unstated_words(parameter, taken)

    def _told(self, parameter: Parameter) -> ParameterValue:
        name, value = parameter.name, getattr(self.content.rules, parameter.name)
        allowed = self.content.ranges.get(name)
        return ParameterValue(
            parameter=parameter,
            value=words(parameter, value) if value is not None else self._unstated(parameter),
            stated=value is not None or parameter.kind.none_label != NOT_STATED,
            paragraph=self.content.paragraphs.get(name, ""),
            note=self.content.notes.get(name, ""),
            varies=range_words(parameter, allowed) if allowed else None,
            in_thousands=value is not None and isinstance(parameter.kind, FourNumbers | FourNumbersByCount),
        )


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "ratings/rules.html", _lists())


@require_safe
def club_rules(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    lines = [(line, _telling(line.newest.rules)) for line in rule_sets_of(club, request.user)]
    add_at = f"{reverse('desk:rule_set_add')}?club={club.slug}" if rights.may_manage(request.user, club.pk) else ""
    context = {**_lists(), "club": club, "tab": "rules", "lines": lines, "add_at": add_at}
    return render(request, "ratings/rules.html", context)


def _lists() -> dict[str, Any]:
    presets = [(preset, _telling(preset.rules)) for preset in PRESETS.values()]
    return {"presets": presets, "columns": TELLING, "stays": STAYS_ON_A_PHONE}


def _telling(rules: object) -> list[Phrase]:
    return [value for _label, value in in_short(rules)]


def in_short(rules: object) -> list[tuple[str, Phrase]]:
    """What distinguishes rule sets: label and value."""
    return [(parameter.label, words(parameter, getattr(rules, parameter.name))) for parameter in TELLING]


@require_safe
def preset(request: HttpRequest, key: str) -> HttpResponse:
    found = _preset(key)
    page = RulesPage(
        content=files.of_preset(found),
        title=found.name,
        address=reverse("ratings:preset", args=[key]),
        download=reverse("ratings:preset_json", args=[key]),
        source=found.source,
    )
    return _render(request, page)


@require_safe
def preset_json(request: HttpRequest, key: str) -> HttpResponse:
    return _download(files.of_preset(_preset(key)))


@require_safe
def newest_rule_set(request: HttpRequest, slug: str, rule_slug: str) -> HttpResponse:
    """Redirect an address without a version to the newest version."""
    versions = versions_of(get_object_or_404(Club, slug=slug), rule_slug, request.user)
    if not versions:
        raise Http404
    return HttpResponseRedirect(reverse("ratings:rule_set", args=[slug, rule_slug, versions[0].version]))


@require_safe
def rule_set(request: HttpRequest, slug: str, rule_slug: str, version: int) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    versions = versions_of(club, rule_slug, request.user)
    found = next((each for each in versions if each.version == version), None)
    if found is None:
        raise Http404
    origin = PRESETS.get(found.preset)
    page = RulesPage(
        content=as_file(found),
        title=str(found),
        address=found.get_absolute_url(),
        download=reverse("ratings:rule_set_json", args=[slug, rule_slug, version]),
        source=origin.source if origin else "",
        preset=origin,
        club=club,
        rule_set=found,
        games=found.games,
        frozen=found.uses > 0,
        versions=[
            Version(each, each.games, _changes(each, versions), current=each.pk == found.pk) for each in versions
        ],
    )
    return _render(request, page)


def _changes(version: RuleSet, versions: list[Any]) -> list[Parameter]:
    before = next((each for each in versions if each.pk == version.parent_id), None)
    return version.rules.differences(before.rules) if before else []


@require_safe
def rule_set_json(request: HttpRequest, slug: str, rule_slug: str, version: int) -> HttpResponse:
    versions = versions_of(get_object_or_404(Club, slug=slug), rule_slug, request.user)
    found = next((each for each in versions if each.version == version), None)
    if found is None:
        raise Http404
    return _download(as_file(found), f"-v{version}")


def _preset(key: str) -> Preset:
    if key not in PRESETS:
        raise Http404
    return PRESETS[key]


def _download(content: RuleFile, suffix: str = "") -> JsonResponse:
    name = slugify(content.name) or content.preset or "rules"
    response = JsonResponse(content.write(), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="{name}{suffix}.json"'
    return response


def _render(request: HttpRequest, page: RulesPage) -> HttpResponse:
    asked: Mapping[str, Any] | None = request.GET if CalculatorForm.asked(request.GET) else None
    calculator = CalculatorForm(page.content.rules, asked, initial={"han": 3, "fu": 40})
    answer = calculator.answer if calculator.is_valid() else None
    may_change = page.club is not None and rights.may_manage(request.user, page.club.pk)
    form = _where_to_set(request, page, may_change)
    context = {
        "page": page,
        "club": page.club,
        "tab": "rules",
        "dealer": bool(request.GET.get("dealer")),
        "calculator": calculator,
        "answer": answer,
        "answer_taken": _taken(calculator.taken, form, anchored=may_change),
        "comparison": compared(page.content.rules, request.GET, request.user, page.address),
        "table_taken": _taken(payments.table_taken_as(page.content.rules), form, anchored=may_change),
    }
    return render(request, "ratings/rule_set.html", context)


def _where_to_set(request: HttpRequest, page: RulesPage, may_change: bool) -> str:
    """Return the address of the form in which the reader may state a rule, or an empty string if there is none.

    It is the form of the club's set, or the form that copies the preset.
    """
    if page.rule_set is not None:
        return reverse("desk:rule_set", args=[page.rule_set.pk]) if may_change else ""
    if not rights.has_level_somewhere(request.user, rights.Level.ADMIN):
        return ""
    return f"{reverse('desk:rule_set_add')}?preset={page.content.preset}"


def _taken(found: Iterable[payments.TakenAs], form: str, *, anchored: bool) -> list[TakenRule]:
    """`anchored` means that the form has a field for each rule. The form for copying a preset has no such fields."""
    return [
        TakenRule(
            name=each.parameter.name,
            label=each.parameter.label,
            words=unstated_words(each.parameter, each.value),
            set_at=f"{form}?rule={each.parameter.name}#row-{each.parameter.name}" if form and anchored else form,
        )
        for each in found
    ]
