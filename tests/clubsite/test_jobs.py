"""Long work in real processes: it runs alone, can be stopped, and if killed leaves old or new data, never a mix."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clubsite import jobs
from clubsite.models import LOST_AFTER, Job
from tests.cast import make_user
from tests.queue import worker
from tests.world import make_world

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until a test gives up; this is not a limit on speed


# --- in this process --------------------------------------------------------------------------------------


@pytest.fixture
def user(db: None) -> User:
    return make_user("admin")


@pytest.fixture
def kind() -> Iterator[Callable[[Callable[[jobs.Work], None]], None]]:
    """Registers the kind of work "test" and forgets it afterwards."""
    known = dict(jobs._kinds)
    yield lambda run: jobs.register(
        jobs.JobKind("test", run, lambda user, job: job.scope == user.get_username(), lambda _user, _job: False)
    )
    jobs._kinds.clear()
    jobs._kinds.update(known)


Register = Callable[[Callable[[jobs.Work], None]], None]


def start(user: User, **more: Any) -> Job:
    return jobs.start("test", "Counting to ten", by=user, params={"to": 10}, **more)


def finished(job: Job) -> Job:
    jobs.run(job.pk)
    job.refresh_from_db()
    return job


def test_a_job_that_finishes_is_done_and_says_what_it_did(user: User, kind: Register) -> None:
    def count(work: jobs.Work) -> None:
        for number in range(1, work.params["to"] + 1):
            work.report(number, work.params["to"], "Counting:")
        work.finish("Counted to ten.")

    kind(count)
    job = finished(start(user))

    assert (job.state, job.result) == (Job.State.DONE, "Counted to ten.")
    assert (job.done, job.total, job.phrase) == (10, 10, "Counting:")
    assert job.process == os.getpid()


def test_a_refusal_is_kept_as_a_sentence(user: User, kind: Register) -> None:
    def refuse(work: jobs.Work) -> None:
        raise jobs.JobRefused("Ten is too far.")

    kind(refuse)
    job = finished(start(user))

    assert (job.state, job.result) == (Job.State.REFUSED, "Ten is too far.")


def test_an_error_fails_the_job_and_goes_to_the_log(
    user: User, kind: Register, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(work: jobs.Work) -> None:
        raise ZeroDivisionError

    kind(stumble)
    job = finished(start(user))

    assert job.has_failed
    assert "ZeroDivisionError" in caplog.text


def test_a_full_disk_is_told_as_such(user: User, kind: Register) -> None:
    def write(work: jobs.Work) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    kind(write)
    job = finished(start(user))

    assert job.state == Job.State.REFUSED
    assert "disk of this site is full" in job.result


def test_a_stop_is_heard_at_the_next_report(user: User, kind: Register) -> None:
    heard = []

    def count(work: jobs.Work) -> None:
        jobs.request_stop(work.job)
        heard.append("asked")
        work.report(10, 10)
        heard.append("went on")

    kind(count)

    assert finished(start(user)).state == Job.State.STOPPED
    assert heard == ["asked"]


def test_a_stop_before_the_last_step_keeps_it_from_counting(user: User, kind: Register) -> None:
    def count(work: jobs.Work) -> None:
        jobs.request_stop(work.job)
        work.finish("Counted to ten.")

    kind(count)

    assert finished(start(user)).state == Job.State.STOPPED


def test_a_job_that_waits_and_is_stopped_never_begins(user: User, kind: Register) -> None:
    begun: list[int] = []
    kind(lambda work: begun.append(work.job.pk))
    job = start(user)
    jobs.request_stop(job)

    assert finished(job).state == Job.State.STOPPED
    assert begun == []


def test_a_job_runs_once(user: User, kind: Register) -> None:
    begun: list[int] = []
    kind(lambda work: begun.append(work.job.pk))
    job = start(user)
    jobs.run(job.pk)
    jobs.run(job.pk)

    assert begun == [job.pk]


def test_work_on_one_subject_is_not_started_twice(user: User, kind: Register) -> None:
    kind(lambda work: None)
    first = start(user, subject="season 1")

    assert start(user, subject="season 1") == first
    assert start(user, subject="season 2") != first
    finished(first)
    assert start(user, subject="season 1") != first


def test_silence_for_long_means_lost_and_makes_room_for_another(user: User, kind: Register) -> None:
    kind(lambda work: None)
    job = start(user, subject="season 1")
    silent = {"state": Job.State.RUNNING, "process": 1, "last_sign": timezone.now() - 2 * LOST_AFTER}
    Job.objects.filter(pk=job.pk).update(**silent)
    job.refresh_from_db()

    assert job.has_failed
    assert not job.is_active
    assert start(user, subject="season 1") != job
    job.refresh_from_db()
    assert job.state == Job.State.FAILED


def test_a_job_given_up_for_lost_cannot_finish_after_all(user: User, kind: Register) -> None:
    def slow(work: jobs.Work) -> None:
        Job.objects.filter(pk=work.job.pk).update(last_sign=timezone.now() - 2 * LOST_AFTER)
        jobs.give_up_lost()
        work.finish("Too late.")

    kind(slow)
    job = finished(start(user))

    assert (job.state, job.result) == (Job.State.FAILED, "")


def test_words_are_in_the_language_of_who_asked(user: User, kind: Register) -> None:
    from django.utils import translation

    kind(lambda work: work.finish(translation.get_language() or ""))
    with translation.override("pl"):
        job = start(user)

    assert finished(job).result == "pl"


# --- the page ---------------------------------------------------------------------------------------------


def test_the_page_is_for_its_starter_and_those_whom_it_concerns(kind: Register, db: None) -> None:
    world = make_world()
    kind(lambda work: None)
    job = jobs.start("test", "Counting", by=world.users["admin"], params={}, scope="referee")
    seen = {role: world.client(role).get(job.get_absolute_url()).status_code for role in world.users}

    assert seen == {"scorer": 404, "referee": 200, "admin": 200, "foreign": 404, "owner": 404}


def test_whoever_only_looks_cannot_stop_it(kind: Register, db: None) -> None:
    world = make_world()
    kind(lambda work: None)
    job = jobs.start("test", "Counting", by=world.users["admin"], params={}, scope="referee")
    address = f"{job.get_absolute_url()}stop/"

    assert address not in world.client("referee").get(job.get_absolute_url()).content.decode()
    world.client("referee").post(address)
    job.refresh_from_db()
    assert job.state == Job.State.WAITING
    assert address in world.client("admin").get(job.get_absolute_url()).content.decode()
    world.client("admin").post(address)
    job.refresh_from_db()
    assert job.state == Job.State.STOPPED


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Job.State.RUNNING, "1000 of 8000"),
        (Job.State.DONE, "All is well."),
        (Job.State.REFUSED, "All is well."),
        (Job.State.STOPPED, "Stopped. Nothing has changed."),
        (Job.State.FAILED, "The work was interrupted."),
    ],
)
def test_every_state_is_told_in_words_and_only_work_under_way_asks_again(
    kind: Register, db: None, state: Job.State, words: str
) -> None:
    world = make_world()
    kind(lambda work: None)
    job = jobs.start("test", "Counting", by=world.users["admin"], params={}, back_url="/clubs/furiten/")
    Job.objects.filter(pk=job.pk).update(state=state, result="All is well.", done=1000, total=8000)
    for headers in ({}, {"HX-Request": "true"}):
        page = world.client("admin").get(job.get_absolute_url(), headers=headers).content.decode()
        assert words in page
        assert ("hx-trigger" in page) == (state == Job.State.RUNNING)
        assert ("<html" in page) == (not headers)


def test_work_of_a_kind_nobody_knows_any_more_is_still_shown_to_its_starter(user: User, db: None) -> None:
    job = Job.objects.create(kind="forgotten", title="Old", started_by=user, state=Job.State.DONE)
    client = Client()
    user.is_superuser = True
    user.save()
    client.force_login(user)

    assert client.get(job.get_absolute_url()).status_code == 200


# --- in processes of their own ----------------------------------------------------------------------------


class Site:
    """A database of its own with a season of 1500 games, and scripts run against it as the web server would."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "site.sqlite3"
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        self.environment = kept | {"UMAOKA_VAR": str(folder), "DATABASE_URL": f"sqlite:///{self.path}"}

    def build(self) -> None:
        sizes = ["--hanchans", "1500", "--players", "40", "--formula", "elo", "--database", f"sqlite:///{self.path}"]
        subprocess.run([sys.executable, "-m", "tests.scale", *sizes], cwd=ROOT, env=self.environment, check=True)

    def python(self, script: str) -> str:
        """Run a script to its end; return what it printed."""
        ran = self.begin(script)
        printed, _nothing = ran.communicate(timeout=PATIENCE)
        assert ran.returncode == 0
        return printed

    def begin(self, script: str) -> subprocess.Popen[str]:
        """Start a script with Django set up."""
        set_up = "import django, os; os.environ['DJANGO_SETTINGS_MODULE'] = 'clubsite.settings'; django.setup()\n"
        command = [sys.executable, "-c", set_up + textwrap.dedent(script)]
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path, timeout=30)) as connection:
            return connection.execute(query).fetchall()

    def job(self) -> tuple[str, int, int | None, str]:
        ((state, done, process, result),) = self.rows(
            "SELECT state, done, process, result FROM clubsite_job WHERE kind = 'replay'"
        )
        return state, done, process, result

    def data(self) -> list[Any]:
        """Everything a replay writes."""
        return [
            self.rows("SELECT id, points, place, place_twice, result, rating_after FROM ratings_seat ORDER BY id"),
            self.rows("SELECT player_id, results, recent, rating FROM ratings_standing ORDER BY id"),
            self.rows("SELECT id, rule_set_id, version FROM ratings_hanchan ORDER BY id"),
            self.rows("SELECT rule_set_id, revision FROM ratings_season ORDER BY id"),
            self.rows("SELECT action FROM ratings_seasonevent"),
        ]

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > end:
                pytest.fail(f"nothing came of it: {self.job()}")
            time.sleep(0.01)


ASK = """
    import time
    from django.contrib.auth.models import User
    from clubsite import jobs
    from clubsite.models import Job
    from ratings.models import Season
    from ratings.services.replay_job import start_replay
    from tests.cast import make_rule_set
    season = Season.objects.get(club__slug="large")
    rules = make_rule_set(season.club, "m-league")
    user = User.objects.create(username="owner", is_superuser=True)
"""
START = "    job = start_replay(season, rules, by=user)\n"  # as the web server does on a click
AND_STOP = """
    while Job.objects.filter(pk=job.pk, state="waiting").exists():
        time.sleep(0.005)
    jobs.request_stop(job)
"""
ONLY_A_ROW = """
    Job.objects.create(kind="replay", title="", scope=str(season.club_id),
        params={"season": season.pk, "rule_set": rules.pk, "reason": ""})
"""
CHECK = "from django.core.management import call_command; call_command('rebuild', check=True, season='large/season')"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = Site(tmp_path_factory.mktemp("site"))
    site.build()
    return site.path


@pytest.fixture
def site(template: Path, tmp_path: Path) -> Site:
    found = Site(tmp_path)
    found.path.write_bytes(template.read_bytes())
    return found


def test_a_replay_runs_in_a_process_of_its_own_that_outlives_the_one_that_started_it(site: Site) -> None:
    before = site.data()
    site.python(ASK + START)  # ends at once

    with worker(site.environment):
        site.wait(lambda: site.job()[0] == "done")
    assert "1500 games" in site.job()[3]
    assert site.data()[0] != before[0]
    assert "nothing was changed" in site.python(CHECK)


def test_a_killed_worker_is_seen_as_failed_at_once_and_leaves_everything_as_it_was(site: Site) -> None:
    before = site.data()
    site.python(ASK + START)
    with worker(site.environment):
        site.wait(lambda: site.job()[1] > 0 or site.job()[0] == "done")
        state, _done, process, _result = site.job()
        assert state == "running", "the worker was faster than this test; make the season larger"
        assert process is not None
        os.kill(process, signal.SIGKILL)
        site.wait(lambda: site.job()[0] != "running")

    assert site.job()[0] == "failed"
    assert site.data() == before


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.2, 0.35, 0.5, 0.8])
def test_whenever_a_worker_is_killed_the_data_are_old_or_new_and_the_job_says_which(site: Site, wait: float) -> None:
    site.python(ASK + ONLY_A_ROW)
    before = site.data()
    worker = subprocess.Popen([sys.executable, "manage.py", "run_job", "1"], cwd=ROOT, env=site.environment)
    site.wait(lambda: site.job()[1] >= 1000 or site.job()[0] == "done")
    time.sleep(wait)  # the short waits end during the computation, the long ones after its end
    worker.kill()
    worker.wait()

    if site.job()[0] != "done":
        assert site.data() == before
        return
    _seats, _standings, hanchans, seasons, events = site.data()
    assert events == [("replayed",)]
    assert {rules for _game, rules, _version in hanchans[:1500]} == {seasons[0][0]}
    assert "nothing was changed" in site.python(CHECK)


def test_a_stop_reaches_a_worker_and_nothing_is_written(site: Site) -> None:
    before = site.data()
    with worker(site.environment):
        site.python(ASK + START + AND_STOP)
        site.wait(lambda: site.job()[0] not in ("waiting", "running"))
    assert site.job()[0] == "stopped"
    assert site.data() == before
