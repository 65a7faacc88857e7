"""What happens to an account besides signing in: its password is replaced, its email address changes."""

from __future__ import annotations

from axes.utils import reset as forgive_attempts
from django.contrib.auth.models import User

from clubsite import counting, limits
from clubsite.account_log import log
from clubsite.counting import Claim
from clubsite.passwords import new_password


def replace_password(account: User, *, by: User) -> str:
    """Set a new password and return it. All sessions of the account end, and links to a new password stop working.

    The caller has locked the account and shows the password, or sends a link and forgets it.
    """
    password = new_password()
    account.set_password(password)
    account.save(update_fields=["password"])
    log(account, "Password replaced by an admin of the club.", by=by)
    forgive_wrong_passwords(account.get_username())
    return password


def forgive_wrong_passwords(username: str) -> None:
    """The holder has a new password, so wrong passwords that were typed before no longer count."""
    counting.forgive(Claim(limits.SIGN_IN_NAME, counting.name_as_counted(username)))
    forgive_attempts(username=username)


def change_email(account: User, email: str) -> None:
    """Change the user's own email address. A link to a new password that was sent before stops working.

    The address may belong to several accounts: refusing it would tell who has an account here.
    """
    account.email = email
    account.save(update_fields=["email"])
    log(account, "Email address changed." if email else "Email address removed.", by=account)
