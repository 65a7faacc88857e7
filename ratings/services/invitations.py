"""Inviting an account to work for a club. Only the account's holder can turn the invitation into a membership."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Club, Invitation, Membership
from ratings.services.player_rows import save_with_history, set_history

_ = gettext_noop


def check_invitation(club: Club, user: User) -> list[Problem]:
    """Return the problems that prevent the club from inviting this account. Forms use the same check."""
    named = {"name": user.username, "club": club.name}
    if Membership.objects.filter(club=club, user=user).exists():
        message = _("“%(name)s” is a member of %(club)s already. Change the role in the list of members.")
        return [Problem(message, named, code="member_already")]
    if Invitation.objects.filter(club=club, user=user).exists():
        message = _("“%(name)s” is invited to %(club)s already. To offer another role, withdraw that invitation first.")
        return [Problem(message, named, code="invited_already")]
    return []


@transaction.atomic
def invite(club: Club, user: User, role: str, *, by: User | None = None) -> Invitation:
    # Locked so that, of two admins who invite at the same time, the second sees the invitation of the first.
    Club.objects.select_for_update().get(pk=club.pk)
    if problems := check_invitation(club, user):
        raise Refused(*problems)
    invitation = Invitation(club=club, user=user, role=role, by=by)
    save_with_history(invitation, by, "")
    return invitation


@transaction.atomic
def accept(invitation: Invitation, *, by: User) -> Membership:
    """Make the account a member in the role that it was offered."""
    current = _taken(invitation, by, "accepted")
    already = Membership.objects.filter(club=current.club_id, user=current.user_id).first()
    if already is not None:
        return already
    membership = Membership(club=current.club, user=current.user, role=current.role)
    save_with_history(membership, by, "accepted an invitation")
    return membership


@transaction.atomic
def decline(invitation: Invitation, *, by: User) -> None:
    _taken(invitation, by, "declined")


@transaction.atomic
def withdraw(invitation: Invitation, *, by: User) -> None:
    _taken(invitation, by, "withdrawn")


def _taken(invitation: Invitation, by: User, what: str) -> Invitation:
    """Delete the invitation and return its last state. Its history records what happened to it."""
    current = Invitation.objects.select_for_update().filter(pk=invitation.pk).first()
    if current is None:
        raise Refused(Problem(_("This invitation is no longer open."), code="answered"))
    set_history(current, by, what)
    current.delete()
    return current
