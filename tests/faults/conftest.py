"""Sites of both engines, copied from a migrated site that is made once per run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.site import POSTGRES, SQLITE, Site, postgres_site, sqlite_site
from tests.with_postgres import Cluster, private_cluster

ENGINES = (SQLITE, POSTGRES)
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that loses no acknowledged write, even when it is stopped at once."""
    with private_cluster("synchronous_commit=on") as running:
        yield running


def migrated(site: Site) -> None:
    done = site.manage("migrate", "-v0")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = sqlite_site(tmp_path_factory.mktemp("template"))
    migrated(site)
    return site.folder / "site.sqlite3"


@pytest.fixture(scope="session")
def postgres_template(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> str:
    migrated(postgres_site(cluster, tmp_path_factory.mktemp("template"), "migrated"))
    return "migrated"


@pytest.fixture
def new_site(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Site]:
    """Return an empty, migrated site of the requested engine; the other engine need not be installed."""

    def make(engine: str) -> Site:
        number = next(_numbers)
        folder = tmp_path / f"site-{number}"
        folder.mkdir()
        if engine == SQLITE:
            return sqlite_site(folder, request.getfixturevalue("sqlite_template"))
        template = request.getfixturevalue("postgres_template")
        return postgres_site(request.getfixturevalue("cluster"), folder, f"site_{number}", template)

    return make


@pytest.fixture(params=ENGINES)
def site(request: pytest.FixtureRequest, new_site: Callable[[str], Site]) -> Site:
    return new_site(request.param)
