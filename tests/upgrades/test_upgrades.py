"""A database that an older version made is upgraded with nothing lost, on the engine under test.

The files are listed in `make.py`. What they must hold is worked out by hand from the story (`story.py`) and the rules.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.databases import connected, on_postgres, own_database, values

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OLD = sorted(path.name.removesuffix(".sqlite3.gz") for path in HERE.glob("*.sqlite3.gz"))
CODES = "SELECT token FROM otp_static_statictoken ORDER BY id"


def put(name: str, url: str) -> None:
    """Put the old database in place, as a club has it on its disk."""
    if not on_postgres():
        Path(unquote(urlsplit(url).path[1:])).write_bytes(gzip.decompress((HERE / f"{name}.sqlite3.gz").read_bytes()))
        return
    with connected(url) as database:
        database.execute((HERE / f"{name}.sql").read_bytes())


def upgraded(url: str, code: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrades.look", code],
        cwd=ROOT,
        env=os.environ | {"UMAOKA_ENV": "local", "DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", OLD)
def test_a_database_of_an_older_version_is_upgraded_with_nothing_lost(name: str, tmp_path: Path) -> None:
    with own_database(tmp_path) as url:
        put(name, url)
        codes = values(url, CODES)
        found = upgraded(url, codes[3])
        kept = values(url, CODES)

    assert found["checked"] == "Everything derived is right; nothing was changed."
    # Furiten's rules give 45 200, 31 100, 25 700, 18 000 the results +24.2, +4.1, −7.3, −21.0. Dmitry won three times,
    # once as the row merged into his, and was fined 5 000; Małgorzata's fine was taken back; a void game, a draft
    # and an import taken back count nowhere.
    assert found["totals"]["spring"] == [67_600, 8_200, -14_600, -42_000, 4_100, -7_300, -21_000]
    assert found["totals"]["average"] == [3_200, -3_200, -3_200, 3_200]
    assert found["totals"]["old"] == [24_200, 4_100, -7_300, -21_000]
    assert [sum(found["ratings"][slug]) // 1000 for slug in ("tenhou", "elo")] == [6_000, 6_000]
    # EMA 2012: ±45 and ±15 a game. Two games, halved for the final, and one more there; the fine stays behind.
    assert found["final"] == [[1, 1, 90_000], [2, 5, 60_000], [3, 2, 0], [4, 6, -30_000]]
    assert {status: found["games"].count(status) for status in ("draft", "void")} == {"draft": 1, "void": 2}
    # Addresses were stored before there were keys, in the history of seasons too.
    assert found["pages"] == ["/tournaments/open/", "/tournaments/secret/"]
    assert found["formerly"] == [["tournament", "open"], ["tournament", "secret"]]
    assert found["people"][0] == "Дмитрий Соколов"
    assert found["people"][6] == "Anonymous player 7"
    assert found["code"] == ["taken", "refused"]
    assert len(kept) == 9
    assert not set(kept) & set(codes)  # the stored values reveal no code
