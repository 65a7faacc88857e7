"""Settings, scheduling and fixtures for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.conf import settings as site_settings
from django.core.cache import cache
from django.db import transaction
from django.utils import translation
from hypothesis import settings
from pytest_django.plugin import DjangoDbBlocker
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Tests have no deadline: a busy machine must not make a true property fail. On a developer's machine every run draws
# other examples; in CI the same tree always gives the same answer.
settings.register_profile("umaoka", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("umaoka")

# The tests of these modules share something that is slow to make, so each module stays on one core. They start first,
# the longest in front: only short tests are left at the end, and no core waits for another.
TOGETHER = (
    "tests.faults.test_fuzz",
    "tests.faults.test_stored_markup",
    "tests.clubsite.test_start",
    "tests.clubsite.test_backups",
    "tests.test_urls_matrix",
    "tests.clubsite.test_jobs",
    "tests.ratings.test_imports_hostile",
    "tests.ratings.test_demo",
    "tests.tournaments.test_demo_events",
    "tests.clubsite.test_production",
    "tests.browser.test_replay",
)


def pytest_configure() -> None:
    """Turn off slow parts of the site for the tests that are about something else.

    Every test client builds the middleware again, and WhiteNoise would then go through all static files; here it looks
    a file up when it is asked for. Passwords and recovery codes are hashed quickly, and wrong passwords are counted
    only where a test says so. `test_start` and `test_production` start real processes, which serve as the site does.
    """
    site_settings.WHITENOISE_AUTOREFRESH = True
    site_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    site_settings.RECOVERY_CODE_COST = 2
    site_settings.AXES_ENABLED = False


class Scheduling(LoadScopeScheduling):
    """Gives each worker single tests, or a whole module if it is in TOGETHER.

    The group marks of xdist have no effect: xdist 3.8 adds them to an attribute that pytest 9.2 no longer reads.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = _module_of(nodeid)
        return module if module in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)  # without xdist this hook does not exist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    config.option.loadscopereorder = False  # keep the order set below
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules of TOGETHER first, and in each module the tests that use `shared_rows` last.

    Once the shared rows exist, every test of the module would see them.
    """
    modules = dict.fromkeys([*TOGETHER, *(_module_of(item.nodeid) for item in items)])
    place = {name: number for number, name in enumerate(modules)}
    items.sort(key=lambda item: (place[_module_of(item.nodeid)], "shared_rows" in getattr(item, "fixturenames", ())))


def _module_of(nodeid: str) -> str:
    return nodeid.partition(".py::")[0].replace("/", ".")


@pytest.fixture(scope="session", autouse=True)
def _files_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Files that pages store never mix with those of a real site or of tests that run at the same time."""
    site_settings.VAR_DIR = tmp_path_factory.mktemp("var")


def forget_other_tests() -> None:
    """Clear the cache, whose keys use ids and revisions that start again in every test, and reset the language."""
    cache.clear()
    translation.activate(site_settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test() -> None:
    forget_other_tests()


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that a module's fixtures write after this one exist for all tests of the module and are then rolled back.

    Each test has its own savepoint, so no test sees what another one did.
    """
    forget_other_tests()
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
