"""The catalogues of words: whole, true to their placeholders, and compiled."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import polib
import pytest
from django.conf import settings

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w*\}|</?\w+[^>]*>")


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"))


def translations(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    """Each translation with the text that it translates."""
    if entry.msgid_plural:
        for text in entry.msgstr_plural.values():
            yield entry.msgid_plural, text
    else:
        yield entry.msgid, entry.msgstr


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    left = [entry.msgid for entry in catalogue(language) if not (entry.translated() or entry.obsolete)]
    assert left == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_what_stands_for_values(language: str) -> None:
    """A plural form may leave a number out ("one game"), but names no placeholder that the text lacks."""
    wrong = []
    for entry in catalogue(language):
        for source, text in translations(entry):
            wanted, found = Counter(PLACEHOLDER.findall(source)), Counter(PLACEHOLDER.findall(text))
            if found != wanted and not (entry.msgid_plural and found <= wanted):
                wrong.append((source, text))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    """`make messages` compiles; the site reads only the compiled catalogue."""
    written = {(entry.msgctxt, entry.msgid): entry for entry in catalogue(language) if entry.translated()}
    compiled = polib.mofile(str(settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.mo"))
    read = {(entry.msgctxt, entry.msgid): entry for entry in compiled}
    assert read.keys() == written.keys()
    assert all(list(translations(read[key])) == list(translations(written[key])) for key in written)


def test_no_message_hides_in_an_f_string() -> None:
    """gettext's own reader does not look there, so the word would never reach a catalogue."""
    hidden = [
        f"{path.relative_to(settings.BASE_DIR)}:{call.lineno}"
        for app in ("clubsite", "ratings", "tournaments")
        for path in (settings.BASE_DIR / app).rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and _marks_a_message(call)
    ]
    assert hidden == []


def _marks_a_message(call: ast.Call) -> bool:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return (name == "_" or "gettext" in name) and bool(call.args) and isinstance(call.args[0], ast.Constant)
