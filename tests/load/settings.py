"""The site's own settings, with the empty view of the benches beside its addresses."""

from clubsite.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
