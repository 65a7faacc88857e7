"""People who registered themselves and wait for the organiser.

They are not entries yet, so no list, seating, ranking or file has to leave them out. Confirming a registration creates
an entry, and a player if there is none."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.clubs import country_code, valid_name
from ratings.models.players import ema_number
from tournaments.models.events import Tournament


class Registration(models.Model):
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, verbose_name=_("tournament"), related_name="registrations"
    )
    name = models.CharField(_("name"), max_length=120, validators=[valid_name])
    latin_first = models.CharField(_("first name in Latin letters"), max_length=80, blank=True, validators=[valid_name])
    latin_last = models.CharField(_("last name in Latin letters"), max_length=80, blank=True, validators=[valid_name])
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[country_code])
    ema_number = models.CharField(_("EMA number"), max_length=8, blank=True, validators=[ema_number])
    team = models.CharField(_("team"), max_length=80, blank=True, validators=[valid_name])
    # The key of the form: a form posted twice is one registration. Everybody who has the key sees its progress.
    submit_key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    registered_at = models.DateTimeField(_("registered"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["registered_at", "pk"]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")

    def __str__(self) -> str:
        return self.name

    @property
    def latin_name(self) -> str:
        return f"{self.latin_first} {self.latin_last}".strip()
