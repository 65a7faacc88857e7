"""The announced starts of rounds: one field for each round, in the event's time zone."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Round, Tournament

FORMAT = "%Y-%m-%dT%H:%M"


def read_moment(typed: str, zone: zoneinfo.ZoneInfo) -> datetime.datetime | None:
    """Read day and time, sent by a browser's date field or typed by a user, in the event's time zone."""
    if not typed.strip():
        return None
    try:
        naive = datetime.datetime.fromisoformat(typed.strip())
    except ValueError as wrong:
        raise ValidationError(_("Type day and time, such as 2026-04-18 10:00.")) from wrong
    return naive.replace(tzinfo=zone) if naive.tzinfo is None else naive


def shown_moment(moment: datetime.datetime | None, zone: zoneinfo.ZoneInfo) -> str:
    return timezone.localtime(moment, zone).strftime(FORMAT) if moment else ""


class TimesForm(forms.Form):
    """Rounds in their order, grouped by the name of the stage. An empty field announces no start."""

    def __init__(self, tournament: Tournament, rounds: Sequence[Round], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone, self.rounds = tournament.zone, rounds
        for round_ in rounds:
            self.fields[self.name(round_)] = forms.CharField(
                label=_("Round %(round)s") % {"round": round_.number},
                required=False,
                initial=shown_moment(round_.starts_at, self.zone),
                widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=FORMAT),
            )

    @staticmethod
    def name(round_: Round) -> str:
        return f"round{round_.pk}"

    @property
    def stages(self) -> list[tuple[str, list[forms.BoundField]]]:
        found: dict[str, list[forms.BoundField]] = {}
        for round_ in self.rounds:
            found.setdefault(round_.stage.name, []).append(self[self.name(round_)])
        return list(found.items())

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        before: datetime.datetime | None = None
        for round_ in self.rounds:
            name = self.name(round_)
            start = self._read(name, data.get(name, ""))
            data[name] = start
            if start is not None and before is not None and start <= before:
                self.add_error(name, _("A round cannot start before the one before it."))
            before = start or before
        return data

    def _read(self, name: str, typed: str) -> datetime.datetime | None:
        try:
            return read_moment(typed, self.zone)
        except ValidationError as wrong:
            self.add_error(name, wrong)
            return None

    def times(self) -> dict[int, datetime.datetime | None]:
        return {round_.pk: self.cleaned_data[self.name(round_)] for round_ in self.rounds}
