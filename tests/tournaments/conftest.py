"""The event that the tests of a module start with, made once per module."""

from __future__ import annotations

import copy

import pytest
from django.test import Client

from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """The event of a module. A module that needs another event defines its own fixture of this name."""
    return Hall()


@pytest.fixture
def hall(made_hall: Hall) -> Hall:
    """A copy of the event for each test, so that the test may change its objects."""
    return copy.deepcopy(made_hall)


@pytest.fixture
def desk(hall: Hall) -> Client:
    """The browser of an admin of the club."""
    return client_of(hall.tournament.club)
