"""`manage.py run_job ID`: run one piece of heavy work. A worker starts this command by itself."""

from __future__ import annotations

import signal
from contextlib import suppress
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubsite import jobs


def interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise jobs.Interrupted


class Command(BaseCommand):
    help = "Runs one piece of heavy work to its end. A worker starts this by itself."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job", type=int, metavar="ID")

    def handle(self, *args: Any, job: int, **options: Any) -> None:
        signal.signal(signal.SIGTERM, interrupt)
        with suppress(jobs.Interrupted):  # before or after the work itself; then the worker gives it back
            jobs.run(job)
