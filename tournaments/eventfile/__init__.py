"""The event file (EVENT.md): a whole tournament as one JSON object. Pure: reads, checks and writes, stores nothing."""

from tournaments.eventfile.reading import read
from tournaments.eventfile.values import (
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
from tournaments.eventfile.where import in_round, located, whole_file
from tournaments.eventfile.writing import write

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
