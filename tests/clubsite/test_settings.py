"""The settings as a function of the environment and, where it matters, as a new process reads them."""

from __future__ import annotations

import os
import re
import runpy
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from ratings.imports.limits import DEFAULT, MEGA

ROOT = Path(__file__).resolve().parents[2]
COMPLETE = {
    "UMAOKA_ENV": "production",
    "SECRET_KEY": "k" * 30 + "0123456789abcdefghijABCDEFGHIJ",
    "ALLOWED_HOSTS": "club.example.org, www.club.example.org",
    "DATABASE_URL": "postgres://tanaka:secret@db.example.org:5433/club",
}

Read = Callable[..., dict[str, Any]]


def python(*arguments: str, var: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a process whose environment holds only what is given here."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept | {"UMAOKA_VAR": str(var)} | environment,
        capture_output=True,
        text=True,
    )


def start(*arguments: str, var: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return python("manage.py", *arguments, var=var, **environment)


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads the settings of a site under `var` in an environment that holds only what is given."""

    def settings(var: Path = tmp_path, **environment: str) -> dict[str, Any]:
        with monkeypatch.context() as given:
            given.setattr(os, "environ", {"UMAOKA_VAR": str(var)} | environment)
            return runpy.run_path(str(ROOT / "clubsite" / "settings.py"))

    return settings


def refusal(read: Read, **environment: str) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(**environment)
    return str(refused.value)


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"])
@pytest.mark.parametrize("value", [None, "", " , "], ids=["absent", "empty", "blank"])
def test_production_without_a_setting_refuses_to_start_and_names_it(read: Read, name: str, value: str | None) -> None:
    environment = {key: text for key, text in COMPLETE.items() if key != name}
    if value is not None:
        environment[name] = value

    sentence = refusal(read, **environment)

    assert name in sentence
    assert not any(other in sentence for other in COMPLETE if other not in (name, "UMAOKA_ENV"))


def test_production_names_everything_that_is_missing_at_once(read: Read) -> None:
    assert "SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL" in refusal(read, UMAOKA_ENV="production")


def test_a_process_that_is_refused_says_it_in_a_sentence_and_makes_no_key_and_no_file(tmp_path: Path) -> None:
    refused = start("check", var=tmp_path, UMAOKA_ENV="production")

    assert refused.returncode != 0
    assert "set SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL in the environment" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_production_reads_every_setting_from_the_environment(read: Read) -> None:
    settings = read(**COMPLETE, UMAOKA_DEBUG="1")

    assert settings["SECRET_KEY"] == COMPLETE["SECRET_KEY"]
    assert settings["ALLOWED_HOSTS"] == ["club.example.org", "www.club.example.org"]
    assert settings["DEBUG"] is False


def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    checked = start("check", "--deploy", "--fail-level", "WARNING", var=tmp_path, **COMPLETE)

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("environment", ["prod", "Production", "staging", ""])
def test_an_environment_nobody_knows_is_refused(read: Read, environment: str) -> None:
    sentence = refusal(read, UMAOKA_ENV=environment)

    assert f"UMAOKA_ENV is {environment!r}" in sentence
    assert "'local' or 'production'" in sentence


def test_a_local_key_is_made_once_and_only_its_user_may_read_it(read: Read, tmp_path: Path) -> None:
    var = tmp_path / "not made yet"

    first, second = read(var)["SECRET_KEY"], read(var)["SECRET_KEY"]

    assert isinstance(first, str)
    assert len(first) >= 50
    assert first == second == (var / "secret-key").read_text()
    assert [path.name for path in var.iterdir()] == ["secret-key"]
    if os.name == "posix":
        assert stat.S_IMODE((var / "secret-key").stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    show = "from clubsite import settings; print(settings.SECRET_KEY)"
    with ThreadPoolExecutor() as crowd:
        started = list(crowd.map(lambda _: python("-c", show, var=tmp_path), range(4)))

    assert [process.returncode for process in started] == [0] * 4, started
    assert {process.stdout for process in started} == {(tmp_path / "secret-key").read_text() + "\n"}


def test_two_installations_have_different_keys(read: Read, tmp_path: Path) -> None:
    assert read(tmp_path / "one")["SECRET_KEY"] != read(tmp_path / "two")["SECRET_KEY"]


def test_local_use_shows_no_stack_traces_unless_asked(read: Read) -> None:
    assert read()["DEBUG"] is False
    assert read(UMAOKA_DEBUG="1")["DEBUG"] is True
    assert "UMAOKA_DEBUG" in refusal(read, UMAOKA_DEBUG="maybe")


def test_passwords_are_hashed_slowly_and_wrong_ones_counted(read: Read) -> None:
    """Tests of pages do neither; the settings they change for themselves must not become the settings of the site."""
    settings = read()

    assert settings["PASSWORD_HASHERS"][0] == "django.contrib.auth.hashers.Argon2PasswordHasher"
    assert settings["RECOVERY_CODE_COST"] >= 2**14
    assert settings.get("AXES_ENABLED", True) is True


def test_without_a_url_the_database_is_a_file_under_var(read: Read, tmp_path: Path) -> None:
    var = tmp_path / "50 % of #1?"

    found = read(var)["DATABASES"]["default"]

    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == str(var / "umaoka.sqlite3")


def test_a_sqlite_url_chooses_the_file(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "club.sqlite3"

    made = start("migrate", "sessions", "--verbosity", "0", var=tmp_path, DATABASE_URL=f"sqlite:///{file}")

    assert made.returncode == 0, made.stderr
    assert file.read_bytes().startswith(b"SQLite format 3")
    assert not (tmp_path / "umaoka.sqlite3").exists()


def test_a_postgres_url_chooses_the_server(read: Read) -> None:
    found = read(DATABASE_URL="postgres://tanaka:secret@db.example.org:5433/club")["DATABASES"]["default"]

    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert [str(found[part]) for part in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "tanaka",
        "secret",
        "db.example.org",
        "5433",
        "club",
    ]


@pytest.mark.parametrize("url", ["postgress://tanaka:secret@host/club", "/var/lib/club.sqlite3", "club"])
def test_a_url_that_names_no_database_is_refused_without_repeating_its_password(read: Read, url: str) -> None:
    sentence = refusal(read, DATABASE_URL=url)

    assert "DATABASE_URL" in sentence
    assert "secret" not in sentence


def test_a_role_nobody_knows_cannot_be_required_to_use_a_second_step(read: Read) -> None:
    sentence = refusal(read, UMAOKA_REQUIRE_SECOND_FACTOR="boss")

    assert "UMAOKA_REQUIRE_SECOND_FACTOR is 'boss'" in sentence


@pytest.mark.parametrize("port", ["abc", "587²", "70000"])
def test_a_port_that_is_none_is_refused_in_a_sentence(read: Read, port: str) -> None:
    assert "EMAIL_PORT is " in refusal(read, EMAIL_PORT=port)


def test_promises_for_the_whole_domain_are_made_only_when_asked_for(read: Read) -> None:
    asked = {"SECURE_HSTS_INCLUDE_SUBDOMAINS": "1", "SECURE_HSTS_PRELOAD": "1"}

    def promised(**environment: str) -> list[object]:
        settings = read(**COMPLETE, **environment)
        return [settings[f"SECURE_HSTS_{part}"] for part in ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")]

    assert promised() == [31_536_000, False, False]
    assert promised(**asked) == [31_536_000, True, True]
    assert "SECURE_HSTS_INCLUDE_SUBDOMAINS=1" in refusal(read, **COMPLETE, SECURE_HSTS_PRELOAD="1")


def test_the_proxy_lets_through_what_the_site_takes() -> None:
    """The limit is a little above the largest file, for the rest of its form; so users read the site's own message."""
    said = re.search(r"client_max_body_size (\d+)m;", (ROOT / "deploy" / "nginx.conf").read_text())

    assert said is not None
    assert DEFAULT.file_bytes // MEGA < int(said[1]) <= DEFAULT.file_bytes // MEGA + 4
