"""A tournament and its stages. A stage's games, results and adjustments belong to its season (ratings)."""

from __future__ import annotations

import datetime
import zoneinfo
from functools import cached_property

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from simple_history.models import HistoricalRecords

from ratings.mahjong.rulesets import Rules
from ratings.mahjong.standings import DEFAULT_TIE_BREAKS
from ratings.models import Club, RuleSet, Season
from ratings.models.clubs import country_code, valid_name
from tournaments.standings import ranking


def default_tie_breaks() -> list[str]:
    return list(DEFAULT_TIE_BREAKS)


def check_tie_breaks(keys: object) -> None:
    known = isinstance(keys, list) and all(key in ranking.EVENT_TIE_BREAKS for key in keys)
    if not known or len(set(keys)) < len(keys):  # type: ignore[arg-type, call-overload]
        raise ValidationError(
            _("Tie-breaks are a list, each once, of %(keys)s."), params={"keys": ", ".join(ranking.EVENT_TIE_BREAKS)}
        )


class Tournament(models.Model):
    class Odd(models.TextChoices):
        """What happens if the players do not fill tables of four. The values are those of the seating engine."""

        REFUSE = "refuse", _("refuse: the number must be a multiple of four")
        SUBSTITUTES = "substitutes", _("substitutes fill up")
        BYES = "byes", _("some sit out: a bye gives 0 and is not a game")

    club = models.ForeignKey(Club, models.PROTECT, verbose_name=_("club"), related_name="tournaments")
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=120, validators=[valid_name])
    slug = models.SlugField(_("address"), unique=True, help_text=_("The last part of the tournament's web address."))
    city = models.CharField(_("city"), max_length=120, blank=True, validators=[valid_name])
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[country_code])
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    # The days listed in an event file, if there are more than the first and the last.
    play_dates = models.JSONField(default=list, blank=True, editable=False)
    about = models.TextField(_("about"), max_length=4000, blank=True)
    rule_set = models.ForeignKey(RuleSet, models.PROTECT, verbose_name=_("rule set"), related_name="tournaments")
    tie_breaks = models.JSONField(
        _("tie-breaks"), default=default_tie_breaks, blank=True, validators=[check_tie_breaks]
    )
    tables = models.PositiveSmallIntegerField(_("tables in the hall"), null=True, blank=True)
    odd = models.CharField(_("odd number of players"), max_length=11, choices=Odd, default=Odd.SUBSTITUTES)
    is_public = models.BooleanField(
        _("public"), default=True, help_text=_("If off, only club staff can see the event.")
    )
    results_hidden = models.BooleanField(
        _("standings hidden until the ceremony"),
        default=False,
        help_text=_("Hides all results from everyone except staff."),
    )
    # `tournaments.queries.registration` decides whether players may register now.
    registration_open = models.BooleanField(_("registration is open"), default=False)
    registration_closes_at = models.DateTimeField(
        _("registration closes"),
        null=True,
        blank=True,
        help_text=_(
            "In the club’s time. Leave blank to close it when the first round is published; "
            "a later time keeps it open until then."
        ),
    )
    capacity = models.PositiveSmallIntegerField(
        _("places"), null=True, blank=True, help_text=_("Further registrations go to the waiting list.")
    )
    reports_to_mers = models.BooleanField(_("counts for the European ranking"), default=False)
    is_championship = models.BooleanField(_("is a championship"), default=False)
    count_substitutes = models.BooleanField(
        _("count substitutes as participants"),
        default=False,
        help_text=_(
            "The EMA says: “Substitute players (maximum 3) are accounted in the calculation of participating players.” "
            "This is read in different ways. Leave it off to count ranked players only."
        ),
    )
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["-starts_on", "name"]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")),
                name="tournament_ends_after_it_starts",
                violation_error_message=_("The last day is before the first day."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.slug])

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return self.club.zone

    @property
    def results_public(self) -> bool:
        return self.is_public and not self.results_hidden

    @property
    def city_and_country(self) -> str:
        """`Łódź, PL`, or the city alone; empty without a city."""
        return ", ".join(filter(None, (self.city, self.country))) if self.city else ""

    @property
    def uses_substitutes(self) -> bool:
        """Whether substitutes fill up the last table."""
        return self.odd == self.Odd.SUBSTITUTES

    @property
    def uses_byes(self) -> bool:
        """Whether some players sit out if the players do not fill all tables."""
        return self.odd == self.Odd.BYES

    @property
    def dates(self) -> list[datetime.date]:
        """The listed days: those of the file, otherwise the first and the last day."""
        if self.play_dates:
            return [datetime.date.fromisoformat(day) for day in self.play_dates]
        return list(dict.fromkeys([self.starts_on, self.ends_on]))

    @property
    def days(self) -> int:
        """How many days are played: the listed days if there are three or more, otherwise all from first to last."""
        return len(self.play_dates) if len(self.play_dates) > 2 else (self.ends_on - self.starts_on).days + 1

    def today(self) -> datetime.date:
        return timezone.localdate(timezone=self.zone)


class Stage(models.Model):
    class Totals(models.TextChoices):
        CARRY = ranking.CARRY, _("carried over")
        HALVE = ranking.HALVE, _("halved, to whole hundreds")
        RESET = ranking.RESET, _("reset to zero")

    tournament = models.ForeignKey(Tournament, models.CASCADE, verbose_name=_("tournament"), related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"))  # from 1
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=120, validators=[valid_name])
    season = models.OneToOneField(
        Season, models.PROTECT, verbose_name=_("season"), related_name="stage", editable=False
    )
    own_rule_set = models.ForeignKey(
        RuleSet, models.PROTECT, null=True, blank=True, verbose_name=_("own rule set"), related_name="stages"
    )
    rounds_planned = models.PositiveSmallIntegerField(_("rounds planned"), default=0)
    cut_top = models.PositiveSmallIntegerField(
        _("cut to the first"), null=True, blank=True, help_text=_("How many go on after this stage.")
    )
    cut_totals = models.CharField(_("their totals are"), max_length=5, choices=Totals, default=Totals.CARRY)
    certificate = models.JSONField(_("certificate of the schedule"), null=True, blank=True, editable=False)
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, editable=False)

    history = HistoricalRecords()

    class Meta:
        ordering = ["tournament", "number"]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_per_number")]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def rules(self) -> Rules:
        """The rules for new games of this stage."""
        return self.season.rule_set.rules

    @property
    def is_open(self) -> bool:
        return self.opened_at is not None and self.closed_at is None
