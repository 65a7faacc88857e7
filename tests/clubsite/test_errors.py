"""What a visitor sees when something breaks, with the settings of `make run`."""

from __future__ import annotations

import errno
import logging
import os

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from clubsite.urls import handler500  # noqa: F401 – Django looks for it beside the addresses
from clubsite.urls import urlpatterns as addresses_of_the_site
from tests.pages import tight

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the tiles fell off the table")


def ask_a_database_that_is_away(request: HttpRequest) -> HttpResponse:
    raise OperationalError("could not connect to 10.1.2.3 as umaoka")


def write_without_room(request: HttpRequest) -> HttpResponse:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/srv/secret")


def miss_a_file(request: HttpRequest) -> HttpResponse:
    raise FileNotFoundError(errno.ENOENT, "gone")


urlpatterns = [
    path("crash/", crash),
    path("away/", ask_a_database_that_is_away),
    path("full/", write_without_room),
    path("missing/", miss_a_file),
    *addresses_of_the_site,
]


def test_a_crash_shows_a_plain_page_and_leaves_its_trace_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    answer = Client(raise_request_exception=False).get("/crash/")

    assert answer.status_code == 500
    assert "tiles" not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()
    assert "tiles fell off the table" in caplog.text


@pytest.mark.parametrize(
    ("address", "status", "words", "secret"),
    [
        ("/away/", 503, "The database does not answer", "10.1.2.3"),
        ("/full/", 507, "The disk of this site is full", "/srv/secret"),
        ("/missing/", 500, "Something broke on our side", "gone"),
    ],
)
def test_what_the_machine_lacks_is_said_and_nothing_else(address: str, status: int, words: str, secret: str) -> None:
    answer = Client(raise_request_exception=False).get(address)
    text = answer.content.decode()

    assert answer.status_code == status
    assert f"<h1>{words}</h1>" in tight(text)
    assert secret not in text
    assert "Retry-After" in answer.headers or status != 503


def test_the_log_reaches_standard_error_although_debug_is_off() -> None:
    django = logging.getLogger("django")
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]

    assert django.propagate
    assert not [each for each in django.handlers if each.filters]
    assert handler.filters == []
