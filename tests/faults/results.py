"""The measurements of a run, stored as one small file per test for `tests.faults.report`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def folder() -> Path:
    return Path(os.environ.get("UMAOKA_VAR") or ROOT / "var").resolve() / "faults"


def keep(name: str, **figures: Any) -> None:
    """Store the figures of one test; `name` is the `result` of a row of the report."""
    folder().mkdir(parents=True, exist_ok=True)
    draft = folder() / f"{name}.{os.getpid()}.part"
    draft.write_text(json.dumps(figures, indent=1, sort_keys=True))
    draft.replace(folder() / f"{name}.json")


def read(name: str) -> dict[str, Any] | None:
    file = folder() / f"{name}.json"
    return dict(json.loads(file.read_text())) if file.exists() else None
