"""The models of the site itself: work on the queue with its progress, its workers, and counts against limits.

They do not know what the work is about.
"""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LOST_AFTER = datetime.timedelta(seconds=60)  # without a sign of life; SQLite may let a writer wait for 30
REPEATED = "repeated"  # the subject of repeated work: one waiting or running row per kind
MINUTE = datetime.timedelta(minutes=1)


class Job(models.Model):
    """A piece of work on the queue (`clubsite.jobs`), run by a worker (`clubsite.worker`)."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    kind = models.CharField(_("kind"), max_length=40)
    title = models.CharField(_("title"), max_length=200)
    params = models.JSONField(_("parameters"), default=dict)
    scope = models.CharField(_("whom it concerns"), max_length=80, blank=True)
    subject = models.CharField(_("what it works on"), max_length=80, blank=True)
    back_url = models.CharField(_("where it was started"), max_length=300, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("started by"), related_name="+"
    )
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    phrase = models.CharField(_("what it is doing"), max_length=200, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.TextField(_("result"), blank=True)
    stop_requested = models.BooleanField(default=False)
    process = models.PositiveIntegerField(_("process"), null=True)
    worker = models.CharField(_("worker"), max_length=80, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("not before"), default=timezone.now)
    created_at = models.DateTimeField(_("started"), default=timezone.now)
    last_sign = models.DateTimeField(_("last sign of life"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("long work")
        verbose_name_plural = _("long work")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(state__in=["waiting", "running"]) & ~Q(subject=""),
                name="one_job_at_a_time",
            )
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(state="waiting"), name="waiting_jobs_by_due")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.pk])

    @property
    def is_active(self) -> bool:
        """Whether the job is waiting or running. A lost job, whose process was killed, is not active."""
        return self.state in (self.State.WAITING, self.State.RUNNING) and not self.is_lost

    @property
    def label(self) -> str:
        """The title. Repeated work has no starter, whose language its title could be in: it is translated here."""
        return gettext(self.title) if self.subject == REPEATED else self.title

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    @property
    def was_refused(self) -> bool:
        return self.state == self.State.REFUSED

    @property
    def was_stopped(self) -> bool:
        return self.state == self.State.STOPPED

    @property
    def is_lost(self) -> bool:
        silent = timezone.now() - self.last_sign > LOST_AFTER
        return self.state == self.State.RUNNING and self.process is not None and silent

    @property
    def moment(self) -> datetime.datetime:
        """When it ended, or when it is due."""
        return self.ended_at or self.due_at

    @property
    def is_for_later(self) -> bool:
        return self.is_waiting and self.due_at > timezone.now()

    @property
    def has_failed(self) -> bool:
        return self.state == self.State.FAILED or self.is_lost


class Worker(models.Model):
    """A process that works on the queue. Its row is deleted when it ends in good order."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    last_sign = models.DateTimeField(_("last sign of life"), default=timezone.now)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.name

    @property
    def answers(self) -> bool:
        return timezone.now() - self.last_sign <= MINUTE


class Tally(models.Model):
    """How often one subject of one limit was counted, and until when the count is valid (`clubsite.counting`).

    The key is a keyed hash of limit and subject: no name and no network address can be read from it.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField()
    until = models.BigIntegerField(db_index=True)  # seconds since 1970: one number in both engines, compared in SQL

    def __str__(self) -> str:
        return f"{self.count}, {self.until}"
