"""Numbers from addresses and fields, and everything that only looks like one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.forms import BaseForm, DecimalField, IntegerField
from django.test import Client
from django.urls import reverse

from clubsite.digits import whole_number
from clubsite.fields import DecimalNumberField, WholeNumberField
from ratings.models import Season
from tests.forms import forms
from tests.tournaments.hall import Hall
from tests.world import make_world


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("42", 42), ("007", 7), ("４２", 42), ("9" * 15, 10**15 - 1)])
def test_digits_are_those_of_ascii_and_full_width_ones(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " ", "4²", "²", "٤٢", "-1", "+1", "1.0", "1_000", "½", "4 2", "9" * 16, "9" * 5000]
)
def test_nothing_else_is_a_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize("typed", ["٤", "४२", "4²", "Ⅳ", "四", "9" * 5000])
def test_number_fields_refuse_every_other_digit(typed: str) -> None:
    for field in (WholeNumberField(), DecimalNumberField(max_digits=9)):
        with pytest.raises(ValidationError):
            field.clean(typed)


def test_number_fields_read_full_width_digits() -> None:
    assert WholeNumberField().clean(" ４２ ") == 42
    assert DecimalNumberField().clean("１.5") == Decimal("1.5")


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield kind
        yield from subclasses(kind)


def test_no_form_of_ours_has_a_number_field_of_django() -> None:
    reverse("desk:desk")  # every module with forms is loaded
    ours = [form for form in subclasses(BaseForm) if form.__module__.partition(".")[0] in ("ratings", "tournaments")]
    fields = [(form, field) for form in ours for field in form.base_fields.values()]
    numbers = [(form, field) for form, field in fields if isinstance(field, IntegerField | DecimalField)]

    assert len(numbers) > 20
    assert [form for form, field in numbers if not isinstance(field, WholeNumberField | DecimalNumberField)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["minimum_games", "elo_k", "initial_points"])
def test_the_form_of_a_season_refuses_digits_of_other_scripts(field: str) -> None:
    world = make_world()
    season = world.furiten.season
    Season.objects.filter(pk=season.pk).update(formula="elo")  # with it the form asks for all three
    address = f"/admin/ratings/season/{season.pk}/change/"
    client = world.client("admin")
    form = next(form for form in forms(client.get(address).text) if field in form.names())

    answer = client.post(address, form.data() | {field: ["٤٢"]})

    assert answer.status_code == 422
    assert "٤٢" in answer.text


@pytest.fixture(scope="module")
def address_of_event(shared_rows: None) -> str:
    """The address of an event with one played round."""
    hall = Hall(8)
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall.tournament.get_absolute_url()


@pytest.mark.django_db
@pytest.mark.parametrize("parameter", ["stage", "round", "copies", "after", "page", "n"])
@pytest.mark.parametrize("path", ["standings/", "print/standings/", "print/blank/", "teams/", "screen/", "clock/"])
def test_thousands_of_digits_break_no_page_of_an_event(
    path: str, parameter: str, client: Client, address_of_event: str
) -> None:
    answer = client.get(f"{address_of_event}{path}?{parameter}={'9' * 5000}")

    assert answer.status_code in (200, 404)


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["9" * 5000, "[" * 100_000], ids=["digits", "brackets"])
def test_json_in_a_form_that_no_reader_takes_is_refused_beside_it(value: str) -> None:
    world = make_world()
    client, address = world.client("owner"), f"/admin/ratings/ruleset/{world.furiten.rule_set.pk}/change/"
    form = next(form for form in forms(client.get(address).text) if "notes" in form.names())

    answer = client.post(address, form.data() | {"notes": [value]})

    assert answer.status_code == 422
    assert "Enter a valid JSON" in answer.text
