"""Rounds and their tables: who sits where, the state of a round, its clock. Results are stored in the hanchan."""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models import Hanchan, Seat
from tournaments.models.entries import Entry
from tournaments.models.events import Stage


class Round(models.Model):
    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        SEATED = "seated", _("seated")  # published
        PLAYING = "playing", _("playing")
        CONFIRMED = "confirmed", _("confirmed")

    stage = models.ForeignKey(Stage, models.CASCADE, verbose_name=_("stage"), related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))  # from 1 in each stage
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.PLANNED)
    drawn = models.JSONField(default=dict, blank=True)  # how it was drawn: the way, the seed, figures
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)  # as announced; the clock is started by hand
    seated_at = models.DateTimeField(_("seated"), null=True, blank=True)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    # The clock: `running_since` is set while it runs; `elapsed_seconds` is the time that ran before that.
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    running_since = models.DateTimeField(null=True, blank=True)
    elapsed_seconds = models.PositiveIntegerField(default=0)
    extra_seconds = models.IntegerField(_("extra time"), default=0)

    class Meta:
        ordering = ["stage", "number"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.stage}, {self._meta.verbose_name} {self.number}"

    @property
    def is_published(self) -> bool:
        return self.state != self.State.PLANNED

    @property
    def is_confirmed(self) -> bool:
        return self.state == self.State.CONFIRMED

    @property
    def has_start_ahead(self) -> bool:
        """Whether a start is announced and the round has not started."""
        return self.starts_at is not None and self.started_at is None

    @property
    def is_running(self) -> bool:
        return self.running_since is not None

    def played(self, now: datetime.datetime) -> datetime.timedelta:
        """How long the clock has run."""
        since = now - self.running_since if self.running_since else datetime.timedelta(0)
        return datetime.timedelta(seconds=self.elapsed_seconds) + max(since, datetime.timedelta(0))

    def length(self, table: Table | None = None) -> datetime.timedelta | None:
        """How long the round lasts, with extra time; None if the rules set no length."""
        minutes = self.stage.rules.session_minutes
        if minutes is None:
            return None
        extra = self.extra_seconds + (table.extra_seconds if table else 0)
        return datetime.timedelta(minutes=minutes, seconds=extra)

    def remaining(self, now: datetime.datetime, table: Table | None = None) -> datetime.timedelta | None:
        """The time left on the clock; negative when the time is over."""
        length = self.length(table)
        return None if length is None else length - self.played(now)


class Table(models.Model):
    round = models.ForeignKey(Round, models.CASCADE, verbose_name=_("round"), related_name="tables")
    number = models.PositiveSmallIntegerField(_("table"))
    hanchan = models.OneToOneField(
        Hanchan, models.PROTECT, null=True, blank=True, verbose_name=_("hanchan"), related_name="event_table"
    )
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("checked by")
    )
    checked_at = models.DateTimeField(_("checked"), null=True, blank=True)
    extra_seconds = models.IntegerField(_("extra time"), default=0)

    class Meta:
        ordering = ["round", "number"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")]

    def __str__(self) -> str:
        return f"{self.round}, {self._meta.verbose_name} {self.number}"

    @property
    def has_result(self) -> bool:
        return self.hanchan is not None and self.hanchan.status == Hanchan.Status.FINAL

    @property
    def has_draft(self) -> bool:
        return self.hanchan is not None and self.hanchan.status == Hanchan.Status.DRAFT

    @property
    def is_checked(self) -> bool:
        return self.has_result and self.checked_at is not None

    @property
    def stamp(self) -> str:
        """A value that changes with everything that the page of a round shows about the table."""
        hanchan = self.hanchan
        return f"{hanchan.pk}-{hanchan.version}-{self.is_checked:d}" if hanchan else ""

    @property
    def sheet_key(self) -> str:
        """The key under which a browser stores a typed result; for a correction it includes the version."""
        return f"table-{self.pk}-{self.hanchan.version}" if self.hanchan and self.has_result else f"table-{self.pk}"


class PlannedSeat(models.Model):
    """Where an entry sits in a round, drawn or published. A constraint ensures one seat per entry in a round."""

    table = models.ForeignKey(Table, models.CASCADE, verbose_name=_("table"), related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, verbose_name=_("round"), related_name="seats")
    wind = models.PositiveSmallIntegerField(_("wind"), choices=Seat.Wind)
    entry = models.ForeignKey(Entry, models.PROTECT, verbose_name=_("entry"), related_name="seats")
    # What was reported at the desk before the result is in; a substitute of "" means that nothing was reported.
    substitute = models.CharField(_("substitute"), max_length=10, choices=Seat.Substitute, blank=True)
    played_by = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, verbose_name=_("played by"), related_name="+"
    )
    late_minutes = models.PositiveSmallIntegerField(_("minutes late"), default=0)

    class Meta:
        ordering = ["table", "wind"]
        verbose_name = _("planned seat")
        verbose_name_plural = _("planned seats")
        constraints = [
            models.UniqueConstraint(fields=["table", "wind"], name="one_planned_seat_per_wind"),
            models.UniqueConstraint(fields=["round", "entry"], name="one_planned_seat_per_round"),
        ]

    def __str__(self) -> str:
        return f"{self.get_wind_display()}: {self.entry}"
