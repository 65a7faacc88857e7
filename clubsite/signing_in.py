"""The signed-in user, and the user between the right password and the right code, remembered for ten minutes.

Until the code is right, the user is not signed in. So every page sees an anonymous visitor and needs no check.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple, cast

from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django_otp import DEVICE_ID_SESSION_KEY

AT_THE_DOOR = "at_the_door"
KEPT_FOR = 600  # seconds


def user_of(request: HttpRequest) -> User:
    """The signed-in user, for pages that let in no one else."""
    return cast(User, request.user)


class Visitor(NamedTuple):
    user: User
    backend: str
    goes_to: str


def wait_for_code(request: HttpRequest, user: User, goes_to: str) -> None:
    """Remember the user after the right password. A user who was signed in here before is signed out."""
    logout(request)
    request.session[AT_THE_DOOR] = {
        "user": user.pk,
        "backend": user.backend,  # set by authenticate()
        "goes_to": goes_to,
        "since": int(time.time()),
        # If the password is changed meanwhile, by email or by the owner, this attempt ends too.
        "password": user.get_session_auth_hash(),
    }


def at_the_door(request: HttpRequest) -> Visitor | None:
    kept: dict[str, Any] | None = request.session.get(AT_THE_DOOR)
    if kept is None or time.time() - kept["since"] > KEPT_FOR:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["password"]):
        return None
    return Visitor(user, kept["backend"], kept["goes_to"])


def let_in(request: HttpRequest, visitor: Visitor, device: Any) -> None:
    request.session.pop(AT_THE_DOOR)
    login(request, visitor.user, backend=visitor.backend)
    remember_device(request, device)


def remember_device(request: HttpRequest, device: Any) -> None:
    request.session[DEVICE_ID_SESSION_KEY] = device.persistent_id


def used_second_step(request: HttpRequest) -> bool:
    return DEVICE_ID_SESSION_KEY in request.session


def forget_device(request: HttpRequest) -> None:
    request.session.pop(DEVICE_ID_SESSION_KEY, None)
