"""The tables of docs/rules.md, from the declarations: `python -m tests.ratings.rules_document` writes them again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ratings.mahjong.rulesets import GROUPS, PARAMETERS, Parameter
from ratings.mahjong.rulesets.parameters import NOT_STATED

DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"
MARK = "<!-- from here on written by tests/ratings/rules_document.py -->\n"
DEPENDS = {"chombo_payment": "true if `chombo_penalty` is 0, else false", "extra_target": "`target_points`"}


def tables() -> str:
    return "\n".join(line for key in GROUPS for line in _table(key))


def _table(group: str) -> Iterator[str]:
    yield f"\n## {GROUPS[group]}\n"
    yield "| parameter | meaning | JSON value | where it is null or missing |"
    yield "|---|---|---|---|"
    for parameter in PARAMETERS.values():
        if parameter.group == group:
            yield f"| `{parameter.name}` | {parameter.label} | {_values(parameter)} | {_default(parameter)} |"


def _values(parameter: Parameter) -> str:
    return parameter.kind.wanted().sentence()


def _default(parameter: Parameter) -> str:
    if parameter.name in DEPENDS:
        return f"taken as {DEPENDS[parameter.name]}"
    if parameter.default is not None:
        return f"taken as `{json.dumps(parameter.write(parameter.default))}`"
    if not parameter.kind.optional:
        return "cannot be missing" if parameter.name != "printed_values" else "`[]`"
    if parameter.kind.none_label != NOT_STATED:
        return f"null is “{parameter.kind.none_label}”; cannot be missing"
    return "not stated"


def document() -> str:
    head, mark, _old = DOCUMENT.read_text("utf-8").partition(MARK)
    return head + mark + tables() + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
