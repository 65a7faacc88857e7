"""The log of an account, which the owner of the site reads among all data. It is in English, like the rest of it."""

from __future__ import annotations

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User


def log(account: User, happened: str, *, by: User) -> None:
    LogEntry.objects.log_actions(by.pk, [account], CHANGE, change_message=happened, single_object=True)
