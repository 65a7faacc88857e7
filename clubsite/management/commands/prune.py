"""`manage.py prune`: delete data whose storage time is over. Run it every night; `manage.py start` does it too."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from clubsite.pruning import prune


class Command(BaseCommand):
    help = "Forgets attempts to sign in, ended sessions and kept files whose time is over. Run it every night."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{prune()} rows were forgotten.")
