"""Passwords that are made here, shown once and typed by somebody else."""

from __future__ import annotations

import secrets

# No 0, 1, i, l or o: the password is read from a screen and typed on a phone. 16 characters hold 79 bits.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_password() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
