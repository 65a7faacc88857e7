"""Logs of production: one JSON object a line, and nothing about persons in it.

Addresses are written as their pattern, since they may end in a player's name, and without the query, which may hold
what somebody searched for. Traces are those of crashes, and lose what PostgreSQL tells of the row that broke a rule.
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
    """Time, level, logger, message; of requests method, pattern and status; of crashes the trace."""

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
    """Django writes paths as an argument of their own, with other than Latin letters escaped."""
    given = record.args if isinstance(record.args, tuple) else ()
    shown = tuple(pattern if isinstance(each, str) and each.startswith("/") else each for each in given)
    return _QUERY.sub("", str(record.msg) % shown if shown else str(record.msg))
