"""The kinds of `manage.py export`, each with its arguments and what it writes; a new kind is a line in KINDS."""

from tournaments.management.exports.event import EventFile
from tournaments.management.exports.kind import Kind
from tournaments.management.exports.season import SeasonWorkbook
from tournaments.management.exports.workbooks import EmaWorkbook, EventWorkbook

KINDS: dict[str, Kind] = {
    "event": EventFile(),
    "season": SeasonWorkbook(),
    "tournament": EventWorkbook(),
    "ema": EmaWorkbook(),
}

__all__ = ["KINDS", "Kind"]
