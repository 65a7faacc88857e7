"""The second step of signing in: set up, asked for, lost, taken away, required. Codes are computed as a phone would."""

from __future__ import annotations

import datetime
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite import second_factor, signing_in
from clubsite.passwords import digest_of_code
from tests.queue import work_off
from tests.test_urls_matrix import TABLE, expected, places
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

PASSWORD = "tile-for-tile"
KEY = "3132333435363738393031323334353637383930"  # the secret of RFC 6238's examples
SIGN_IN, CODE, SET_UP = "/admin/login/", "/admin/login/code/", "/admin/login/set-up/"
ACCOUNT, ON, OFF = "/admin/account/", "/admin/account/second-step/", "/admin/account/second-step/off/"


class Phone:
    """An authenticator app whose clock may be wrong."""

    def __init__(self, key: str, seconds_off: int = 0) -> None:
        self.key, self.seconds_off = key, seconds_off

    def code(self, later: int = 0) -> str:
        clock = TOTP(bytes.fromhex(self.key))
        clock.time = time.time() + self.seconds_off + later
        return f"{clock.token():06}"

    def wrong_code(self) -> str:
        near = {self.code(step) for step in (-60, -30, 0, 30, 60)}
        return next(code for code in ("000000", "111111", "222222", "333333", "444444", "555555") if code not in near)


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", email="owner@example.org", password=PASSWORD)


@pytest.fixture
def phone(owner: User) -> Phone:
    """The owner's phone, set up long ago; its secret is in the database as the library stores it."""
    TOTPDevice.objects.create(user=owner, key=KEY, name="app")
    device = StaticDevice.objects.create(user=owner, name="recovery codes")
    for code in ("abcdefgh", "22334455"):
        StaticToken.objects.create(device=device, token=digest_of_code(code, device.pk))
    return Phone(KEY)


@pytest.fixture
def at_the_door(client: Client, phone: Phone) -> Client:
    """A client after the right password and before the code."""
    answer = client.post(f"{SIGN_IN}?next=/admin/data/ratings/club/", {"username": "owner", "password": PASSWORD})
    assert answer.headers["Location"] == CODE
    return client


def may_type_again(user: User) -> None:
    """Act as if the wait after a wrong code were over."""
    long_ago = timezone.now() - datetime.timedelta(days=1)
    TOTPDevice.objects.filter(user=user).update(throttling_failure_timestamp=long_ago)
    StaticDevice.objects.filter(user=user).update(throttling_failure_timestamp=long_ago)


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


class TestSettingUp:
    def test_an_app_that_knows_the_secret_turns_it_on_and_codes_are_shown_once(
        self, client: Client, owner: User
    ) -> None:
        client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
        page = client.get(ON)
        key = client.session["second_factor_key"]
        assert 'role="img" aria-label="QR code for your app"' in text(page)
        assert second_factor.typed_key(key) in text(page)

        answer = client.post(ON, {"password": PASSWORD, "code": Phone(key).code()})

        codes = re.findall(r"<code>(\w{4}-\w{4})</code>", text(answer))
        assert len(codes) == len(set(codes)) == 10
        assert answer.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
        assert second_factor.is_on(owner)
        assert is_in(client)
        assert codes[0] not in text(client.get(ACCOUNT))
        assert client.get(ON).headers["Location"] == ACCOUNT

    def test_the_secret_stays_the_same_while_the_page_is_open(self, client: Client, owner: User) -> None:
        client.force_login(owner)
        client.get(ON)
        first = client.session["second_factor_key"]
        client.get(ON)

        assert client.session["second_factor_key"] == first

    @pytest.mark.parametrize("typed", ["", "abc", "12345678901", "²³", "-1"])
    def test_what_is_no_code_turns_nothing_on(self, client: Client, owner: User, typed: str) -> None:
        client.force_login(owner)
        client.get(ON)

        assert client.post(ON, {"password": PASSWORD, "code": typed}).status_code == 422
        assert not second_factor.is_on(owner)

    def test_a_wrong_code_or_password_turns_nothing_on(self, client: Client, owner: User) -> None:
        client.force_login(owner)
        client.get(ON)
        phone = Phone(client.session["second_factor_key"])

        wrong_code = client.post(ON, {"password": PASSWORD, "code": phone.wrong_code()})
        wrong_password = client.post(ON, {"password": "guessed", "code": phone.code()})

        assert "Check the clock of your phone." in text(wrong_code)
        assert "This is not your password." in text(wrong_password)
        assert not second_factor.is_on(owner)

    def test_sessions_begun_with_the_password_alone_end(self, client: Client, owner: User) -> None:
        elsewhere = Client()
        elsewhere.force_login(owner)
        client.force_login(owner)
        client.get(ON)

        client.post(ON, {"password": PASSWORD, "code": Phone(client.session["second_factor_key"]).code()})

        assert is_in(client)
        assert not is_in(elsewhere)

    def test_the_code_that_proved_the_app_does_not_open_the_door_again(self, client: Client, owner: User) -> None:
        client.force_login(owner)
        client.get(ON)
        code = Phone(client.session["second_factor_key"]).code()
        client.post(ON, {"password": PASSWORD, "code": code})
        thief = Client()
        thief.post(SIGN_IN, {"username": "owner", "password": PASSWORD})

        assert thief.post(CODE, {"code": code}).status_code == 422


class TestSigningIn:
    def test_without_it_the_password_is_enough(self, client: Client, owner: User) -> None:
        client.post(SIGN_IN, {"username": "owner", "password": PASSWORD})

        assert is_in(client)

    def test_the_code_leads_where_somebody_wanted_to_go(self, at_the_door: Client, phone: Phone) -> None:
        answer = at_the_door.post(CODE, {"code": phone.code()})

        assert answer.headers["Location"] == "/admin/data/ratings/club/"
        assert is_in(at_the_door)

    def test_spaces_in_a_code_do_not_matter(self, at_the_door: Client, phone: Phone) -> None:
        code = phone.code()

        assert at_the_door.post(CODE, {"code": f" {code[:3]} {code[3:]} "}).status_code == 302

    @pytest.mark.parametrize("seconds_off", [-30, 30], ids=["slow", "fast"])
    def test_a_clock_half_a_minute_off_is_forgiven(self, at_the_door: Client, seconds_off: int) -> None:
        assert at_the_door.post(CODE, {"code": Phone(KEY, seconds_off).code()}).status_code == 302

    def test_a_clock_five_minutes_off_is_not(self, at_the_door: Client) -> None:
        assert at_the_door.post(CODE, {"code": Phone(KEY, 300).code()}).status_code == 422
        assert not is_in(at_the_door)

    def test_a_replayed_code_is_refused(self, at_the_door: Client, phone: Phone) -> None:
        code = phone.code()
        at_the_door.post(CODE, {"code": code})
        thief = Client()
        thief.post(SIGN_IN, {"username": "owner", "password": PASSWORD})

        answer = thief.post(CODE, {"code": code})

        assert "was used already" in text(answer)
        assert not is_in(thief)

    def test_wrong_codes_are_throttled_and_even_the_right_one_waits(
        self, at_the_door: Client, owner: User, phone: Phone
    ) -> None:
        for _ in range(5):
            may_type_again(owner)
            assert "This code is wrong" in text(at_the_door.post(CODE, {"code": phone.wrong_code()}))

        assert "Too many wrong codes. Try again in 16 seconds." in text(at_the_door.post(CODE, {"code": phone.code()}))
        assert not is_in(at_the_door)
        may_type_again(owner)
        assert at_the_door.post(CODE, {"code": phone.code()}).status_code == 302

    @pytest.mark.parametrize("typed", ["abcd-efgh", "ABCD EFGH", "2233-4455"])
    def test_a_recovery_code_opens_the_door_once(self, at_the_door: Client, typed: str) -> None:
        assert "Recovery code" in text(at_the_door.get(f"{CODE}?recovery"))
        assert at_the_door.post(f"{CODE}?recovery", {"code": typed}).status_code == 302
        assert "1 recovery code left" in text(at_the_door.get(ACCOUNT))
        again = Client()
        again.post(SIGN_IN, {"username": "owner", "password": PASSWORD})

        assert again.post(CODE, {"code": typed}).status_code == 422

    def test_the_door_closes_after_ten_minutes(
        self, at_the_door: Client, phone: Phone, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(signing_in, "KEPT_FOR", -1)

        answer = at_the_door.post(CODE, {"code": phone.code()}, follow=True)

        assert "Sign in with your name and password first." in text(answer)
        assert not is_in(at_the_door)

    def test_a_password_changed_meanwhile_closes_the_door(self, at_the_door: Client, owner: User, phone: Phone) -> None:
        owner.set_password("another-tile")
        owner.save()

        at_the_door.post(CODE, {"code": phone.code()})

        assert not is_in(at_the_door)

    def test_an_account_closed_meanwhile_stays_out(self, at_the_door: Client, owner: User, phone: Phone) -> None:
        User.objects.update(is_active=False)

        at_the_door.post(CODE, {"code": phone.code()})

        assert not is_in(at_the_door)

    def test_whoever_is_at_the_door_cannot_replace_the_phone(self, at_the_door: Client, owner: User) -> None:
        assert at_the_door.get(SET_UP).status_code == 302
        assert at_the_door.post(SET_UP, {"code": Phone(KEY).code()}).status_code == 302
        assert TOTPDevice.objects.get().key == KEY

    def test_a_new_password_by_letter_does_not_skip_it(self, client: Client, phone: Phone) -> None:
        client.post("/password/forgotten/", {"email": "owner@example.org"})
        work_off()
        link = re.search(r"http://testserver(/password/new/\S+)", str(mail.outbox[0].body))
        assert link is not None
        page = client.get(link[1], follow=True)
        new = {"new_password1": "winds-and-dragons", "new_password2": "winds-and-dragons"}
        client.post(page.redirect_chain[-1][0], new)
        assert not is_in(client)

        answer = client.post(SIGN_IN, {"username": "owner", "password": "winds-and-dragons"})

        assert answer.headers["Location"] == CODE
        assert not is_in(client)

    def test_throttled_passwords_are_throttled_before_the_code(self, client: Client, phone: Phone) -> None:
        with override_settings(AXES_ENABLED=True):
            for _ in range(8):
                client.post(SIGN_IN, {"username": "owner", "password": "guessed"})
            answer = client.post(SIGN_IN, {"username": "owner", "password": PASSWORD})

        assert answer.status_code == 429
        assert client.get(CODE).status_code == 302

    def test_the_right_code_forgives_earlier_wrong_passwords(self, client: Client, phone: Phone) -> None:
        with override_settings(AXES_ENABLED=True):
            for _ in range(7):
                client.post(SIGN_IN, {"username": "owner", "password": "guessed"})
            client.post(SIGN_IN, {"username": "owner", "password": PASSWORD})
            client.post(CODE, {"code": phone.code()})
            client.post("/admin/logout/")

            assert client.post(SIGN_IN, {"username": "owner", "password": "guessed"}).status_code == 200


class TestTheHalfOpenDoor:
    @pytest.fixture
    def world(self) -> World:
        return make_world()

    def test_every_address_is_a_strangers_until_the_code_is_right(self, world: World) -> None:
        """A user with only the owner's password, at every address of the matrix."""
        owner = world.users["owner"]
        owner.set_password(PASSWORD)
        owner.save()
        TOTPDevice.objects.create(user=owner, key=KEY, name="app")
        half = Client()
        assert half.post(SIGN_IN, {"username": "owner", "password": PASSWORD}).headers["Location"] == CODE
        names = places(world)
        ways_in = {CODE, "/i18n/setlang/"}

        for address in TABLE.keys() - ways_in:
            answer: Any = half.get(address.format(**names))
            assert answer.status_code == expected(TABLE[address][0])["stranger"], address
            if answer.streaming:
                b"".join(answer.streaming_content)


class TestLosingAndRenewing:
    @pytest.fixture
    def inside(self, at_the_door: Client, phone: Phone) -> Client:
        at_the_door.post(CODE, {"code": Phone(KEY, -30).code()})
        assert is_in(at_the_door)
        return at_the_door

    def test_turning_off_needs_password_and_code(self, inside: Client, owner: User, phone: Phone) -> None:
        no_password = inside.post(OFF, {"password": "guessed", "code": phone.code()})
        no_code = inside.post(OFF, {"password": PASSWORD, "code": phone.wrong_code()})
        assert (no_password.status_code, no_code.status_code) == (422, 422)
        assert second_factor.is_on(owner)
        may_type_again(owner)

        inside.post(OFF, {"password": PASSWORD, "code": phone.code()})

        assert not second_factor.is_on(owner)
        assert second_factor.recovery_codes_left(owner) == 0
        assert is_in(inside)

    def test_a_wrong_password_spends_no_code(self, inside: Client, owner: User, phone: Phone) -> None:
        inside.post(OFF, {"password": "guessed", "code": "abcd-efgh"})

        assert second_factor.recovery_codes_left(owner) == 2

    def test_new_recovery_codes_end_the_old_ones(self, inside: Client, owner: User, phone: Phone) -> None:
        answer = inside.post("/admin/account/recovery-codes/", {"password": PASSWORD, "code": phone.code()})

        shown = re.findall(r"<code>(\w{4}-\w{4})</code>", text(answer))
        assert len(shown) == 10
        with pytest.raises(second_factor.WrongCode):
            second_factor.check(owner, "abcd-efgh")
        may_type_again(owner)
        second_factor.check(owner, shown[4])

    def test_the_database_does_not_know_the_recovery_codes(self, inside: Client, owner: User, phone: Phone) -> None:
        codes = second_factor.renew_recovery_codes(owner)

        stored = " ".join(StaticToken.objects.values_list("token", flat=True))
        assert not any(code in stored or code.replace("-", "") in stored for code in codes)

    def test_guessed_passwords_close_the_door_here_too(self, inside: Client, phone: Phone) -> None:
        with override_settings(AXES_ENABLED=True):
            answers = [inside.post(OFF, {"password": f"guess {n}", "code": "000000"}) for n in range(8)]

        assert answers[-1].status_code == 429

    def test_everything_is_in_the_history_of_the_account(self, inside: Client, owner: User, phone: Phone) -> None:
        inside.post(OFF, {"password": PASSWORD, "code": phone.code()})

        assert "Two-factor authentication turned off." in text(inside.get(f"/admin/data/auth/user/{owner.pk}/history/"))

    def test_the_owner_turns_it_off_for_somebody_and_that_is_written_down(self, client: Client, phone: Phone) -> None:
        member = User.objects.create_user("scorer")
        TOTPDevice.objects.create(user=member, key=KEY, name="app")
        client.force_login(User.objects.get(username="owner"))
        address = f"/admin/data/auth/user/{member.pk}/second-step/"
        assert address in text(client.get(f"/admin/data/auth/user/{member.pk}/change/"))
        assert "really scorer who asks" in text(client.get(address))
        assert second_factor.is_on(member)

        client.post(address)

        assert not second_factor.is_on(member)
        entry = LogEntry.objects.get(object_id=str(member.pk))
        assert (entry.user.get_username(), entry.change_message) == ("owner", "Two-factor authentication turned off.")

    def test_the_owner_proves_who_it_is_before_weakening_the_own_account(self, inside: Client, owner: User) -> None:
        assert inside.post(f"/admin/data/auth/user/{owner.pk}/second-step/").headers["Location"] == ACCOUNT
        assert second_factor.is_on(owner)

    def test_secrets_have_no_page_in_the_admin(self, inside: Client) -> None:
        device = TOTPDevice.objects.get()

        assert inside.get("/admin/data/otp_totp/totpdevice/").status_code == 404
        assert inside.get(f"/admin/data/otp_totp/totpdevice/{device.pk}/config/").status_code == 404
        assert inside.get("/admin/data/otp_static/staticdevice/").status_code == 404

    def test_the_command_on_the_server_lets_the_owner_in_without_a_phone(
        self, client: Client, capsys: pytest.CaptureFixture[str]
    ) -> None:
        admin = User.objects.create_superuser("admin")
        TOTPDevice.objects.create(user=admin, key=KEY, name="app")

        call_command("login")

        assert "Two-factor authentication was turned off" in capsys.readouterr().out
        assert not second_factor.is_on(admin)


class TestRequired:
    @pytest.fixture(params=["owner", "admin"])
    def required(self, request: pytest.FixtureRequest) -> Iterator[str]:
        with override_settings(REQUIRE_SECOND_FACTOR=request.param):
            yield request.param

    def test_whoever_must_and_has_none_sets_it_up_before_being_let_in(
        self, client: Client, owner: User, required: str
    ) -> None:
        answer = client.post(f"{SIGN_IN}?next=/admin/data/ratings/club/", {"username": "owner", "password": PASSWORD})
        assert answer.headers["Location"] == SET_UP
        assert not is_in(client)
        assert "Your role on this site requires two-factor authentication" in text(client.get(SET_UP))
        phone = Phone(client.session["second_factor_key"])
        assert client.post(SET_UP, {"code": phone.wrong_code()}).status_code == 422
        assert not is_in(client)

        done = client.post(SET_UP, {"code": phone.code()})

        assert len(re.findall(r"<code>\w{4}-\w{4}</code>", text(done))) == 10
        assert 'href="/admin/data/ratings/club/"' in text(done)
        assert is_in(client)

    def test_a_session_older_than_the_rule_ends(self, owner: User, required: str) -> None:
        client = Client()
        client.force_login(owner)

        answer = client.get("/admin/data/ratings/club/")

        assert answer.headers["Location"] == f"{SIGN_IN}?next=/admin/data/ratings/club/"
        assert settings.SESSION_COOKIE_NAME not in client.cookies or not client.session.get("_auth_user_id")

    def test_whoever_turns_it_off_must_set_it_up_again(self, at_the_door: Client, phone: Phone, required: str) -> None:
        at_the_door.post(CODE, {"code": Phone(KEY, -30).code()})
        assert is_in(at_the_door)

        at_the_door.post(OFF, {"password": PASSWORD, "code": phone.code()})

        assert not is_in(at_the_door)

    def test_it_is_asked_of_the_roles_that_the_setting_names(self, required: str) -> None:
        world = make_world()

        must = {name for name, user in world.users.items() if second_factor.is_required_of(user)}

        assert must == {"owner": {"owner"}, "admin": {"owner", "admin", "foreign"}}[required]

    def test_others_sign_in_as_before(self, required: str) -> None:
        world = make_world()
        client = Client()

        client.post(SIGN_IN, {"username": "scorer", "password": PASSWORD})

        assert is_in(client)
        assert world.users["scorer"].is_active


@pytest.mark.parametrize("wrong", ["second_factor_key", "at_the_door"])
def test_a_stranger_keeps_no_secret_in_the_session(client: Client, wrong: str) -> None:
    client.get(CODE)
    client.get(SET_UP)

    assert wrong not in client.session
