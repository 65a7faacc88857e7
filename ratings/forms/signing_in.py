"""The form of the sign-in page, which decides which accounts may sign in."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from ratings import rights


class MemberLoginForm(AuthenticationForm):
    """Lets in users who are members of a club or invited. Django's form checks `is_staff`, which is not used here."""

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not (rights.is_member(user) or rights.is_invited(user)):
            raise ValidationError(
                gettext("This account isn’t linked to a club. Ask an admin of your club to add you as a member."),
                code="no_club",
            )
