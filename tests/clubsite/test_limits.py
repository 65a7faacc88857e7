"""Limits of public forms: counted for each target that a user wants to reach; per network only with a wide limit."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpRequest
from django.test import Client, RequestFactory, override_settings
from pytest_django.fixtures import Settings

from clubsite import browsers, counting, limits
from clubsite.counting import Claim
from clubsite.models import Tally
from tests.cast import make_club
from tests.queue import work_off

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"
FORGOTTEN = "/password/forgotten/"
THREE = limits.Limit("three", "test", 3, datetime.timedelta(hours=1))


def come_from(address: str) -> HttpRequest:
    return RequestFactory().get("/", REMOTE_ADDR=address)


def lower(monkeypatch: pytest.MonkeyPatch, name: str, times: int) -> None:
    """The same limit with a smaller number, so that a test need not ask so often."""
    monkeypatch.setattr(limits, name, dataclasses.replace(getattr(limits, name), times=times))


class TestCounting:
    def test_the_one_too_many_is_refused_and_told_when_to_come_back(self) -> None:
        claim = Claim(THREE, "someone")
        assert [counting.spend(claim, now=at) for at in (0, 10, 20)] == [None] * 3
        refusal = counting.spend(claim, now=600)
        assert refusal is not None
        assert (refusal.seconds, refusal.wait) == (3000, "Try again in 50 minutes.")

    def test_others_are_counted_apart(self) -> None:
        for _each in range(4):
            counting.spend(Claim(THREE, "someone"))
        assert counting.spend(Claim(THREE, "someone else")) is None
        assert counting.spend(Claim(dataclasses.replace(THREE, name="other three"), "someone")) is None

    def test_when_the_time_is_over_it_begins_again(self) -> None:
        claim = Claim(THREE, "someone")
        for _each in range(4):
            counting.spend(claim, now=0)
        assert counting.spend(claim, now=3599) is not None
        assert counting.spend(claim, now=3600) is None

    def test_what_is_given_back_was_never_counted(self) -> None:
        claim = Claim(THREE, "someone")
        for _each in range(20):
            assert counting.spend(claim) is None
            counting.give_back(claim)

    def test_what_is_over_is_forgotten_as_soon_as_something_else_is_counted(self) -> None:
        counting.spend(Claim(THREE, "someone"), now=0)
        counting.spend(Claim(THREE, "someone else"), now=3599)
        assert Tally.objects.count() == 2
        counting.spend(Claim(THREE, "a third"), now=3601)
        assert Tally.objects.count() == 2

    def test_nothing_is_kept_for_longer_than_a_day(self) -> None:
        assert all(limit.within <= limits.LONGEST for limit in limits.ALL)
        names = [limit.name for limit in limits.ALL]
        assert len(set(names)) == len(names)

    def test_neither_names_nor_addresses_can_be_read_from_what_is_stored(self) -> None:
        counting.spend(Claim(limits.SIGN_IN_NAME, "hanako"), Claim(limits.SIGN_IN_NET, "203.0.113.7"))
        stored = " ".join(str(row) for row in Tally.objects.values_list())
        assert "hanako" not in stored
        assert "203.0.113" not in stored

    @pytest.mark.parametrize(
        ("address", "network"),
        [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("fe80::1%eth0", "fe80::/64"),
            ("nonsense", "unknown"),
            ("", "unknown"),
        ],
    )
    def test_an_ipv6_network_is_counted_as_one(self, address: str, network: str) -> None:
        assert counting.network_of(come_from(address)) == network


class TestSigningIn:
    @pytest.fixture(autouse=True)
    def _owner(self) -> None:
        User.objects.create_superuser("owner", email="owner@example.org", password="right-right-right")

    def guess(self, client: Client, name: str = "owner", address: str = "198.51.100.1", password: str = "wrong") -> int:
        answer = client.post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR=address)
        return answer.status_code

    def test_one_name_guessed_at_from_many_addresses_is_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "SIGN_IN_NAME", 5)
        statuses = [self.guess(Client(), address=f"2001:db8:{n}::1") for n in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert self.guess(Client(), address="2001:db8:99::1", password="right-right-right") == 429

    def test_writing_the_name_another_way_is_no_fresh_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "SIGN_IN_NAME", 2)
        assert [self.guess(Client(), name) for name in ("owner", "OWNER", " Owner ")] == [200, 200, 429]

    def test_a_browser_in_which_the_name_signed_in_before_is_not_kept_out(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lower(monkeypatch, "SIGN_IN_NAME", 3)
        lower(monkeypatch, "SIGN_IN_NET", 6)
        assert self.guess(client, password="right-right-right") == 302
        client.post("/admin/logout/")
        for n in range(9):
            self.guess(Client(), name=f"invented{n}" if n % 2 else "owner")
        assert self.guess(Client(), password="right-right-right") == 429
        assert self.guess(client, password="right-right-right") == 302

    def test_such_a_browser_is_counted_too(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "SIGN_IN_BROWSER", 3)
        self.guess(client, password="right-right-right")
        client.post("/admin/logout/")
        assert [self.guess(client) for _each in range(4)] == [200, 200, 200, 429]
        assert self.guess(client, name="other") == 200

    def test_nobody_can_write_that_cookie(self, client: Client) -> None:
        client.cookies[browsers.COOKIE] = browsers._mark("owner")
        request = come_from("198.51.100.1")
        request.COOKIES[browsers.COOKIE] = browsers._mark("owner")
        assert not browsers.knows(request, "owner")

    def test_a_lock_by_name_and_address_spares_the_browser_of_its_holder(self, client: Client) -> None:
        with override_settings(AXES_ENABLED=True):
            assert self.guess(client, password="right-right-right") == 302
            client.post("/admin/logout/")
            joker = Client()
            assert [self.guess(joker) for _each in range(9)][-1] == 429
            assert self.guess(client, password="right-right-right") == 302

    def test_invented_names_are_counted_together_and_cost_no_password_check(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lower(monkeypatch, "SIGN_IN_NET", 4)
        statuses = [self.guess(Client(), name=f"invented{n}", address=f"2001:db8::{n:x}") for n in range(6)]
        assert statuses == [200] * 4 + [429] * 2
        monkeypatch.setattr("django.contrib.auth.forms.authenticate", pytest.fail)
        assert self.guess(Client(), address="2001:db8::ff", password="right-right-right") == 429

    def test_right_passwords_are_not_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "SIGN_IN_NET", 2)
        lower(monkeypatch, "SIGN_IN_NAME", 2)
        assert {self.guess(Client(), password="right-right-right") for _each in range(6)} == {302}

    def test_whoever_is_refused_keeps_the_name_and_the_way(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lower(monkeypatch, "SIGN_IN_NAME", 0)
        typed = {"username": "owner", "password": "wrong", "next": "/admin/account/"}
        answer = client.post(LOGIN, typed)
        page = answer.content.decode()
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= 3600
        assert "Try again in 60 minutes." in page
        assert 'value="owner"' in page
        assert 'value="/admin/account/"' in page
        assert "wrong" not in page.replace("wrong passwords", "")

    def test_a_new_password_by_email_ends_the_waiting(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "SIGN_IN_NAME", 1)
        assert [self.guess(client) for _each in range(2)] == [200, 429]
        client.post(FORGOTTEN, {"email": "owner@example.org"})
        work_off()
        path = next(word for word in mail.outbox[0].body.split() if "/password/new/" in word).split("testserver", 1)[1]
        page = client.get(path, follow=True)
        new = {"new_password1": "tile-for-tile-2026", "new_password2": "tile-for-tile-2026"}
        client.post(page.redirect_chain[-1][0], new)
        assert self.guess(client, password="tile-for-tile-2026") == 302


class TestPasswordEmails:
    @pytest.fixture(autouse=True)
    def _owner(self) -> None:
        User.objects.create_superuser("owner", email="owner@example.org", password="right-right-right")

    def test_one_address_gets_a_few_and_no_more(self, client: Client) -> None:
        def ask() -> Any:
            answer = client.post(FORGOTTEN, {"email": "owner@example.org"})
            work_off()
            return answer

        answers = [ask() for _each in range(20)]
        assert len(mail.outbox) == limits.PASSWORD_EMAIL.times
        assert {answer.status_code for answer in answers[5:]} == {429}
        page = answers[-1].content.decode()
        assert "Try again in" in page
        assert 'value="owner@example.org"' in page
        assert answers[-1]["Retry-After"]

    def test_the_answer_does_not_tell_whether_there_is_an_account(self, client: Client) -> None:
        def statuses(email: str) -> list[int]:
            return [client.post(FORGOTTEN, {"email": email}).status_code for _each in range(7)]

        assert statuses("owner@example.org") == statuses("nobody@example.org")

    def test_other_spellings_reach_the_account_no_more_often(self, client: Client) -> None:
        spellings = ["owner", "OWNER", "Owner", "oWner", "owNer", "ownEr", "owneR", "OwneR"]
        for spelling in spellings:
            client.post(FORGOTTEN, {"email": f"{spelling}@example.org"}, REMOTE_ADDR="203.0.113.9")
            work_off()
        assert 0 < len(mail.outbox) <= limits.PASSWORD_ACCOUNT.times

    def test_the_link_leads_to_the_site_and_not_to_the_host_header(self, client: Client, settings: Settings) -> None:
        settings.BASE_URL = "https://mahjong.example"
        client.post(FORGOTTEN, {"email": "owner@example.org"}, headers={"host": "evil.example"})
        work_off()
        assert "https://mahjong.example/password/new/" in mail.outbox[0].body
        assert "evil" not in f"{mail.outbox[0].subject} {mail.outbox[0].body}"

    def test_a_local_site_with_a_mail_server_must_know_its_address(self, client: Client, settings: Settings) -> None:
        settings.BASE_URL, settings.EMAIL_HOST = "", "smtp.example.org"
        page = client.post(FORGOTTEN, {"email": "owner@example.org"}, headers={"host": "evil.example"})
        work_off()
        assert "must set UMAOKA_BASE_URL" in page.content.decode()
        assert mail.outbox == []


class TestFiles:
    LIST = "/clubs/furiten/players/"

    @pytest.fixture(autouse=True)
    def _club(self) -> None:
        make_club()

    def test_visitors_meet_a_limit_and_whoever_is_signed_in_is_counted_by_account(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lower(monkeypatch, "FILES_NET", 2)
        ask = {"export": "xlsx"}
        assert [client.get(self.LIST, ask).status_code for _each in range(3)] == [200, 200, 429]
        answer = client.get(self.LIST, ask)
        assert "Try again in 10 minutes." in answer.content.decode()
        assert answer["Retry-After"]
        client.force_login(User.objects.create_user("scorer"))
        lower(monkeypatch, "FILES_ACCOUNT", 1)
        assert [client.get(self.LIST, ask).status_code for _each in range(2)] == [200, 429]

    def test_a_season_as_a_workbook_counts_whatever_is_there(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lower(monkeypatch, "FILES_FILE", 1)
        book = "/clubs/furiten/seasons/spring/workbook.xlsx"
        assert [client.get(book).status_code for _each in range(2)] == [404, 429]

    def test_pages_are_not_counted(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        lower(monkeypatch, "FILES_NET", 0)
        assert {client.get(self.LIST).status_code for _each in range(3)} == {200}
        assert client.get(self.LIST, {"export": "csv"}).status_code == 429
