"""Games and what follows from them: hanchans with their seats, results without a game, stored standings."""

from __future__ import annotations

from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from ratings.mahjong import rulesets, scoring, standings
from ratings.models.clubs import RuleSet
from ratings.models.players import Player
from ratings.models.seasons import Season


class Hanchan(models.Model):
    """A game as it was entered. Its results are stored on its seats and follow from its own rule-set version."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        FINAL = "final", _("final")
        VOID = "void", _("void")

    season = models.ForeignKey(Season, models.PROTECT, verbose_name=_("season"), related_name="hanchans")
    rule_set = models.ForeignKey(RuleSet, models.PROTECT, verbose_name=_("rule set"), related_name="hanchans")
    variation = models.JSONField(_("variation"), default=dict, blank=True)
    played_at = models.DateTimeField(_("played"))
    played_on = models.DateField(_("date"))  # the club's local date of played_at
    table = models.PositiveIntegerField(_("table"), null=True, blank=True)
    sticks_left = models.PositiveIntegerField(_("riichi sticks left"), default=0)
    override = models.CharField(_("reason for a wrong sum"), max_length=300, blank=True)
    winds_unknown = models.BooleanField(_("winds unknown"), default=False)
    comment = models.CharField(_("comment"), max_length=500, blank=True)
    status = models.CharField(_("state"), max_length=5, choices=Status, default=Status.FINAL)
    version = models.PositiveIntegerField(default=1, editable=False)
    corrections = models.PositiveIntegerField(_("times corrected"), default=0, editable=False)
    submit_key = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    entered_at = models.DateTimeField(_("entered"), default=timezone.now, editable=False)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        verbose_name=_("entered by"),
        related_name="+",
        editable=False,
    )

    class Meta:
        ordering = ["-played_at", "-pk"]
        verbose_name = _("hanchan")
        verbose_name_plural = _("hanchans")
        indexes = [
            models.Index(fields=["season", "played_at", "id"], name="hanchan_in_order"),
            models.Index(fields=["season", "played_on"], name="hanchan_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("ratings:hanchan", args=[self.pk])

    @property
    def is_draft(self) -> bool:
        return self.status == self.Status.DRAFT

    @property
    def is_void(self) -> bool:
        return self.status == self.Status.VOID

    @cached_property
    def rules(self) -> rulesets.Rules:
        """The rules of this game, its own variation included."""
        if not self.variation:
            return self.rule_set.rules
        return rulesets.vary(self.rule_set.rules, self.rule_set.allowed_ranges, self.variation)

    def as_table(self) -> scoring.Table:
        """Return what scoring needs of this game; reads its seats."""
        seats = tuple(seat.as_played() for seat in self.seats.all())
        return scoring.Table(seats, self.sticks_left, self.override)


class Seat(models.Model):
    """One of four seats: first the columns that were entered, then the derived ones."""

    class Substitute(models.TextChoices):
        NONE = scoring.NONE, _("no")
        FROM_START = scoring.FROM_START, _("from the start")
        MID_GAME = scoring.MID_GAME, _("came in mid-game")

    class Wind(models.IntegerChoices):
        EAST = 0, _("East")
        SOUTH = 1, _("South")
        WEST = 2, _("West")
        NORTH = 3, _("North")

    hanchan = models.ForeignKey(Hanchan, models.CASCADE, verbose_name=_("hanchan"), related_name="seats")
    wind = models.PositiveSmallIntegerField(_("wind"), choices=Wind)
    player = models.ForeignKey(Player, models.PROTECT, verbose_name=_("player"), related_name="seats")
    played_by = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("played by"),
        related_name="seats_played_for_others",
    )
    points = models.IntegerField(_("points"))
    chombo = models.PositiveIntegerField(_("chombo"), default=0)
    late_minutes = models.PositiveIntegerField(_("minutes late"), default=0)
    penalty = models.PositiveIntegerField(_("penalty"), default=0)
    substitute = models.CharField(_("substitute"), max_length=10, choices=Substitute, default=Substitute.NONE)
    # Derived. `place_twice` is double the mean of the places that a tied seat covers, so that it is a whole number.
    place = models.PositiveSmallIntegerField(_("place"), null=True, editable=False)
    place_twice = models.PositiveSmallIntegerField(null=True, editable=False)
    result = models.IntegerField(_("result"), null=True, editable=False)
    rating_after = models.IntegerField(_("rating"), null=True, editable=False)
    # Derived copies of columns of the hanchan, so that one index answers "this player, this season, until that day".
    season = models.ForeignKey(Season, models.PROTECT, editable=False, related_name="+")
    played_at = models.DateTimeField(editable=False)
    played_on = models.DateField(editable=False)
    counts = models.BooleanField(default=False, editable=False)  # the hanchan is final

    class Meta:
        ordering = ["hanchan_id", "wind"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["hanchan", "wind"], name="one_seat_per_wind"),
            models.UniqueConstraint(fields=["hanchan", "player"], name="one_seat_per_player"),
        ]
        indexes = [
            # Covers the aggregation of standings for one player, and for a whole season as of a date.
            models.Index(
                fields=[
                    "season",
                    "player",
                    "played_at",
                    "hanchan",
                    "played_on",
                    "result",
                    "place",
                    "place_twice",
                    "chombo",
                    "penalty",
                    "substitute",
                    "counts",  # otherwise SQLite reads the row to check the condition
                ],
                condition=Q(counts=True),
                name="seat_standings",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_wind_display()}: {self.player}"

    def as_played(self) -> scoring.Seat:
        return scoring.Seat._make(getattr(self, name) for name in scoring.Seat._fields)

    @property
    def is_substituted(self) -> bool:
        return self.substitute != self.Substitute.NONE

    @property
    def is_substituted_from_start(self) -> bool:
        return self.substitute == self.Substitute.FROM_START


class HanchanEvent(models.Model):
    """The history of a game: the whole sheet after each change, with who changed it, when and why."""

    class Action(models.TextChoices):
        DRAFTED = "drafted", _("saved as a draft")
        ENTERED = "entered", _("entered")
        CORRECTED = "corrected", _("corrected")
        VOIDED = "voided", _("voided")
        RESTORED = "restored", _("restored")

    hanchan = models.ForeignKey(Hanchan, models.CASCADE, verbose_name=_("hanchan"), related_name="events")
    action = models.CharField(_("action"), max_length=10, choices=Action)
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    version = models.PositiveIntegerField(_("version"))
    sheet = models.JSONField(_("sheet"))

    class Meta:
        ordering = ["hanchan_id", "version", "pk"]
        verbose_name = _("event of a hanchan")
        verbose_name_plural = _("events of a hanchan")

    def __str__(self) -> str:
        return f"{self.hanchan}: {self.get_action_display()}"


class Adjustment(models.Model):
    """A result without a game, such as a penalty, absence, bye or carried total. A revoked one never counts."""

    class Kind(models.TextChoices):
        PENALTY = standings.PENALTY, _("penalty")
        WARNING = "warning", _("warning")
        BONUS = "bonus", _("bonus")
        ABSENCE = standings.ABSENCE, _("absence")
        BYE = standings.BYE, _("bye")
        CARRIED = standings.CARRIED, _("carried over")

    season = models.ForeignKey(Season, models.PROTECT, verbose_name=_("season"), related_name="adjustments")
    player = models.ForeignKey(Player, models.PROTECT, verbose_name=_("player"), related_name="adjustments")
    round = models.PositiveIntegerField(_("round"), null=True, blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PENALTY)
    points = models.IntegerField(_("points"), help_text=_("Game points added to the total; a penalty is negative."))
    reason = models.CharField(_("reason"), max_length=300)
    given_on = models.DateField(_("given on"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        verbose_name=_("revoked by"),
        related_name="+",
        editable=False,
    )
    revoked_reason = models.CharField(_("why revoked"), max_length=300, blank=True, editable=False)
    submit_key = models.UUIDField(null=True, blank=True, unique=True, editable=False)  # a form makes one row

    history = HistoricalRecords()

    class Meta:
        ordering = ["-given_on", "-pk"]
        verbose_name = _("penalty or adjustment")
        verbose_name_plural = _("penalties and adjustments")
        indexes = [models.Index(fields=["season", "player"], name="adjustment_of_player")]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"


class Standing(models.Model):
    """A player's aggregates in a season, written by services; every metric is a pure function of them."""

    season = models.ForeignKey(Season, models.CASCADE, verbose_name=_("season"), related_name="standings")
    player = models.ForeignKey(Player, models.PROTECT, verbose_name=_("player"), related_name="standings")
    games = models.PositiveIntegerField(_("games"), default=0)  # substituted seats and absences included
    placed = models.PositiveIntegerField(default=0)  # own seats: places, best and worst count only these
    results = models.BigIntegerField(default=0)  # Σ results of all games
    adjustments = models.BigIntegerField(default=0)  # Σ points of adjustments that are not revoked
    penalties = models.BigIntegerField(default=0)  # Σ penalties, those of seats too, as a positive number
    firsts = models.PositiveIntegerField(default=0)
    seconds = models.PositiveIntegerField(default=0)
    thirds = models.PositiveIntegerField(default=0)
    fourths = models.PositiveIntegerField(default=0)
    place_twice = models.PositiveIntegerField(default=0)
    best = models.IntegerField(null=True)
    worst = models.IntegerField(null=True)
    chombo = models.PositiveIntegerField(default=0)
    last_played_on = models.DateField(null=True)
    recent = models.JSONField(default=list)  # the last ten results, oldest first
    rated_games = models.PositiveIntegerField(default=0)  # games that count for the rating
    rating = models.IntegerField(_("rating"), null=True)  # order-dependent formulas only

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="one_standing_per_player")]

    def __str__(self) -> str:
        return f"{self.player} – {self.season}"
