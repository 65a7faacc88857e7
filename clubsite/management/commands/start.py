"""`manage.py start`: set up what is missing and serve the site. It can be run every time.

It migrates, fills an empty database with the demo, gives the first owner a login, deletes data whose storage time is
over, prints the address of the site and serves it. It is meant for one machine and its local network; a public site
runs under a real web server.
"""

from __future__ import annotations

import socket
from typing import Any

from django.core.management import call_command, get_commands
from django.core.management.base import CommandParser
from django.core.management.commands.runserver import Command as RunServer

from clubsite.pruning import prune

EVERYWHERE = ("0", "0.0.0.0", "::")


def address_in_local_network() -> str | None:
    """Our address for other machines. Connecting a datagram socket chooses a route but sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation, RFC 5737
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


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
        prune()
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
