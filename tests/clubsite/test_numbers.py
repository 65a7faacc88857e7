"""Numbers as the house writes them (LOOK: Numbers)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from clubsite import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (8000, "8000"),
        (9900, "9900"),
        (10_000, "10\u00a0000"),
        (38_700, "38\u00a0700"),
        (120_000, "120\u00a0000"),
        (1_200_000, "1\u00a0200\u00a0000"),
        (-1200, "\u22121200"),
        (-12_000, "\u221212\u00a0000"),
        (None, "\u2013"),
    ],
)
def test_points_have_a_true_minus_and_thousands_from_ten_thousand_on(value: int | None, text: str) -> None:
    assert numbers.points(value) == text


@pytest.mark.parametrize(("value", "text"), [(3, "+3"), (-1100, "\u22121100"), (0, "0"), (None, "\u2013")])
def test_a_difference_shows_its_sign_unless_it_is_nought(value: int | None, text: str) -> None:
    assert numbers.signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12_300, "+12.3"),
        (-12_300, "\u221212.3"),
        (0, "0.0"),
        (12_349, "+12.3"),
        (12_350, "+12.4"),
        (-12_350, "\u221212.4"),
        (49, "0.0"),
        (-49, "0.0"),
        (-50, "\u22120.1"),
        (12_345_600, "+12\u00a0345.6"),
        (Fraction(-100, 3), "0.0"),
        (Fraction(170_400, 16), "+10.7"),
        (Decimal("-12300"), "\u221212.3"),
        (None, "\u2013"),
    ],
)
def test_a_result_has_one_decimal_and_always_its_sign(value: numbers.Number | None, text: str) -> None:
    assert numbers.result(value) == text


@given(st.integers(-10_000_000, 10_000_000))
def test_whole_and_fractional_results_are_written_alike(value: int) -> None:
    assert numbers.result(value) == numbers.result(Fraction(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (15_000, "+15.0"),
        (-1, "\u22120.001"),
        (2350, "+2.35"),
        ("7000/3", "+2.333\u2026"),
        ("-5000/3", "\u22121.666\u2026"),
        (Fraction(5, 2), "+0.0025"),
        (Fraction(1, 3), "+0.0003\u2026"),
        ("0", "0.0"),
        (0, "0.0"),
        (None, "\u2013"),
    ],
)
def test_an_exact_amount_shows_every_digit_or_says_that_there_are_more(
    value: numbers.Number | str | None, text: str
) -> None:
    assert numbers.exact(value) == text


@given(st.integers(-10_000_000, 10_000_000))
def test_an_exact_amount_of_whole_game_points_can_be_read_back(value: int) -> None:
    text = numbers.exact(value).replace("\u2212", "-").replace("\u00a0", "")
    assert Fraction(text) * 1000 == value


def test_a_rating_is_a_level_without_plus() -> None:
    assert numbers.rating(1_682_449) == "1682.4"
    assert numbers.rating(1_682_500, 0) == "1683"
    assert numbers.rating(-2_500) == "\u22122.5"
    assert numbers.rating(-20) == "0.0"
    assert numbers.rating(None) == "\u2013"


def test_an_average_place_has_two_decimals() -> None:
    assert numbers.average_place(Fraction(29, 16)) == "1.81"
    assert numbers.average_place(Fraction(5, 2)) == "2.50"
    assert numbers.average_place(2.18) == "2.18"
    assert numbers.average_place(None) == "\u2013"


def test_percent_of_nothing_is_missing() -> None:
    assert numbers.percent(5, 17) == "29\u00a0%"
    assert numbers.percent(0, 0) == "\u2013"


def test_nought_is_a_value_and_nothing_is_a_dash() -> None:
    assert numbers.missing(0) == 0
    assert numbers.missing("") == "\u2013"
    assert numbers.missing(None) == "\u2013"
    assert numbers.unless_zero(0) == "\u2013"
    assert numbers.unless_zero(2) == "2"


@pytest.mark.parametrize(
    ("value", "tone"),
    [(100, ""), (-100, "negative"), (0, "zero"), (-49, "zero"), (-50, "negative"), ("-5000/3", "negative"), (None, "")],
)
def test_tone_follows_what_is_shown(value: int | str | None, tone: str) -> None:
    assert numbers.tone(value) == tone


def test_tone_of_an_exact_amount_is_nought_only_at_nought() -> None:
    assert numbers.tone(-1, 0) == "negative"
    assert numbers.tone(0, 0) == "zero"


def test_places_are_words() -> None:
    assert [numbers.ordinal(place) for place in (1, 2, 3, 4, None)] == ["1st", "2nd", "3rd", "4th", "\u2013"]


@pytest.mark.parametrize("language", ["ru", "uk", "pl"])
def test_other_languages_use_their_own_decimal_sign_and_our_thousands(language: str) -> None:
    with translation.override(language):
        assert numbers.result(-12_300) == "\u221212,3"
        assert numbers.average_place(Fraction(5, 2)) == "2,50"
        assert numbers.exact("7000/3") == "+2,333\u2026"
        assert numbers.points(38_700) == "38\u00a0700"


def test_every_template_has_the_filters() -> None:
    template = Template("{{ p|points }} {{ r|result }} {{ r|tone }} {{ e|exact }} {{ g|rating:0 }} {{ 5|percent:17 }}")
    html = template.render(Context({"p": 38_700, "r": -100, "e": "7000/3", "g": 1_682_000}))
    assert html == "38\u00a0700 \u22120.1 negative +2.333\u2026 1682 29\u00a0%"
