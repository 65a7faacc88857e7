"""Who takes part in an event, and how the participation ended."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from ratings.models import Player
from ratings.models.clubs import country_code, valid_name
from ratings.models.players import ema_number
from tournaments.models.events import Stage, Tournament
from tournaments.standings.ranking import Contestant, Departure, RoundMoment


class Entry(models.Model):
    class Status(models.TextChoices):
        WAITING = "waiting", _("on the waiting list")
        REGISTERED = "registered", _("registered")
        CONFIRMED = "confirmed", _("confirmed")
        CHECKED_IN = "checked_in", _("checked in")
        SUBSTITUTE = "substitute", _("substitute")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")
        CANCELLED = "cancelled", _("cancelled")

    class SubstituteKind(models.TextChoices):
        PERMANENT = "permanent", _("permanent: fills up a table, round after round")
        OCCASIONAL = "occasional", _("occasional: plays when a player is missing")

    PLAYING = (Status.REGISTERED, Status.CONFIRMED, Status.CHECKED_IN)
    LEFT = (Status.WITHDRAWN, Status.DISQUALIFIED)
    # On the list but not part of the event: not seated, not ranked and not counted.
    NOT_IN = (Status.WAITING, Status.CANCELLED)

    tournament = models.ForeignKey(Tournament, models.CASCADE, verbose_name=_("tournament"), related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    player = models.ForeignKey(Player, models.PROTECT, verbose_name=_("player"), related_name="entries")
    team = models.CharField(_("team"), max_length=80, blank=True, validators=[valid_name])
    country = models.CharField(_("country at the event"), max_length=2, blank=True, validators=[country_code])
    ema_number = models.CharField(_("EMA number"), max_length=8, blank=True, validators=[ema_number])
    status = models.CharField(_("state"), max_length=12, choices=Status, default=Status.REGISTERED)
    # Substitutes are outside the ranking, whatever their status becomes later.
    substitute_kind = models.CharField(_("substitute"), max_length=10, choices=SubstituteKind, blank=True)
    stationary_table = models.PositiveSmallIntegerField(
        _("stays at table"), null=True, blank=True, help_text=_("For a player who should not change tables.")
    )
    registered_at = models.DateTimeField(_("registered"), default=timezone.now, editable=False)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True, editable=False)
    # If the player left early: after which round, and whether the results stay in the table.
    left_stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, verbose_name=_("left in"), related_name="+", editable=False
    )
    left_round = models.PositiveSmallIntegerField(_("left after round"), null=True, blank=True, editable=False)
    keep_results = models.BooleanField(_("results stay"), default=True, editable=False)
    reason = models.CharField(_("reason"), max_length=300, blank=True, editable=False)
    # For a registration: the key of the form, and whether the player was created only for this entry.
    submit_key = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    made_player = models.BooleanField(default=False, editable=False)

    history = HistoricalRecords()

    class Meta:
        ordering = ["tournament", "number"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_per_number"),
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_per_player"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.player}"

    @property
    def is_checked_in(self) -> bool:
        return self.status == self.Status.CHECKED_IN

    @property
    def is_waiting(self) -> bool:
        """Whether this entry waits for a place."""
        return self.status == self.Status.WAITING

    @property
    def is_cancelled(self) -> bool:
        return self.status == self.Status.CANCELLED

    @property
    def is_substitute(self) -> bool:
        return bool(self.substitute_kind)

    @property
    def is_permanent_substitute(self) -> bool:
        return self.substitute_kind == self.SubstituteKind.PERMANENT

    @property
    def has_left(self) -> bool:
        return self.status in self.LEFT

    @property
    def is_in(self) -> bool:
        """Whether the entry is, or was, part of the event."""
        return self.status not in self.NOT_IN

    def has_left_before(self, stage: Stage, round_number: int) -> bool:
        """Whether the entry left before this round. Until the round after which it leaves, its seats are played."""
        if not self.has_left or self.left_stage_id == stage.pk:
            return self.has_left and (self.left_round or 0) < round_number
        return self.left_stage is None or self.left_stage.number < stage.number

    @property
    def is_ranked(self) -> bool:
        return not self.substitute_kind and self.is_in

    def as_contestant(self) -> Contestant:
        """What the ranking needs to know about this entry; `left_stage` should already be loaded."""
        left = None
        if self.has_left and self.left_stage is not None:
            moment = RoundMoment(self.left_stage.number, self.left_round or 0)
            left = Departure(moment, self.status == self.Status.DISQUALIFIED, self.keep_results)
        return Contestant(self.number, self.team, self.is_ranked, left)
