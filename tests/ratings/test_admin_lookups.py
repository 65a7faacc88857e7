"""Lists under “All data” are filtered only by what they declare; a regular expression from a user is never run."""

from __future__ import annotations

import itertools
from urllib.parse import parse_qsl

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.http import urlencode

from ratings.admin.base import DataAdmin
from ratings.models import Hanchan, Player
from tests.world import World

pytestmark = pytest.mark.django_db

REGISTERED = list(admin.site._registry)
PATTERN = r"^((.|\n)+)+x$"  # on a text of some length this takes too long to wait for
KINDS = ("regex", "iregex")


def name_of(model: type[Model]) -> str:
    return model._meta.label


def list_of(model: type[Model], **query: str) -> str:
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{page}?{urlencode(query)}" if query else page


def paths(model: type[Model]) -> list[str]:
    """Every field of a model, and every field it leads to in one step."""
    found = []
    for field in model._meta.get_fields():
        found.append(field.name)
        if field.related_model and isinstance(field.related_model, type):
            found += [f"{field.name}__{far.name}" for far in field.related_model._meta.get_fields()]
    return found


def statements(client: Client, address: str) -> tuple[int, str]:
    """The status of the answer, and all SQL that it ran."""
    with CaptureQueriesContext(connection) as asked:
        status = client.get(address).status_code
    return status, " ".join(query["sql"] for query in asked).upper()


@pytest.mark.parametrize("model", REGISTERED, ids=name_of)
def test_no_field_of_any_list_takes_a_pattern(world: World, model: type[Model]) -> None:
    found = admin.site.get_model_admin(model)
    assert isinstance(found, DataAdmin)
    allowed = [
        lookup
        for path, kind in itertools.product(paths(model), KINDS)
        if found.lookup_allowed(lookup := f"{path}__{kind}", PATTERN)
    ]
    assert allowed == []

    client = world.client("owner")
    for field in model._meta.concrete_fields:
        status, sql = statements(client, list_of(model, **{f"{field.name}__regex": PATTERN}))
        assert status == 400
        assert "REGEXP" not in sql
        assert "~" not in sql


@pytest.mark.parametrize(
    "query",
    [
        {"search_text__regex": PATTERN},
        {"search_text__regex": "[invalid("},
        {"native_name__iregex": PATTERN},
        {"search_text__contains": "x"},
        {"affiliations__club__name__regex": PATTERN},
        {"history__native_name__regex": PATTERN},
        {"pk__in": "1,2"},
        {"visibility__regex": PATTERN},
        {"visibility__exact__regex": PATTERN},
        {"visibility__in": "full,hidden"},
        {"visibility__exact": "\x00"},
        {"club__name__regex": PATTERN},
        {"_popup": "1", "_to_field": "search_text__regex"},
        {"_popup": "1", "_to_field": "ema_number"},
        {"nonsense": "1"},
    ],
    ids=lambda query: " ".join(query),
)
def test_what_a_list_does_not_declare_is_refused(world: World, query: dict[str, str]) -> None:
    status, sql = statements(world.client("owner"), list_of(Player, **query))
    assert status == 400
    assert "REGEXP" not in sql


@pytest.mark.parametrize("model", REGISTERED, ids=name_of)
def test_every_filter_that_is_offered_works(world: World, model: type[Model]) -> None:
    client = world.client("owner")
    offered = client.get(list_of(model)).context["cl"]
    links = [choice["query_string"] for spec in offered.filter_specs for choice in spec.choices(offered)]

    assert {link: client.get(list_of(model) + link).status_code for link in links} == dict.fromkeys(links, 200)


def test_filters_are_cleared_and_the_chosen_days_stay(world: World) -> None:
    day = world.furiten.hanchan.played_on
    days = {"played_on__year": str(day.year), "played_on__month": str(day.month)}
    client = world.client("owner")
    page = client.get(list_of(Hanchan, status__exact="final", **days))
    link = page.context["cl"].clear_all_filters_qs

    assert dict(parse_qsl(link.removeprefix("?"))) == days
    assert client.get(list_of(Hanchan) + link).status_code == 200


def test_games_are_found_by_their_day(world: World) -> None:
    days = {"played_on__year": "2026", "played_on__month": "4", "played_on__day": "16"}

    assert world.client("owner").get(list_of(Hanchan, **days)).context["cl"].result_count == 2  # one of each club
    assert world.client("owner").get(list_of(Hanchan, played_on__year="2025")).context["cl"].result_count == 0


@pytest.mark.parametrize("year", ["0", "9999", "99999", "-1", "x", "²", "1" * 5000])
def test_a_year_that_cannot_be_is_refused(world: World, year: str) -> None:
    assert world.client("owner").get(list_of(Hanchan, played_on__year=year)).status_code == 400


@pytest.mark.parametrize(
    "query", [{"o": PATTERN}, {"o": "search_text__regex"}, {"o": "1" * 5000}, {"q": PATTERN}, {"e": PATTERN}]
)
def test_order_and_search_are_no_lookups(world: World, query: dict[str, str]) -> None:
    for model in REGISTERED:
        answer = world.client("owner").get(list_of(model, **query), follow=True)
        assert answer.status_code == 200


def test_a_search_for_choices_takes_words_and_no_pattern(world: World) -> None:
    asked = {"app_label": "ratings", "model_name": "affiliation", "field_name": "player", "term": PATTERN}
    status, sql = statements(world.client("owner"), f"/admin/data/autocomplete/?{urlencode(asked)}")

    assert status in (200, 403, 404)
    assert "REGEXP" not in sql
    asked["search_text__regex"] = PATTERN
    assert "REGEXP" not in statements(world.client("owner"), f"/admin/data/autocomplete/?{urlencode(asked)}")[1]
