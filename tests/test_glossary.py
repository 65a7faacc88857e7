"""The catalogues speak with the words of docs/glossary.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import polib
import pytest
from django.conf import settings

PAGE = (settings.BASE_DIR / "docs" / "glossary.md").read_text(encoding="utf-8")
CODES = {"Russian": "ru", "Ukrainian": "uk", "Polish": "pl"}
GAPS = re.compile(r"%\(\w+\)[sd]|\{\w*\}|<[^>]+>|“[^”]*”")

# Texts in which the word means something else, or the language says it without a noun.
EXCEPT = {
    "game": {"some sit out: a bye gives 0 and is not a game"},
    "hand": {
        "A drawn hand",
        "Hand in the draft",
        "yakuman hands only",
        "%(n)s time two changed places by hand since; the figures are of the draw itself.",
        "Local time of the event (%(zone)s). The event's page and the phones show it, and the screen counts down to "
        "it; the clock itself is started by hand.",
    },
    "round": {
        "After the last round, while no player has enough points.",
        "Draw the round",
        "No one sits out more than %(n)s rounds more often than another.",
        "No round is seated yet",
        "No round is seated yet.",
        "No round is seated yet: there is nothing to print.",
    },
    "session": {
        "Readers need none. Signing in sets one that holds the session and one by which this browser is known for 90 "
        "days, so that wrong passwords typed elsewhere do not keep you out. Forms set one against forgery, and "
        "choosing a language sets one that remembers it. No third-party content, no analytics.",
        "Sessions of people who signed in",
    },
    "table": {
        "Enter the step: with 3 ranks 1, 4, 7 and 10 share a table.",
        "Save and next table",
        "The table as played",
    },
    "result": {
        "Work done behind the pages: its title and result, who started it",
        "down, negative results too",
        "up, negative results too",
    },
    "rank": {
        "Players who reached a later stage rank above the others; totals are those of the stage reached.",
        "The standing leaves out player %(player)d: rank every player once.",
    },
    "place": {
        "%(n)s time two changed places by hand since; the figures are of the draw itself.",
        "There is a draft of this table already; what you save takes its place.",
        "Two change places",
        "When your phone is lost or broken, each of these lets you in once, in place of a code from the app. Print "
        "them or write them down, and keep them apart from your phone.",
        "changes places with",
        "no, plays for a place",
    },
    "void": {"A riichi is void only for the player whose riichi tile is won."},
}


@dataclass(frozen=True)
class Row:
    """One thing: the pattern of its English words, and of its words in each language."""

    terms: list[str]
    words: dict[str, re.Pattern[str]]


def rows(heading: str) -> Iterator[list[str]]:
    """The cells of the table below a heading of the glossary."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def stems(cell: str) -> re.Pattern[str]:
    """“игр·а / игор, ханчан” stands for words that begin with игр, игор or ханчан."""
    found = [part.split("·")[0].strip() for part in re.split(r"[,/]", cell)]
    return re.compile("|".join(rf"(?<!\w){re.escape(each)}" for each in found), re.IGNORECASE)


def glossary() -> list[Row]:
    read = []
    for english, *cells in rows("One word for one thing"):
        terms = english.rpartition(": ")[2].split(", ")
        read.append(Row(terms, {code: stems(cell) for code, cell in zip(CODES.values(), cells, strict=True)}))
    return read


ROWS = glossary()
LONGEST_FIRST = sorted(((term, row) for row in ROWS for term in row.terms), key=lambda pair: -len(pair[0]))


def named(text: str) -> Iterator[tuple[str, Row]]:
    """The terms that an English text contains, a term of several words before its parts."""
    for term, row in LONGEST_FIRST:
        text, found = re.subn(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", " ", text, flags=re.IGNORECASE)
        if found:
            yield term, row


def translated(language: str) -> Iterator[tuple[str, str, str]]:
    """Each message: its key, its English text without values, and all forms of its translation."""
    for entry in polib.pofile(str(settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po")):
        forms = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
        yield entry.msgid, GAPS.sub(" ", f"{entry.msgid} {entry.msgid_plural}"), "\n".join(forms)


@pytest.mark.parametrize("language", CODES.values())
def test_translations_use_the_words_of_the_glossary(language: str) -> None:
    wrong = [
        (term, message, text)
        for message, english, text in translated(language)
        for term, row in named(english)
        if not row.words[language].search(text) and message not in EXCEPT.get(term, ())
    ]
    assert wrong == []


def test_every_exception_is_a_message() -> None:
    messages = {message for message, *_rest in translated("ru")}
    assert {text for texts in EXCEPT.values() for text in texts} <= messages


@pytest.mark.parametrize("language", ["English", *CODES])
def test_words_that_are_not_used_do_not_occur(language: str) -> None:
    banned = [
        word for name, words, _instead in rows("Words not used") for word in words.split(", ") if name == language
    ]
    end = r"\b" if language == "English" else ""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}{end}" for word in banned), re.IGNORECASE)
    found = [
        english if language == "English" else text
        for _message, english, text in translated(CODES.get(language, "ru"))
        if pattern.search(english if language == "English" else text)
    ]
    assert found == []


def test_rows_of_the_glossary_are_all_met() -> None:
    """A row whose words occur in no text would check nothing."""
    met = {id(row) for _message, english, _text in translated("ru") for _term, row in named(english)}
    assert [row.terms for row in ROWS if id(row) not in met] == []
