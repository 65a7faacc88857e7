"""A Redis that dies, hangs or comes back: pages are made again and stay right, and no reader waits long for it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import results
from tests.faults.site import SQLITE, Server, Site
from tests.faults.visitor import Visitor
from tests.pages import tables
from tests.with_postgres import free_port

pytestmark = pytest.mark.faults


class Redis:
    """A separate server on a free port that stores nothing on disk."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("redis-server")
        if found is None:
            pytest.fail("Redis is not installed here. On Debian: apt-get install redis-server", pytrace=False)
        self.program, self.folder, self.port = found, folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [self.program, *options], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        for _try in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        pytest.fail("Redis did not start")

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)
        if number == signal.SIGKILL:
            self.process.wait()
            self.process = None

    def keys(self) -> int:
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as line:
            line.sendall(b"DBSIZE\r\n")
            return int(line.recv(100).decode().strip().lstrip(":"))


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    server.start()
    yield server
    if server.process is not None:
        server.process.kill()
        server.process.wait()


class Evening:
    """One scorer who enters games, and a reader who must see each of them at once."""

    def __init__(self, site: Site, server: Server, scene: dict[str, object]) -> None:
        self.scorer, self.reader = Visitor(server.base), Visitor(server.base)
        self.site, self.scene, self.games = site, scene, 0
        self.scorer.log_in(str(scene["users"][0]), str(scene["password"]))  # type: ignore[index]

    def play(self) -> None:
        page = self.scorer.get(f"/admin/ratings/hanchan/add/?season={self.scene['season']}")
        names = sorted(self.scene["people"])[:4]  # type: ignore[call-overload]
        more = 100 * self.games  # no game has the scores of the one before, which would be asked about
        points = (50_000 + more, 30_000 - more, 25_000, 15_000)
        fields = {f"seat{wind}__player": name for wind, name in enumerate(names)}
        fields |= {f"seat{wind}__points": str(mine) for wind, mine in enumerate(points)}
        saved = self.scorer.send(page, page.form("seat0-player", "submit_key"), ("action", "save"), **fields)
        assert saved.is_redirect, saved.status
        self.games += 1

    def shown_games(self) -> list[str]:
        """The games column of the leaderboard as a visitor sees it. Read twice: the second may come from the cache."""
        answers = [self.reader.get(str(self.scene["leaderboard"])) for _time in range(2)]
        assert [answer.status for answer in answers] == [200, 200]
        first, second = (tables(answer.text.encode())["board"] for answer in answers)
        assert first.rows == second.rows
        place = next(index for index, head in enumerate(first.heads) if head.text.strip().startswith("Games"))
        return [row[place].text.strip() for row in first.rows]

    def assert_right(self) -> None:
        self.play()
        assert self.shown_games() == [str(self.games)] * 4


def test_pages_stay_right_while_the_cache_dies_hangs_and_returns(new_site: Callable[[str], Site], redis: Redis) -> None:
    site = new_site(SQLITE)
    scene = site.ask("tests.faults.scenes", "crowd")
    with site.serve(workers=2, CACHE_URL=redis.url) as server:
        evening = Evening(site, server, scene)
        evening.assert_right()
        assert redis.keys() > 0, "no page was kept: nothing is shown by taking the cache away"
        redis.signal(signal.SIGKILL)
        evening.assert_right()
        redis.start()
        evening.assert_right()
        redis.signal(signal.SIGSTOP)  # accepts connections and never answers
        try:
            evening.assert_right()
        finally:
            redis.signal(signal.SIGCONT)
        evening.assert_right()
        assert "cache cannot be reached" in server.log.read_text()
    assert site.is_sound()
    pages = [answer.seconds for answer in evening.reader.seen]
    results.keep("cache-down", pages=len(pages), games=evening.games, slowest=round(max(pages), 1))
