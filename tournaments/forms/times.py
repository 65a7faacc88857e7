"""When rounds are announced to start: one field a round, in the event's own time."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Round, Tournament

FORMAT = "%Y-%m-%dT%H:%M"


class TimesForm(forms.Form):
    """Rounds in their order, those of one stage under its name; an empty field announces nothing."""

    def __init__(self, tournament: Tournament, rounds: Sequence[Round], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone, self.rounds = tournament.zone, rounds
        for round_ in rounds:
            self.fields[self.name(round_)] = forms.CharField(
                label=_("Round %(round)s") % {"round": round_.number},
                required=False,
                initial=timezone.localtime(round_.starts_at, self.zone).strftime(FORMAT) if round_.starts_at else "",
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
        if not typed:
            return None
        try:
            naive = datetime.datetime.fromisoformat(typed)
        except ValueError:
            self.add_error(name, _("Type day and time, such as 2026-04-18 10:00."))
            return None
        return naive.replace(tzinfo=self.zone) if naive.tzinfo is None else naive

    def times(self) -> dict[int, datetime.datetime | None]:
        return {round_.pk: self.cleaned_data[self.name(round_)] for round_ in self.rounds}
