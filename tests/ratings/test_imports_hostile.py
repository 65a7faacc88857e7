"""Malicious files, and files that are not what they claim: each is refused with a sentence, and every limit works."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from openpyxl import Workbook
from openpyxl.descriptors.base import Integer

from ratings.imports.limits import MEGA, Limits, ReadingBudget, confined
from ratings.imports.read import check_kind, is_large, open_book
from ratings.mahjong.problems import Refused
from tests.ratings.files import WIDE, csv, saved, wide, xlsx

ROW = wide("2026-04-16", ["A", "B", "C", "D"], [25_000] * 4)


def read_all(content: bytes, name: str, budget: ReadingBudget) -> None:
    for sheet in open_book(content, name, budget).sheets:
        for _row in sheet.rows():
            pass


def refusal(content: bytes, name: str = "old.xlsx", limits: Limits | None = None) -> tuple[str, str]:
    """Code and sentence with which a file is refused, when it is opened or when its rows are read."""
    with pytest.raises(Refused) as caught:
        read_all(content, name, ReadingBudget(time.monotonic, limits or Limits()))
    problem = caught.value.problems[0]
    return problem.code, problem.sentence()


def with_part(content: bytes, name: str, body: bytes) -> bytes:
    """A workbook with one part put in or in place of its own."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            if part.filename != name:
                new.writestr(part, old.read(part))
        new.writestr(name, body)
    return file.getvalue()


def sheet_xml(rows: bytes, before: bytes = b"") -> bytes:
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return before + b'<worksheet xmlns="' + space + b'"><sheetData>' + rows + b"</sheetData></worksheet>"


FIRST = "xl/worksheets/sheet1.xml"
SPREADSHEET = b"application/vnd.openxmlformats-officedocument.spreadsheetml"


def test_a_zip_bomb_is_refused_by_the_sizes_it_declares() -> None:
    bomb = with_part(xlsx(WIDE), FIRST, sheet_xml(b" " * 700 * MEGA))
    assert len(bomb) < MEGA

    code, sentence = refusal(bomb)

    assert code == "unpacks_too_big"
    assert "700 MB; at most 640 MB" in sentence


def test_a_bomb_that_lies_about_its_size_is_damaged() -> None:
    bomb = bytearray(with_part(xlsx(WIDE), FIRST, sheet_xml(b" " * 5 * MEGA)))
    with zipfile.ZipFile(io.BytesIO(bytes(bomb))) as archive:
        size = archive.getinfo(FIRST).file_size.to_bytes(4, "little")
    lying = bytes(bomb).replace(size, (1000).to_bytes(4, "little"))

    assert refusal(lying)[0] == "damaged"


def test_a_part_that_would_be_held_in_memory_has_its_own_limit() -> None:
    content = with_part(xlsx(WIDE), "xl/sharedStrings.xml", b"<sst>" + b" " * 3 * MEGA + b"</sst>")

    assert refusal(content, limits=Limits(part_bytes=2 * MEGA))[0] == "unpacks_too_big"


def test_a_million_empty_rows_are_too_many() -> None:
    empty = b"".join(b'<row r="%d"/>' % number for number in range(1, 1_000_001))

    code, sentence = refusal(with_part(xlsx(WIDE), FIRST, sheet_xml(empty)))

    assert code == "too_many_rows"
    assert "Delete empty rows" in sentence


def test_one_cell_in_the_last_row_counts_as_all_rows_before_it() -> None:
    far = b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>'

    assert refusal(with_part(xlsx(WIDE), FIRST, sheet_xml(far)))[0] == "too_many_rows"


def test_a_cell_in_the_last_column_is_too_far() -> None:
    far = b'<row r="1"><c r="XFD1"><v>1</v></c></row>'

    assert refusal(with_part(xlsx(WIDE), FIRST, sheet_xml(far)))[0] == "too_many_columns"


@pytest.mark.parametrize("content", [xlsx(WIDE, *[ROW] * 30), csv(WIDE, *[ROW] * 30)], ids=["xlsx", "csv"])
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(rows=20), "too_many_rows"),
        (Limits(cells=100), "too_many_cells"),
        (Limits(columns=5), "too_many_columns"),
    ],
    ids=["rows", "cells", "columns"],
)
def test_rows_cells_and_columns_are_counted_in_both_kinds_of_files(content: bytes, limits: Limits, code: str) -> None:
    assert refusal(content, "old.xlsx" if content.startswith(b"PK") else "old.csv", limits)[0] == code


def test_entities_are_never_expanded() -> None:
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    rows = b'<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row>'

    code, sentence = refusal(with_part(xlsx(WIDE), FIRST, sheet_xml(rows, laughs)))

    assert code == "entities"
    assert FIRST in sentence


def test_an_outside_entity_is_never_fetched() -> None:
    outside = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    content = with_part(xlsx(WIDE), "xl/sharedStrings.xml", outside + b"<sst><si><t>&a;</t></si></sst>")

    assert refusal(content)[0] == "entities"


def test_links_to_other_files_are_refused() -> None:
    content = with_part(xlsx(WIDE, ROW), "xl/externalLinks/externalLink1.xml", b"<externalLink/>")

    code, sentence = refusal(content)

    assert code == "external_links"
    assert "as values" in sentence


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"\x89PNG\r\n", "old.xlsx", "wrong_ending"),
        (csv(WIDE, ROW), "old.xlsx", "wrong_ending"),
        (xlsx(WIDE, ROW), "old.csv", "wrong_ending"),
        (xlsx(WIDE, ROW), "old.ods", "wrong_ending"),
        (b"", "old.xlsx", "wrong_ending"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old.xlsx", "password"),
        (b"PK\x03\x04 and nothing", "old.xlsx", "damaged"),
        (xlsx(WIDE, ROW)[:-200], "old.xlsx", "damaged"),
        (with_part(xlsx(WIDE, ROW), FIRST, b"<worksheet"), "old.xlsx", "damaged"),
        (with_part(xlsx(WIDE, ROW), "xl/workbook.xml", b"<a/>"), "old.xlsx", "damaged"),
        ("Дата,Игрок".encode("cp1251"), "old.csv", "not_utf8"),
        (b"a,b\0,c", "old.csv", "no_text"),
        (b'a,"' + b"x" * 200_000, "old.csv", "bad_csv"),
    ],
)
def test_what_is_no_spreadsheet_is_refused_with_a_sentence(content: bytes, name: str, code: str) -> None:
    found, sentence = refusal(content, name)

    assert found == code
    assert sentence.endswith(".")


def test_a_zip_with_a_password_is_refused() -> None:
    content = bytearray(xlsx(WIDE))
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        start = archive.start_dir
    content[start + 8] |= 1  # the flag of encryption in the directory of the archive

    assert refusal(bytes(content))[0] == "password"


def test_two_hundred_megabytes_are_refused_unread() -> None:
    code, sentence = refusal(bytes(200 * MEGA), "old.csv")

    assert code == "too_big"
    assert "200 MB; at most 48 MB" in sentence


def test_a_very_long_text_is_refused() -> None:
    book = Workbook()
    assert book.active is not None
    book.active["A1"] = "x" * 5000

    assert refusal(saved(book), limits=Limits(text=4000))[0] == "long_text"


@pytest.mark.parametrize("make", [xlsx, csv], ids=["xlsx", "csv"])
def test_time_runs_out(make: Callable[..., bytes]) -> None:
    content = make(WIDE, *[ROW] * 1200)
    seconds = itertools.count(step=500)

    name = "old.xlsx" if make is xlsx else "old.csv"

    with pytest.raises(Refused, match="longer than 900 seconds"):
        read_all(content, name, ReadingBudget(lambda: float(next(seconds))))


def test_what_a_file_asks_of_memory_is_seen_without_unpacking_it() -> None:
    bomb = with_part(xlsx(WIDE), FIRST, sheet_xml(b" " * 700 * MEGA))

    assert is_large(bomb)
    with pytest.raises(Refused, match="700 MB; at most 640 MB"):
        check_kind(bomb, "old.xlsx", ReadingBudget(time.monotonic))


# --- the fence around the process ---------------------------------------------------------------------------

FENCED = """
import sys
from ratings.imports.limits import MEGA, Limits
from ratings.mahjong.problems import Refused
from ratings.imports.limits import confined
from ratings.imports.read import open_file

content = open(sys.argv[1], "rb").read()
try:
    with confined(Limits(memory_bytes=int(sys.argv[2]) * MEGA, seconds_in_all=float(sys.argv[3]))):
        book = open_file(content, sys.argv[1])
        kept = [list(sheet.rows()) for sheet in book.sheets]
    print("read", sum(len(rows) for rows in kept))
except Refused as refused:
    print(refused.problems[0].code, refused.problems[0].sentence())
print("alive", len(bytearray(64 * MEGA)) // MEGA)
"""


def fenced(file: Path, memory: int, seconds: float) -> list[str]:
    """The output of a separate process that reads a file within so many more megabytes and so many seconds."""
    setup = "import django; django.setup()\n"
    command = [sys.executable, "-c", setup + FENCED, str(file), str(memory), str(seconds)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "clubsite.settings"}
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


class Ringing(int):
    """A number whose conversion raises the alarm signal. openpyxl turns every exception there into a TypeError."""

    def __new__(cls, _value: object) -> Ringing:
        signal.raise_signal(signal.SIGALRM)
        return super().__new__(cls)


class Greedy(int):
    def __new__(cls, _value: object) -> Greedy:
        raise MemoryError


@pytest.mark.parametrize(("number", "code"), [(Ringing, "too_slow"), (Greedy, "too_much_memory")])
def test_a_limit_passed_inside_openpyxl_never_makes_a_file_damaged(
    number: type[int], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Integer, "expected_type", number)

    with pytest.raises(Refused) as caught, confined():
        read_all(xlsx(WIDE, ROW), "old.xlsx", ReadingBudget(time.monotonic))

    assert caught.value.problems[0].code == code


def test_an_alarm_that_a_library_drops_is_told_all_the_same() -> None:
    with pytest.raises(Refused, match="longer than 1800 seconds"), confined(), contextlib.suppress(Refused):
        Ringing(1)


def test_other_errors_pass_the_fence_as_they_are() -> None:
    with pytest.raises(KeyError, match="other"), confined():
        raise KeyError("other")


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with every count within its limit. It is the shared strings, all in memory at once, that add up."""
    texts = b"".join(b"<si><t>%d%s</t></si>" % (number, b"x" * 30) for number in range(400_000))
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    content = with_part(xlsx(WIDE, ROW), "xl/sharedStrings.xml", b'<sst xmlns="' + space + b'">' + texts + b"</sst>")
    declared = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s.sharedStrings+xml"/></Types>' % SPREADSHEET
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        types = archive.read("[Content_Types].xml").replace(b"</Types>", declared)
    content = with_part(content, "[Content_Types].xml", types)
    file = tmp_path_factory.mktemp("hostile") / "greedy.xlsx"
    file.write_bytes(content)
    return file


def test_memory_runs_out_in_a_sentence_and_the_process_lives_on(greedy: Path) -> None:
    said = fenced(greedy, 20, 60)

    assert said[0].startswith("too_much_memory Reading the file needs more than 20 MB of memory.")
    assert said[1] == "alive 64", "afterwards the process has its memory again"


def test_the_same_file_is_read_within_the_limits_of_the_program(greedy: Path) -> None:
    assert fenced(greedy, 1024, 60)[0] == "read 2"


def test_the_process_stops_what_takes_too_long(greedy: Path) -> None:
    """This does not depend on the machine: no processor reads the file in that time."""
    said = fenced(greedy, 1024, 0.01)

    assert said[0].startswith("too_slow Reading took longer than 0 seconds and was stopped.")
    assert said[1] == "alive 64"
