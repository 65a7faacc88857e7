"""Entering people into an event: registration, the waiting list, check-in, substitutes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from ratings.models import Affiliation, Player, Seat
from ratings.problems import Problem, Refused, gettext_noop
from ratings.services.belongings import save_with_history
from ratings.services.seasons import touch
from tournaments.models import Entry, PlannedSeat, Round, Table, Tournament

_ = gettext_noop

Status = Entry.Status


@transaction.atomic
def enter(tournament: Tournament, player: Player, *, by: User | None = None, **facts: Any) -> Entry:
    """Adds an entry. `facts` are columns of Entry; country and EMA number are the player's unless given.

    Whoever comes when all places are taken waits, and whoever enters an event becomes a guest of its club.
    """
    tournament = _lock(tournament)
    if tournament.entries.filter(player=player).exists():
        raise Refused(Problem(_("%(name)s is entered already."), {"name": player.native_name}, code="entered_already"))
    number = facts.setdefault("number", _next_number(tournament))
    if tournament.entries.filter(number=number).exists():
        raise Refused(Problem(_("Number %(number)s is taken."), {"number": number}, code="number_taken"))
    entry = Entry(tournament=tournament, player=player, country=player.country, ema_number=player.ema_number)
    for name, value in facts.items():
        setattr(entry, name, value)
    if entry.substitute_kind:
        entry.status = Status.SUBSTITUTE
    elif entry.status == Status.REGISTERED and is_full(tournament):
        entry.status = Status.WAITING
    if entry.status == Status.CHECKED_IN:
        entry.checked_in_at = timezone.now()
    save_with_history(entry, by, "entered")
    Affiliation.objects.bulk_create([Affiliation(player=player, club_id=tournament.club_id)], ignore_conflicts=True)
    return entry


@transaction.atomic
def change_entry(entry: Entry, *, by: User | None = None) -> Entry:
    """Stores a changed number, team, country, EMA number or substitute kind; standings show them."""
    _lock(entry.tournament)
    if entry.substitute_kind and entry.status in (*Entry.PLAYING, Status.WAITING):
        entry.status = Status.SUBSTITUTE
    elif not entry.substitute_kind and entry.status == Status.SUBSTITUTE:
        entry.status = Status.CONFIRMED
    save_with_history(entry, by, "")
    return entry


@transaction.atomic
def set_status(entry: Entry, status: Entry.Status, *, by: User | None = None) -> Entry:
    """Moves an entry between waiting, registered, confirmed and checked in. Leaving is done by `services.rulings`."""
    _lock(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    if status not in (Status.WAITING, *Entry.PLAYING) or current.has_left or current.is_substitute:
        raise Refused(
            Problem(
                _("%(name)s is %(now)s and cannot become %(then)s here."),
                {"name": current, "now": current.get_status_display(), "then": status.label},
                code="bad_status",
            )
        )
    if status == Status.WAITING and has_part(current):
        message = _("%(name)s has a part in the event; withdraw the entry instead.")
        raise Refused(Problem(message, {"name": current}, code="has_part"))
    current.status = status
    current.checked_in_at = timezone.now() if status == Status.CHECKED_IN else None
    save_with_history(current, by, "")
    return current


@transaction.atomic
def put_back(entries: Iterable[Entry], *, by: User | None = None) -> None:
    """Several onto the waiting list at once, or none of them."""
    for entry in entries:
        set_status(entry, Status.WAITING, by=by)


def check_in(entry: Entry, *, by: User | None = None) -> Entry:
    """The player is at the door; a substitute is checked in too and stays one."""
    if not entry.is_substitute:
        return set_status(entry, Status.CHECKED_IN, by=by)
    entry.checked_in_at = timezone.now()
    save_with_history(entry, by, "checked in")
    return entry


@transaction.atomic
def admit_waiting(tournament: Tournament, *, by: User | None = None) -> list[Entry]:
    """Gives free places to those who wait, in the order in which they came."""
    tournament = _lock(tournament)
    admitted = []
    for entry in tournament.entries.filter(status=Status.WAITING).order_by("registered_at", "pk"):
        if is_full(tournament):
            break
        entry.status = Status.REGISTERED
        save_with_history(entry, by, "from the waiting list")
        admitted.append(entry)
    return admitted


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None = None) -> list[Round]:
    """Deletes an entry made by mistake. One with a published seat or a record is withdrawn instead.

    Rounds that were drawn with it and that nobody has seen yet lose their seats; they are returned, to be drawn again.
    """
    tournament = _lock(entry.tournament)
    if has_part(entry):
        message = _("%(name)s has a part in the event; withdraw the entry instead.")
        raise Refused(Problem(message, {"name": entry}, code="has_part"))
    drawn = list(Round.objects.filter(stage__tournament=tournament, seats__entry=entry).order_by("stage", "number"))
    Table.objects.filter(round__in=drawn).delete()
    entry.delete()
    return drawn


def has_part(entry: Entry) -> bool:
    """Whether anything that everybody may have seen speaks of the entry."""
    seasons = list(entry.tournament.stages.values_list("season_id", flat=True))
    return (
        entry.rulings.exists()
        or entry.player.adjustments.filter(season__in=seasons).exists()
        or PlannedSeat.objects.filter(Q(entry=entry) | Q(played_by=entry))
        .exclude(round__state=Round.State.PLANNED)
        .exists()
        or Seat.objects.filter(season__in=seasons, played_by=entry.player_id).exists()
    )


def is_full(tournament: Tournament) -> bool:
    places = tournament.capacity
    return places is not None and tournament.entries.filter(status__in=Entry.PLAYING).count() >= places


def _lock(tournament: Tournament) -> Tournament:
    """Entries are numbered and places counted one after another; pages that show them are outdated."""
    touch(tournament.stages.values_list("season_id", flat=True))
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def _next_number(tournament: Tournament) -> int:
    return int(tournament.entries.aggregate(last=Max("number"))["last"] or 0) + 1
