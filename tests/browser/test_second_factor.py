"""The second step of signing in, on a phone and by keyboard alone."""

from __future__ import annotations

import base64

import pytest
from django.contrib.auth.models import User
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport

PASSWORD = "tile-for-tile"


def sign_in(page: Page) -> None:
    """The first field has the focus; Tab and Enter do the rest."""
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("owner")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def assert_good(page: Page, complaints: list[str]) -> None:
    assert_fits(page)
    assert_accessible(page, complaints)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_turned_on_and_asked_for_by_keyboard_alone(page: Page, complaints: list[str], theme: Theme) -> None:
    owner = User.objects.create_superuser("owner", password=PASSWORD)
    set_theme(page, theme)
    set_viewport(page, PHONE)
    page.goto("/admin/login/?next=/admin/account/")
    assert_good(page, complaints)
    sign_in(page)
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    assert_good(page, complaints)

    page.get_by_role("link", name="Turn on").press("Enter")
    expect(page.get_by_role("img", name="QR code for your app")).to_be_visible()
    assert_good(page, complaints)
    secret = base64.b32decode(page.locator(".secret code").inner_text().replace(" ", ""))
    page.keyboard.type(f"{TOTP(secret).token():06}")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".codes li")).to_have_count(10)
    assert_good(page, complaints)
    kept = page.locator(".codes code").first.inner_text()
    page.get_by_role("button", name="Sign out").press("Enter")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    page.goto("/admin/login/?next=/admin/account/")
    sign_in(page)
    expect(page.get_by_label("Code from your app")).to_be_focused()
    assert_good(page, complaints)
    page.get_by_role("link", name="Use a recovery code instead").press("Enter")
    expect(page.get_by_label("Recovery code")).to_be_focused()
    page.keyboard.type(kept.upper())
    page.keyboard.press("Enter")
    expect(page.get_by_text("9 recovery codes are left.")).to_be_visible()
    assert TOTPDevice.objects.get().user == owner
