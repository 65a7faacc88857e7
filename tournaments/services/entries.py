"""Entering people into an event: registration, the waiting list, check-in, substitutes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Affiliation, Player, Seat
from ratings.services.holds import hold_players
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import freshen, save_with_history, settings_of
from ratings.services.players import forget_player, is_used, was_edited, welcome
from ratings.services.seasons import touch
from tournaments.models import Entry, PlannedSeat, Round, Table, Tournament
from tournaments.queries.registration import is_full

_ = gettext_noop

Status = Entry.Status
# The player changes only by merging, and the status only by what happens at the event.
SETTINGS = settings_of(Entry, "tournament", "player", "status")


@transaction.atomic
def enter(tournament: Tournament, player: Player, *, by: User | None = None, typed: str = "", **facts: Any) -> Entry:
    """Add an entry. `facts` are columns of Entry; country and EMA number are the player's unless given.

    `typed` is the name that the user typed. A refusal repeats it instead of the player's name, which may be hidden.

    If all places are taken, the entry waits. A player who enters an event becomes a guest of its club.
    """
    tournament = _lock(tournament)
    if tournament.entries.filter(player=player, status=Status.CANCELLED).exists():
        message = _("%(name)s was entered and has cancelled. Take back the cancellation on the page of the entry.")
        raise Refused(Problem(message, {"name": typed or player.native_name}, code="cancelled"))
    if tournament.entries.filter(player=player).exists():
        raise Refused(
            Problem(_("%(name)s is entered already."), {"name": typed or player.native_name}, code="entered_already")
        )
    _refuse_taken(tournament, facts.setdefault("number", _next_number(tournament)))
    player = hold_players([player.pk])[player.pk]
    entry = Entry(tournament=tournament, player=player, country=player.country, ema_number=player.ema_number)
    for name, value in facts.items():
        setattr(entry, name, value)
    refuse_bad_names(entry)
    if entry.substitute_kind:
        entry.status = Status.SUBSTITUTE
    elif entry.status == Status.REGISTERED and is_full(tournament, facts.get("registered_at")):
        entry.status = Status.WAITING
    if entry.status == Status.CHECKED_IN:
        entry.checked_in_at = timezone.now()
    save_with_history(entry, by, "entered")
    welcome(tournament.club_id, [player.pk], by=by)
    return entry


@transaction.atomic
def change_entry(entry: Entry, *, by: User | None = None) -> Entry:
    """Store a changed number, team, country, EMA number or substitute kind; the standings show these."""
    refuse_bad_names(entry)
    tournament = _lock(entry.tournament)
    freshen(entry, *SETTINGS)
    _refuse_taken(tournament, entry.number, but=entry.pk)
    if entry.substitute_kind and entry.status in (*Entry.PLAYING, Status.WAITING):
        entry.status = Status.SUBSTITUTE
    elif not entry.substitute_kind and entry.status == Status.SUBSTITUTE:
        entry.status = Status.CONFIRMED
    save_with_history(entry, by, "", *SETTINGS, "status")
    return entry


@transaction.atomic
def set_status(entry: Entry, status: Entry.Status, *, by: User | None = None) -> Entry:
    """Move an entry between waiting, registered, confirmed and checked in. `services.rulings` handles leaving."""
    _lock(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    gone = current.has_left or current.status == Status.CANCELLED
    if status not in (Status.WAITING, *Entry.PLAYING) or gone or current.is_substitute:
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
    """Put several entries on the waiting list, all of them or none."""
    for entry in entries:
        set_status(entry, Status.WAITING, by=by)


@transaction.atomic
def check_in(entry: Entry, *, by: User | None = None) -> Entry:
    """Check a player in. A substitute is checked in too and stays a substitute."""
    _lock(entry.tournament)
    freshen(entry)
    if not entry.is_substitute:
        return set_status(entry, Status.CHECKED_IN, by=by)
    entry.checked_in_at = timezone.now()
    save_with_history(entry, by, "checked in", "checked_in_at")
    return entry


@transaction.atomic
def admit_waiting(tournament: Tournament, *, by: User | None = None) -> list[Entry]:
    """Give free places to waiting entries, in the order of arrival."""
    tournament = _lock(tournament)
    admitted = []
    for entry in tournament.entries.filter(status=Status.WAITING).order_by("registered_at", "pk"):
        if is_full(tournament, entry.registered_at):
            break
        entry.status = Status.REGISTERED
        save_with_history(entry, by, "from the waiting list")
        admitted.append(entry)
    return admitted


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None = None) -> list[Round]:
    """Delete an entry made by mistake. An entry with a published seat or a record must be withdrawn instead.

    Unpublished rounds that were drawn with the entry lose their seats; they are returned and have to be drawn again.
    A player made by a registration is deleted with the entry, unless the player is used elsewhere by now.
    """
    tournament = _lock(entry.tournament)
    freshen(entry)
    if has_part(entry):
        message = _("%(name)s has a part in the event; withdraw the entry instead.")
        raise Refused(Problem(message, {"name": entry}, code="has_part"))
    drawn = list(Round.objects.filter(stage__tournament=tournament, seats__entry=entry).order_by("stage", "number"))
    Table.objects.filter(round__in=drawn).delete()
    entry.delete()
    if entry.made_player and not _is_more_than_an_entry(entry.player, tournament.club_id):
        Entry.history.filter(player_id=entry.player_id).update(country="", ema_number="", team="")
        forget_player(entry.player)
    return drawn


@dataclass
class Removed:
    """The outcome of removing several entries at once."""

    count: int = 0
    problems: list[Problem] = field(default_factory=list)
    drawn: set[int] = field(default_factory=set)  # numbers of the rounds to be drawn again


@transaction.atomic
def remove_entries(tournament: Tournament, numbers: Collection[int], *, by: User | None = None) -> Removed:
    """Remove the entries that have no part in the event yet; report why the others stay."""
    done = Removed()
    _lock(tournament)
    for entry in tournament.entries.filter(number__in=numbers).select_related("player", "tournament"):
        try:
            done.drawn |= {round_.number for round_ in remove_entry(entry, by=by)}
            done.count += 1
        except Refused as refused:
            done.problems += refused.problems
    return done


def _is_more_than_an_entry(player: Player, club_id: int) -> bool:
    """Whether a player is used or was edited, or is more than a guest of this club.

    Used means games, entries or penalties; any affiliation with another club counts too.
    """
    elsewhere = player.affiliations.exclude(club_id=club_id, kind=Affiliation.Kind.GUEST)
    return is_used(player) or was_edited(player) or elsewhere.exists()


def has_part(entry: Entry) -> bool:
    """Whether anything that the public may have seen refers to the entry."""
    seasons = list(entry.tournament.stages.values_list("season_id", flat=True))
    return (
        entry.rulings.exists()
        or entry.player.adjustments.filter(season__in=seasons).exists()
        or PlannedSeat.objects.filter(Q(entry=entry) | Q(played_by=entry))
        .exclude(round__state=Round.State.PLANNED)
        .exists()
        or Seat.objects.filter(season__in=seasons, played_by=entry.player_id).exists()
    )


def hold_entrants(tournament: Tournament, player_ids: Iterable[int]) -> None:
    """Lock the event, then all players in order of id, before several are entered; so a merge cannot deadlock."""
    _lock(tournament)
    hold_players(player_ids)


def _lock(tournament: Tournament) -> Tournament:
    """Lock the event, so that entries are numbered and places counted one after another.

    This also marks the pages that show the entries as outdated.
    """
    touch(tournament.stages.values_list("season_id", flat=True))
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def _refuse_taken(tournament: Tournament, number: int, but: int = 0) -> None:
    if tournament.entries.filter(number=number).exclude(pk=but).exists():
        raise Refused(Problem(_("Number %(number)s is taken."), {"number": number}, code="number_taken"))


def _next_number(tournament: Tournament) -> int:
    return int(tournament.entries.aggregate(last=Max("number"))["last"] or 0) + 1
