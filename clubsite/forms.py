"""Forms for signing in and for the user's own account. They only prove who the user is; the views do the rest."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import second_factor

APP_CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True, "maxlength": 12}
RECOVERY_CODE = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "autofocus": True}


class CodeForm(forms.Form):
    """The second step. Both kinds of code are accepted; `recovery` only says which one the form asks for."""

    code = forms.CharField(max_length=40)

    def __init__(self, user: User, *args: Any, recovery: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.device: Any = None
        field = self.fields["code"]
        field.label = _("Recovery code") if recovery else _("Code from your app")
        field.widget.attrs.update(RECOVERY_CODE if recovery else APP_CODE)

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        try:
            self.device = second_factor.check(self.user, code)
        except second_factor.WrongCode as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        return code


class OwnPasswordForm(forms.Form):
    """Ask the signed-in user for the password again. django-axes counts wrong passwords, as it does at sign-in."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert isinstance(request.user, User)
        self.request, self.user = request, request.user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if authenticate(self.request, username=self.user.get_username(), password=password) is None:
            raise forms.ValidationError(gettext("This is not your password."))
        return password


class ProofForm(OwnPasswordForm):
    """Password and code, for changes that would make the account less secure."""

    code = forms.CharField(
        label=_("Code from your app, or a recovery code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none"}),
    )

    def clean(self) -> None:
        """Use up a code only if the password was right."""
        if self.errors:
            return
        try:
            second_factor.check(self.user, self.cleaned_data["code"])
        except second_factor.WrongCode as wrong:
            self.add_error("code", str(wrong))


class AppCodeForm(forms.Form):
    """The first code of an app that has just received its secret."""

    code = forms.CharField(label=_("Code the app shows now"), max_length=12, widget=forms.TextInput(attrs=APP_CODE))


class TurnOnForm(OwnPasswordForm, AppCodeForm):
    """The first code together with the password, because the user who signed in may have left the desk."""

    field_order = ["code", "password"]


class OwnEmailForm(OwnPasswordForm):
    """The user's own email address, with the password: whoever reads its mail can set a new password."""

    email = forms.EmailField(
        label=_("New email address"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
        help_text=_("A link to a new password is sent to this address. Leave blank to remove the address."),
    )

    field_order = ["email", "password"]
