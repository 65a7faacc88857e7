"""Whether players may register for an event now, and if not, since when and why. Only this module decides it.

Also the progress of a registration: who came before it, and whether a place is left.
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
    NOT_OPENED = "not_opened"  # or closed by the organiser
    FINISHED = "finished"
    OVER = "over"  # the last day is past, and the event was not finished
    TIME = "time"  # the organiser's closing time
    PUBLISHED = "published"  # the first round was published, and no closing time is set


@dataclass(frozen=True)
class Door:
    """Whether registration is open. `at` is since when it is closed or until when it is open; None if unknown."""

    closed: Closed | None
    at: datetime.datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.closed is None


def door_of(event: Tournament, published_at: datetime.datetime | None, now: datetime.datetime) -> Door:
    """Registration closes when the first round is published, or at the organiser's closing time if one is set.

    So a closing time after the publication keeps late places open on purpose. Nothing opens registration again once
    the event is over.
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
    """The same as `door_of`, but reads from the database when the first round was published."""
    published = Round.objects.filter(stage__tournament=event).exclude(state=Round.State.PLANNED)
    return door_of(event, published.aggregate(at=Min("seated_at"))["at"], timezone.now())


# --- places -------------------------------------------------------------------------------------------------


def places_taken(event: Tournament, before: datetime.datetime | None = None) -> int:
    """The places of those who play, and the claims of those who wait for a place or for the organiser's confirmation.

    Claims count in the order of arrival: with `before`, only claims registered before that moment count.
    """
    earlier = Q() if before is None else Q(registered_at__lt=before)
    playing = Q(status__in=Entry.PLAYING)
    entries = event.entries.filter(playing | (Q(status=Entry.Status.WAITING) & earlier)).count()
    return entries + event.registrations.filter(earlier).count()


def is_full(event: Tournament, before: datetime.datetime | None = None) -> bool:
    return event.capacity is not None and places_taken(event, before) >= event.capacity


def is_occupied(event: Tournament) -> bool:
    """Whether those who play fill all places; claims of those who wait are ignored."""
    return event.capacity is not None and event.entries.filter(status__in=Entry.PLAYING).count() >= event.capacity


# --- one registration ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RegistrationProgress:
    """What a person who registered is shown.

    While the registration is not confirmed, `place` is its position in the order of arrival, counted from one.
    """

    name: str
    entry: Entry | None = None
    place: int = 0
    waits: bool = False


def progress(event: Tournament, key: uuid.UUID) -> RegistrationProgress | None:
    """The progress of the registration sent with this form; None if it was removed or never arrived."""
    entry = event.entries.select_related("player").filter(submit_key=key).first()
    if entry is not None:
        # A user who typed a nickname and an EMA number may not be that player, so they see no more than a visitor.
        return RegistrationProgress(entry.player.public_name, entry, waits=entry.status == Entry.Status.WAITING)
    registration = event.registrations.filter(submit_key=key).first()
    if registration is None:
        return None
    taken = places_taken(event, registration.registered_at)
    waits = event.capacity is not None and taken >= event.capacity
    return RegistrationProgress(registration.name, None, taken + 1, waits)


@dataclass(frozen=True)
class Unconfirmed:
    """A registration as the organiser sees it, and whether it would have to wait for a place now."""

    registration: Registration
    waits: bool


def unconfirmed(event: Tournament) -> list[Unconfirmed]:
    """The registrations that wait for the organiser, in the order of arrival; three queries for any number of them."""
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
