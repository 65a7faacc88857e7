"""What the commands that import a file share: reading it, who the names are, and saying what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubsite.digits import whole_number
from ratings.imports.limits import Budget
from ratings.imports.places import Findings
from ratings.models import ImportBatch
from ratings.problems import Refused
from ratings.queries.name_matches import players_by_id
from ratings.services.imports.files import NEW, Choices
from ratings.services.imports.lists import ListPlan
from ratings.services.imports.names import Question


def add_name_argument(parser: CommandParser) -> None:
    parser.add_argument(
        "--name", action="append", default=[], metavar="NAME=NUMBER", help="who a name is: a player's number, or new"
    )


def content_of(file: Path) -> bytes:
    try:
        Budget(lambda: 0.0).check_size(file.stat().st_size)  # before a byte is read
        return file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def names_said(pairs: list[str]) -> dict[str, int | str]:
    found: dict[str, int | str] = {}
    for pair in pairs:
        name, _sign, number = pair.rpartition("=")
        chosen = NEW if number == NEW else whole_number(number)
        if not name or chosen is None:
            raise CommandError(f"--name {pair!r} is not understood; write “Name=12” or “Name=new”.")
        found[name] = chosen
    wanted = {pk for pk in found.values() if isinstance(pk, int)}
    if missing := wanted - players_by_id(wanted).keys():
        raise CommandError(f"There is no player {min(missing)}.")
    return found


def say_findings(command: BaseCommand, found: Findings) -> None:
    for problem in found.wrong:
        command.stderr.write(problem.sentence())
    if found.more_wrong:
        command.stderr.write(f"… and {found.more_wrong} more.")
    for note in found.notes:
        command.stdout.write(note.sentence())
    if found.more_notes:
        command.stdout.write(f"… and {found.more_notes} more notes.")


def say_questions(command: BaseCommand, questions: Sequence[Question], *, nobody: str) -> None:
    people = players_by_id(pk for question in questions for pk in question.candidates)
    for question in questions:
        near = "; ".join(f'--name "{question.key}={pk}" for {people[pk]}' for pk in question.candidates)
        what = "is ambiguous" if question.ambiguous else "is nobody known here"
        command.stderr.write(f"“{question.name}” {what}: {near or nobody}.")


def import_list(
    command: BaseCommand,
    plan_with: Callable[[Choices], ListPlan],
    write: Callable[[ListPlan], ImportBatch],
    choices: Choices,
    options: dict[str, object],
) -> ImportBatch | None:
    """Says what a list would do and, unless it is a dry run, does all of it or refuses. `None`: nothing was stored."""
    try:
        plan = plan_with(choices)
        if options["all_new"] and plan.questions:
            choices.names |= {question.key: NEW for question in plan.questions if not question.ambiguous}
            plan = plan_with(choices)
        say_findings(command, plan.findings)
        say_questions(command, plan.questions, nobody="--all-new makes a new player")
        if options["dry_run"]:
            command.stdout.write("Dry run: nothing was stored.")
        elif plan.may_be_written:
            return write(plan)
        elif plan.has_something or plan.findings.wrong_count or plan.questions:
            raise CommandError("Nothing was imported: put right what is listed above, and run it again.")
        else:
            command.stdout.write("There is nothing new in the file.")
    except Refused as refused:
        raise CommandError(" ".join(problem.sentence() for problem in refused.problems)) from refused
    return None


def add_list_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
    parser.add_argument(
        "--all-new", action="store_true", help="whoever is written nearly like somebody is new all the same"
    )
    add_name_argument(parser)
