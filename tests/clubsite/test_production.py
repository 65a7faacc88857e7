"""The site as visitors meet it: gunicorn, production settings, collected files, two processes; its log is read too."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.with_postgres import free_port

ROOT = Path(__file__).resolve().parents[2]
HOST = "ratings.example.org"
READER = "203.0.113.77"  # an address reserved for documentation, RFC 5737
SET_UP = """
from django.core.management import call_command
from django.contrib.auth.models import User
from tests.world import make_world
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
make_world()
User.objects.create_superuser("chief", password="tile-for-tile-2026")
"""


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", self.body.decode())


@dataclass
class Site:
    port: int
    log: Path
    database: Path
    jar: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, form: dict[str, str] | None = None, **headers: str) -> Answer:
        """Send a request as nginx passes it on; cookies are kept as in a browser."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        given = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": READER}
        if self.jar:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        body = None
        if form is not None:
            body = urlencode(form)
            given |= {"Content-Type": "application/x-www-form-urlencoded", "Referer": f"https://{HOST}{path}"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET" if form is None else "POST", path, body, given)
        response = connection.getresponse()
        cookies = response.headers.get_all("Set-Cookie") or []
        for cookie in cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.jar[name] = value
        found = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, found, cookies, response.read())
        connection.close()
        return answer

    def post(self, path: str, **form: str) -> Answer:
        """Post with the CSRF token of the page's own form."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.ask(path).text)
        assert token is not None
        return self.ask(path, {**form, "csrfmiddlewaretoken": token[1]})

    def stranger(self) -> Site:
        return Site(self.port, self.log, self.database)

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    var = tmp_path_factory.mktemp("production")
    database, port = var / "umaoka.sqlite3", free_port()
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | {
        "UMAOKA_ENV": "production",
        "UMAOKA_VAR": str(var),
        "SECRET_KEY": "k" * 30 + "0123456789abcdefghijABCDEFGHIJ",
        "ALLOWED_HOSTS": HOST,
        "DATABASE_URL": f"sqlite:///{database}",
        "UMAOKA_BIND": f"127.0.0.1:{port}",
        "WEB_CONCURRENCY": "2",
        "PYTHONPATH": str(ROOT),
    }
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", SET_UP],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    log = var / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "clubsite.wsgi"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
    site = Site(port, log, database)
    try:
        _wait_until_it_answers(site, server)
        yield site
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def _wait_until_it_answers(site: Site, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        try:
            site.ask("/healthz")
            return
        except OSError:
            assert server.poll() is None, site.log.read_text()
            time.sleep(0.1)
    pytest.fail(f"gunicorn did not answer: {site.log.read_text()}")


@pytest.fixture
def site(served: Site) -> Site:
    return served.stranger()


def test_the_watchman_gets_its_answer_without_https(site: Site) -> None:
    answer = site.ask("/healthz", X_Forwarded_Proto="http")

    assert (answer.status, answer.body) == (200, b"ok\n")


def test_plain_http_is_sent_to_https(site: Site) -> None:
    answer = site.ask("/players/", X_Forwarded_Proto="http")

    assert (answer.status, answer.headers["location"]) == (301, f"https://{HOST}/players/")


def test_a_host_nobody_named_is_refused_in_words(site: Site) -> None:
    answer = site.ask("/", Host="evil.example.net")

    assert answer.status == 400
    assert "Traceback" not in answer.text


def test_every_page_carries_the_headers_of_a_careful_site(site: Site) -> None:
    for path in ("/", "/players/", "/tournaments/", "/admin/login/", "/nowhere/", "/healthz"):
        headers = site.ask(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy, path
        assert "unsafe" not in policy, path
        assert headers["strict-transport-security"] == "max-age=31536000", path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "same-origin", path
        assert headers["x-frame-options"] == "DENY", path
        assert headers["cross-origin-opener-policy"] == "same-origin", path


def test_no_page_holds_a_script_or_a_style_of_its_own(site: Site) -> None:
    for path in ("/", "/players/", "/clubs/furiten/", "/tournaments/", "/admin/login/", "/nowhere/"):
        page = site.ask(path).text
        assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=", page), path


def test_files_are_hashed_compressed_and_kept_for_good(site: Site) -> None:
    names = re.findall(r'(?:href|src)="(/static/[^"#]+)', site.ask("/").text)
    assert len(names) > 10
    for name in names:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", name), name
        answer = site.ask(name, Accept_Encoding="gzip, br")
        assert answer.status == 200, name
        assert answer.headers["cache-control"] == "max-age=315360000, public, immutable", name
        if name.endswith((".css", ".js")) and len(answer.body) > 1000:
            assert answer.headers["content-encoding"] in ("gzip", "br"), name


def test_cookies_travel_by_https_only_and_readers_get_the_one_of_forms(site: Site) -> None:
    cookies = site.ask("/clubs/furiten/").cookies
    assert [cookie.partition("=")[0] for cookie in cookies] == ["csrftoken"]

    cookies += site.post("/admin/login/", username="chief", password="tile-for-tile-2026").cookies

    for cookie in cookies:
        assert "Secure" in cookie
        assert "SameSite=Lax" in cookie
    assert any(cookie.startswith("sessionid=") and "HttpOnly" in cookie for cookie in cookies)


def test_a_session_begun_in_one_process_is_known_in_the_others(site: Site) -> None:
    site.post("/admin/login/", username="chief", password="tile-for-tile-2026")

    assert {site.ask("/admin/").status for _ in range(20)} == {200}


def test_guessing_closes_the_door_for_the_guesser_and_not_for_whose_name_it_is(site: Site) -> None:
    for _ in range(8):
        guessed = site.post("/admin/login/", username="referee", password="guessed")
    assert guessed.status == 429
    assert "Too many attempts" in guessed.text

    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', site.ask("/admin/login/").text)
    assert token is not None
    right = {"username": "referee", "password": "tile-for-tile", "csrfmiddlewaretoken": token[1]}
    assert site.ask("/admin/login/", right).status == 429
    assert site.ask("/admin/login/", right, X_Forwarded_For="198.51.100.4").status == 302


def test_a_wrong_address_is_answered_in_words_and_in_our_look(site: Site) -> None:
    answer = site.ask("/nowhere/")

    assert answer.status == 404
    assert "There is no such page" in answer.text
    assert "umaoka/base." in answer.text


def test_a_form_without_its_token_is_answered_in_words_and_in_our_look(site: Site) -> None:
    answer = site.ask("/password/forgotten/", {"email": "someone@example.org"})

    assert answer.status == 403
    assert "Nothing was saved" in answer.text
    assert "umaoka/base." in answer.text


def test_what_somebody_may_not_do_is_answered_in_words_and_in_our_look(site: Site) -> None:
    site.post("/admin/login/", username="scorer", password="tile-for-tile")

    answer = site.ask("/admin/ratings/club/add/")

    assert answer.status == 403
    assert "You don’t have permission to do this" in answer.text
    assert "umaoka/base." in answer.text


def test_a_crash_is_answered_in_words_and_the_trace_stays_in_the_log(site: Site) -> None:
    with closing(sqlite3.connect(site.database)) as file, file:
        (slug,) = file.execute("SELECT slug FROM ratings_ruleset ORDER BY id DESC").fetchone()
        file.execute("UPDATE ratings_ruleset SET parameters = '[]' WHERE slug = ?", [slug])  # no form accepts this

    answer = site.ask(f"/clubs/haneman/rules/{slug}/1/?q=Kvaternik")

    assert answer.status == 500
    assert "Something broke on our side" in answer.text
    assert "umaoka/base." in answer.text
    for inside in ("Traceback", "Error", "parameters", str(ROOT)):
        assert inside not in answer.text
    crash = next(json.loads(line) for line in reversed(site.lines()) if '"ERROR"' in line)
    assert crash["status"] == 500
    assert crash["path"].startswith("/clubs/<")
    assert crash["trace"].startswith("Traceback")


def test_the_log_is_json_and_names_nobody(site: Site) -> None:
    """No name and no typed text is in the log, wherever an error happens."""
    site.post("/admin/login/", username="hanako.mori@example.org", password="correct-horse-riichi")
    site.ask("/players/?q=Morinaga")
    site.ask("/players/999999-hanako-mori/")
    site.ask(f"/players/999999-{quote('森花子')}/")
    site.ask("/hanako.mori@example.org/?q=Morinaga")
    site.ask("/password/forgotten/", {"email": "hanako.mori@example.org"})
    site.ask("/tournaments/furiten-open/register/", {"native_name": "Morinaga Hanako"})
    site.post("/password/forgotten/", email="hanako.mori@example.org")
    site.post("/admin/login/", username="chief", password="tile-for-tile-2026")
    site.ask("/admin/data/ratings/player/?q=Morinaga")
    site.ask("/admin/ratings/player/add/", {"native_name": "Morinaga Hanako"})
    site.ask("/admin/ratings/player/999999/change/?_changelist_filters=q%3DMorinaga")

    lines = site.lines()
    assert len(lines) > 5
    for line in lines:
        json.loads(line)
    told = "\n".join(lines).lower()
    secrets = ("correct-horse", "tile-for-tile", "hanako", "mori", "森", "u68ee", quote("森").lower(), READER, "chief")
    for private in secrets:
        assert private not in told, private


def test_the_first_process_says_that_it_serves(site: Site) -> None:
    messages = [json.loads(line)["message"] for line in site.lines()]

    assert any("Listening at" in message for message in messages)
