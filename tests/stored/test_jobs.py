"""The parameters of jobs: work that waited while the site was updated is understood by the new version.

`jobs.json` holds what each kind stored in November 2026; a text in angle brackets is the id of the row it names.
Drawings and imports have files of their own: `drawings` here and `tests/ratings/data/imports.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail

from clubsite import jobs, passwords
from clubsite.models import Job
from ratings.models import Season
from ratings.services.hanchans import record_hanchan
from ratings.services.replay_job import start_replay
from ratings.workbooks import job as workbook_job
from ratings.workbooks.keeping import kept_book
from tests.cast import make_players, make_rule_set, make_season, make_sheet
from tests.queue import work_off

pytestmark = pytest.mark.django_db
STORED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "jobs.json").read_text(encoding="utf-8"))
ELSEWHERE = {"draw", "dry-run", "import"}


class Asked:
    """A season with a game, and a way to ask for each kind of work about it."""

    def __init__(self) -> None:
        self.season = make_season(name="Spring")
        self.rules = make_rule_set(self.season.club, "ema-2016")
        self.user = User.objects.create_superuser("owner", "owner@example.org", "tile-for-tile")
        record_hanchan(self.season, make_sheet(make_players(4), 45_200, 31_100, 25_700, 18_000))

    def stored(self, kind: str) -> dict[str, Any]:
        ids = {"<season>": self.season.pk, "<rules>": self.rules.pk, "<user>": self.user.pk}
        return {name: ids.get(value, value) for name, value in STORED[kind].items()}

    def ask(self, kind: str) -> None:
        if kind == "replay":
            start_replay(self.season, self.rules, by=self.user, reason="Voted in May")
        elif kind == "workbook":
            workbook_job.start(self.season, by=self.user, back_url="/")
        else:
            passwords.send_link(self.user, "club.example", https=True)

    def is_done(self, kind: str) -> bool:
        season = Season.objects.get(pk=self.season.pk)
        if kind == "replay":
            return season.rule_set == self.rules and season.events.get().reason == "Voted in May"
        if kind == "workbook":
            return kept_book(season, sees_hidden=True) is not None
        return "https://club.example/password/new/" in str(mail.outbox[0].body)


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_the_parameters_of_every_kind_of_work_are_kept_here_or_elsewhere() -> None:
    repeated = {kind.name for kind in jobs._kinds.values() if kind.every}
    assert STORED.keys() | ELSEWHERE == jobs._kinds.keys() - repeated


@pytest.mark.parametrize("kind", STORED)
def test_a_job_holds_what_it_held(kind: str, asked: Asked) -> None:
    asked.ask(kind)

    assert Job.objects.get(kind=kind).params == asked.stored(kind)


@pytest.mark.parametrize("kind", STORED)
def test_a_job_that_an_earlier_version_stored_is_done(kind: str, asked: Asked) -> None:
    about = {"title": "Of last week", "params": asked.stored(kind), "scope": str(asked.season.club_id)}
    Job.objects.create(kind=kind, started_by=asked.user, **about)
    (job,) = work_off()

    assert job.state == Job.State.DONE, job.result
    assert asked.is_done(kind)
