"""`manage.py prune`: delete data whose storage time is over. A worker does it every hour by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from clubsite.pruning import prune


class Command(BaseCommand):
    help = "Forgets what was kept long enough (see the privacy page). A worker does this every hour by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{prune()} rows were forgotten.")
