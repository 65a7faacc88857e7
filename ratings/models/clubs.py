"""Clubs, the users who work for them, and the rules they play by."""

from __future__ import annotations

import zoneinfo
from functools import cached_property

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from ratings.mahjong import rulesets
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Refused

country_code = RegexValidator(r"^[A-Z]{2}$", _("Use the two capital letters of the country, such as PL or UA."))


# Zone names that are not a place: their meaning depends on the machine, or they have none.
NO_PLACE = {"localtime", "posixrules", "Factory"}


def valid_name(value: str) -> None:
    """Validate a name, for every column that holds one. Forms call it automatically, services by `services.naming`."""
    if problem := objection_to_name(value):
        raise ValidationError(gettext(problem.message), code=problem.code)


def check_time_zone(name: str) -> None:
    if name in NO_PLACE or name not in zoneinfo.available_timezones():
        raise ValidationError(_("“%(name)s” is not a time zone; use one such as Europe/Minsk."), params={"name": name})


class Club(models.Model):
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=120, validators=[valid_name])
    slug = models.SlugField(_("address"), unique=True, help_text=_("The last part of the club's web address."))
    city = models.CharField(_("city"), max_length=120, blank=True, validators=[valid_name])
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[country_code])
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[check_time_zone])
    about = models.TextField(_("about"), blank=True, max_length=2000)

    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]
        verbose_name = _("club")
        verbose_name_plural = _("clubs")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("ratings:club", args=[self.slug])

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class Membership(models.Model):
    """A user who works for a club; `ratings.rights` decides what each role may do."""

    class Role(models.TextChoices):
        SCORER = "scorer", _("scorer")
        REFEREE = "referee", _("referee")
        ADMIN = "admin", _("club admin")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("user"), related_name="memberships"
    )
    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="memberships")
    role = models.CharField(_("role"), max_length=8, choices=Role, default=Role.SCORER)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [models.UniqueConstraint(fields=["user", "club"], name="one_role_per_club")]

    def __str__(self) -> str:
        return f"{self.user} – {self.club} ({self.get_role_display()})"


class Invitation(models.Model):
    """An invitation of a user to work for a club. It becomes a membership when the user accepts."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("user"), related_name="invitations"
    )
    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="invitations")
    role = models.CharField(_("role"), max_length=8, choices=Membership.Role, default=Membership.Role.SCORER)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )
    at = models.DateTimeField(_("when"), default=timezone.now)

    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [models.UniqueConstraint(fields=["user", "club"], name="one_invitation_per_club")]

    def __str__(self) -> str:
        named = {"name": self.user, "club": self.club, "role": self.get_role_display()}
        return gettext("Invitation of %(name)s to %(club)s (%(role)s)") % named


class RuleSet(models.Model):
    """One version of a club's rule set. Once a game uses it, it is frozen, and a change makes the next version."""

    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="rule_sets")
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=120, validators=[valid_name])
    slug = models.SlugField(_("address"))
    version = models.PositiveIntegerField(_("version"), default=1)
    parent = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        verbose_name=_("created from"),
        related_name="children",
    )
    preset = models.CharField(_("preset"), max_length=20, blank=True, help_text=_("The preset it was copied from."))
    parameters = models.JSONField(_("parameters"))
    notes = models.JSONField(_("notes"), default=dict, blank=True)
    paragraphs = models.JSONField(_("paragraphs of the source"), default=dict, blank=True)
    ranges = models.JSONField(_("what may vary from game to game"), default=dict, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["club", "slug", "-version"]
        verbose_name = _("rule set")
        verbose_name_plural = _("rule sets")
        constraints = [models.UniqueConstraint(fields=["club", "slug", "version"], name="one_version_of_a_rule_set")]

    def __str__(self) -> str:
        return gettext("%(name)s, version %(version)s") % {"name": self.name, "version": self.version}

    def get_absolute_url(self) -> str:
        return reverse("ratings:rule_set", args=[self.club.slug, self.slug, self.version])

    def clean(self) -> None:
        try:
            rulesets.read(self.parameters)
            rulesets.read_ranges(self.ranges)
        except Refused as refused:
            raise ValidationError(refused.sentences(gettext)) from refused

    @cached_property
    def rules(self) -> rulesets.Rules:
        return rulesets.read(self.parameters)

    @cached_property
    def allowed_ranges(self) -> dict[str, rulesets.Range]:
        return rulesets.read_ranges(self.ranges)

    @property
    def is_frozen(self) -> bool:
        return self.hanchans.exists()
