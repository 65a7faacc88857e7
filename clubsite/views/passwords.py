"""A forgotten password: the email with a link and the new password. Limited by email address, account and network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from axes.utils import reset as forgive_attempts
from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpResponse
from django.utils.translation import gettext

from clubsite import browsers, counting, limits, mails, passwords
from clubsite.counting import Claim


class LimitedResetForm(PasswordResetForm):
    """Limit the emails per account, because several spellings of one email address find the same account.

    The page never shows whether such an account exists. So it does not say that the limit is reached either.
    """

    def get_users(self, email: str) -> Iterator[User]:
        for user in super().get_users(email):
            if counting.spend(Claim(limits.PASSWORD_ACCOUNT, str(user.pk))) is None:
                yield user


class ForgottenPassword(PasswordResetView):
    form_class = LimitedResetForm

    def form_valid(self, form: Any) -> HttpResponse:
        """The link leads to UMAOKA_BASE_URL if it is set, because a client can send any Host header."""
        if not mails.are_possible():
            form.add_error(
                None,
                gettext("This site cannot send emails. Ask an admin of your club or the owner for a new password."),
            )
            return self.form_invalid(form)
        if not (settings.BASE_URL or settings.PRODUCTION or not settings.EMAIL_HOST):
            # Locally every host is allowed, so a forged header could send the link of another user's account anywhere.
            form.add_error(None, gettext("Emails cannot be sent yet: the owner of this site must set UMAOKA_BASE_URL."))
            return self.form_invalid(form)
        email = counting.name_as_counted(form.cleaned_data["email"])
        network = Claim(limits.PASSWORD_NET, counting.network_of(self.request))
        refusal = counting.spend(Claim(limits.PASSWORD_EMAIL, email), network)
        if refusal is not None:
            form.add_error(None, counting.too_many(refusal))
            return refusal.mark(self.form_invalid(form))
        here = urlsplit(settings.BASE_URL) if settings.BASE_URL else None
        for user in form.get_users(form.cleaned_data["email"]):
            passwords.send_link(
                user,
                here.netloc if here else self.request.get_host(),
                https=here.scheme == "https" if here else self.request.is_secure(),
            )
        return super(PasswordResetView, self).form_valid(form)


class NewPassword(PasswordResetConfirmView):
    """A person who has the email owns the account, so wrong passwords typed before by others no longer count."""

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        answer = super().form_valid(form)
        name = form.user.get_username()
        counting.forgive(Claim(limits.SIGN_IN_NAME, counting.name_as_counted(name)))
        forgive_attempts(username=name)
        browsers.remember(self.request, answer, name)
        return answer
