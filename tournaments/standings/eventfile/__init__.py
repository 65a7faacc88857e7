"""The event file (EVENT.md): a whole tournament as one JSON object. Pure: reads, checks and writes, stores nothing."""

from tournaments.standings.eventfile.reading import read
from tournaments.standings.eventfile.values import (
    Cut,
    Event,
    FileEntry,
    FileRound,
    FileStage,
    FileTable,
    Leave,
    Penalty,
    RulesOf,
)
from tournaments.standings.eventfile.where import in_round, located, whole_file
from tournaments.standings.eventfile.writing import write

__all__ = [
    "Cut",
    "Event",
    "FileEntry",
    "FileRound",
    "FileStage",
    "FileTable",
    "Leave",
    "Penalty",
    "RulesOf",
    "in_round",
    "located",
    "read",
    "whole_file",
    "write",
]
