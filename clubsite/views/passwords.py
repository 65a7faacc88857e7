"""A forgotten password: the email with a link and the new password. Limited by email address, account and network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpResponse
from django.utils.translation import gettext

from clubsite import accounts, browsers, counting, limits, mails, passwords
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
        if not mails.are_possible():
            form.add_error(
                None,
                gettext("This site cannot send emails. Ask an admin of your club or the owner for a new password."),
            )
            return self.form_invalid(form)
        if not passwords.links_are_safe():
            form.add_error(None, gettext("Emails cannot be sent yet: the owner of this site must set UMAOKA_BASE_URL."))
            return self.form_invalid(form)
        email = counting.name_as_counted(form.cleaned_data["email"])
        network = Claim(limits.PASSWORD_NET, counting.network_of(self.request))
        refusal = counting.spend(Claim(limits.PASSWORD_EMAIL, email), network)
        if refusal is not None:
            form.add_error(None, counting.too_many(refusal))
            return refusal.mark(self.form_invalid(form))
        domain, https = passwords.site_of_links(self.request)
        for user in form.get_users(form.cleaned_data["email"]):
            passwords.send_link(user, domain, https=https)
        return super(PasswordResetView, self).form_valid(form)


class NewPassword(PasswordResetConfirmView):
    """A person who has the email owns the account, so wrong passwords typed before by others no longer count."""

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        answer = super().form_valid(form)
        name = form.user.get_username()
        accounts.forgive_wrong_passwords(name)
        browsers.remember(self.request, answer, name)
        return answer
