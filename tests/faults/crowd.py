"""Four writers against a running site, and the comparison of what they were told with what is stored."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.site import PATIENCE, ROOT, Site

STATUS_AFTER = {"entered": "final", "corrected": "final", "voided": "void", "restored": "final"}


@dataclass
class Crowd:
    """The running writers."""

    processes: list[subprocess.Popen[str]]
    journals: list[Path]

    def wait(self) -> Told:
        for process in self.processes:
            _nothing, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
        return Told.read(self.journals)


def set_loose(site: Site, base: str, scene: dict[str, Any], seconds: float, *options: str) -> Crowd:
    plan = site.folder / "scene.json"
    plan.write_text(json.dumps(scene))
    journals = [site.folder / f"{user}.journal" for user in scene["users"]]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.writer", base, plan, user, str(seconds), journal, *options],
            cwd=ROOT,
            env=site.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for user, journal in zip(scene["users"], journals, strict=True)
    ]
    return Crowd(processes, journals)


@dataclass
class Told:
    """What the site answered to all writers together."""

    tried: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)  # token -> game
    counts: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @classmethod
    def read(cls, journals: list[Path]) -> Told:
        told = cls()
        for journal in journals:
            for line in map(json.loads, journal.read_text().splitlines()):
                if "tried" in line:
                    told.tried[line["tried"]] = line
                elif "done" in line:
                    told.done[line["done"]] = line["game"]
                else:
                    told.counts.update(line["counts"])
                    told.surprises += [line["surprise"]] if line["surprise"] else []
                    told.slowest = max(told.slowest, line["slowest"])
        return told


def differences(told: Told, stored: dict[str, Any], *, cut_off: bool = False) -> list[str]:
    """Everything in which the database differs from what the writers were told.

    With `cut_off` a write without an acknowledgement may be stored all the same, but only once: its answer was lost.
    """
    found: list[str] = []
    events = [(int(pk), event) for pk, game in stored["games"].items() for event in game["events"]]
    times = Counter(_token(event) for _pk, event in events)
    found += [f"{token} is stored {count} times" for token, count in times.items() if count > 1]
    found += [f"{token} was acknowledged and is not stored" for token in told.done if not times[token]]
    if not cut_off:
        found += [f"{token} was not acknowledged and is stored" for token in times if token not in told.done]
    for pk, event in events:
        found += _compare(pk, event, told)
    for pk, game in stored["games"].items():
        found += _inspect(pk, game)
    if stored["standings"] != stored["added_up"]:
        found.append(f"standings {stored['standings']} are not {stored['added_up']}")
    return found


def _token(event: dict[str, Any]) -> str:
    return str(event["token"])


def _compare(pk: int, event: dict[str, Any], told: Told) -> list[str]:
    """Compare a stored write with the one that was sent."""
    sent = told.tried.get(_token(event))
    if sent is None:
        return [f"nobody sent {_token(event)}"]
    found = []
    if event["action"] != sent["kind"] or told.done.get(_token(event), pk) != pk:
        found.append(f"{sent} became {event} of game {pk}")
    if event["version"] != sent["seen"] + 1:
        found.append(f"{sent['tried']} saw version {sent['seen']} and made {event['version']}: an update is lost")
    if "seats" in sent and event["seats"] != sent["seats"]:
        found.append(f"{sent['tried']} sent {sent['seats']}, stored is {event['seats']}")
    return found


def _inspect(pk: str, game: dict[str, Any]) -> list[str]:
    """Compare a game with its own history."""
    found = []
    versions = [event["version"] for event in game["events"]]
    if versions != list(range(1, game["version"] + 1)):
        found.append(f"game {pk}: version {game['version']}, history {versions}")
    if not versions:
        return found
    last = game["events"][-1]
    if game["seats"] != last["seats"] or game["status"] != STATUS_AFTER[last["action"]]:
        found.append(f"game {pk} is not as its last event left it")
    return found
