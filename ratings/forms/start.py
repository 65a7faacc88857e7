"""The forms of a club's first steps: the few facts that its first game needs. The rest is in the settings."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from clubsite.widgets import DayInput
from ratings.forms.clubs import PlaceForm, zone_for
from ratings.mahjong.names import slug_from
from ratings.models import Club, RuleSet, Season
from ratings.services.seasons import check_dates

MINIMUM_GAMES = 6
MOST_GAMES = 1_000
WINTER, SPRING, SUMMER, AUTUMN = range(4)


class StartClubForm(PlaceForm):
    """Name and place of a club."""

    class Meta:
        model = Club
        fields = ["name", "city", "country", "time_zone"]
        labels = {"name": _("Name of the club"), "city": _("City")}
        help_texts = {"name": _("As players call it, in any alphabet.")}
        error_messages = {"name": {"required": _("Enter the name of the club.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True
        asks = {"hx-post": reverse("desk:start_zone"), "hx-target": "#zone", "hx-include": "closest form"}
        self.fields["country"].widget.attrs.update({**asks, "hx-swap": "outerHTML"})

    def club(self) -> Club:
        """The club to be saved, with an address that is free."""
        club: Club = self.instance
        if not club.slug:
            club.slug = slug_from(club.name, "club", set(Club.objects.values_list("slug", flat=True)))
        return club


def with_usual_zone(posted: QueryDict) -> StartClubForm:
    """The form with the usual zone of the country that was just chosen."""
    zone = zone_for(posted.get("country", ""), posted.get("time_zone", ""))
    return StartClubForm({**posted.dict(), "time_zone": zone})


class StartSeasonForm(forms.ModelForm):
    """Name and days of the first season, and how many games rank a player."""

    minimum_games = WholeNumberField(
        label=_("Games until a player is ranked"),
        min_value=0,
        max_value=MOST_GAMES,
        help_text=_("Players with fewer games are listed below the ranking."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on", "minimum_games"]
        labels = {"name": _("Name of the season"), "starts_on": _("First day"), "ends_on": _("Last day")}
        help_texts = {"ends_on": _("Leave blank for a season without an end.")}
        error_messages = {
            "name": {"required": _("Enter the name of the season.")},
            "starts_on": {"required": _("Enter the first day, such as today’s date.")},
        }
        widgets = {"starts_on": DayInput, "ends_on": DayInput}

    def __init__(self, club: Club, rule_set: RuleSet, *args: Any, **kwargs: Any) -> None:
        season: Season = kwargs.get("instance") or Season(club=club, rule_set=rule_set)
        kwargs["instance"] = season
        if season._state.adding:
            today = timezone.localdate(timezone=club.zone)
            kwargs["initial"] = {"name": season_name(today), "starts_on": today, "minimum_games": MINIMUM_GAMES}
        super().__init__(*args, **kwargs)

    def _post_clean(self) -> None:
        """Check the dates once they are set on the season: its games must be between them."""
        super()._post_clean()  # type: ignore[misc]
        if "starts_on" in self.cleaned_data and "ends_on" in self.cleaned_data:
            for problem in check_dates(self.instance):
                self.add_error("starts_on", problem.sentence(gettext))


def season_name(day: datetime.date) -> str:
    """A name for a season that begins on the day, such as “Autumn 2026”."""
    names = {
        WINTER: gettext("Winter %(year)s"),
        SPRING: gettext("Spring %(year)s"),
        SUMMER: gettext("Summer %(year)s"),
        AUTUMN: gettext("Autumn %(year)s"),
    }
    part = day.month % 12 // 3
    year = str(day.year)
    if part == WINTER:
        first = day.year if day.month == 12 else day.year - 1
        year = f"{first}/{(first + 1) % 100:02d}"
    return names[part] % {"year": year}
