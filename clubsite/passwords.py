"""Passwords that are made here, shown once and typed by somebody else."""

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
    """How a recovery code is stored: 16 letters from which nobody gets it back.

    Codes hold 40 bits, too few for a quick digest. The number of the device they belong to is salt enough to keep
    two people's apart: with it one slow digest answers for all ten codes.
    """
    salt = f"recovery codes of device {device}".encode()
    made = hashlib.scrypt(code.encode(), salt=salt, n=settings.RECOVERY_CODE_COST, r=8, p=1, dklen=12)
    return base64.urlsafe_b64encode(made).decode()
