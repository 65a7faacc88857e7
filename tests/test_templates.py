"""Templates and stylesheets that people can read: what no formatter sees to."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 120
EMAIL = "password_reset_email.html"  # its lines are those of the letter
TEMPLATES = [path for path in (ROOT / "templates").rglob("*.html") if path.name != EMAIL]
READ_BY_PEOPLE = [*TEMPLATES, *(ROOT / "clubsite" / "static" / "umaoka").glob("*.css")]


def test_there_are_templates_and_stylesheets() -> None:
    assert len([path for path in READ_BY_PEOPLE if path.suffix == ".html"]) > 100
    assert len([path for path in READ_BY_PEOPLE if path.suffix == ".css"]) > 10


@pytest.mark.parametrize("kind", [".html", ".css"])
def test_no_line_is_longer_than_a_screen(kind: str) -> None:
    files = [path for path in READ_BY_PEOPLE if path.suffix == kind]
    lines = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert lines == []
