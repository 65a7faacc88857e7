"""What the site stores about signing in, and when it is deleted."""

from __future__ import annotations

import datetime
import io

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from clubsite.pruning import ATTEMPTS_FOR

pytestmark = pytest.mark.django_db

SIGN_IN = "/admin/login/"
HOUR = datetime.timedelta(hours=1)


def attempt(name: str, age: datetime.timedelta) -> None:
    made = AccessAttempt.objects.create(
        username=name, ip_address="192.0.2.7", user_agent="x", path_info=SIGN_IN, failures_since_start=1
    )
    AccessAttempt.objects.filter(pk=made.pk).update(attempt_time=timezone.now() - age)


def test_pruning_forgets_old_attempts_every_list_of_sign_ins_and_ended_sessions() -> None:
    attempt("old", ATTEMPTS_FOR + HOUR)
    attempt("fresh", ATTEMPTS_FOR - HOUR)
    AccessLog.objects.create(username="scorer", ip_address="192.0.2.7", user_agent="x", path_info=SIGN_IN)
    for key, until in (("ended", -HOUR), ("open", HOUR)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + until)

    said = io.StringIO()
    call_command("prune", stdout=said)

    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["fresh"]
    assert not AccessLog.objects.exists()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["open"]
    assert said.getvalue() == "3 rows were forgotten.\n"


def test_signing_in_leaves_no_list_and_forgets_old_attempts(client: Client, settings: object) -> None:
    settings.AXES_ENABLED = True  # type: ignore[attr-defined]
    User.objects.create_superuser("owner", password="tile-for-tile")
    client.post(SIGN_IN, {"username": "owner", "password": "guess"})
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["owner"]
    attempt("old", ATTEMPTS_FOR + HOUR)

    answer = client.post(SIGN_IN, {"username": "owner", "password": "tile-for-tile"})

    assert answer.status_code == 302
    assert not AccessLog.objects.exists()
    assert not AccessAttempt.objects.exists()


def test_the_privacy_page_says_what_is_kept_of_signing_in(client: Client) -> None:
    said = client.get("/privacy/").text

    assert "forgotten after a day" in said
    assert "Of successful sign-ins nothing is kept but the time of your last one" in said
