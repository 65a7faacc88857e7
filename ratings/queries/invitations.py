"""Invitations that wait for an answer: those of an account, and those of the clubs somebody manages."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet

from ratings import rights
from ratings.models import Invitation


def invitations_of(user: User) -> QuerySet[Invitation]:
    """What the user is asked; the newest first."""
    return Invitation.objects.filter(user_id=user.pk).select_related("club", "by")


def invitations_by(user: rights.Person) -> QuerySet[Invitation]:
    """Whom the clubs that the user manages have asked."""
    clubs = rights.clubs_of(user, rights.Level.ADMIN)
    return Invitation.objects.filter(club__in=clubs).select_related("club", "user", "by").order_by("club__name", "pk")
