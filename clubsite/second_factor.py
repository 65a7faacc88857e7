"""The second step of signing in: a code from an app on the member's phone, or one of ten recovery codes.

The module manages the devices of django-otp and checks their codes. It does not know who must use a second step: an
app registers that rule in `AppConfig.ready()`. What happens between password and code is in `clubsite.signing_in`.
"""

from __future__ import annotations

import math
import secrets
from base64 import b32encode
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.account_log import log
from clubsite.digits import whole_number
from clubsite.passwords import LETTERS, digest_of_code

RECOVERY_CODES = 10
RECOVERY_LENGTH = 8
STEPS_ASTRAY = 1  # a phone's clock may be half a minute off, either way


class WrongCode(Exception):
    """A wrong code. The text is a sentence for the user who typed it."""


# --- who must ---------------------------------------------------------------------------------------------


def _nobody_must(user: User) -> bool:
    return False


_is_required_of: Callable[[User], bool] = _nobody_must


def register_rule(rule: Callable[[User], bool]) -> None:
    global _is_required_of
    _is_required_of = rule


def is_required_of(user: User) -> bool:
    return _is_required_of(user)


# --- what a user has --------------------------------------------------------------------------------------


def is_on(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def on_since(user: User) -> Any:
    return TOTPDevice.objects.filter(user=user, confirmed=True).values_list("created_at", flat=True).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


# --- setting up -------------------------------------------------------------------------------------------


def new_key() -> str:
    return secrets.token_hex(20)  # as long as the hash, RFC 4226 section 4


def address_for_app(user: User, key: str) -> str:
    """The address in the QR code for an authenticator app."""
    return str(TOTPDevice(user=user, key=key).config_url)


def typed_key(key: str) -> str:
    """The secret for users who type it: base32 in groups of four."""
    text = b32encode(bytes.fromhex(key)).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


@transaction.atomic
def turn_on(user: User, key: str, typed: str) -> tuple[TOTPDevice, list[str]]:
    """Return the device and its recovery codes if the code proves that the app knows the secret."""
    clock = TOTP(bytes.fromhex(key))
    code = _plain(typed)
    number = whole_number(code)
    if number is None or not clock.verify(number, STEPS_ASTRAY):
        raise WrongCode(gettext("This is not the code your app should show. Check the clock of your phone."))
    _remove_devices(user)
    device = TOTPDevice.objects.create(
        # The code that proved the app must not be accepted a second time.
        user=user,
        name="app",
        key=key,
        tolerance=STEPS_ASTRAY,
        drift=clock.drift,
        last_t=clock.t(),
    )
    codes = _make_recovery_codes(user)
    log(user, "Two-factor authentication turned on.", by=user)
    return device, codes


@transaction.atomic
def renew_recovery_codes(user: User) -> list[str]:
    """Make ten new codes. The old codes stop working."""
    codes = _make_recovery_codes(user)
    log(user, "Recovery codes renewed.", by=user)
    return codes


@transaction.atomic
def turn_off(user: User, *, by: User) -> None:
    _remove_devices(user)
    log(user, "Two-factor authentication turned off.", by=by)


def _make_recovery_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = ["".join(secrets.choice(LETTERS) for _ in range(RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=digest_of_code(c, device.pk)) for c in codes)
    half = RECOVERY_LENGTH // 2
    return [f"{code[:half]}-{code[half:]}" for code in codes]


def _remove_devices(user: User) -> None:
    for model in (TOTPDevice, StaticDevice):
        model.objects.filter(user=user).delete()


# --- proving ----------------------------------------------------------------------------------------------


def check(user: User, typed: str) -> TOTPDevice | StaticDevice:
    """Return the device that accepts the code. A code works once. Each wrong code makes the next wait longer."""
    code = _plain(typed)
    model = TOTPDevice if whole_number(code) is not None and len(code) != RECOVERY_LENGTH else StaticDevice
    with transaction.atomic():  # no exception leaves this block, so that the count of wrong codes is stored
        device = model.objects.select_for_update().filter(user=user, confirmed=True).first()
        allowed, why = device.verify_is_allowed() if device else (True, {})
        if device and allowed and device.verify_token(_as_stored(device, code)):
            return device
    if not allowed:
        raise WrongCode(_wait(why["locked_until"]))
    if model is TOTPDevice:
        raise WrongCode(gettext("This code is wrong, or was used already. The app shows a new one every 30 seconds."))
    raise WrongCode(gettext("This is not one of your recovery codes, or it was used already. Each works once."))


def _as_stored(device: TOTPDevice | StaticDevice, code: str) -> str:
    return digest_of_code(code, device.pk) if isinstance(device, StaticDevice) else code


def _plain(typed: str) -> str:
    return "".join(typed.split()).replace("-", "").lower()


def _wait(until: Any) -> str:
    seconds = max(1, math.ceil((until - timezone.now()).total_seconds()))
    if seconds < 120:
        words = ngettext(
            "Too many wrong codes. Try again in %(n)d second.",
            "Too many wrong codes. Try again in %(n)d seconds.",
            seconds,
        )
        return words % {"n": seconds}
    return gettext("Too many wrong codes. Try again in %(n)d minutes.") % {"n": math.ceil(seconds / 60)}
