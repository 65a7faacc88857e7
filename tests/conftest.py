"""What holds for every test."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from hypothesis import settings

# Tests never judge by the clock: a busy machine must not turn a true property false.
settings.register_profile("umaoka", deadline=None, print_blob=True)
settings.load_profile("umaoka")


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test() -> None:
    """Kept pages are keyed by ids and revisions, which begin anew in every test."""
    cache.clear()
