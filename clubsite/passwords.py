"""Passwords that the site makes and shows once, for a user to type."""

from __future__ import annotations

import base64
import hashlib
import secrets

from django.conf import settings

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
