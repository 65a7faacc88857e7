"""Passwords that the site makes and shows once, for a user to type, and the email for a forgotten one."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext

from clubsite import jobs, mails

# No 0, 1, i, l or o: the password is read from a screen and typed on a phone. 16 characters hold 79 bits.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_password() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


def digest_of_code(code: str, device: int) -> str:
    """How a recovery code is stored: 16 letters from which the code cannot be recovered.

    Codes hold 40 bits, too few for a fast digest. The id of their device is enough salt to keep the codes of two users
    apart, and because all ten codes share it, checking a code takes only one slow digest.
    """
    salt = f"recovery codes of device {device}".encode()
    made = hashlib.scrypt(code.encode(), salt=salt, n=settings.RECOVERY_CODE_COST, r=8, p=1, dklen=12)
    return base64.urlsafe_b64encode(made).decode()


# --- forgotten ----------------------------------------------------------------------------------------------


def links_are_safe() -> bool:
    """Whether a link in an email leads to this site.

    Locally every host is allowed, so a forged header could send the link of another user's account anywhere.
    """
    return bool(settings.BASE_URL or settings.PRODUCTION or not settings.EMAIL_HOST)


def site_of_links(request: HttpRequest) -> tuple[str, bool]:
    """Where links in emails lead, and whether by https: UMAOKA_BASE_URL, or else the host that the client names."""
    if settings.BASE_URL:
        here = urlsplit(settings.BASE_URL)
        return here.netloc, here.scheme == "https"
    return request.get_host(), request.is_secure()


def send_link(user: User, domain: str, *, https: bool) -> None:
    """Put the email with a link to a new password on the queue; one at a time for an account."""
    params = {"user": user.pk, "domain": domain, "protocol": "https" if https else "http"}
    jobs.start(FORGOTTEN.name, gettext("Email: a new password"), by=None, params=params, subject=f"user {user.pk}")


def _email(params: dict[str, Any]) -> EmailMessage | None:
    """The email, with a link made now: the database never holds a link that opens an account."""
    user = User.objects.filter(pk=params["user"], is_active=True).first()
    if user is None or not user.email:
        return None
    context = params | {
        "site_name": params["domain"],
        "user": user,
        "uid": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
    }
    subject = "".join(render_to_string("registration/password_reset_subject.txt", context).splitlines())
    return EmailMessage(subject, render_to_string("registration/password_reset_email.html", context), to=[user.email])


FORGOTTEN = mails.kind("password-email", _email)
