"""Files that wait for their dry run to be confirmed; those nobody came back to are forgotten after some days."""

from __future__ import annotations

import datetime
import time
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from ratings.imports.files import check_kind, is_large
from ratings.imports.limits import Budget
from ratings.models import Club, ImportBatch, Season
from ratings.services.imports.files import Choices, open_file

FORGOTTEN_AFTER = datetime.timedelta(days=7)


def store_upload(
    club: Club, season: Season | None, name: str, content: bytes, *, by: User | None, **facts: Any
) -> ImportBatch:
    """Keeps a file that can be opened; refuses any other. `facts` are columns of ImportBatch.

    A large one is only looked at from outside: reading it is for a job.
    """
    if is_large(content):
        check_kind(content, name, Budget(time.monotonic))
    else:
        open_file(content, name)
    waiting = ImportBatch.objects.filter(state=ImportBatch.State.DRAFT)
    waiting.filter(made_at__lt=timezone.now() - FORGOTTEN_AFTER).delete()
    return ImportBatch.objects.create(club=club, season=season, file_name=name[-200:], content=content, by=by, **facts)


def keep_choices(batch: ImportBatch, choices: Choices) -> None:
    """What was found with other choices holds no longer."""
    batch.choices, batch.dry_run = choices.write(), None
    batch.save(update_fields=["choices", "dry_run"])
