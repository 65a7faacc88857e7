"""Emails, sent by the queue: a page never waits for a mail server, and one that is down is tried again.

An email is sent at least once: a worker that is killed just after sending leaves it to be sent again. What can be made
when it is sent is not stored: a job holds whom the email is for, not the link in it.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext

from clubsite import jobs
from clubsite.models import Job


def are_possible() -> bool:
    """Whether emails reach anybody: by a mail server, or locally by the terminal."""
    return bool(settings.EMAIL_HOST) or not settings.PRODUCTION


def are_printed() -> bool:
    return are_possible() and not settings.EMAIL_HOST


def kind(name: str, make: Callable[[dict[str, Any]], EmailMessage | None]) -> jobs.JobKind:
    """A kind of email. `make` gets the parameters of the job and makes the email, or None if there is no one left.

    The parameters of an email are forgotten when it is sent.
    """

    def run(work: jobs.Work) -> None:
        email = make(work.params)
        if email is None:
            work.finish(gettext("The recipient no longer exists."))
            return
        _send(email)
        work.finish(gettext("Printed to the terminal.") if are_printed() else gettext("Handed to the mail server."))
        Job.objects.filter(pk=work.job.pk).update(params={})

    return jobs.JobKind(name, run, jobs.owner_only, jobs.owner_only, light=True, retries=jobs.OUTSIDE)


def _send(email: EmailMessage) -> None:
    """Hand an email to the mail server. What may be over later is tried again; a refused address is not."""
    if not are_possible():
        raise jobs.JobRefused(gettext("This site has no mail server: the owner must set EMAIL_HOST. Nothing was sent."))
    try:
        email.send()
    except smtplib.SMTPRecipientsRefused as refused:
        if all(code >= 500 for code, _words in refused.recipients.values()):
            raise jobs.JobRefused(gettext("The mail server refuses the address.")) from refused
        raise jobs.TryAgain(gettext("The mail server is not accepting the email now.")) from refused
    except (OSError, smtplib.SMTPException) as wrong:
        sentence = gettext("The mail server rejected the email: %(error)s.")
        raise jobs.TryAgain(sentence % {"error": type(wrong).__name__}) from wrong
