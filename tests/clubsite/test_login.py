"""`manage.py login`: the owner's way in."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.management import call_command
from django.test import Client

pytestmark = pytest.mark.django_db


def printed_password(**options: bool) -> str | None:
    output = StringIO()
    call_command("login", stdout=output, **options)
    found = re.search(r"as admin with the password (\S+)", output.getvalue())
    return found[1] if found else None


def opens_the_admin(password: str | None) -> bool:
    visitor = Client()
    answer = visitor.post("/admin/login/", {"username": "admin", "password": password or ""})
    return answer.status_code == 302 and visitor.get("/admin/").status_code == 200


def test_the_printed_password_opens_the_admin() -> None:
    password = printed_password()

    assert opens_the_admin(password)
    validate_password(password or "", User.objects.get())


def test_every_login_has_a_new_password_and_ends_the_old_one() -> None:
    first, second = printed_password(), printed_password()

    assert first != second
    assert not opens_the_admin(first)
    assert opens_the_admin(second)
    assert User.objects.count() == 1


def test_an_admin_who_lost_every_right_gets_them_back() -> None:
    User.objects.create_user("admin", is_active=False)

    assert opens_the_admin(printed_password())


def test_the_first_start_gives_a_login_and_the_next_ones_do_not() -> None:
    first = printed_password(if_none=True)

    assert opens_the_admin(first)
    assert printed_password(if_none=True) is None
    assert opens_the_admin(first)


def test_a_site_whose_owner_has_another_name_needs_no_first_login() -> None:
    User.objects.create_superuser("tanaka")

    assert printed_password(if_none=True) is None
    assert not User.objects.filter(username="admin").exists()
