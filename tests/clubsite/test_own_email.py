"""Everybody changes the email address of the own account, with the password."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.test import Client

from tests.cast import make_club, make_user

pytestmark = pytest.mark.django_db

EMAIL = "/admin/account/email/"
RIGHT = "tile-for-tile"


@pytest.fixture
def olga() -> User:
    user = make_user("olga", make_club())
    user.email = "old@example.org"
    user.save()
    return user


@pytest.fixture
def client(olga: User) -> Client:
    client = Client()
    client.force_login(olga)
    return client


def test_the_address_is_changed_and_the_log_says_so_without_it(client: Client, olga: User) -> None:
    page = client.post(EMAIL, {"email": "new@example.org", "password": RIGHT}, follow=True)

    assert "Email address saved." in page.text
    assert "new@example.org" in page.text
    entry = LogEntry.objects.get(object_id=str(olga.pk))
    assert (entry.user, entry.change_message) == (olga, "Email address changed.")


def test_a_link_to_a_new_password_that_was_sent_before_no_longer_works(client: Client, olga: User) -> None:
    token = default_token_generator.make_token(olga)
    client.post(EMAIL, {"email": "new@example.org", "password": RIGHT})

    assert not default_token_generator.check_token(User.objects.get(pk=olga.pk), token)


def test_the_address_can_be_removed(client: Client, olga: User) -> None:
    page = client.post(EMAIL, {"email": "", "password": RIGHT}, follow=True)

    assert "Email address removed." in page.text
    assert User.objects.get(pk=olga.pk).email == ""


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"email": "new@example.org", "password": "wrong"}, "This is not your password."),
        ({"email": "new@example.org"}, "This field is required."),
        ({"email": "no address", "password": RIGHT}, "Enter a valid email address."),
    ],
)
def test_what_is_wrong_is_said_and_the_address_stays(
    client: Client, olga: User, typed: dict[str, str], sentence: str
) -> None:
    page = client.post(EMAIL, typed)

    assert page.status_code == 422
    assert sentence in page.text
    assert f'value="{typed["email"]}"' in page.text
    assert RIGHT not in page.text
    assert User.objects.get(pk=olga.pk).email == "old@example.org"


def test_an_address_of_another_account_is_accepted_and_tells_nothing(client: Client, olga: User) -> None:
    other = make_user("other")
    other.email = "club@example.org"
    other.save()

    assert client.post(EMAIL, {"email": "club@example.org", "password": RIGHT}).status_code == 302
    assert User.objects.filter(email="club@example.org").count() == 2
