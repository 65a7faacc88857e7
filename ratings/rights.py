"""Who may do what. Only this module decides it; all other code asks here.

There are three levels within a club, and each includes those below it: a scorer enters, a referee rules, an admin
manages. The owner of the site (superuser) has every level in every club. Nothing here raises: callers turn a refusal
into 404 or a message.
"""

from __future__ import annotations

from enum import IntEnum

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils import timezone

from clubsite import second_factor
from ratings.models import Affiliation, Club, Hanchan, Invitation, Membership, Player, Season

Person = User | AnonymousUser | AbstractBaseUser


class Level(IntEnum):
    NOBODY = 0
    SCORER = 1
    REFEREE = 2
    ADMIN = 3
    OWNER = 4  # of the site: in every club


LEVELS = {
    Membership.Role.SCORER: Level.SCORER,
    Membership.Role.REFEREE: Level.REFEREE,
    Membership.Role.ADMIN: Level.ADMIN,
}


def is_owner(user: Person) -> bool:
    return bool(getattr(user, "is_superuser", False)) and user.is_active


def _levels(user: Person) -> dict[int, Level]:
    """The user's level by club, read once per request (the user object lives as long as the request)."""
    if not user.is_authenticated or not user.is_active:
        return {}
    known: dict[int, Level] | None = getattr(user, "_club_levels", None)
    if known is None:
        rows = Membership.objects.filter(user_id=user.pk).values_list("club_id", "role")
        known = {club: LEVELS[Membership.Role(role)] for club, role in rows}
        user._club_levels = known  # type: ignore[attr-defined]
    return known


def level(user: Person, club_id: int) -> Level:
    return Level.OWNER if is_owner(user) else _levels(user).get(club_id, Level.NOBODY)


def clubs_of(user: Person, at_least: Level = Level.SCORER) -> QuerySet[Club]:
    """The clubs in which the user has this level."""
    if is_owner(user):
        return Club.objects.all()
    return Club.objects.filter(pk__in=[club for club, has in _levels(user).items() if has >= at_least])


def has_level_somewhere(user: Person, at_least: Level) -> bool:
    """Whether there is any club in which the user has this level. The owner of the site needs no club."""
    return is_owner(user) or any(has >= at_least for has in _levels(user).values())


def is_member(user: Person) -> bool:
    """Whether the user works for any club at all."""
    return is_owner(user) or bool(_levels(user))


def is_invited(user: Person) -> bool:
    """Whether a club has invited this account to work for it. An invited user may answer, and see nothing else."""
    return user.is_authenticated and user.is_active and Invitation.objects.filter(user_id=user.pk).exists()


def needs_second_factor(user: Person) -> bool:
    """Whether the site requires a second step of signing in from everybody with this user's level."""
    required: str = settings.REQUIRE_SECOND_FACTOR
    return bool(required) and has_level_somewhere(user, Level[required.upper()])


# --- within a club ----------------------------------------------------------------------------------------


def may_enter(user: Person, club_id: int) -> bool:
    """Enter games and drafts, add guests; at events check in, enter results, run the clock."""
    return level(user, club_id) >= Level.SCORER


def may_rule(user: Person, club_id: int) -> bool:
    """Penalties and rulings, wrong sums, voids, corrections, (un)confirming rounds."""
    return level(user, club_id) >= Level.REFEREE


def may_manage(user: Person, club_id: int) -> bool:
    """Rule sets, seasons, players, members, imports, merges; events, entries, schedules, stages."""
    return level(user, club_id) >= Level.ADMIN


def may_reset_password(user: Person, account: User) -> bool:
    """Admins give members of their own clubs a new password, so that they do not need the owner for it.

    It must not open anything that they do not administer already: no account of an owner, none that works for another
    club or is invited by one, and none that is protected by a second factor.
    """
    if account.is_superuser or not account.is_active or account.pk == user.pk or second_factor.is_on(account):
        return False
    works = set(Membership.objects.filter(user=account).values_list("club_id", flat=True))
    invited = set(Invitation.objects.filter(user=account).values_list("club_id", flat=True))
    return bool(works) and all(may_manage(user, club) for club in works | invited)


# --- games ------------------------------------------------------------------------------------------------


def entered_today(user: Person, hanchan: Hanchan) -> bool:
    """Whether the user entered this game today, in the time zone of the club."""
    zone = hanchan.season.club.zone
    same_day = timezone.localdate(hanchan.entered_at, zone) == timezone.localdate(timezone=zone)
    return hanchan.entered_by_id is not None and hanchan.entered_by_id == user.pk and same_day


def may_change(user: Person, hanchan: Hanchan) -> bool:
    """Scorers finish any draft and fix their own games of the day; referees correct any game."""
    club_id = hanchan.season.club_id
    if may_rule(user, club_id):
        return True
    own = hanchan.status == Hanchan.Status.DRAFT or entered_today(user, hanchan)
    return own and may_enter(user, club_id)


def needs_reason(user: Person, hanchan: Hanchan) -> bool:
    """A correction needs a reason, unless the user who entered the game makes it on the same day."""
    return hanchan.status == Hanchan.Status.FINAL and not entered_today(user, hanchan)


# --- people and results -----------------------------------------------------------------------------------


def _club_ids(player: Player) -> list[int]:
    return [affiliation.club_id for affiliation in player.affiliations.all()]


def keepers(player: Player) -> set[int]:
    """The clubs that decide about a player: those where the player is regular.

    If a player is only a guest everywhere, the club that had the player first decides. A club that only seated or
    entered the player gets neither a right nor a veto. If a player has no club, the owner of the site decides.
    """
    rows = sorted(player.affiliations.all(), key=lambda row: row.pk)
    regular = {row.club_id for row in rows if row.kind == Affiliation.Kind.REGULAR}
    return regular or {row.club_id for row in rows[:1]}


def may_edit_player(user: Person, player: Player) -> bool:
    """Admins of any club that decides about the player, and the owner."""
    return is_owner(user) or any(may_manage(user, club) for club in keepers(player))


def may_merge_or_anonymise(user: Person, *players: Player) -> bool:
    """Only a user who is an admin of all clubs that decide about any of the players, or the owner."""
    kept = [keepers(player) for player in players]
    return is_owner(user) or all(clubs and all(may_manage(user, club) for club in clubs) for clubs in kept)


def knows_of(user: Person, season: Season) -> bool:
    """If an event is not public, strangers learn nothing about it: neither its name nor that it exists."""
    return season.is_public or may_enter(user, season.club_id)


def sees_results(user: Person, season: Season) -> bool:
    """An event may hide its results until the ceremony, from all but staff."""
    return season.results_public or may_enter(user, season.club_id)


def sees_hidden_names(user: Person, club_id: int) -> bool:
    return may_enter(user, club_id)


def sees_player(user: Person, player: Player) -> bool:
    """Strangers see players who are not hidden; staff of any of the player's clubs see hidden players too."""
    return not player.is_hidden or knows_player(user, player)


def knows_player(user: Person, player: Player) -> bool:
    """Whether the user may read the player's full name, whatever the player lets strangers see."""
    return is_owner(user) or any(may_enter(user, club) for club in _club_ids(player))
