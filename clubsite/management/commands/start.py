"""`manage.py start`: set up what is missing and serve the site. It can be run every time.

It migrates, fills an empty database with the demo, gives the first owner a login, starts a worker for the queue, prints
the address of the site and serves it. The worker ends with it. It is meant for one machine and its local network; a
public site runs under a real web server.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import CommandParser
from django.core.management.commands.runserver import Command as RunServer

EVERYWHERE = ("0", "0.0.0.0", "::")
BEFORE_ANOTHER = 2  # seconds after a worker died


def address_in_local_network() -> str | None:
    """Our address for other machines. Connecting a datagram socket chooses a route but sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation, RFC 5737
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


@contextmanager
def worker_beside() -> Iterator[None]:
    """Keep a worker running; one that dies is started again. At the end it gives back what it has not finished."""
    ending, process = threading.Event(), _start_worker()

    def keep() -> None:
        nonlocal process
        while not ending.is_set():
            process.wait()
            if not ending.wait(BEFORE_ANOTHER):
                process = _start_worker()

    keeper = threading.Thread(target=keep, daemon=True, name="worker")
    keeper.start()
    try:
        yield
    finally:
        ending.set()
        process.terminate()
        keeper.join()
        process.terminate()  # the keeper may have started another one in between
        process.wait()


def _start_worker() -> subprocess.Popen[bytes]:
    """In a new session: Ctrl-C reaches this process alone, which then ends the worker. It also ends if we are gone."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--parent", str(os.getpid())]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, start_new_session=True)


class Command(RunServer):
    addr: str
    _raw_ipv6: bool  # runserver's own

    help = "Sets up what is missing and serves the site: `manage.py start [ADDRESS:PORT]`."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        # No reloader: the setup below must run once, and the terminal belongs to one process.
        parser.set_defaults(use_reloader=False, skip_checks=True)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check()
        call_command("migrate", verbosity=0, stdout=self.stdout)
        if "demo" in get_commands():
            call_command("demo", if_empty=True, stdout=self.stdout)
        call_command("login", if_none=True, stdout=self.stdout)
        signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
        with worker_beside():
            super().handle(*args, **options)

    def on_bind(self, server_port: int) -> None:
        """Called by the server once it is bound to the port."""
        host = f"[{self.addr}]" if self._raw_ipv6 else self.addr
        if self.addr in EVERYWHERE:
            host = "127.0.0.1"
            if there := address_in_local_network():
                self.stdout.write(f"In the local network: http://{there}:{server_port}/")
        self.stdout.write(f"Umaoka is at http://{host}:{server_port}/ (Ctrl-C stops it)")
        self.stdout.flush()
