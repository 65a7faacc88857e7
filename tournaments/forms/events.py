"""Forms for creating and changing an event: its facts, the source of its rules, its first stage and a final."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField, plain_digits
from ratings.mahjong.names import slug_from
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import Club
from tournaments.forms.rules import RulesField, content_of
from tournaments.forms.times import read_moment, shown_moment
from tournaments.models import Stage, Tournament
from tournaments.services.events import StagePlan
from tournaments.standings.ranking import EVENT_METRICS, EVENT_TIE_BREAKS

TIE_BREAKS = ("tie_break_1", "tie_break_2", "tie_break_3")
RESERVED = {"manage", "new", "european-ranking"}  # not allowed as slugs of events
FACTS = [
    "name", "slug", "city", "country", "starts_on", "ends_on", "about", "tables", "odd", "is_public", "results_hidden",
    "registration_open", "registration_closes_at", "capacity", "reports_to_mers", "is_championship",
    "count_substitutes",
]  # fmt: skip
GROUPS = (
    (_("The event"), ("club", "name", "slug", "city", "country", "starts_on", "ends_on", "about")),
    (_("Play"), ("rules", "session_minutes", "rounds", "tables", "odd", *TIE_BREAKS)),
    (_("A final"), ("final_rounds", "final_players", "final_totals")),
    (_("Who sees it"), ("is_public", "results_hidden")),
    (_("Registration"), ("registration_open", "registration_closes_at", "capacity")),
    (_("European ranking"), ("reports_to_mers", "is_championship", "count_substitutes")),
)
MOST_ROUNDS = 100


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def _tie_break(label: Any) -> forms.ChoiceField:
    choices = [("", "–"), *((key, _(EVENT_METRICS[key].label)) for key in EVENT_TIE_BREAKS)]
    return forms.ChoiceField(label=label, choices=choices, required=False)


class EventForm(forms.ModelForm):
    """The facts of an event. Once it is created, its rules and stages have their own pages."""

    tie_break_1 = _tie_break(_("First tie-break"))
    tie_break_2 = _tie_break(_("Second tie-break"))
    tie_break_3 = _tie_break(_("Third tie-break"))

    class Meta:
        model = Tournament
        formfield_callback = plain_digits
        fields = FACTS
        widgets = {
            "starts_on": _day(),
            "ends_on": _day(),
            "about": forms.Textarea(attrs={"rows": 4}),
            "registration_closes_at": forms.TextInput(attrs={"type": "datetime-local"}),
        }
        help_texts = {
            "slug": _("The last part of the web address. Leave blank to generate it from the name."),
            "country": _("Two letters, such as PL."),
            "tables": _("Leave blank for no limit."),
            "reports_to_mers": _("Its weight follows from days, players, countries and whether it is a championship."),
        }

        field_classes = {"registration_closes_at": forms.CharField}  # read below, in the club's time zone
        error_messages = {"slug": {"invalid": _("Use Latin letters, digits and hyphens only, such as spring-open.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, key in zip(TIE_BREAKS, self.instance.tie_breaks, strict=False):
            self.initial.setdefault(name, key)
        if self.instance.pk:
            closes_at = shown_moment(self.instance.registration_closes_at, self.instance.zone)
            self.initial["registration_closes_at"] = closes_at
            del self.fields["slug"]  # it is printed on paper and used in links of other sites
        else:
            self.fields["slug"].required = False

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields of this form under their headings."""
        return [(title, [self[name] for name in names if name in self.fields]) for title, names in GROUPS]

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED:
            raise ValidationError(_("This address is taken by a page of the site. Choose another one."))
        return slug

    def _read_closing_time(self, data: dict[str, Any]) -> None:
        """Read the closing time in the club's time zone; for a new event the club is known only now."""
        club = data.get("club") or (self.instance.club if self.instance.pk else None)
        typed, data["registration_closes_at"] = data.get("registration_closes_at") or "", None
        if club is None:
            return
        try:
            closes_at = read_moment(typed, club.zone)
            last_day = data.get("ends_on")
            if closes_at and last_day and closes_at.astimezone(club.zone).date() > last_day:
                raise ValidationError(_("Registration cannot close after the last day of the event."))
            data["registration_closes_at"] = closes_at
        except ValidationError as wrong:
            self.add_error("registration_closes_at", wrong)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._read_closing_time(data)
        chosen = [data[name] for name in TIE_BREAKS if data.get(name)]
        if len(chosen) != len(set(chosen)):
            raise ValidationError(gettext("A tie-break is selected twice. Choose another or leave it blank."))
        self.instance.tie_breaks = chosen
        if "slug" in self.fields and not data.get("slug") and data.get("name"):
            taken = {*Tournament.objects.values_list("slug", flat=True), *RESERVED}
            data["slug"] = slug_from(data["name"], f"event-{len(taken)}", taken)
        return data


class NewEventForm(EventForm):
    """A new event: its club, a copy of some rules, and its stages."""

    rules = RulesField(
        label=_("Rules"),
        help_text=_("A copy: the event gets a version of its own, which can be changed until it starts."),
    )
    session_minutes = WholeNumberField(
        label=_("Minutes of a session"),
        required=False,
        min_value=1,
        max_value=600,
        help_text=_("Leave blank to use the length in the rules."),
    )
    rounds = WholeNumberField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=8)
    final_rounds = WholeNumberField(
        label=_("Rounds of the final"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=_("Leave blank for no final. It can be added later."),
    )
    final_players = WholeNumberField(label=_("Players of the final"), required=False, min_value=4)
    final_totals = forms.ChoiceField(
        label=_("Totals of the finalists are"), choices=Stage.Totals.choices, initial=Stage.Totals.CARRY
    )

    class Meta(EventForm.Meta):
        fields = ["club", *FACTS]

    def __init__(self, clubs: Iterable[Club], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = list(clubs)
        club = self.fields["club"]
        assert isinstance(club, forms.ModelChoiceField)
        club.queryset = Club.objects.filter(pk__in=[each.pk for each in own])
        club.empty_label = None
        rules = self.fields["rules"]
        assert isinstance(rules, RulesField)
        rules.offer(own)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("final_rounds") and not data.get("final_players"):
            self.add_error("final_players", _("Enter the number of players in the final."))
        players = data.get("final_players")
        if players and players % 4:
            self.add_error("final_players", _("A final has full tables: use a multiple of four."))
        return data

    def rule_file(self) -> RuleFile:
        """The chosen rules by value, with the session length that was typed."""
        content = content_of(self.cleaned_data["rules"])
        minutes = self.cleaned_data.get("session_minutes")
        if minutes:
            content = dataclasses.replace(content, rules=dataclasses.replace(content.rules, session_minutes=minutes))
        return content

    def stage_plans(self) -> list[StagePlan]:
        data = self.cleaned_data
        if not data.get("final_rounds"):
            return [StagePlan(gettext("Main stage"), data["rounds"])]
        first = StagePlan(gettext("Qualification"), data["rounds"], None, data["final_players"], data["final_totals"])
        return [first, StagePlan(gettext("Final"), data["final_rounds"])]
