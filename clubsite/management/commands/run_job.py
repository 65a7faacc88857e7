"""`manage.py run_job ID`: run one piece of long work. The site starts this command by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubsite import jobs


class Command(BaseCommand):
    help = "Runs one piece of long work to its end. The site starts this by itself."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job", type=int, metavar="ID")

    def handle(self, *args: Any, job: int, **options: Any) -> None:
        jobs.run(job)
