"""Decisions at an event that are stored nowhere else. Penalties are adjustments; lateness and chombo are on the sheet.

`queries.log` lists all of them together."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import Stage, Tournament


class Ruling(models.Model):
    class Kind(models.TextChoices):
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")
        REINSTATED = "reinstated", _("plays again")
        UNCONFIRMED = "unconfirmed", _("round opened again")
        RESEATED = "reseated", _("seated again")
        CUT = "cut", _("cut")
        AT_DESK = "at_desk", _("reported at the desk")

    tournament = models.ForeignKey(Tournament, models.CASCADE, verbose_name=_("tournament"), related_name="rulings")
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    stage = models.ForeignKey(Stage, models.CASCADE, null=True, blank=True, verbose_name=_("stage"), related_name="+")
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    entry = models.ForeignKey(
        Entry, models.CASCADE, null=True, blank=True, verbose_name=_("entry"), related_name="rulings"
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )

    class Meta:
        ordering = ["tournament", "pk"]
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")

    def __str__(self) -> str:
        return f"{self.tournament}: {self.get_kind_display()}"
