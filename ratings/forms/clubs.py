"""A club's settings. Country and time zone are chosen from lists; the time zone follows from the country if it can."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.country_names import country_choices, country_name
from clubsite.time_zones import UTC, all_zones, main_zone, zones_of
from ratings import rights
from ratings.forms.sections import FormSection, sections_of
from ratings.models import Club
from ratings.services.clubs import save_club

SECTIONS = (
    ("club", _("Club"), _("name, city, time zone"), ("name", "slug", "city", "country", "time_zone")),
    ("about", _("About"), _("what visitors read first"), ("about",)),
)
NO_ZONE = _("“%(value)s” is not a time zone; use one such as Europe/Minsk.")


def _readable(zone: str) -> str:
    return zone.replace("_", " ")


class CountryField(forms.ChoiceField):
    """A country by its name in the reader's language; its value is the code of two letters, or empty."""

    def __init__(self, **more: Any) -> None:
        super().__init__(label=_("Country"), required=False, choices=_countries, **more)


def _countries() -> list[tuple[str, str]]:
    return [("", "–"), *country_choices()]


class ZoneField(forms.ChoiceField):
    """A time zone. `offer` puts the zones of a country first; left blank, the usual zone of the country is meant."""

    default_error_messages = {"invalid_choice": NO_ZONE}

    def __init__(self, **more: Any) -> None:
        super().__init__(label=_("Time zone"), required=False, **more)

    def offer(self, country: str, now: str = "") -> None:
        """Offer all zones, those of the country first, and `now`, the one that is stored."""
        near = zones_of(country)
        others = [zone for zone in all_zones() if zone not in near]
        if now and now not in (*near, *others):
            others.insert(0, now)
        groups = [(country_name(country), [(zone, _readable(zone)) for zone in sorted(near)])] if near else []
        for region, zones in groupby(others, key=lambda zone: zone.partition("/")[0] if "/" in zone else UTC):
            groups.append((region, [(zone, _readable(zone)) for zone in zones]))
        self.choices = [("", gettext("– as the country –")), *groups]

    @staticmethod
    def follows_from(country: str) -> str:
        """The zone that a blank field means. Refuse no country, and one of several zones of which none is the usual."""
        usual = main_zone(country)
        if usual:
            return usual
        if zones_of(country):
            message = gettext("%(country)s has several time zones. Select the one of the club.")
            raise ValidationError(message % {"country": country_name(country)})
        raise ValidationError(gettext("Select a country, or the time zone of the club."))


def zone_for(country: str, chosen: str) -> str:
    """The zone to select after a country was selected: the one chosen before if it is of the country, or its usual."""
    return chosen if chosen in zones_of(country) else main_zone(country)


class PlaceForm(forms.ModelForm):
    """Country and time zone of a club. The zone follows from the country unless another one is selected."""

    country = CountryField()
    time_zone = ZoneField(help_text=_("Dates and times of the club are shown in it."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        club: Club = self.instance
        if club._state.adding:
            self.initial["time_zone"] = ""  # not the UTC of the model: the country says it
        zone = self.fields["time_zone"]
        assert isinstance(zone, ZoneField)
        zone.offer(str(self["country"].value() or ""), "" if club._state.adding else club.time_zone)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "time_zone" in data and not data["time_zone"] and "country" in data:
            try:
                data["time_zone"] = ZoneField.follows_from(data["country"] or "")
            except ValidationError as needed:
                self.add_error("time_zone", needed)
        return data

    def _get_validation_exclusions(self) -> set[str]:
        """Check the time zone as well, although the field may be blank: it has a value by now."""
        return {*super()._get_validation_exclusions()} - {"time_zone"}  # type: ignore[misc]


class ClubForm(PlaceForm):
    """The settings of a club. Only the owner of the site may change its address, which many links contain."""

    about = forms.CharField(
        label=_("About"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Where and when you play, and whom to ask. Shown on the club’s page."),
    )

    class Meta:
        model = Club
        fields = ["name", "slug", "city", "country", "time_zone", "about"]
        labels = {"name": pgettext_lazy("of a thing", "Name"), "slug": _("Address of the page"), "city": _("City")}
        help_texts = {"slug": _("The last part of the web address. Leave blank to generate it from the name.")}
        error_messages = {
            "slug": {
                "invalid": _("Use Latin letters, digits and hyphens only, such as riichi-lodz."),
                "unique": _("Another club has this address. Choose another one."),
            }
        }

    def __init__(self, *args: Any, user: rights.Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if rights.is_owner(user):
            self.fields["slug"].required = False
        else:
            del self.fields["slug"]

    @property
    def sections(self) -> list[FormSection]:
        return sections_of(self, SECTIONS)

    def clean_about(self) -> str:
        """Keep the line ends that the text has, or its history would tell a change in every line."""
        return str(self.cleaned_data["about"]).replace("\r\n", "\n")

    def apply(self, seen: int | None = None) -> Club:
        save_club(self.instance, seen=seen)
        return self.instance
