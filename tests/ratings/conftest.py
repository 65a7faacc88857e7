"""Fixtures that most tests start with: a season, players, and two clubs that are made once per module."""

from __future__ import annotations

import copy

import pytest

from ratings.models import Player, Season
from tests.cast import make_players, make_season
from tests.world import World, make_world


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    """The world of a module. A module that needs another world defines its own fixture of this name."""
    return make_world()


@pytest.fixture
def world(made_world: World) -> World:
    """A copy of the world for each test, so that the test may change its objects."""
    return copy.deepcopy(made_world)


@pytest.fixture
def season(db: None) -> Season:
    return make_season()


@pytest.fixture
def players(db: None) -> list[Player]:
    return make_players(6)
