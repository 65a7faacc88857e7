"""The progress of a piece of work, a button that stops it, and for the owner everything on the queue."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from clubsite import jobs, mails, worker
from clubsite.models import Job, Worker
from clubsite.signing_in import user_of

SHOWN = 50  # ended jobs on the page of the owner


def _visible(request: HttpRequest, pk: int) -> Job:
    job = Job.objects.select_related("started_by").filter(pk=pk).first()
    if job is None or not jobs.may_see(user_of(request), job):
        raise Http404
    return job


@require_safe
@never_cache
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The page reloads its middle part every second. Without JavaScript the reader uses a link."""
    found = _visible(request, pk)
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    context = {
        "job": found,
        "may_stop": jobs.may_stop(user_of(request), found),
        "ahead": jobs.ahead_of(found) if found.is_waiting else 0,
        "complaint": worker.complaint() if found.is_waiting else "",
    }
    return render(request, "jobs/progress.html" if htmx else "jobs/job.html", context)


@require_POST
def stop_job(request: HttpRequest, pk: int) -> HttpResponse:
    found = _visible(request, pk)
    if not jobs.may_stop(user_of(request), found):
        messages.error(request, gettext("Only the person who started this or an admin of the club can stop it."))
    elif found.is_active:
        jobs.request_stop(found)
    return redirect(found)


@require_safe
@never_cache
def work(request: HttpRequest) -> HttpResponse:
    """For the owner: workers, emails, and what runs, waits, comes later and has ended."""
    if not user_of(request).is_superuser:
        raise Http404
    jobs.give_up_lost()
    rows = Job.objects.select_related("started_by")
    now = timezone.now()
    active = rows.filter(state__in=jobs.ACTIVE).order_by("due_at", "pk")
    groups = (
        (gettext("Running and waiting"), active.exclude(state=Job.State.WAITING, due_at__gt=now)),
        (gettext("Later"), active.filter(state=Job.State.WAITING, due_at__gt=now)),
        (gettext("Ended"), rows.exclude(state__in=jobs.ACTIVE).order_by("-ended_at")[:SHOWN]),
    )
    context = {
        "groups": groups,
        "workers": Worker.objects.all(),
        "complaint": worker.complaint(),
        "emails_possible": mails.are_possible(),
        "emails_printed": mails.are_printed(),
    }
    return render(request, "jobs/work.html", context)
