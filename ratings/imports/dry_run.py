"""What a dry run of games found, as plain data: shown at once, or stored by the job that read a large file.

Sentences are in the language of the user who started it. For known players, only the number is stored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from ratings.imports.corrections import CellToCorrect, RowToCorrect
from ratings.imports.names import Question
from ratings.imports.sheets import Place
from ratings.imports.values import HUNDREDS, THOUSANDS
from ratings.queries.previews import Move


@dataclass
class DryRun:
    season: str
    formula: str
    unit: str = ""  # empty for our own workbook, which has no unit to choose
    games: int = 0
    adjustments: int = 0
    already: int = 0
    new_count: int = 0
    new_names: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    wrong_count: int = 0
    notes: list[str] = field(default_factory=list)
    note_count: int = 0
    questions: list[Question] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    more_moves: int = 0
    names: dict[int, str] = field(default_factory=dict)  # of players who do not exist yet, by a negative number
    may_be_written: bool = False
    has_something: bool = False
    left_out: list[int] = field(default_factory=list)  # rows that the user left out
    to_correct: list[RowToCorrect] = field(default_factory=list)

    @property
    def is_in_thousands(self) -> bool:
        return self.unit == THOUSANDS

    @property
    def is_in_hundreds(self) -> bool:
        return self.unit == HUNDREDS

    @property
    def more_wrong(self) -> int:
        return self.wrong_count - len(self.wrong)

    def write(self) -> dict[str, Any]:
        data = asdict(self)
        for move in data["moves"]:
            move |= {name: _written(move[name]) for name in ("value_before", "value_after")}
        data["names"] = list(self.names.items())
        # Only where there are any: dry runs without them are as earlier versions stored them.
        return {key: value for key, value in data.items() if value or key not in ("left_out", "to_correct")}


def read_dry_run(data: dict[str, Any]) -> DryRun:
    questions = [Question(**{**each, "place": Place(*each["place"])}) for each in data["questions"]]
    moves = [Move(**{**each, **_values(each)}) for each in data["moves"]]
    rows = [_row(each) for each in data.get("to_correct", ())]
    return DryRun(**{**data, "questions": questions, "moves": moves, "names": dict(data["names"]), "to_correct": rows})


def _row(row: dict[str, Any]) -> RowToCorrect:
    return RowToCorrect(**{**row, "cells": [CellToCorrect(**cell) for cell in row["cells"]]})


def _values(move: dict[str, Any]) -> dict[str, Any]:
    return {name: _read(move[name]) for name in ("value_before", "value_after")}


def _written(value: Any) -> Any:
    """Averages are exact fractions, which JSON cannot hold."""
    return [value.numerator, value.denominator] if isinstance(value, Fraction) else value


def _read(value: Any) -> Any:
    return Fraction(*value) if isinstance(value, list) else value
