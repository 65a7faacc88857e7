"""What monitoring, proxies and users at the login see."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import caches
from django.test import Client, override_settings

from clubsite.logs import JsonLines
from clubsite.models import Worker
from tests.queue import work_off

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.django_db
def test_health_is_ok_while_the_database_and_a_worker_answer(client: Client) -> None:
    Worker.objects.create(name="one")
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_eight_wrong_passwords_close_the_door(client: Client) -> None:
    User.objects.create_superuser("owner", password="right-right-right")
    wrong = {"username": "owner", "password": "wrong"}
    with override_settings(AXES_ENABLED=True):
        for _attempt in range(8):
            response = client.post("/admin/login/", wrong)
        assert response.status_code == 429
        assert "Too many attempts" in response.content.decode()
        right = client.post("/admin/login/", {"username": "owner", "password": "right-right-right"})
        assert right.status_code == 429


@pytest.mark.django_db
def test_a_forgotten_password_is_renewed_by_letter(client: Client) -> None:
    User.objects.create_superuser("owner", email="owner@example.org", password="right-right-right")
    assert "/password/forgotten/" in client.get("/admin/login/").content.decode()
    client.post("/password/forgotten/", {"email": "owner@example.org"})
    work_off()
    (letter,) = mail.outbox
    address = next(word for word in letter.body.split() if "/password/new/" in word)
    path = address.split("testserver", 1)[1]
    page = client.get(path, follow=True)
    new = {"new_password1": "tile-for-tile-2026", "new_password2": "tile-for-tile-2026"}
    client.post(page.redirect_chain[-1][0], new)
    assert client.login(username="owner", password="tile-for-tile-2026")


def test_logs_are_json_lines_without_what_was_searched() -> None:
    record = logging.LogRecord("gunicorn.error", logging.WARNING, "", 0, "Broken: /players/?q=Sokolov", None, None)
    line = json.loads(JsonLines().format(record))
    assert line["message"] == "Broken: /players/"


def test_a_trace_keeps_the_rule_that_was_broken_and_not_the_row_that_broke_it() -> None:
    told = "duplicate key\nDETAIL:  Key (username)=(sokolov) already exists.\n"
    try:
        raise ValueError(told)
    except ValueError:
        record = logging.LogRecord("django.request", logging.ERROR, "", 0, "Broken", None, sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert "duplicate key" in line["trace"]
    assert "sokolov" not in line["trace"]


def test_a_cache_that_is_down_keeps_nothing_and_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    away = {"BACKEND": "clubsite.caching.ForgivingRedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    with override_settings(CACHES={"default": away}):
        cache = caches.create_connection("default")
        cache.set("page", "kept")
        assert cache.get("page") is None
        assert cache.get_or_set("page", lambda: "made anew") in ("made anew", None)


def test_production_passes_djangos_own_checks() -> None:
    environment = os.environ | {
        "UMAOKA_ENV": "production",
        "SECRET_KEY": "x" * 30 + "abcdefghijklmnopqrstuvwxyz0123456789",
        "ALLOWED_HOSTS": "club.example.org",
        "DATABASE_URL": "sqlite://:memory:",
    }
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
