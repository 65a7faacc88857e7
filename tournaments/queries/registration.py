"""Whether somebody may register for an event now, and if not, since when and why: the one place that decides it.

Also how far a registration is: who came before it, and whether a place is left.
"""

from __future__ import annotations

import datetime
import uuid
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Min, Q
from django.utils import timezone

from tournaments.models import Entry, Registration, Round, Tournament


class Closed(StrEnum):
    NOT_OPENED = "not_opened"  # or closed by the organiser's hand
    FINISHED = "finished"
    OVER = "over"  # the last day is past, and the event was not finished
    TIME = "time"  # the organiser's closing time
    PUBLISHED = "published"  # the first round was published, and no closing time is set


@dataclass(frozen=True)
class Door:
    """`at`: since when it is closed, or until when it is open; None where nothing is known of that."""

    closed: Closed | None
    at: datetime.datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.closed is None


def door_of(event: Tournament, published_at: datetime.datetime | None, now: datetime.datetime) -> Door:
    """Closes by itself at the first publication; a closing time set by the organiser replaces that.

    A time after the publication so keeps late places open on purpose. Nothing opens it once the event is over.
    """
    if event.finished_at is not None:
        return Door(Closed.FINISHED, event.finished_at)
    if event.ends_on < timezone.localdate(now, event.zone):
        midnight = datetime.datetime.combine(event.ends_on + datetime.timedelta(days=1), datetime.time(), event.zone)
        return Door(Closed.OVER, midnight)
    if not event.registration_open:
        return Door(Closed.NOT_OPENED)
    closes_at = event.registration_closes_at
    if closes_at is not None:
        return Door(Closed.TIME if now >= closes_at else None, closes_at)
    return Door(Closed.PUBLISHED, published_at) if published_at is not None else Door(None)


def door(event: Tournament) -> Door:
    """The same, asking when the first round was published."""
    published = Round.objects.filter(stage__tournament=event).exclude(state=Round.State.PLANNED)
    return door_of(event, published.aggregate(at=Min("seated_at"))["at"], timezone.now())


# --- places -------------------------------------------------------------------------------------------------


def places_taken(event: Tournament, before: datetime.datetime | None = None) -> int:
    """Places of those who play, and claims of all who wait: for a place, or for the organiser's confirmation.

    Claims count in the order of arrival: for somebody who came at a moment only those before it do.
    """
    earlier = Q() if before is None else Q(registered_at__lt=before)
    playing = Q(status__in=Entry.PLAYING)
    entries = event.entries.filter(playing | (Q(status=Entry.Status.WAITING) & earlier)).count()
    return entries + event.registrations.filter(earlier).count()


def is_full(event: Tournament, before: datetime.datetime | None = None) -> bool:
    return event.capacity is not None and places_taken(event, before) >= event.capacity


def is_occupied(event: Tournament) -> bool:
    """Whether those who play fill all places, whatever others who wait may claim."""
    return event.capacity is not None and event.entries.filter(status__in=Entry.PLAYING).count() >= event.capacity


# --- one registration ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RegistrationProgress:
    """What whoever registered is shown. `place` counts from one in the order of arrival, while it is not confirmed."""

    name: str
    entry: Entry | None = None
    place: int = 0
    waits: bool = False


def progress(event: Tournament, key: uuid.UUID) -> RegistrationProgress | None:
    """How far the registration of this form is; None when it was removed, or never came."""
    entry = event.entries.select_related("player").filter(submit_key=key).first()
    if entry is not None:
        # Whoever typed a nickname and an EMA number may not be that player, and is told no more than visitors are.
        return RegistrationProgress(entry.player.public_name, entry, waits=entry.status == Entry.Status.WAITING)
    registration = event.registrations.filter(submit_key=key).first()
    if registration is None:
        return None
    taken = places_taken(event, registration.registered_at)
    waits = event.capacity is not None and taken >= event.capacity
    return RegistrationProgress(registration.name, None, taken + 1, waits)


@dataclass(frozen=True)
class Unconfirmed:
    """A registration as the organiser sees it: whether there is a place for it now."""

    registration: Registration
    waits: bool


def unconfirmed(event: Tournament) -> list[Unconfirmed]:
    """Those who wait for the organiser, in the order in which they came; three queries whatever their number."""
    rows = list(event.registrations.all())
    if not rows or event.capacity is None:
        return [Unconfirmed(row, waits=False) for row in rows]
    playing = event.entries.filter(status__in=Entry.PLAYING).count()
    waiting = list(event.entries.filter(status=Entry.Status.WAITING).values_list("registered_at", flat=True))
    found = []
    for nth, row in enumerate(rows):
        before = sum(at < row.registered_at for at in waiting)
        found.append(Unconfirmed(row, waits=playing + before + nth >= event.capacity))
    return found
