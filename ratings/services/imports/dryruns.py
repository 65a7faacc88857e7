"""What a dry run found, as plain data: shown at once, or kept by the job that read a large file and shown later.

Sentences are in the language of whoever asked for it. Of players who are known only their number is kept.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from ratings.imports.places import Place
from ratings.imports.values import HUNDREDS, THOUSANDS
from ratings.queries import previews
from ratings.queries.previews import Move
from ratings.services.imports.names import Question
from ratings.services.imports.planning import Plan

MOST_MOVES = 100
MOST_NAMES = 300


@dataclass
class DryRun:
    season: str
    formula: str
    unit: str = ""  # of a file of strangers; our own workbook has no columns to choose
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
    names: dict[int, str] = field(default_factory=dict)  # of players who are not there yet, by number below zero
    may_be_written: bool = False
    has_something: bool = False

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
        return data


def read_dry_run(data: dict[str, Any]) -> DryRun:
    questions = [Question(**{**each, "place": Place(*each["place"])}) for each in data["questions"]]
    moves = [Move(**{**each, **_values(each)}) for each in data["moves"]]
    return DryRun(**{**data, "questions": questions, "moves": moves, "names": dict(data["names"])})


def _values(move: dict[str, Any]) -> dict[str, Any]:
    return {name: _read(move[name]) for name in ("value_before", "value_after")}


def _written(value: Any) -> Any:
    """Averages are exact fractions, which JSON does not know."""
    return [value.numerator, value.denominator] if isinstance(value, Fraction) else value


def _read(value: Any) -> Any:
    return Fraction(*value) if isinstance(value, list) else value


def summed_up(plan: Plan) -> DryRun:
    moves = [] if plan.findings.wrong_count else _moves(plan)
    new = {number: plan.reading.names[key] for key, number in plan.new_people.items()}
    shown = {move.player_id for move in moves[:MOST_MOVES]}
    return DryRun(
        season=plan.season.name,
        formula=plan.season.formula,
        unit=plan.layout.unit if plan.layout else "",
        games=len(plan.games),
        adjustments=len(plan.adjustments),
        already=plan.already,
        new_count=len(new),
        new_names=list(new.values())[:MOST_NAMES],
        wrong=[problem.sentence(gettext) for problem in plan.findings.wrong],
        wrong_count=plan.findings.wrong_count,
        notes=[note.sentence(gettext) for note in plan.findings.notes],
        note_count=plan.findings.note_count,
        questions=plan.questions,
        moves=moves[:MOST_MOVES],
        more_moves=max(0, len(moves) - MOST_MOVES),
        names={number: name for number, name in new.items() if number in shown},
        may_be_written=plan.may_be_written,
        has_something=plan.has_something,
    )


def _moves(plan: Plan) -> list[Move]:
    """The leaderboard as it would be, penalties of our own workbook included."""
    games = [
        (planned.ready.sheet, [result for result in planned.ready.results if result])
        for planned in plan.games
        if planned.ready.status == "final"
    ]
    given = [(plan.people[row.who], row.kind, row.points) for row, _digest in plan.adjustments if row.revoked is None]
    return previews.moves_of_many(plan.season, games, given)
