"""The event that the tests of a module begin with, made once for all of them."""

from __future__ import annotations

import copy

import pytest
from django.test import Client

from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """A module whose event is another one has a fixture of this name."""
    return Hall()


@pytest.fixture
def hall(made_hall: Hall) -> Hall:
    """A copy for every test, which may change its objects."""
    return copy.deepcopy(made_hall)


@pytest.fixture
def desk(hall: Hall) -> Client:
    """The browser of an admin of the club."""
    return client_of(hall.tournament.club)
