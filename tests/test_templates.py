"""Templates and stylesheets that people can read: rules that no formatter checks."""

from __future__ import annotations

import ast
import re
from itertools import accumulate
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "clubsite" / "static" / "umaoka"
LONGEST = 120
DEEPEST = 3  # nested conditions that a reader can follow
TEMPLATES = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt")]
STYLESHEETS = list(STATIC.glob("*.css"))
READ_BY_PEOPLE = [*TEMPLATES, *STYLESHEETS]
SHORT_NAMES = {"a4", "ok", "qr"}  # the usual names of these things
ASKS_DJANGO = "field.html"  # compares the name of a widget, since Django gives nothing else
DJANGO = "admin.css"  # styles the classes of Django's own admin
NUMBERED = re.compile(r"-\d$")  # the number is added to the name when the page is rendered

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{};]+)\{")
CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
TAG = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
ATTRIBUTE = re.compile(r'\bclass="((?:\{[%{].*?[%}]\}|[^"{])*)"', re.DOTALL)
QUOTED = re.compile(r"""(["'`])(.*?)\1""", re.DOTALL)
CONDITION = re.compile(r"\{%\s*(if|endif)\b")
COMPARED = re.compile(r"""\{%[^%]*[!=]=\s*["']""")
NAME = re.compile(r"[A-Za-z_][\w-]*")


def test_there_are_templates_and_stylesheets() -> None:
    assert len([path for path in READ_BY_PEOPLE if path.suffix == ".html"]) > 100
    assert len([path for path in READ_BY_PEOPLE if path.suffix == ".css"]) > 10


@pytest.mark.parametrize("kind", [".html", ".txt", ".css"])
def test_no_line_is_longer_than_a_screen(kind: str) -> None:
    files = [path for path in READ_BY_PEOPLE if path.suffix == kind]
    lines = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert lines == []


def test_every_class_of_a_stylesheet_is_used() -> None:
    used = _names_in_templates() | _names_in_python() | _names_in_scripts()
    unused = {
        f"{path.name}: {name}"
        for path in STYLESHEETS
        if path.name != DJANGO
        for name in _classes(path)
        if name not in used and NUMBERED.sub("-", name) not in used
    }
    assert unused == set()


def test_the_names_of_classes_are_words() -> None:
    names = {name for path in STYLESHEETS for name in _classes(path)}
    names |= {name for path in TEMPLATES for name in _classes_of_elements(path)}
    assert len(names) > 300
    assert {name for name in names if len(name) < 3} == SHORT_NAMES


def test_conditions_are_not_deep_inside_each_other() -> None:
    deep = {str(path.relative_to(ROOT)) for path in TEMPLATES if _depth(path) > DEEPEST}
    assert deep == set()


def test_states_are_asked_for_and_not_compared_with_words() -> None:
    comparing = [path for path in TEMPLATES if COMPARED.search(path.read_text())]
    assert [path.name for path in comparing] == [ASKS_DJANGO]


def _depth(template: Path) -> int:
    steps = [1 if tag == "if" else -1 for tag in CONDITION.findall(template.read_text())]
    return max(accumulate(steps), default=0)


def _classes(stylesheet: Path) -> set[str]:
    rules = SELECTORS.findall(COMMENT.sub("", stylesheet.read_text()))
    return {name for rule in rules if not rule.lstrip().startswith("@") for name in CLASS.findall(rule)}


def _classes_of_elements(template: Path) -> set[str]:
    return {
        name
        for attribute in ATTRIBUTE.findall(template.read_text())
        for name in TAG.sub("\n", attribute).split()
        if NAME.match(name)
    }


def _names_in_templates() -> set[str]:
    tags = [tag for path in TEMPLATES for tag in TAG.findall(path.read_text())]
    arguments = {name for tag in tags for _quote, text in QUOTED.findall(tag) for name in NAME.findall(text)}
    return arguments.union(*map(_classes_of_elements, TEMPLATES))


def _names_in_python() -> set[str]:
    """All words in string constants, since table cells are rendered in Python."""
    files = [path for app in ("clubsite", "ratings", "tournaments") for path in (ROOT / app).rglob("*.py")]
    nodes = [node for path in files if "migrations" not in path.parts for node in ast.walk(ast.parse(path.read_text()))]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return {name for text in texts for name in NAME.findall(text)}


def _names_in_scripts() -> set[str]:
    scripts = [path.read_text() for path in STATIC.glob("*.js")]
    return {name for script in scripts for _quote, text in QUOTED.findall(script) for name in NAME.findall(text)}
