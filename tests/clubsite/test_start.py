"""`manage.py start`: from nothing to a served site, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOGIN = "as admin with the password"


@contextmanager
def started(var: Path) -> Iterator[tuple[str, str]]:
    """What was printed until the site was up, and its address."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    server = subprocess.Popen(
        [sys.executable, "manage.py", "start", "127.0.0.1:0"],
        cwd=ROOT,
        env=kept | {"UMAOKA_VAR": str(var)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        printed = ""
        for line in server.stdout:
            printed += line
            if found := re.search(r"Umaoka is at (http://127\.0\.0\.1:\d+)/", line):
                yield printed, found[1]
                break
        else:
            pytest.fail(f"the site did not start: {printed}")
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def get(address: str) -> tuple[int, str]:
    try:
        with urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def test_the_first_start_serves_the_site_and_every_next_one_keeps_it(tmp_path: Path) -> None:
    with started(tmp_path) as (printed, address):
        assert printed.count(LOGIN) == 1
        assert get(f"{address}/")[0] == 200
        assert get(f"{address}/static/admin/css/base.css")[0] == 200
        shows_nothing_of_its_insides(get(f"{address}/no-such-page/"))

    with started(tmp_path) as (printed, address):
        assert LOGIN not in printed
        assert get(f"{address}/admin/login/")[0] == 200


def shows_nothing_of_its_insides(answer: tuple[int, str]) -> None:
    status, page = answer
    assert status == 404
    assert "urlpatterns" not in page
    assert "Traceback" not in page
    assert str(ROOT) not in page
