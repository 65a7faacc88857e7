"""Production logs: one JSON object per line, without personal data.

Addresses are written as their URL pattern, since they may end in a player's name, and without the query, which may
hold what a visitor searched for. Tracebacks are written only for crashes, without the details PostgreSQL gives about
the row that broke a rule.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Any

from django.http import HttpRequest

NO_PATTERN = "(an address of no page)"
_QUERY = re.compile(r"\?\S*")
_ROW = re.compile(r"^(?:DETAIL|CONTEXT):.*\n?", re.MULTILINE)


class JsonLines(logging.Formatter):
    """Time, level, logger and message; for requests also method, pattern and status; for crashes the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
        }
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            pattern = _pattern(request)
            line["message"] = _without_path(record, pattern)
            line |= {"method": request.method, "path": pattern, "status": getattr(record, "status_code", None)}
        else:
            line["message"] = _QUERY.sub("", record.getMessage())
        if record.exc_info and record.levelno >= logging.ERROR:
            line["trace"] = _ROW.sub("", self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _pattern(request: HttpRequest) -> str:
    match = request.resolver_match
    return f"/{match.route}" if match else NO_PATTERN


def _without_path(record: logging.LogRecord, pattern: str) -> str:
    """The message with the pattern for the path. Django passes paths as arguments, with non-Latin letters escaped."""
    given = record.args if isinstance(record.args, tuple) else ()
    shown = tuple(pattern if isinstance(each, str) and each.startswith("/") else each for each in given)
    return _QUERY.sub("", str(record.msg) % shown if shown else str(record.msg))
