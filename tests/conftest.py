"""What holds for every test."""

from __future__ import annotations

import os

import pytest
from django.conf import settings as site_settings
from django.core.cache import cache
from django.utils import translation
from hypothesis import settings

# Tests never judge by the clock: a busy machine must not turn a true property false. On a desk every run draws other
# examples; where a run decides about a change, the same tree gives the same answer.
settings.register_profile("umaoka", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("umaoka")


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test() -> None:
    """Kept pages are keyed by ids and revisions, which begin anew in every test; a page leaves its language behind."""
    cache.clear()
    translation.activate(site_settings.LANGUAGE_CODE)
