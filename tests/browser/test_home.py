"""The front door in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from tests.browser.conftest import LAPTOP, PHONE, Theme, assert_fits, set_theme, set_viewport


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_home_page_opens_without_a_complaint_from_the_browser(
    page: Page, theme: Theme, size: tuple[int, int]
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)

    answer = page.goto("/")

    assert answer is not None
    assert answer.status == 200
    assert "Umaoka" in page.title()


def test_the_home_page_fits_a_phone_without_scrolling_sideways(page: Page) -> None:
    set_viewport(page, PHONE)
    page.goto("/")

    assert_fits(page)


def test_an_inline_script_is_stopped_by_the_policy_and_heard_by_the_tests(page: Page, complaints: list[str]) -> None:
    page.goto("/")
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.intruder = true";
            document.head.append(script);
        }"""
    )

    assert page.evaluate("window.intruder === undefined")
    assert "Content Security Policy" in "\n".join(complaints)
    complaints.clear()


def test_a_file_that_cannot_be_loaded_is_heard_by_the_tests(page: Page, complaints: list[str]) -> None:
    page.goto("/")
    with page.expect_response("**/static/no-such-file.css"):
        page.evaluate(
            """() => {
                const link = document.createElement("link");
                link.rel = "stylesheet";
                link.href = "/static/no-such-file.css";
                document.head.append(link);
            }"""
        )
    page.wait_for_function("true")

    assert "404" in "\n".join(complaints)
    complaints.clear()


def test_the_admin_is_served_with_its_own_stylesheets(
    page: Page, admin_user: User, sign_in: Callable[[User], None]
) -> None:
    sign_in(admin_user)
    with page.expect_response("**/static/admin/css/base.css") as stylesheet:
        page.goto("/admin/data/")

    assert stylesheet.value.status == 200
