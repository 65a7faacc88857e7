"""`manage.py worker`: run the work of the queue. `manage.py start` does so by itself; a server has a service for it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubsite.worker import Supervisor


class Command(BaseCommand):
    help = "Runs long, later and repeated work, until it is told to end (SIGTERM or Ctrl-C)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="Do what is due now and end.")
        parser.add_argument("--parent", type=int, metavar="PID", help="End when this parent process is gone.")

    def handle(self, *args: Any, once: bool, parent: int | None, **options: Any) -> None:
        Supervisor(parent=parent).run(once=once)
