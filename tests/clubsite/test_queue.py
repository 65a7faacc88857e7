"""The queue: due and repeated work, bounds, retries, and what becomes of work when its worker ends."""

from __future__ import annotations

import datetime
import os
import signal
import smtplib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.db import transaction
from django.test import Client
from django.utils import timezone

from clubsite import jobs, mails, pruning, worker
from clubsite.models import LOST_AFTER, Job, Worker
from tests.cast import make_user
from tests.queue import work_off

pytestmark = pytest.mark.django_db

MINUTE, HOUR = datetime.timedelta(minutes=1), datetime.timedelta(hours=1)
Register = Callable[..., None]
RETRIES = jobs.Retries(3, MINUTE, 3 * MINUTE)


def nothing(work: jobs.Work) -> None:
    """Work that has no effect."""


@pytest.fixture
def kind() -> Iterator[Register]:
    """Registers the kind of work "test", with more facts about it, and forgets all other kinds for the test."""
    known = dict(jobs._kinds)
    jobs._kinds.clear()
    yield lambda run=nothing, name="test", **more: jobs.register(
        jobs.JobKind(name, run, jobs.owner_only, jobs.owner_only, **more)
    )
    jobs._kinds.clear()
    jobs._kinds.update(known)


def start(**more: Any) -> Job:
    return jobs.start(more.pop("kind", "test"), "Counting", by=None, params={}, **more)


def again(job: Job) -> Job:
    job.refresh_from_db()
    return job


# --- when -----------------------------------------------------------------------------------------------------


def test_work_that_is_due_later_waits_until_then(kind: Register) -> None:
    kind()
    job = start(due=timezone.now() + HOUR)

    assert work_off() == []
    assert job.is_for_later
    Job.objects.update(due_at=timezone.now())
    assert work_off() == [job]
    assert again(job).state == Job.State.DONE


def test_what_is_due_first_runs_first(kind: Register) -> None:
    kind()
    now = timezone.now()
    later, first = start(due=now - MINUTE), start(due=now - HOUR)

    assert list(jobs.due()) == [first, later]
    assert [jobs.ahead_of(job) for job in (first, later)] == [0, 1]


def test_work_asked_for_in_a_transaction_that_is_rolled_back_does_not_exist(kind: Register) -> None:
    kind()

    def ask_and_fail() -> None:
        with transaction.atomic():
            start()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask_and_fail()
    assert not Job.objects.exists()


def test_repeated_work_is_planned_once_and_again_after_its_end(kind: Register) -> None:
    kind(every=HOUR, title="Sweeping")
    for _each in range(3):
        jobs.plan_repeated()
    (job,) = Job.objects.all()
    assert work_off() == [job]

    jobs.plan_repeated()
    jobs.plan_repeated()

    following = Job.objects.exclude(pk=job.pk).get()
    assert following.due_at == again(job).ended_at + HOUR  # type: ignore[operator]
    assert following.label == "Sweeping"


def test_repeated_work_does_not_pile_up_in_an_outage(kind: Register) -> None:
    kind(every=HOUR)
    jobs.plan_repeated()
    work_off()
    jobs.plan_repeated()
    Job.objects.update(due_at=timezone.now() - 10 * HOUR, ended_at=timezone.now() - 11 * HOUR)

    jobs.plan_repeated()
    assert len(work_off()) == 1
    jobs.plan_repeated()
    assert not jobs.due().exists()


def test_repeated_work_that_failed_comes_again(kind: Register) -> None:
    def stumble(work: jobs.Work) -> None:
        raise ZeroDivisionError

    kind(stumble, every=HOUR)
    jobs.plan_repeated()
    (job,) = work_off()
    assert job.has_failed

    jobs.plan_repeated()
    assert Job.objects.filter(state=Job.State.WAITING).count() == 1


# --- how much at once -----------------------------------------------------------------------------------------


def taken(name: str = "one") -> list[str]:
    return [job.scope for job in worker.take(name)]


def test_at_most_the_bound_runs_in_all_and_for_a_club(kind: Register, settings: Any) -> None:
    settings.WORK_AT_ONCE, settings.WORK_AT_ONCE_PER_CLUB = 3, 2
    kind()
    for club in ("1", "1", "1", "2", "2"):
        start(scope=club)

    assert taken() == ["1", "1", "2"]
    assert taken("another worker") == []
    Job.objects.filter(scope="2", state=Job.State.RUNNING).update(state=Job.State.DONE)
    assert taken() == ["2"], "the club with two of its own must wait"


def test_work_of_no_club_is_bound_only_in_all(kind: Register, settings: Any) -> None:
    settings.WORK_AT_ONCE, settings.WORK_AT_ONCE_PER_CLUB = 3, 1
    kind()
    for _each in range(4):
        start()

    assert taken() == ["", "", ""]


def test_light_work_does_not_wait_for_heavy_work(kind: Register, settings: Any) -> None:
    settings.WORK_AT_ONCE = 1
    kind()
    kind(name="light", light=True)
    start(scope="1")
    start(scope="2")
    start(kind="light", scope="3")

    assert taken() == ["1", "3"]


def test_work_that_only_a_newer_version_knows_is_left_alone(kind: Register) -> None:
    kind()
    Job.objects.create(kind="of tomorrow", title="")

    assert taken() == []


def test_work_that_is_stopped_while_it_is_taken_does_not_run(kind: Register) -> None:
    kind()
    job = start()
    worker.take("one")
    jobs.request_stop(job)

    jobs.run(job.pk)
    assert again(job).state == Job.State.DONE, "nothing in this work asks"
    Job.objects.update(state=Job.State.RUNNING, process=None, stop_requested=True)
    jobs.give_back(Job.objects.all())
    assert again(job).state == Job.State.STOPPED


# --- again ----------------------------------------------------------------------------------------------------


def test_work_for_the_outside_is_tried_again_with_longer_and_longer_waits(kind: Register) -> None:
    def knock(work: jobs.Work) -> None:
        raise jobs.TryAgain("The door is closed.")

    kind(knock, retries=RETRIES)
    job, waits = start(), []
    for _each in range(3):
        before = timezone.now()
        work_off()
        waits.append(round((again(job).due_at - before) / MINUTE))
        assert (job.state, job.result) == (Job.State.WAITING, "The door is closed.")
        Job.objects.update(due_at=timezone.now())
    work_off()

    assert waits == [1, 2, 3]
    assert (again(job).state, job.result) == (Job.State.REFUSED, "The door is closed.")


def test_the_other_side_may_ask_for_a_longer_wait(kind: Register) -> None:
    def knock(work: jobs.Work) -> None:
        raise jobs.TryAgain("Come back tomorrow.", 24 * HOUR)

    kind(knock, retries=RETRIES)
    (job,) = [start()]
    work_off()

    assert again(job).due_at > timezone.now() + 23 * HOUR


def test_a_stop_is_heard_between_two_tries(kind: Register) -> None:
    def knock(work: jobs.Work) -> None:
        jobs.request_stop(work.job)
        raise jobs.TryAgain("The door is closed.")

    kind(knock, retries=RETRIES)
    job = start()
    work_off()

    assert again(job).state == Job.State.STOPPED


def lose(job: Job) -> None:
    silent = {"state": Job.State.RUNNING, "process": 1, "attempts": 1, "last_sign": timezone.now() - 2 * LOST_AFTER}
    Job.objects.filter(pk=job.pk).update(**silent)
    jobs.give_up_lost()


def test_lost_work_is_tried_again_only_if_it_may_run_twice(kind: Register) -> None:
    kind()
    kind(name="outside", retries=RETRIES)
    once, twice = start(), start(kind="outside")
    lose(once)
    lose(twice)

    assert [again(job).state for job in (once, twice)] == [Job.State.FAILED, Job.State.WAITING]


def test_work_that_was_taken_and_never_begun_waits_again(kind: Register) -> None:
    kind()
    job = start()
    worker.take("killed before it started a process")
    Job.objects.update(last_sign=timezone.now() - 2 * LOST_AFTER)
    jobs.give_up_lost()

    assert (again(job).state, job.attempts, job.worker) == (Job.State.WAITING, 0, "")


def test_a_process_that_was_given_up_cannot_finish_the_next_attempt(kind: Register) -> None:
    def slow(work: jobs.Work) -> None:
        if work.job.attempts == 1:
            lose(work.job)  # this process hangs; another one begins and is still at it
            jobs._begin(work.job.pk)
            work.finish("Too late.")

    kind(slow, retries=RETRIES)
    job = start()
    work_off()

    assert (again(job).state, job.attempts, job.result) == (Job.State.RUNNING, 2, "")


def test_a_worker_that_is_told_to_end_gives_its_work_back(kind: Register) -> None:
    def interrupted(work: jobs.Work) -> None:
        work.report(5, 10, "Counting:")
        raise jobs.Interrupted

    kind(interrupted)
    job = start()
    work_off()

    assert (again(job).state, job.attempts, job.done, job.phrase) == (Job.State.WAITING, 0, 0, "")


# --- a worker and its database --------------------------------------------------------------------------------


def left_behind(supervisor: worker.Supervisor, **facts: Any) -> Job:
    """Light work whose thread could not say how it ended."""
    job = start(kind=facts.pop("kind", "test"))
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, worker=supervisor.name, **facts)
    supervisor.threads[job.pk] = threading.Thread()  # not alive
    return job


def test_light_work_that_was_cut_off_from_the_database_does_not_run_for_ever(kind: Register) -> None:
    kind(light=True)
    kind(name="outside", light=True, retries=RETRIES)
    supervisor, here = worker.Supervisor(), {"process": os.getpid(), "attempts": 1}
    once, twice = left_behind(supervisor, **here), left_behind(supervisor, kind="outside", **here)
    not_begun = left_behind(supervisor)
    supervisor._reap()

    assert [again(job).state for job in (once, twice, not_begun)] == ["failed", "waiting", "waiting"]
    assert supervisor.threads == {}


def test_a_worker_gives_no_sign_for_work_that_it_does_not_know_it_took(kind: Register) -> None:
    kind()
    supervisor, job = worker.Supervisor(), start()
    worker.take(supervisor.name)  # and the answer of the database was lost
    Job.objects.update(last_sign=timezone.now() - 2 * LOST_AFTER)
    supervisor._give_sign()

    assert again(job).state == Job.State.WAITING


def test_work_that_writes_for_minutes_is_not_lost_while_its_process_is_there(kind: Register) -> None:
    kind()
    supervisor, job = worker.Supervisor(), start()
    waits = [sys.executable, "-c", "input()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        silent = {"worker": supervisor.name, "process": process.pid, "last_sign": timezone.now() - 2 * LOST_AFTER}
        Job.objects.update(state=Job.State.RUNNING, attempts=1, **silent)
        supervisor.processes[job.pk] = process
        supervisor._give_sign()

        assert again(job).state == Job.State.RUNNING
        assert not job.is_lost
    supervisor._reap()

    assert again(job).state == Job.State.FAILED


def test_repeated_work_that_another_worker_just_ran_is_not_planned_from_its_run_before(
    kind: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind(every=HOUR)
    jobs.plan_repeated()
    work_off()
    Job.objects.update(ended_at=timezone.now() - 10 * HOUR)
    alone = worker._alone

    @contextmanager
    def after_another() -> Iterator[None]:
        jobs.plan_repeated()
        work_off()
        with alone():
            yield

    monkeypatch.setattr(worker, "_alone", after_another)
    worker.Supervisor()._give_sign()

    assert Job.objects.filter(state=Job.State.DONE).count() == 2
    assert Job.objects.filter(state=Job.State.WAITING).count() == 1
    assert not jobs.due().exists()


def test_a_worker_can_be_told_to_end_at_any_moment() -> None:
    """A signal may come while the worker begins to wait and holds the lock of what it waits for."""
    supervisor = worker.Supervisor()

    def told() -> None:
        with supervisor.stirred._cond:  # type: ignore[attr-defined]
            supervisor._told_to_end(signal.SIGTERM, None)

    telling = threading.Thread(target=told, daemon=True)
    telling.start()
    telling.join(10)
    assert not telling.is_alive()
    assert supervisor.ending


# --- signs of life --------------------------------------------------------------------------------------------


def test_monitoring_and_the_owner_learn_that_no_worker_answers(client: Client) -> None:
    owner = make_user("owner")
    owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    stranger = Client()

    def told() -> list[bool]:
        pages = [stranger.get("/healthz"), client.get("/admin/"), client.get("/admin/jobs/")]
        assert [page.status_code for page in pages] == [200, 200, 200]
        return ["No worker has answered for a minute" in page.text for page in pages]

    assert told() == [True, True, True]
    assert stranger.get("/healthz/worker").status_code == 503
    Worker.objects.create(name="one", last_sign=timezone.now() - MINUTE / 2)
    assert told() == [False, False, False]
    assert stranger.get("/healthz/worker").status_code == 200
    Worker.objects.update(last_sign=timezone.now() - 2 * MINUTE)
    assert told() == [True, True, True]


def test_the_page_of_waiting_work_says_what_comes_first_and_that_no_worker_answers(client: Client) -> None:
    admin = make_user("admin")
    admin.is_superuser = True
    admin.save()
    client.force_login(admin)
    for number in range(3):
        job = jobs.start("replay", f"Replay {number}", by=admin, params={}, scope="1")
    said = client.get(job.get_absolute_url()).text

    assert "2 other pieces of work come first" in said
    assert "No worker has answered for a minute" in said


def test_only_the_owner_sees_all_work(client: Client) -> None:
    client.force_login(make_user("scorer"))

    assert client.get("/admin/jobs/").status_code in (302, 404)


# --- emails ---------------------------------------------------------------------------------------------------


@pytest.fixture
def letters(kind: Register) -> None:
    def letter(params: dict[str, Any]) -> EmailMessage | None:
        return EmailMessage("Hello", "You play at table 3.", to=[params["to"]]) if params["to"] else None

    jobs.register(mails.kind("letter", letter))


def send(to: str = "anna@example.org") -> Job:
    jobs.start("letter", "Letter", by=None, params={"to": to})
    (job,) = work_off()
    return job


def test_an_email_is_sent_by_the_queue_and_its_address_forgotten(letters: None) -> None:
    job = send()

    assert [letter.to for letter in mail.outbox] == [["anna@example.org"]]
    assert (job.state, job.params) == (Job.State.DONE, {})


def test_an_email_to_no_one_any_more_is_not_sent(letters: None) -> None:
    assert send("").state == Job.State.DONE
    assert mail.outbox == []


def test_without_a_mail_server_emails_are_refused_in_production(letters: None, settings: Any) -> None:
    settings.PRODUCTION, settings.EMAIL_HOST = True, ""
    job = send()

    assert job.state == Job.State.REFUSED
    assert "EMAIL_HOST" in job.result


def test_the_password_page_says_when_there_is_no_mail_server(client: Client, settings: Any) -> None:
    settings.PRODUCTION, settings.EMAIL_HOST = True, ""
    User.objects.create_user("anna", "anna@example.org", "tile-for-tile")
    said = client.post("/password/forgotten/", {"email": "anna@example.org"}).text

    assert "This site cannot send emails" in said
    assert "anna@example.org" in said, "what was typed is kept"
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (ConnectionRefusedError(), Job.State.WAITING),
        (smtplib.SMTPServerDisconnected("gone"), Job.State.WAITING),
        (smtplib.SMTPRecipientsRefused({"anna@example.org": (451, b"busy")}), Job.State.WAITING),
        (smtplib.SMTPRecipientsRefused({"anna@example.org": (550, b"no such user")}), Job.State.REFUSED),
    ],
)
def test_a_mail_server_that_fails_is_tried_again_and_a_refused_address_is_not(
    letters: None, monkeypatch: pytest.MonkeyPatch, failure: Exception, state: Job.State
) -> None:
    def fail(email: EmailMessage) -> None:
        raise failure

    monkeypatch.setattr(EmailMessage, "send", fail)
    job = send()

    assert job.state == state
    assert "mail server" in job.result


def test_the_queue_holds_no_link_that_opens_an_account(client: Client) -> None:
    User.objects.create_user("anna", "anna@example.org", "tile-for-tile")
    client.post("/password/forgotten/", {"email": "anna@example.org"})

    assert "/password/new/" not in str(list(Job.objects.values()))
    work_off()
    assert "/password/new/" in str(mail.outbox[0].body)
    assert "/password/new/" not in str(list(Job.objects.values()))


# --- forgetting -----------------------------------------------------------------------------------------------


def test_the_queue_prunes_every_hour_what_the_privacy_page_names(client: Client) -> None:
    old = Job.objects.create(
        kind="replay", title="Old", state=Job.State.DONE, ended_at=timezone.now() - datetime.timedelta(days=91)
    )
    jobs.plan_repeated()
    done = work_off()

    assert [job.kind for job in done] == ["prune"]
    assert done[0].result == "1 row was deleted."
    assert not Job.objects.filter(pk=old.pk).exists()
    said = client.get("/privacy/").text
    assert all(str(kept.what) in said and kept.in_words in said for kept in pruning.periods())
    assert len(pruning.periods()) == 7
