"""Logs of production: one JSON object a line, and nothing about persons in it."""

from __future__ import annotations

import json
import logging


class JsonLines(logging.Formatter):
    """Time, level, logger, message, trace. Addresses lose their query, which may hold a name somebody searched."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage().split("?", 1)[0],
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
