"""Entering people who may be new to the site: one by one, as a list, or by their own registration."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db import transaction

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Player
from ratings.queries.people import named
from ratings.services.naming import refuse_bad_names
from ratings.services.players import save_player
from ratings.services.seasons import touch
from tournaments.models import Entry, Registration, Tournament
from tournaments.queries.registration import door, is_full
from tournaments.services.entries import enter, hold_entrants

_ = gettext_noop

TYPED = ("name", "latin_first", "latin_last", "country", "ema_number", "team")
FORGOTTEN_AFTER = datetime.timedelta(days=90)


@dataclass(frozen=True)
class Newcomer:
    """A person to be entered: a known player, or the names of a new one."""

    name: str
    player: Player | None = None
    latin_first: str = ""
    latin_last: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    substitute_kind: str = ""
    number: int | None = None


@transaction.atomic
def enter_newcomer(tournament: Tournament, newcomer: Newcomer, *, by: User | None = None, **more: object) -> Entry:
    """Enter a known player, or create the player first. A country or EMA number not given comes from the player.

    `more` are columns of the entry.
    """
    player = newcomer.player or _make(newcomer)
    facts: dict[str, object] = {"team": newcomer.team, "substitute_kind": newcomer.substitute_kind, **more}
    if newcomer.country:
        facts["country"] = newcomer.country
    if newcomer.ema_number:
        facts["ema_number"] = newcomer.ema_number
    if newcomer.number is not None:
        facts["number"] = newcomer.number
    return enter(tournament, player, by=by, typed=newcomer.name, **facts)


@transaction.atomic
def enter_list(tournament: Tournament, newcomers: Iterable[Newcomer], *, by: User | None = None) -> list[Entry]:
    """Enter a pasted list, all of it or nothing."""
    newcomers = list(newcomers)
    hold_entrants(tournament, [newcomer.player.pk for newcomer in newcomers if newcomer.player])
    return [enter_newcomer(tournament, newcomer, by=by) for newcomer in newcomers]


@transaction.atomic
def register_oneself(tournament: Tournament, newcomer: Newcomer, key: uuid.UUID) -> None:
    """Store a visitor's own registration. It waits for the organiser; until then it creates no entry and no player.

    One form makes one registration, however often it is posted. Old registrations are deleted.
    """
    if Entry.objects.filter(submit_key=key).exists() or Registration.objects.filter(submit_key=key).exists():
        return
    # Read again: another process may have published, finished or closed it since the page was opened.
    if not door(Tournament.objects.select_related("club").get(pk=tournament.pk)).is_open:
        raise Refused(Problem(_("Registration is closed."), code="registration_closed"))
    player = surely_known(newcomer.name, newcomer.ema_number)
    if player is not None and tournament.entries.filter(player=player).exists():
        # Use the typed name: visitors may not be allowed to read the player's own name.
        raise Refused(Problem(_("%(name)s is entered already."), {"name": newcomer.name}, code="entered_already"))
    facts = {name: getattr(newcomer, name) for name in TYPED}
    refuse_bad_names(Registration(**facts))
    Registration.objects.get_or_create(submit_key=key, defaults={"tournament": tournament, **facts})


def surely_known(name: str, ema_number: str) -> Player | None:
    """The one known player with both this name and this EMA number, otherwise None.

    In doubt it is a new player: two rows of one person can be merged, but one row of two people cannot be split.
    """
    if not ema_number:
        return None
    known = [player for player in named(name) if player.ema_number == ema_number]
    return known[0] if len(known) == 1 else None


@dataclass
class Confirmed:
    """The outcome of confirming several registrations at once."""

    placed: list[Entry] = field(default_factory=list)
    waiting: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@transaction.atomic
def confirm_registrations(tournament: Tournament, ids: Collection[int], *, by: User | None = None) -> Confirmed:
    """Turn registrations into entries, in the order of arrival; without a free place they go on the waiting list.

    If the player was entered meanwhile, the registration stays unconfirmed, so that the organiser can look at it.
    Registrations that another admin has already confirmed are left alone.
    """
    done = Confirmed()
    touch(tournament.stages.values_list("season_id", flat=True))
    tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
    for registration in tournament.registrations.filter(pk__in=ids).order_by("registered_at", "pk"):
        try:
            entry = _confirm(tournament, registration, by)
        except Refused as refused:
            done.problems += refused.problems
        else:
            (done.waiting if entry.status == Entry.Status.WAITING else done.placed).append(entry)
    return done


@transaction.atomic
def _confirm(tournament: Tournament, registration: Registration, by: User | None) -> Entry:
    player = surely_known(registration.name, registration.ema_number)
    newcomer = Newcomer(player=player, **{name: getattr(registration, name) for name in TYPED})
    full = is_full(tournament, registration.registered_at)
    registration.delete()
    return enter_newcomer(
        tournament,
        newcomer,
        by=by,
        status=Entry.Status.WAITING if full else Entry.Status.CONFIRMED,
        registered_at=registration.registered_at,
        submit_key=registration.submit_key,
        made_player=player is None,
    )


@transaction.atomic
def remove_registrations(tournament: Tournament, ids: Collection[int]) -> int:
    """Remove unconfirmed registrations completely."""
    removed, _each = tournament.registrations.filter(pk__in=ids).delete()
    return removed


def forget_registrations(before: datetime.datetime) -> int:
    """Delete registrations of events that ended before: names of people who were never confirmed have no use then."""
    return Registration.objects.filter(tournament__ends_on__lt=before.date()).delete()[0]


def _make(newcomer: Newcomer) -> Player:
    player = Player(
        native_name=newcomer.name,
        latin_first=newcomer.latin_first,
        latin_last=newcomer.latin_last,
        country=newcomer.country,
        ema_number=newcomer.ema_number,
    )
    save_player(player)
    return player
