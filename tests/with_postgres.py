"""Runs a command with DATABASE_URL naming a PostgreSQL of its own: `python -m tests.with_postgres COMMAND…`.

The cluster lives in a temporary directory, listens on loopback on a free port under a fresh password, and is gone
afterwards, whether the command passed, failed or was interrupted. No PostgreSQL that already runs is touched.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypedDict

USER = "umaoka"
SECONDS_TO_START = 60
# A temporary cluster need not survive a power cut.
CARELESS = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]


class Identity(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


def find_binaries() -> Path:
    """Debian keeps the server's binaries out of PATH, one directory per version."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    found = debian[-1] if debian else shutil.which("initdb")
    if found is None:
        raise SystemExit("PostgreSQL's server is not installed here. On Debian: apt-get install postgresql")
    return Path(found).resolve().parent


def account_for_server() -> pwd.struct_passwd:
    """PostgreSQL refuses to run as root; if we are root, it runs as the first of these accounts that exists."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise SystemExit("Running as root, and there is neither a user postgres nor nobody to run PostgreSQL as.")


def become(account: pwd.struct_passwd) -> Identity:
    """The arguments for subprocess to run as that account; only root may do this, and only root needs to."""
    if os.geteuid() != 0:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def create_cluster(binaries: Path, home: Path, account: pwd.struct_passwd, password: str) -> None:
    secret = home / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    for path in (home, secret):
        os.chown(path, account.pw_uid, account.pw_gid)
    options = ["--pgdata", str(home / "data"), "--username", USER, "--auth", "scram-sha-256", "--pwfile", str(secret)]
    options += ["--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"]
    made = subprocess.run(
        [binaries / "initdb", *options],
        **become(account),
        cwd=home,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if made.returncode:
        raise SystemExit(f"initdb could not make a cluster:\n{made.stdout}")


class Cluster:
    """One PostgreSQL of our own; `settings` are added to those of a cluster that will be thrown away."""

    def __init__(self, home: Path, *settings: str) -> None:
        self.home, self.port, self.password = home, free_port(), secrets.token_hex(16)
        self.binaries, self.account = find_binaries(), account_for_server()
        self.settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", f"port={self.port}"]
        self.settings += [*CARELESS, *settings]
        self.server: subprocess.Popen[bytes] | None = None
        create_cluster(self.binaries, home, self.account, self.password)

    def url(self, database: str = "postgres") -> str:
        return f"postgres://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        log = self.home / "log"
        options = [part for line in self.settings for part in ("-c", line)]
        with log.open("ab") as output:
            self.server = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.home / "data", *options],
                **become(self.account),
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C goes to the command only; we stop the server ourselves
            )
        self._wait_until_ready(self.server, log)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is PostgreSQL's "fast shutdown", SIGQUIT its "immediate" one, which lets no client finish."""
        if self.server is not None:
            self.server.send_signal(how)
            self.server.wait(timeout=SECONDS_TO_START)
            self.server = None

    def _wait_until_ready(self, server: subprocess.Popen[bytes], log: Path) -> None:
        probe = [str(self.binaries / "pg_isready"), "--quiet", "--host", "127.0.0.1", "--port", str(self.port)]
        end = time.monotonic() + SECONDS_TO_START
        while subprocess.run(probe).returncode:
            if server.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"PostgreSQL did not start:\n{log.read_text()}")
            time.sleep(0.1)


@contextmanager
def private_cluster(*settings: str) -> Iterator[Cluster]:
    """A running cluster, stopped and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="umaoka-postgres-", ignore_cleanup_errors=True) as directory:
        cluster = Cluster(Path(directory), *settings)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


@contextmanager
def private_postgres() -> Iterator[str]:
    """Yields the DATABASE_URL of a running cluster, then stops and removes it."""
    with private_cluster() as cluster:
        yield cluster.url()


def leave(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)


def main(command: list[str]) -> int:
    if not command:
        raise SystemExit("usage: python -m tests.with_postgres COMMAND [ARGUMENT …]")
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)
    try:
        with private_postgres() as url:
            return subprocess.run(command, env=os.environ | {"DATABASE_URL": url}).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
