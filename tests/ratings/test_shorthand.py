"""Points as people type them (issue: entry in the web admin)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.problems import Refused
from ratings.mahjong.shorthand import read_points, write_points


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("31100", 31_100),
        ("31 100", 31_100),
        ("31\u00a0100", 31_100),
        ("311", 31_100),
        ("-12", -1_200),
        ("−12", -1_200),
        ("△12", -1_200),
        ("▲ 1200", -1_200),
        ("31.1", 31_100),
        ("31,1", 31_100),
        ("-1,2", -1_200),
        (".5", 500),
        ("0", 0),
        ("999", 99_900),
        ("1000", 1_000),
        ("-1000", -1_000),
        ("+250", 25_000),
        ("３１１", 31_100),
        ("－１．２", -1_200),
        ("31,100", 31_100),
        ("120'000", 120_000),
    ],
)
def test_reading_of(typed: str, points: int) -> None:
    assert read_points(typed) == points


@pytest.mark.parametrize(
    "typed",
    ["", " ", "-", "abc", "1.2.3", "31.1111", "12k", "1e5", "--5", "5-", "½", "1,234,567", "4²", "⑤", "٤٢", "1⁄2"],
)
def test_unreadable(typed: str) -> None:
    with pytest.raises(Refused):
        read_points(typed)


@given(st.integers(-999_999, 999_999).filter(lambda n: abs(n) >= 1000))
def test_full_points_are_read_as_they_are(points: int) -> None:
    assert read_points(str(points)) == points


@given(st.text(max_size=12))
def test_whatever_is_typed_is_read_or_refused(typed: str) -> None:
    with contextlib.suppress(Refused):
        assert isinstance(read_points(typed), int)


@given(st.integers(-999_999, 999_999))
def test_what_stands_in_a_field_is_read_back_as_the_same_points(points: int) -> None:
    assert read_points(write_points(points)) == points
