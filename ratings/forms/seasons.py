"""A season's settings as admins type them: ratings in rating points, columns to tick, tie-breaks in order."""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.functional import lazy
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.fields import DecimalNumberField, WholeNumberField
from clubsite.widgets import Chips, DayInput, Segments
from ratings.forms.rule_choices import ChosenRules, ClubRulesField, own_key
from ratings.forms.sections import FormSection, sections_of
from ratings.mahjong import standings
from ratings.mahjong.formulas import FORMULAS, Formula
from ratings.models import Season
from ratings.rights import Person
from ratings.services.seasons import check_dates, save_season

THOUSANDTHS = 1000
MOST_GAMES = 100_000
MOST_K = 10_000
TIE_BREAKS = ("tie_break_1", "tie_break_2", "tie_break_3", "tie_break_4")
FACTS = ["name", "slug", "kind", "starts_on", "ends_on", "formula", "elo_k", "minimum_games", "results_public"]
RANKING = "ranking"  # the section whose fields depend on the formula
SECTIONS = (
    ("season", _("Season"), _("name, dates, rules"), ("name", "slug", "kind", "starts_on", "ends_on", "rules")),
    (
        RANKING,
        _("Ranking"),
        _("order, minimum, columns"),
        ("formula", "initial_points", "elo_k", "minimum_games", *TIE_BREAKS, "columns"),
    ),
    ("seen_by", _("Who sees it"), _("results"), ("results_public",)),
)
KINDS = [(kind.value, capfirst(kind.label)) for kind in Season.CLUB_KINDS]


def _label(key: str) -> Any:
    return _(standings.METRICS[key].label)


def _tie_break(label: Any) -> forms.ChoiceField:
    choices = [("", "–"), *((key, _label(key)) for key in standings.TIE_BREAKS)]
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _help_on_initial_rating() -> str:
    named: dict[int, list[str]] = defaultdict(list)
    for formula in FORMULAS.values():
        if formula.initial:
            named[formula.initial].append(gettext(formula.label))
    ratings = [
        gettext("%(points)s for %(formulas)s")
        % {"points": Decimal(initial) / THOUSANDTHS, "formulas": get_text_list(names, gettext("and"))}
        for initial, names in named.items()
    ]
    sentence = gettext("In rating points. Leave blank for the formula’s default: %(ratings)s, otherwise 0.")
    return sentence % {"ratings": ", ".join(ratings)}


class SeasonForm(forms.ModelForm):
    """The settings of one club's season. A season with games keeps its kind and rules.

    Fields of a rating formula are shown with that formula only. A field that was not sent keeps its value.
    """

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=120)
    slug = forms.SlugField(
        label=_("Address of the page"),
        max_length=50,
        required=False,
        help_text=_("The last part of the web address. Leave blank to generate it from the name."),
        error_messages={"invalid": _("Use Latin letters, digits and hyphens only, such as spring-open.")},
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=KINDS,
        widget=Segments,
        help_text=_("In a simplified season each game may vary the rules."),
    )
    starts_on = forms.DateField(label=_("First day"), widget=DayInput)
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=DayInput, help_text=_("Leave blank if the season has no end yet.")
    )
    rules = ClubRulesField(help_text=_("A preset is copied into the club’s rules, where you can change it."))
    formula = forms.ChoiceField(
        label=_("Ranked by"),
        choices=[(formula.key, capfirst(_(formula.label))) for formula in FORMULAS.values()],
        widget=Segments,
    )
    initial_points = DecimalNumberField(
        label=_("Initial rating"),
        required=False,
        max_digits=9,
        decimal_places=3,
        help_text=lazy(_help_on_initial_rating, str)(),
    )
    elo_k = WholeNumberField(
        label=_("K"),
        required=False,
        min_value=1,
        max_value=MOST_K,
        help_text=_("How far one game moves a rating: 32 is usual."),
    )
    minimum_games = WholeNumberField(
        label=_("Games to be ranked"),
        min_value=0,
        max_value=MOST_GAMES,
        initial=0,
        help_text=_("Players with fewer games are listed below the ranking."),
    )
    columns = forms.MultipleChoiceField(
        label=_("Columns of the leaderboard"),
        required=False,
        choices=[(key, _label(key)) for key in standings.METRICS],
        widget=Chips,
    )
    tie_break_1 = _tie_break(_("First tie-break"))
    tie_break_2 = _tie_break(_("Second tie-break"))
    tie_break_3 = _tie_break(_("Third tie-break"))
    tie_break_4 = _tie_break(_("Fourth tie-break"))
    results_public = forms.BooleanField(
        label=_("Visitors see the results"),
        required=False,
        help_text=_("If off, only staff of the club see them."),
    )

    class Meta:
        model = Season
        fields = FACTS

    def __init__(self, *args: Any, user: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        season: Season = self.instance
        self.user = user
        self.stored = copy(season)  # as it is in the database: checking the form puts its values on the instance
        self.has_games = bool(season.pk) and season.hanchans.exists()
        first = {"columns": season.metrics, **dict(zip(TIE_BREAKS, season.tie_breaks, strict=False))}
        if season.pk:
            first["initial_points"] = Decimal(season.initial_rating) / THOUSANDTHS
        else:
            first["starts_on"] = season.today()
        used = season if season.pk else season.club.seasons.of_clubs().order_by("-starts_on", "-pk").first()
        if used is not None:
            first["rules"] = own_key(used.rule_set)
        self.initial = {**self.initial, **first}
        if self.has_games:
            del self.fields["kind"], self.fields["rules"]
        else:
            self._rules.offer(season.club)
        self._leave_out_what_does_not_apply()

    @property
    def _rules(self) -> ClubRulesField:
        field = self.fields["rules"]
        assert isinstance(field, ClubRulesField)
        return field

    @property
    def shown_formula(self) -> Formula:
        """The formula that is chosen in the form."""
        return FORMULAS.get(str(self["formula"].value()), FORMULAS[self.instance.formula])

    def _leave_out_what_does_not_apply(self) -> None:
        """Remove the settings of other formulas; what was sent for them is ignored.

        `shows_other_fields` says whether the page that sent the form shows settings of another formula than the chosen
        one. What the page did not show yet is proposed: the stored K and the initial rating of the formula, or, for the
        stored formula, the stored one.
        """
        formula = self.shown_formula
        applies = {"initial_points": formula.depends_on_order, "elo_k": formula.uses_k}
        self.shows_other_fields = False
        for name, is_needed in applies.items():
            self.shows_other_fields |= (name in self.data) != is_needed
            if not is_needed:
                del self.fields[name]
        if self.is_bound:
            stays = bool(self.stored.pk) and self.stored.formula == formula.key
            initial = self.stored.initial_rating if stays else formula.initial
            proposed = {"initial_points": Decimal(initial) / THOUSANDTHS, "elo_k": self.stored.elo_k}
            missing = {name: str(value) for name, value in proposed.items() if name not in self.data}
            sent: Any = copy(self.data)
            sent.update({name: value for name, value in missing.items() if name in self.fields})
            self.data = sent

    @property
    def changes_ratings(self) -> bool:
        """Whether saving computes the ratings of all games again, or removes them."""
        has_ratings = self.instance.depends_on_order or self.stored.depends_on_order
        is_other = self.instance.rating_settings != self.stored.rating_settings
        return self.has_games and has_ratings and is_other

    @property
    def sections(self) -> list[FormSection]:
        return sections_of(self, SECTIONS)

    @property
    def chosen_rules(self) -> ChosenRules | None:
        """The rules that the form shows; None if its choice is not one of them."""
        if self.has_games:
            return ChosenRules(self.instance.rule_set)
        chosen = self._rules.chosen(str(self["rules"].value()))
        return chosen if str(chosen) else None

    def clean_columns(self) -> list[str]:
        return [key for key in standings.METRICS if key in self.cleaned_data["columns"]]

    def clean_elo_k(self) -> int:
        typed: int | None = self.cleaned_data["elo_k"]
        return self.instance.elo_k if typed is None else typed

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        chosen = [data[name] for name in TIE_BREAKS if data.get(name)]
        if len(chosen) != len(set(chosen)):
            raise ValidationError(gettext("A tie-break is selected twice. Choose another or leave it blank."))
        self.instance.tie_breaks = chosen
        self.instance.metrics = data.get("columns", self.instance.metrics)
        self._set_initial_rating(data)
        return data

    def _set_initial_rating(self, data: dict[str, Any]) -> None:
        if "formula" not in data or self.errors.get("initial_points"):
            return
        points = data.get("initial_points")
        own = FORMULAS[data["formula"]].initial
        self.instance.initial_rating = own if points is None else int(points * THOUSANDTHS)

    def _post_clean(self) -> None:
        """Check what depends on the whole season: its games must be within its days, its address must be free."""
        super()._post_clean()  # type: ignore[misc]
        if "starts_on" in self.cleaned_data and "ends_on" in self.cleaned_data:
            for problem in check_dates(self.instance):
                self.add_error("starts_on", problem.sentence(gettext))
        slug = self.cleaned_data.get("slug")
        others = Season.objects.filter(club=self.instance.club_id, slug=slug).exclude(pk=self.instance.pk)
        if slug and others.exists():
            self.add_error("slug", gettext("Another season of the club has this address. Choose another one."))

    def _get_validation_exclusions(self) -> set[str]:
        """Leave out the rule set, which is stored with the season, and the address, which is checked above."""
        return {*super()._get_validation_exclusions(), "rule_set", "slug"}  # type: ignore[misc]

    @transaction.atomic
    def apply(self, seen: int | None = None) -> Season:
        """Store the season. Rules chosen from the presets are copied into the club first."""
        season: Season = self.instance
        if not self.has_games:
            season.rule_set = self._rules.chosen(self.cleaned_data["rules"]).of_club(season.club)
        save_season(season, by=self.user, seen=seen)  # type: ignore[arg-type]
        return season
