"""Numbers from addresses and fields, and everything that only looks like one."""

from __future__ import annotations

import pytest
from django.test import Client

from clubsite.digits import whole_number
from tests.forms import forms
from tests.tournaments.hall import Hall
from tests.world import make_world
from tournaments.models import Tournament


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("42", 42), ("007", 7), ("４２", 42), ("9" * 15, 10**15 - 1)])
def test_digits_are_those_of_ascii_and_full_width_ones(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " ", "4²", "²", "٤٢", "-1", "+1", "1.0", "1_000", "½", "4 2", "9" * 16, "9" * 5000]
)
def test_nothing_else_is_a_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.django_db
@pytest.mark.parametrize("parameter", ["stage", "round", "copies", "after", "page", "n"])
@pytest.mark.parametrize("path", ["standings/", "print/standings/", "print/blank/", "teams/", "screen/", "clock/"])
def test_thousands_of_digits_break_no_page_of_an_event(path: str, parameter: str, client: Client) -> None:
    hall = Hall(8)
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))

    answer = client.get(f"{hall.tournament.get_absolute_url()}{path}?{parameter}={'9' * 5000}")

    assert answer.status_code in (200, 404)


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["9" * 5000, "[" * 100_000], ids=["digits", "brackets"])
def test_json_in_a_form_that_no_reader_takes_is_refused_beside_it(value: str) -> None:
    world = make_world()
    rules, event = world.furiten.rule_set, world.furiten.row(Tournament)
    for address, field in (
        (f"/admin/ratings/ruleset/{rules.pk}/change/", "notes"),
        (f"/admin/tournaments/tournament/{event.pk}/change/", "initial-tie_breaks"),
        (f"/admin/tournaments/tournament/{event.pk}/change/", "tie_breaks"),
    ):
        client = world.client("owner")
        form = next(form for form in forms(client.get(address).text) if field in form.names())
        answer = client.post(address, form.data() | {field: [value]})
        assert answer.status_code in (200, 302), address
        if not field.startswith("initial"):
            assert "Enter a valid JSON" in answer.text
