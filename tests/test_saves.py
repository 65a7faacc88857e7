"""No function saves a whole row that another function read: the row may be old and would undo later writes.

A function saves a whole row only if it made or read the row itself. For a row that is an argument it names the columns
(`save(update_fields=…)`, `save_with_history(row, by, reason, "column")`) or says that it is new (`force_insert=True`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def whole_saves(source: str) -> Iterator[str]:
    """One sentence for each save of a whole row that is an argument."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, Function):
            foreign = _arguments(function) - _own(function)
            foreign |= _run_through(function, foreign)
            for call in ast.walk(function):
                row = _saved_whole(call) if isinstance(call, ast.Call) else None
                if row in foreign:
                    yield f"{function.name} saves all of “{row}”, which it did not read itself"


def _arguments(function: Function) -> set[str]:
    given = function.args
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"}


def _own(function: Function) -> set[str]:
    """Names that the function assigns itself."""
    own: set[str] = set()
    for node in ast.walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            targets = [node.target]
        own |= {
            name.id
            for target in targets
            if isinstance(target, ast.Name | ast.Tuple)
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
    return own


def _run_through(function: Function, foreign: set[str]) -> set[str]:
    """Loop variables over an argument that holds several rows."""
    loops = (node for node in ast.walk(function) if isinstance(node, ast.For) and _root(node.iter) in foreign)
    return {name.id for loop in loops for name in ast.walk(loop.target) if isinstance(name, ast.Name)}


def _saved_whole(call: ast.Call) -> str | None:
    """The name of the row that a call stores in all its columns."""
    named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if named == "save_with_history" and len(call.args) == 3:
        return _root(call.args[0])
    if named == "save" and isinstance(call.func, ast.Attribute) and not call.args and not call.keywords:
        return _root(call.func.value)
    return None


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def test_no_row_that_came_in_as_an_argument_is_saved_whole() -> None:
    files = [path for app in ("ratings", "tournaments", "clubsite") for path in (ROOT / app).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}: {sentence}"
        for path in files
        if "migrations" not in path.parts
        for sentence in whole_saves(path.read_text(encoding="utf-8"))
    ]

    assert found == []


@pytest.mark.parametrize(
    "body",
    [
        "stage.save()",
        "stage.season.save()",
        "save_with_history(stage, by, 'closed')",
        "player_rows.save_with_history(stage, by, '')",
        "for row in stage: row.save()",
    ],
)
def test_a_stale_row_is_noticed(body: str) -> None:
    assert list(whole_saves(f"def close(stage, *, by):\n    stage.closed_at = now()\n    {body}\n"))


@pytest.mark.parametrize(
    "body",
    [
        "stage.save(update_fields=['closed_at'])",
        "stage.save(force_insert=True)",
        "save_with_history(stage, by, 'closed', 'closed_at')",
        "save_with_history(Stage(), by, 'made')",
        "stage = read_again(stage); stage.save()",
        "for row in read(): row.save()",
    ],
)
def test_columns_new_rows_and_what_was_read_here_are_not(body: str) -> None:
    assert not list(whole_saves(f"def close(stage, *, by):\n    {body}\n"))
