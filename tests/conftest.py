"""What holds for every test."""

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

# Tests never judge by the clock: a busy machine must not turn a true property false. On a desk every run draws other
# examples; where a run decides about a change, the same tree gives the same answer.
settings.register_profile("umaoka", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("umaoka")

# The tests of these modules share something dear to make and stay together on one core. They begin first, the longest
# in front: what is left at the end is short, and no core waits for another.
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
    """Leave out of the site what takes most of the time of tests that are about something else.

    Every test client builds the middleware again, and WhiteNoise would then go through all static files; it looks a
    file up when it is asked for. Passwords and recovery codes are hashed quickly, and wrong passwords are counted only
    where a test says so. `test_serving` and `test_production` start real processes, which serve as the site does.
    """
    site_settings.WHITENOISE_AUTOREFRESH = True
    site_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    site_settings.RECOVERY_CODE_COST = 2
    site_settings.AXES_ENABLED = False


class Scheduling(LoadScopeScheduling):
    """Hands out single tests, and a module of TOGETHER as a whole.

    The marks of xdist for groups have no effect: xdist 3.8 adds them to an attribute that pytest 9.2 no longer reads.
    """

    def _split_scope(self, nodeid: str) -> str:
        module = _module_of(nodeid)
        return module if module in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)  # a run without xdist does not know it
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    config.option.loadscopereorder = False  # the order below stays
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules of TOGETHER first, and in each module those tests last that share its rows.

    Once these rows are there, every test of the module would see them.
    """
    modules = dict.fromkeys([*TOGETHER, *(_module_of(item.nodeid) for item in items)])
    place = {name: number for number, name in enumerate(modules)}
    items.sort(key=lambda item: (place[_module_of(item.nodeid)], "shared_rows" in getattr(item, "fixturenames", ())))


def _module_of(nodeid: str) -> str:
    return nodeid.partition(".py::")[0].replace("/", ".")


@pytest.fixture(scope="session", autouse=True)
def _files_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What pages keep on the disk never meets the files of a real site, nor those of tests beside these."""
    site_settings.VAR_DIR = tmp_path_factory.mktemp("var")


def forget_other_tests() -> None:
    """Kept pages are keyed by ids and revisions, which begin anew in every test; a page leaves its language behind."""
    cache.clear()
    translation.activate(site_settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test() -> None:
    forget_other_tests()


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What fixtures of a module write on top of this is there for all its tests, and gone after the last.

    Each test has a savepoint of its own, so none of them sees what another one did.
    """
    forget_other_tests()
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
