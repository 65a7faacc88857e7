"""Invitations that wait for an answer: those to an account, and those from the clubs that a user manages."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet

from ratings import rights
from ratings.models import Invitation


def invitations_of(user: User) -> QuerySet[Invitation]:
    """Return the invitations to the user, newest first."""
    return Invitation.objects.filter(user_id=user.pk).select_related("club", "by")


def invitations_by(user: rights.Person) -> QuerySet[Invitation]:
    """Return the invitations from the clubs that the user manages."""
    clubs = rights.clubs_of(user, rights.Level.ADMIN)
    return Invitation.objects.filter(club__in=clubs).select_related("club", "user", "by").order_by("club__name", "pk")
