"""The progress of a piece of long work, and a button that stops it."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from clubsite import jobs
from clubsite.models import Job


def _visible(request: HttpRequest, pk: int) -> Job:
    job = Job.objects.select_related("started_by").filter(pk=pk).first()
    if job is None or not jobs.may_see(cast(User, request.user), job):
        raise Http404
    return job


@require_safe
@never_cache
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The page reloads its middle part every second. Without JavaScript the reader uses a link."""
    found = _visible(request, pk)
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    context = {"job": found, "may_stop": jobs.may_stop(cast(User, request.user), found)}
    return render(request, "jobs/progress.html" if htmx else "jobs/job.html", context)


@require_POST
def stop_job(request: HttpRequest, pk: int) -> HttpResponse:
    found = _visible(request, pk)
    if not jobs.may_stop(cast(User, request.user), found):
        messages.error(request, gettext("Only who started this, or an admin of the club, can stop it."))
    elif found.is_active:
        jobs.request_stop(found)
    return redirect(found)
