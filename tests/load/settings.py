"""The settings of the site, with the empty view of the benches added to its addresses."""

from clubsite.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
