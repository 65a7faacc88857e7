"""A query that was compiled once gives the same result as the QuerySet, for all values."""

from __future__ import annotations

import pytest

from clubsite.statements import Statement
from ratings.models import Player

pytestmark = pytest.mark.django_db

NAMED = Statement(
    lambda first, last: (
        Player.objects.filter(pk__gte=first, pk__lte=last, visibility="full").order_by("-pk").values_list("native_name")
    ),
    values=2,
)


@pytest.fixture
def ids() -> list[int]:
    people = [Player.objects.create(native_name=name) for name in ("Ken", "Olga", "Thomas", "Łukasz")]
    Player.objects.create(native_name="Nobody", visibility="hidden")
    return [player.pk for player in people]


def test_each_run_takes_its_own_values_and_keeps_the_constants(ids: list[int]) -> None:
    assert NAMED.rows(ids[0], ids[-1] + 1) == [("Łukasz",), ("Thomas",), ("Olga",), ("Ken",)]
    assert NAMED.rows(ids[1], ids[2]) == [("Thomas",), ("Olga",)]


def test_a_part_is_cut_like_a_slice(ids: list[int]) -> None:
    assert NAMED.rows(ids[0], ids[-1], start=1, stop=3) == [("Thomas",), ("Olga",)]
    assert NAMED.rows(ids[0], ids[-1], start=9, stop=10) == []


def test_text_is_a_value_too(ids: list[int]) -> None:
    called = Statement(lambda name: Player.objects.filter(native_name=name).values_list("pk"), values=1)

    assert called.rows("Olga") == [(ids[1],)]
    assert called.rows("' OR 1=1 --") == []
