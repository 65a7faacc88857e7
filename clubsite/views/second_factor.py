"""The user's own account: its data, and pages to turn the second step on or off and to renew recovery codes."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from clubsite import qr, second_factor, signing_in
from clubsite.forms import ProofForm, TurnOnForm
from clubsite.signing_in import user_of

OFFERED_KEY = "second_factor_key"


def typed(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


@require_safe
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    context = {
        "on_since": second_factor.on_since(user),
        "codes_left": second_factor.recovery_codes_left(user),
        "must": second_factor.is_required_of(user),
    }
    return render(request, "accounts/account.html", context)


@sensitive_post_parameters()
@never_cache
def turn_on(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if second_factor.is_on(user):
        return redirect("desk:account")
    form = TurnOnForm(request, typed(request))
    if form.is_valid():
        try:
            device, codes = second_factor.turn_on(user, offered_key(request), form.cleaned_data["code"])
        except second_factor.WrongCode as wrong:
            form.add_error("code", str(wrong))
        else:
            forget_key(request)
            _end_other_sessions(request, form.cleaned_data["password"])
            signing_in.remember_device(request, device)
            return render(request, "accounts/recovery_codes.html", {"codes": codes})
    return set_up_page(request, user, form)


@sensitive_post_parameters()
@never_cache
def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if not second_factor.is_on(user):
        return redirect("desk:account")
    form = ProofForm(request, typed(request))
    if form.is_valid():
        codes = second_factor.renew_recovery_codes(user)
        return render(request, "accounts/recovery_codes.html", {"codes": codes})
    return render(request, "accounts/new_codes.html", {"form": form}, status=422 if form.errors else 200)


@sensitive_post_parameters()
@never_cache
def turn_off(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if not second_factor.is_on(user):
        return redirect("desk:account")
    form = ProofForm(request, typed(request))
    if form.is_valid():
        second_factor.turn_off(user, by=user)
        signing_in.forget_device(request)
        messages.success(request, gettext("Signing in asks for your password only. The old codes no longer work."))
        return redirect("desk:account")
    context = {"form": form, "must": second_factor.is_required_of(user)}
    return render(request, "accounts/turn_off.html", context, status=422 if form.errors else 200)


def _end_other_sessions(request: HttpRequest, password: str) -> None:
    """End sessions that were begun with the password alone. Saving the same password with a new salt ends them."""
    user = user_of(request)
    user.set_password(password)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)


# --- the secret on its way to the phone -------------------------------------------------------------------


def offered_key(request: HttpRequest) -> str:
    """The secret stays the same while its page is open. It belongs to no account until a code has proved it."""
    key: str = request.session.get(OFFERED_KEY) or second_factor.new_key()
    request.session[OFFERED_KEY] = key
    return key


def forget_key(request: HttpRequest) -> None:
    request.session.pop(OFFERED_KEY, None)


def set_up_page(request: HttpRequest, user: User, form: Form, must: bool = False) -> HttpResponse:
    key = offered_key(request)
    context = {
        "form": form,
        "must": must,
        "drawing": qr.secret_code(second_factor.address_for_app(user, key), gettext("QR code for your app")),
        "key": second_factor.typed_key(key),
    }
    return render(request, "accounts/set_up.html", context, status=422 if form.errors else 200)
