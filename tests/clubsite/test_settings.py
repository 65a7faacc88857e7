"""The settings as a fresh process reads them from a real environment."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ratings.imports.limits import DEFAULT, MEGA

ROOT = Path(__file__).resolve().parents[2]
COMPLETE = {
    "UMAOKA_ENV": "production",
    "SECRET_KEY": "k" * 30 + "0123456789abcdefghijABCDEFGHIJ",
    "ALLOWED_HOSTS": "club.example.org, www.club.example.org",
    "DATABASE_URL": "postgres://tanaka:secret@db.example.org:5433/club",
}
SHOW = """
import json
from django.conf import settings
print(json.dumps({
    "key": settings.SECRET_KEY,
    "debug": settings.DEBUG,
    "hosts": settings.ALLOWED_HOSTS,
    "port": settings.EMAIL_PORT,
    "hsts": [getattr(settings, f"SECURE_HSTS_{part}") for part in ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")],
    "database": {name: str(value) for name, value in settings.DATABASES["default"].items()},
}))
"""


def start(*arguments: str, var: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py` in a process that knows only what it is told here."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=kept | {"UMAOKA_VAR": str(var)} | environment,
        capture_output=True,
        text=True,
    )


def read(var: Path, **environment: str) -> dict[str, object]:
    shown = start("shell", "--no-imports", "--command", SHOW, var=var, **environment)
    assert shown.returncode == 0, shown.stderr
    settings: dict[str, object] = json.loads(shown.stdout)
    return settings


def database(var: Path, **environment: str) -> dict[str, str]:
    found = read(var, **environment)["database"]
    assert isinstance(found, dict)
    return found


def refusal(var: Path, **environment: str) -> str:
    refused = start("check", var=var, **environment)
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
    return refused.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"])
@pytest.mark.parametrize("value", [None, "", " , "], ids=["absent", "empty", "blank"])
def test_production_without_a_setting_refuses_to_start_and_names_it(
    tmp_path: Path, name: str, value: str | None
) -> None:
    environment = {key: text for key, text in COMPLETE.items() if key != name}
    if value is not None:
        environment[name] = value

    sentence = refusal(tmp_path, **environment)

    assert name in sentence
    assert not any(other in sentence for other in COMPLETE if other not in (name, "UMAOKA_ENV"))


def test_production_names_everything_that_is_missing_at_once(tmp_path: Path) -> None:
    assert "SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL" in refusal(tmp_path, UMAOKA_ENV="production")


def test_production_makes_no_key_and_no_file_of_its_own(tmp_path: Path) -> None:
    refusal(tmp_path, UMAOKA_ENV="production")

    assert list(tmp_path.iterdir()) == []


def test_production_reads_every_setting_from_the_environment(tmp_path: Path) -> None:
    settings = read(tmp_path, **COMPLETE, UMAOKA_DEBUG="1")

    assert settings["key"] == COMPLETE["SECRET_KEY"]
    assert settings["hosts"] == ["club.example.org", "www.club.example.org"]
    assert settings["debug"] is False


def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    checked = start("check", "--deploy", "--fail-level", "WARNING", var=tmp_path, **COMPLETE)

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("environment", ["prod", "Production", "staging", ""])
def test_an_environment_nobody_knows_is_refused(tmp_path: Path, environment: str) -> None:
    sentence = refusal(tmp_path, UMAOKA_ENV=environment)

    assert f"UMAOKA_ENV is {environment!r}" in sentence
    assert "'local' or 'production'" in sentence


def test_a_local_key_is_made_once_and_only_its_user_may_read_it(tmp_path: Path) -> None:
    var = tmp_path / "not made yet"

    first, second = read(var)["key"], read(var)["key"]

    assert isinstance(first, str)
    assert len(first) >= 50
    assert first == second == (var / "secret-key").read_text()
    assert [path.name for path in var.iterdir()] == ["secret-key"]
    if os.name == "posix":
        assert stat.S_IMODE((var / "secret-key").stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor() as crowd:
        keys = {settings["key"] for settings in crowd.map(lambda _: read(tmp_path), range(4))}

    assert len(keys) == 1


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    assert read(tmp_path / "one")["key"] != read(tmp_path / "two")["key"]


def test_local_use_shows_no_stack_traces_unless_asked(tmp_path: Path) -> None:
    assert read(tmp_path)["debug"] is False
    assert read(tmp_path, UMAOKA_DEBUG="1")["debug"] is True
    assert "UMAOKA_DEBUG" in refusal(tmp_path, UMAOKA_DEBUG="maybe")


def test_without_a_url_the_database_is_a_file_under_var(tmp_path: Path) -> None:
    var = tmp_path / "50 % of #1?"

    found = database(var)

    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == str(var / "umaoka.sqlite3")


def test_a_sqlite_url_chooses_the_file(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "club.sqlite3"

    assert database(tmp_path, DATABASE_URL=f"sqlite:///{file}")["NAME"] == str(file)
    made = start("migrate", "--verbosity", "0", var=tmp_path, DATABASE_URL=f"sqlite:///{file}")

    assert made.returncode == 0, made.stderr
    assert file.read_bytes().startswith(b"SQLite format 3")
    assert not (tmp_path / "umaoka.sqlite3").exists()


def test_a_postgres_url_chooses_the_server(tmp_path: Path) -> None:
    found = database(tmp_path, DATABASE_URL="postgres://tanaka:secret@db.example.org:5433/club")

    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert [found[part] for part in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "tanaka",
        "secret",
        "db.example.org",
        "5433",
        "club",
    ]


@pytest.mark.parametrize("url", ["postgress://tanaka:secret@host/club", "/var/lib/club.sqlite3", "club"])
def test_a_url_that_names_no_database_is_refused_without_repeating_its_password(tmp_path: Path, url: str) -> None:
    sentence = refusal(tmp_path, DATABASE_URL=url)

    assert "DATABASE_URL" in sentence
    assert "secret" not in sentence


def test_a_role_nobody_knows_cannot_be_required_to_use_a_second_step(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, UMAOKA_REQUIRE_SECOND_FACTOR="boss")

    assert "UMAOKA_REQUIRE_SECOND_FACTOR is 'boss'" in sentence


@pytest.mark.parametrize("port", ["abc", "587²", "70000"])
def test_a_port_that_is_none_is_refused_in_a_sentence(tmp_path: Path, port: str) -> None:
    assert "EMAIL_PORT is " in refusal(tmp_path, EMAIL_PORT=port)


def test_promises_for_the_whole_domain_are_made_only_when_asked_for(tmp_path: Path) -> None:
    asked = {"SECURE_HSTS_INCLUDE_SUBDOMAINS": "1", "SECURE_HSTS_PRELOAD": "1"}

    assert read(tmp_path, **COMPLETE)["hsts"] == [31_536_000, False, False]
    assert read(tmp_path, **COMPLETE, **asked)["hsts"] == [31_536_000, True, True]
    assert "SECURE_HSTS_INCLUDE_SUBDOMAINS=1" in refusal(tmp_path, **COMPLETE, SECURE_HSTS_PRELOAD="1")


def test_the_proxy_lets_through_what_the_site_takes() -> None:
    """A little more than the largest file, for the rest of its form; then the site's own sentence is read."""
    said = re.search(r"client_max_body_size (\d+)m;", (ROOT / "deploy" / "nginx.conf").read_text())

    assert said is not None
    assert DEFAULT.file_bytes // MEGA < int(said[1]) <= DEFAULT.file_bytes // MEGA + 4
