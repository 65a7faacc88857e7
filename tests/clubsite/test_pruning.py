"""What the site stores about signing in, and when it is deleted."""

from __future__ import annotations

import datetime
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from clubsite import pruning
from clubsite.models import Job, Tally
from clubsite.pruning import ATTEMPTS_FOR
from ratings.imports import uploads
from ratings.models import ImportBatch
from tests.cast import make_club
from tests.tournaments.hall import Hall
from tournaments.models import Registration, Tournament
from tournaments.services import registration

pytestmark = pytest.mark.django_db

SIGN_IN = "/admin/login/"
HOUR = datetime.timedelta(hours=1)


def attempt(name: str, age: datetime.timedelta) -> None:
    made = AccessAttempt.objects.create(
        username=name, ip_address="192.0.2.7", user_agent="x", path_info=SIGN_IN, failures_since_start=1
    )
    AccessAttempt.objects.filter(pk=made.pk).update(attempt_time=timezone.now() - age)


def test_pruning_forgets_old_attempts_every_list_of_sign_ins_and_ended_sessions() -> None:
    attempt("old", ATTEMPTS_FOR + HOUR)
    attempt("fresh", ATTEMPTS_FOR - HOUR)
    AccessLog.objects.create(username="scorer", ip_address="192.0.2.7", user_agent="x", path_info=SIGN_IN)
    for key, until in (("ended", -HOUR), ("open", HOUR)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + until)

    said = io.StringIO()
    call_command("prune", stdout=said)

    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["fresh"]
    assert not AccessLog.objects.exists()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["open"]
    assert said.getvalue() == "3 rows were forgotten.\n"


def test_signing_in_leaves_no_list_and_forgets_old_attempts(client: Client, settings: object) -> None:
    settings.AXES_ENABLED = True  # type: ignore[attr-defined]
    User.objects.create_superuser("owner", password="tile-for-tile")
    client.post(SIGN_IN, {"username": "owner", "password": "guess"})
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["owner"]
    attempt("old", ATTEMPTS_FOR + HOUR)

    answer = client.post(SIGN_IN, {"username": "owner", "password": "tile-for-tile"})

    assert answer.status_code == 302
    assert not AccessLog.objects.exists()
    assert not AccessAttempt.objects.exists()


def test_the_privacy_page_says_what_is_kept_of_signing_in(client: Client) -> None:
    said = client.get("/privacy/").text

    assert "forgotten after a day" in said
    assert "Of successful sign-ins nothing is kept but the time of your last one" in said


# --- every period -------------------------------------------------------------------------------------------


def session(name: str, age: datetime.timedelta, period: datetime.timedelta) -> None:
    Session.objects.create(session_key=name, session_data="", expire_date=timezone.now() - age + period)


def count(name: str, age: datetime.timedelta, period: datetime.timedelta) -> None:
    Tally.objects.create(key=name, count=1, until=int((timezone.now() - age + period).timestamp()))


def workbook(name: str, age: datetime.timedelta) -> None:
    file = Path(settings.VAR_DIR) / "workbooks" / name  # not by `folder`, which removes old files itself
    file.parent.mkdir(exist_ok=True)
    file.touch()
    made = (timezone.now() - age).timestamp()
    os.utime(file, (made, made))


def upload(name: str, age: datetime.timedelta) -> None:
    made = ImportBatch.objects.create(club=make_club(name), file_name=name, content=b"")
    ImportBatch.objects.filter(pk=made.pk).update(made_at=timezone.now() - age)


def registered(name: str, age: datetime.timedelta) -> None:
    event = Hall(0, slug=name, club=make_club(f"hosts of {name}", slug=f"hosts-of-{name}")).tournament
    ended = (timezone.now() - age).date()
    Tournament.objects.filter(pk=event.pk).update(starts_on=ended, ends_on=ended)
    Registration.objects.create(tournament=event, name=name)


def left() -> dict[str, set[str]]:
    """The names of what is there, by the function that forgets it."""
    workbooks = {file.name for file in (Path(settings.VAR_DIR) / "workbooks").iterdir()}
    rows = {
        pruning._forget_attempts: AccessAttempt.objects.values_list("username", flat=True),
        pruning._forget_sessions: Session.objects.values_list("session_key", flat=True),
        pruning._forget_counts: Tally.objects.values_list("key", flat=True),
        pruning._forget_files: workbooks,
        pruning._forget_jobs: Job.objects.values_list("title", flat=True),
        uploads.forget_uploads: ImportBatch.objects.values_list("file_name", flat=True),
        registration.forget_registrations: Registration.objects.values_list("name", flat=True),
    }
    return {forget.__name__: set(names) for forget, names in rows.items()}


def test_all_that_the_privacy_page_names_is_deleted_when_its_time_is_over_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    periods = {kept.forget.__name__: kept.period for kept in pruning.periods()}
    makers: dict[str, Callable[[str, datetime.timedelta], object]] = {
        "_forget_attempts": attempt,
        "_forget_sessions": lambda name, age: session(name, age, periods["_forget_sessions"]),
        "_forget_counts": lambda name, age: count(name, age, periods["_forget_counts"]),
        "_forget_files": workbook,
        "_forget_jobs": lambda name, age: Job.objects.create(
            kind="replay", title=name, state=Job.State.DONE, ended_at=timezone.now() - age
        ),
        "forget_uploads": upload,
        "forget_registrations": registered,
    }
    assert makers.keys() == periods.keys(), "a period without a row here"
    for forget, make in makers.items():
        make("old", periods[forget] + 25 * HOUR)
        make("fresh", periods[forget] - HOUR)

    pruning.prune()

    assert left() == {forget: {"fresh"} for forget in periods}
