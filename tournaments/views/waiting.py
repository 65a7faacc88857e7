"""What events add to the desk and the page of their club: the next step of each that is near, and “New tournament”."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from clubsite.staff_actions import StaffAction
from ratings import rights
from ratings.models import Club
from ratings.waiting import WaitingTask
from tournaments.models import Tournament
from tournaments.queries.agenda import agenda, round_states
from tournaments.views.access import manage_url
from tournaments.views.steps import worded

BEFORE = datetime.timedelta(days=14)  # the desk begins to speak of an event
MOST_EVENTS = 3


def next_steps(club: Club, user: User) -> Iterator[WaitingTask]:
    """The most urgent thing that the user may do for each unfinished event that runs or begins soon."""
    near = Tournament.objects.filter(
        club=club, finished_at=None, starts_on__lte=timezone.localdate(timezone=club.zone) + BEFORE
    )
    for event in near.select_related("club").order_by("starts_on", "pk")[:MOST_EVENTS]:
        steps = worded(event, agenda(event, round_states(event)), user)
        if steps:
            step = steps[0]
            url = manage_url("home", event) if step.post else step.url
            yield WaitingTask(40, "i-event", "green", event.name, step.text, step.action, url)


def new_event(club: Club, user: rights.Person) -> Iterator[StaffAction]:
    if rights.may_manage(user, club.pk):
        url = f"{reverse('tournaments:manage_new')}?club={club.slug}"
        yield StaffAction(30, gettext("New tournament"), url, creates=True)
