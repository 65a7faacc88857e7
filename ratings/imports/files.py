"""Which kind of spreadsheet a file is, told by its content; its name must not say something else."""

from __future__ import annotations

from ratings.imports import csvfile, xlsx
from ratings.imports.books import Book
from ratings.imports.limits import AT_ONCE, Budget
from ratings.problems import Problem, Refused, gettext_noop

_ = gettext_noop

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENDINGS = (".xlsx", ".csv")


def open_book(content: bytes, name: str, budget: Budget) -> Book:
    """The sheets of a file; refuses, with a sentence, whatever is no spreadsheet or asks too much."""
    zipped = check_kind(content, name, budget)
    return xlsx.read(content, name, budget) if zipped else csvfile.read(content, name, budget)


def is_large(content: bytes) -> bool:
    """Whether reading takes longer than somebody waits for a page, told by sizes alone. Of a workbook they are those it
    declares, and more than it declares is never unpacked."""
    if content.startswith(ZIP):
        return xlsx.unpacked_size(content) > AT_ONCE.unpacked_bytes
    return len(content) > AT_ONCE.file_bytes


def check_kind(content: bytes, name: str, budget: Budget) -> bool:
    """Whether it is a workbook; else it is CSV. Refuses what is neither, and what is larger than is read at all."""
    budget.check_size(len(content))
    ending = "." + name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if ending not in ENDINGS:
        raise _refuse(_("“%(name)s” is neither .xlsx nor .csv. Save it as one of these."), "wrong_ending", name)
    if content.startswith(OLE):
        raise _refuse(
            _("“%(name)s” is protected by a password or an old .xls. Save it as .xlsx without a password."),
            "password",
            name,
        )
    zipped = content.startswith(ZIP)
    if zipped and ending == ".csv":
        raise _refuse(_("“%(name)s” is called .csv but is a workbook. Rename it to .xlsx."), "wrong_ending", name)
    if not zipped and ending == ".xlsx":
        raise _refuse(
            _("“%(name)s” is called .xlsx but is no workbook. Open it in a spreadsheet and save it as .xlsx."),
            "wrong_ending",
            name,
        )
    if zipped:
        xlsx.check_sizes(content, name, budget)
    return zipped


def _refuse(message: str, code: str, name: str) -> Refused:
    return Refused(Problem(message, {"name": name[-80:]}, code=code))
