"""Members of a club's staff: adding, changing the role, removing. Only the site's owner may remove the last admin.

A new account becomes a member at once. An existing account is invited, also by the owner of the site, and its holder
decides.
"""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from clubsite import second_factor
from clubsite.accounts import replace_password
from clubsite.passwords import new_password
from ratings import rights
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Club, Invitation, Membership
from ratings.services.invitations import check_invitation, invite
from ratings.services.player_rows import save_with_history

_ = gettext_noop

Role = Membership.Role


class NewMember(NamedTuple):
    """Either a member with a new account, or an invitation of an existing account."""

    membership: Membership | None = None
    password: str | None = None  # it is stored nowhere else in plain text
    invitation: Invitation | None = None


def check_new_member(club: Club, username: str, email: str = "") -> list[Problem]:
    """Return the problems that prevent this user from becoming a member. Forms use the same check."""
    user = _user_named(username)
    if user is None:
        return _check_new_user(username)
    if email and user.email.casefold() != email.casefold():
        message = _(
            "There is a user “%(name)s” with another email address. If you mean that user, leave the email "
            "blank; if not, choose another user name."
        )
        return [Problem(message, {"name": user.username}, code="other_email")]
    return check_invitation(club, user)


def _check_new_user(username: str) -> list[Problem]:
    try:
        User._meta.get_field("username").clean(username, None)
    except ValidationError:
        message = _("A user name has letters, digits and the signs @ . + - _ only, at most 150 of them.")
        return [Problem(message, code="bad_username")]
    return []


def _user_named(username: str) -> User | None:
    """Return the user with exactly this name, or else the only user whose name differs just in case."""
    exact = User.objects.filter(username=username).first()
    alike = User.objects.filter(username__iexact=username)[:2]
    return exact or (alike[0] if len(alike) == 1 else None)


@transaction.atomic
def add_member(club: Club, username: str, email: str, role: str, *, by: User | None = None) -> NewMember:
    """Invite the account with this name. If there is none, create one that is a member at once.

    The caller must hand over the password of a new account.
    """
    _refuse(check_new_member(club, username, email))
    user = _user_named(username)
    if user is not None:
        return NewMember(invitation=invite(club, user, role, by=by))
    password = new_password()
    membership = Membership(club=club, user=User.objects.create_user(username, email, password), role=role)
    save_with_history(membership, by, "")
    return NewMember(membership, password)


@transaction.atomic
def change_role(membership: Membership, role: str, *, by: User) -> None:
    if role != Role.ADMIN:
        _refuse(check_leaving(membership, by))
    membership.role = role
    save_with_history(membership, by, "", "role")


@transaction.atomic
def remove_member(membership: Membership, *, by: User) -> None:
    """Remove the membership. The user stays, and the history shows who was a member from when to when."""
    _refuse(check_leaving(membership, by))
    membership._history_user = by  # type: ignore[attr-defined]
    membership.delete()


def check_password_reset(account: User, by: User) -> list[Problem]:
    """Return why an admin cannot give this account a new password, and who can."""
    if rights.may_reset_password(by, account):
        return []
    named = {"name": account.get_username()}
    if account.pk == by.pk:
        message = _("This is your own account. Change your password on your account page.")
    elif account.is_superuser:
        message = _("%(name)s is an owner of the site. Only an owner can set this password.")
    elif not account.is_active:
        message = _("The account %(name)s is switched off. An owner of the site can switch it on.")
    elif second_factor.is_on(account):
        message = _("%(name)s uses two-factor authentication. Only an owner of the site can set this password.")
    else:
        message = _(
            "%(name)s also works for a club that you do not administer, or is invited by one. An owner of the site can "
            "set this password, or an admin of all these clubs."
        )
    return [Problem(message, named, code="no_reset")]


@transaction.atomic
def reset_password(membership: Membership, *, by: User) -> str:
    """Give the account of a member a new password and return it. All its sessions and earlier links end.

    The row of the account is locked, so that it cannot join another club before its rights have been checked.
    """
    account = User.objects.select_for_update().get(pk=membership.user_id)
    _refuse(check_password_reset(account, by))
    password = replace_password(account, by=by)
    save_with_history(membership, by, "password reset", "role")
    return password


def check_leaving(membership: Membership, by: User) -> list[Problem]:
    """Refuse to remove the last admin of a club until there is another, unless the owner of the site does it."""
    admins = Membership.objects.filter(club=membership.club_id, role=Role.ADMIN)
    # Locked if there is a transaction, so that two admins cannot remove each other at the same time.
    if transaction.get_connection().in_atomic_block:
        admins = admins.select_for_update()
    ids = {admin.pk for admin in admins}
    if rights.is_owner(by) or ids != {membership.pk}:
        return []
    message = _("%(name)s is the last admin of %(club)s. Make another member an admin first.")
    params = {"name": membership.user.get_username(), "club": membership.club.name}
    return [Problem(message, params, code="last_admin")]


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise Refused(*problems)
