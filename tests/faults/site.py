"""A whole site for one test: a database of either engine, the commands of an operator, and gunicorn.

Nothing here imports Django: everything happens in processes that get their DATABASE_URL from here.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.with_postgres import Cluster, free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180  # seconds until a test gives up; this is not a limit on speed
SQLITE, POSTGRES = "sqlite", "postgres"


@dataclass
class Site:
    """A database and everything that works on it."""

    engine: str
    url: str
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.temporary.mkdir()
        own = {"UMAOKA_VAR": str(self.folder), "DATABASE_URL": self.url, "PYTHONDONTWRITEBYTECODE": "1"}
        own["TMPDIR"] = str(self.temporary)
        self.environment = kept | own | {"DJANGO_SETTINGS_MODULE": "clubsite.settings"} | self.environment

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def command(self, *args: object, limit: int | None = None) -> subprocess.CompletedProcess[str]:
        """Runs Python to its end. `limit` caps the size of the files it may write, as a full disk would."""

        def cap() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.run(
            [sys.executable, *map(str, args)],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            preexec_fn=cap,
        )

    def manage(self, *args: object, limit: int | None = None) -> subprocess.CompletedProcess[str]:
        return self.command("manage.py", *args, limit=limit)

    def ask(self, module: str, *args: object) -> Any:
        """Runs a module of ours that prints JSON."""
        done = self.command("-m", module, *args)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def is_sound(self) -> bool:
        """`rebuild --check` finds nothing."""
        done = self.manage("rebuild", "--check")
        assert done.returncode == 0, done.stdout + done.stderr
        return "nothing was changed" in done.stdout

    @contextmanager
    def serve(self, workers: int = 4, limit: int | None = None, **environment: str) -> Iterator[Server]:
        """Run gunicorn on loopback as the unit file starts it; its log is kept."""
        port, log = free_port(), self.folder / "gunicorn.log"
        options = ["--bind", f"127.0.0.1:{port}", "--workers", str(workers), "--graceful-timeout", "5"]

        def cap() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "clubsite.wsgi", *options],
                cwd=ROOT,
                env=self.environment | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=cap,
            )
        server = Server(f"http://127.0.0.1:{port}", process, log)
        try:
            server.wait_until_ready()
            yield server
        finally:
            server.stop()


@dataclass
class Server:
    base: str
    process: subprocess.Popen[bytes]
    log: Path

    def wait_until_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.base}/healthz", timeout=60):
                    return
            except OSError:  # refused, reset, or not answered in time
                if self.process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"gunicorn did not start:\n{self.log.read_text()}") from None
                time.sleep(0.1)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


def sqlite_site(folder: Path, template: Path | None = None) -> Site:
    """A SQLite file in the folder: a copy of the template, or an empty one."""
    file = folder / "site.sqlite3"
    if template:
        shutil.copy(template, file)
    return Site(SQLITE, f"sqlite:///{file}", folder)


def postgres_site(cluster: Cluster, folder: Path, name: str, template: str = "template1") -> Site:
    """A database of the cluster, made from the template."""
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return Site(POSTGRES, cluster.url(name), folder)
