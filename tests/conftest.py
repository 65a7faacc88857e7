"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# Tests never judge by the clock: a busy machine must not turn a true property false.
settings.register_profile("umaoka", deadline=None, print_blob=True)
settings.load_profile("umaoka")
