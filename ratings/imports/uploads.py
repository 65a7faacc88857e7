"""Files that wait for a user to confirm their dry run. They are deleted after some days without confirmation."""

from __future__ import annotations

import datetime
import time
from re import Pattern
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext

from ratings.imports.headless import as_file
from ratings.imports.kinds import Choices, kind_of, read_choices
from ratings.imports.limits import AT_ONCE, MEGA, ReadingBudget
from ratings.imports.read import check_kind, is_large, open_file
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Club, ImportBatch, Season

_ = gettext_noop

FORGOTTEN_AFTER = datetime.timedelta(days=7)


def store_upload(
    club: Club, season: Season | None, name: str, content: bytes, *, by: User | None, **facts: Any
) -> ImportBatch:
    """Stores a file that can be opened; refuses any other. `facts` are columns of ImportBatch.

    Of a large file only the kind and the sizes are checked; a job reads it later.
    """
    batch = ImportBatch(club=club, season=season, file_name=name[-200:], content=content, by=by, **facts)
    if is_large(content):
        check_kind(content, name, ReadingBudget(time.monotonic))
        if not kind_of(batch).may_be_large:
            raise _too_large()
    else:
        open_file(content, name)
    batch.save(force_insert=True)
    return batch


def store_pasted(club: Club, text: str, *, by: User | None, **facts: Any) -> ImportBatch:
    """Stores a pasted list of people like a file, so that it is read, confirmed and undone like one."""
    return store_upload(club, None, pasted_name(), as_file(text), by=by, **facts)


def pasted_name() -> str:
    return gettext("Pasted list") + ".csv"


def forget_uploads(before: datetime.datetime) -> int:
    """Delete waiting files that were uploaded before and never confirmed."""
    return ImportBatch.objects.filter(state=ImportBatch.State.DRAFT, made_at__lt=before).delete()[0]


def _too_large() -> Refused:
    """The refusal of a large list of people: such lists are read by the page, and no real list is that large."""
    message = _("This is too much for a list of people: at most %(most)s MB unpacked are read. Keep only the list.")
    return Refused(Problem(message, {"most": AT_ONCE.unpacked_bytes // MEGA}, code="too_big"))


def keep_choices(batch: ImportBatch, choices: Choices) -> None:
    """Store the choices and drop the stored dry run, which was made with other choices."""
    batch.choices, batch.dry_run = choices.write(), None
    batch.save(update_fields=["choices", "dry_run"])


def drop_holding(names: Pattern[str]) -> int:
    """Deletes every waiting file that names a person who is to be anonymised, and returns how many there were.

    The file can be uploaded again without the name. A file that is too large to search now, or that cannot be read, is
    deleted too, because it may hold the name.
    """
    dropped = 0
    for batch in ImportBatch.objects.filter(state=ImportBatch.State.DRAFT).exclude(content=None).iterator():
        if _is_typed(batch, names) or _may_hold(bytes(batch.content or b""), batch.file_name, names):
            batch.delete()
            dropped += 1
    return dropped


def _is_typed(batch: ImportBatch, names: Pattern[str]) -> bool:
    """Whether a name was typed into a cell that the user corrected."""
    return any(names.search(text) for text in read_choices(batch.choices).corrections.cells.values())


def _may_hold(content: bytes, name: str, names: Pattern[str]) -> bool:
    if is_large(content):
        return True
    try:
        rows = (row for sheet in open_file(content, name).sheets for row in sheet.rows())
        # All cells of a row together: first and last name may be in two cells.
        return any(names.search(" ".join(str(cell) for cell in row.cells if cell is not None)) for row in rows)
    except Refused:
        return True
