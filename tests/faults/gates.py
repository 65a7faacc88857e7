"""Gates that hold a job in a phase, so that a test can kill somebody there without hoping for the right moment.

A test closes the gate of a job by making a file. A process that comes to a closed gate leaves a file with its number
and waits until the gate is gone. `tests.faults.gated_settings` builds the gates into the real commands.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from django.apps import AppConfig

COMPUTING = "computing"  # the first progress is stored, nothing is written yet
WRITING = "writing"  # everything is written, the job not yet marked as done, nothing committed


def gate(folder: Path, place: str, job: int) -> Path:
    return folder / "gates" / f"{place}-{job}"


def arrivals(closed: Path) -> list[int]:
    """The processes that came to the gate while it was closed."""
    return [int(file.suffix[1:]) for file in closed.parent.glob(f"{closed.name}.*")]


def pass_through(closed: Path) -> None:
    if closed.exists():
        closed.with_suffix(f".{os.getpid()}").touch()
        while closed.exists():
            time.sleep(0.02)


class Gates(AppConfig):
    name = "tests.faults"
    label = "gates"

    def ready(self) -> None:
        from django.conf import settings

        from clubsite.jobs import Work

        report, finish = Work.report, Work.finish

        def gated_report(work: Work, done: int, total: int, phrase: str = "") -> None:
            report(work, done, total, phrase)
            if done:
                pass_through(gate(settings.VAR_DIR, COMPUTING, work.job.pk))

        def gated_finish(work: Work, result: str) -> None:
            pass_through(gate(settings.VAR_DIR, WRITING, work.job.pk))
            finish(work, result)

        setattr(Work, "report", gated_report)  # noqa: B010 - mypy lets no method be replaced
        setattr(Work, "finish", gated_finish)  # noqa: B010
