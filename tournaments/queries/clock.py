"""The clock of the round being played, as every device shows it.

This module decides which words are shown at which time. The time comes from the server: a device receives the
remaining time and measures from there, so its own clock does not matter.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch
from django.utils.translation import gettext, ngettext

from ratings.mahjong.rulesets import PARAMETERS, Rules
from tournaments.models import Round, Table

SECOND = datetime.timedelta(seconds=1)
MINUTE = datetime.timedelta(minutes=1)
COUNTED_DOWN = datetime.timedelta(hours=12)


@dataclass(frozen=True)
class TableTime:
    """A table that has more time than the others, or less."""

    table: Table
    extra: datetime.timedelta

    @property
    def words(self) -> str:
        minutes, seconds = divmod(abs(int(self.extra.total_seconds())), 60)
        amount = ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
        if seconds:
            amount = f"{minutes}:{seconds:02}"
        message = (
            gettext("Table %(table)s: %(amount)s more")
            if self.extra > SECOND * 0
            else gettext("Table %(table)s: %(amount)s less")
        )
        return message % {"table": self.table.number, "amount": amount}


@dataclass(frozen=True)
class Clock:
    """`round` is being played or is seated; None means that there is nothing to time. `coming` is the next to start."""

    round: Round | None
    now: datetime.datetime
    tables: list[TableTime] = field(default_factory=list)
    coming: Round | None = None

    @property
    def rules(self) -> Rules | None:
        return self.round.stage.rules if self.round else None

    @property
    def length(self) -> datetime.timedelta | None:
        return self.round.length() if self.round else None

    @property
    def remaining(self) -> datetime.timedelta | None:
        return self.round.remaining(self.now) if self.round else None

    @property
    def played(self) -> datetime.timedelta:
        return self.round.played(self.now) if self.round else datetime.timedelta(0)

    @property
    def warning(self) -> datetime.timedelta | None:
        """The time left when the signal is given; None if the rules have no signal before the end."""
        rules = self.rules
        return MINUTE * rules.warning_minutes if rules and rules.warning_minutes is not None else None

    @property
    def signal_times(self) -> list[datetime.timedelta]:
        """When a signal sounds, as time left. Only the rule set decides this."""
        if self.rules is None or self.length is None:
            return []
        at_end = [SECOND * 0] if self.rules.end_signal else []
        return [self.warning, *at_end] if self.warning is not None else at_end

    @property
    def state(self) -> str:
        """The state: none, waiting (seated, not started), running or paused."""
        if self.round is None:
            return "none"
        if self.round.is_running:
            return "running"
        return "paused" if self.round.started_at else "waiting"

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    @property
    def is_paused(self) -> bool:
        """Whether it was started and stopped."""
        return self.state == "paused"

    @property
    def starts_in(self) -> datetime.timedelta | None:
        """The time until the next round starts, if the start is announced and not too far away."""
        start = self.coming.starts_at if self.coming else None
        if start is None or not SECOND * 0 < start - self.now <= COUNTED_DOWN:
            return None
        return start - self.now

    # --- words --------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        number = {"round": self.round.number if self.round else 0}
        if self.starts_in is not None:
            return self.start_label
        match self.state:
            case "running" if self.length is None:
                return gettext("Round %(round)s has run for") % number
            case "running":
                return gettext("Round %(round)s ends in") % number
            case "paused":
                return gettext("Round %(round)s is paused") % number
            case "waiting":
                return gettext("Round %(round)s is about to start") % number
        return gettext("No round is being played")

    @property
    def start_label(self) -> str:
        return gettext("Round %(round)s starts in") % {"round": self.coming.number if self.coming else 0}

    @property
    def plain_label(self) -> str:
        """The label once the countdown is over and no one has started the clock."""
        return replace(self, coming=None).label

    @property
    def over_label(self) -> str:
        return gettext("Time since the end of round %(round)s") % {"round": self.round.number if self.round else 0}

    @property
    def to_do(self) -> str:
        """What the rules ask for at the signal: “finish the hand, then one more”."""
        return to_do_at_signal(self.rules) if self.rules else ""

    @property
    def words_before(self) -> str:
        if self.state == "waiting":
            return gettext("Find your table and seat.")
        if not self.to_do or self.state == "none":
            return ""
        if self.warning is None:
            return gettext("When the time is over: %(what)s.") % {"what": self.to_do}
        minutes = int(self.warning / MINUTE)
        signal = ngettext(
            "At the signal, %(count)s minute before the end: %(what)s.",
            "At the signal, %(count)s minutes before the end: %(what)s.",
            minutes,
        )
        return signal % {"count": minutes, "what": self.to_do}

    @property
    def words_after(self) -> str:
        """The words after the signal, or after the end of the time if there is no signal before it."""
        return gettext("The signal was given: %(what)s.") % {"what": self.to_do} if self.to_do else ""

    @property
    def words_over(self) -> str:
        return gettext("The time is over: %(what)s.") % {"what": self.to_do or gettext("finish the hand")}


def to_do_at_signal(rules: Rules) -> str:
    labels = dict(PARAMETERS["at_signal"].kind.options)  # type: ignore[attr-defined]
    return gettext(labels[rules.at_signal]) if rules.at_signal else ""


def clock_of(event: int, now: datetime.datetime) -> Clock:
    """The clock of an event, for its first round that is seated and not confirmed. At most two queries."""
    special = Table.objects.exclude(extra_seconds=0).order_by("number")
    rounds = (
        Round.objects.filter(stage__tournament=event, state__in=(Round.State.SEATED, Round.State.PLAYING))
        .select_related("stage__season__rule_set", "stage__tournament")
        .prefetch_related(Prefetch("tables", queryset=special, to_attr="special_tables"))
    )
    round_ = rounds.order_by("stage__number", "number").first()
    if round_ is None:
        return Clock(None, now, coming=coming_round(event))
    tables: list[Table] = round_.special_tables
    times = [TableTime(table, SECOND * table.extra_seconds) for table in tables]
    return Clock(round_, now, times, coming=None if round_.started_at else round_)


def coming_round(event: int) -> Round | None:
    """The next round whose start is announced and whose seats are not published yet; one query."""
    planned = Round.objects.filter(stage__tournament=event, state=Round.State.PLANNED, starts_at__isnull=False)
    return planned.select_related("stage").order_by("stage__number", "number").first()
