"""Progress of long work: one line that is updated in a terminal, a few plain lines if the output is not a terminal."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

WIDTH = 30
EVERY_SECONDS = 0.1


class Bar:
    def __init__(self, out: Any, label: str) -> None:
        self.out = out
        self.label = label
        self.watched = bool(getattr(out, "isatty", lambda: False)())
        self.shown_at = 0.0
        self.quarter = 0

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.watched and self.shown_at:
            self.out.write("\r\x1b[K", ending="")

    def show(self, done: int, total: int) -> None:
        share = done / total if total else 1.0
        if self.watched:
            self._draw(share, done, total)
        elif int(share * 4) > self.quarter:
            self.quarter = int(share * 4)
            self.out.write(f"{self.label}: {share:.0%}")

    def _draw(self, share: float, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.shown_at < EVERY_SECONDS and done < total:
            return
        self.shown_at = now
        filled = round(share * WIDTH)
        self.out.write(f"\r{self.label} [{'#' * filled}{'.' * (WIDTH - filled)}] {share:4.0%}", ending="")
        self.out.flush()
