"""What a visitor sees when something breaks, with the settings of `make run`."""

from __future__ import annotations

import logging

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from clubsite.urls import urlpatterns as addresses_of_the_site

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the tiles fell off the table")


urlpatterns = [path("crash/", crash), *addresses_of_the_site]


def test_a_crash_shows_a_plain_page_and_leaves_its_trace_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    answer = Client(raise_request_exception=False).get("/crash/")

    assert answer.status_code == 500
    assert "tiles" not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()
    assert "tiles fell off the table" in caplog.text


def test_the_log_reaches_standard_error_although_debug_is_off() -> None:
    django = logging.getLogger("django")
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]

    assert django.propagate
    assert not [each for each in django.handlers if each.filters]
    assert handler.filters == []
