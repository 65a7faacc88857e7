"""Imports from files: what was imported when, from which headings, and the rows that were made from it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.models.clubs import Club
from ratings.models.games import Adjustment, Hanchan
from ratings.models.players import Player
from ratings.models.seasons import Season

kind_labels: dict[str, str | Promise] = {}  # the kinds of import that the apps register: key -> label


def kind_choices() -> list[tuple[str, str | Promise]]:
    """Return the registered kinds. This is a function so that a new kind needs no migration."""
    return list(kind_labels.items())


class ImportMapping(models.Model):
    """The meaning of the columns of a club's files, by headings; used again for a file with the same headings."""

    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="import_mappings")
    heads = models.CharField(_("headings"), max_length=64)  # digest of the headings in their order
    layout = models.JSONField(_("columns"))  # ratings.imports.columns.Layout

    class Meta:
        verbose_name = _("columns of a file")
        verbose_name_plural = _("columns of files")
        constraints = [models.UniqueConstraint(fields=["club", "heads"], name="one_mapping_per_headings")]

    def __str__(self) -> str:
        return f"{self.club}: {self.heads[:8]}"


class ImportBatch(models.Model):
    """The import of one file. The file itself is stored only until its contents are imported."""

    class State(models.TextChoices):
        DRAFT = "draft", _("not yet imported")
        DONE = "done", _("imported")
        UNDONE = "undone", _("undone")

    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="imports")
    kind = models.CharField(_("holds"), max_length=8, choices=kind_choices, default="games")
    # For games only. If it is empty, our own workbook makes the season that it describes.
    season = models.ForeignKey(
        Season, models.PROTECT, null=True, blank=True, verbose_name=_("season"), related_name="imports"
    )
    # What an upper app imports into, in a form that only that app reads.
    into = models.CharField(max_length=80, blank=True, editable=False)
    file_name = models.CharField(_("file"), max_length=200)
    content = models.BinaryField(null=True, editable=False)
    # What the user chose: layout, unit, day of games without a date, which player each name is.
    choices = models.JSONField(default=dict, blank=True, editable=False)
    # For a large file: what the import would do, written by the job that read the file.
    dry_run = models.JSONField(null=True, blank=True, editable=False)
    state = models.CharField(_("state"), max_length=6, choices=State, default=State.DRAFT)
    games = models.PositiveIntegerField(_("games"), default=0)
    adjustments = models.PositiveIntegerField(_("penalties"), default=0)
    people = models.PositiveIntegerField(_("people"), default=0)
    made_at = models.DateTimeField(_("uploaded"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )
    done_at = models.DateTimeField(_("imported"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("undone by"), related_name="+"
    )

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("import")
        verbose_name_plural = _("imports")

    def __str__(self) -> str:
        return self.file_name

    @property
    def waits(self) -> bool:
        """Whether its file is stored and not yet imported."""
        return self.state == self.State.DRAFT and self.content is not None

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE

    @property
    def is_undone(self) -> bool:
        return self.state == self.State.UNDONE


class ImportedRow(models.Model):
    """What one game, penalty or person of a file became. The digest recognises it when the same file comes again."""

    batch = models.ForeignKey(ImportBatch, models.CASCADE, related_name="rows")
    digest = models.CharField(max_length=64)
    hanchan = models.ForeignKey(Hanchan, models.CASCADE, null=True, related_name="imported_as")
    adjustment = models.ForeignKey(Adjustment, models.CASCADE, null=True, related_name="imported_as")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="imported_as")
    # For people: what the import made or filled in, so that exactly this can be undone.
    made = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("imported row")
        verbose_name_plural = _("imported rows")
        constraints = [models.UniqueConstraint(fields=["batch", "digest"], name="one_row_per_digest")]

    def __str__(self) -> str:
        return self.digest[:12]
