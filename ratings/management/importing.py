"""The base of all commands that import a file: print what would be done and, unless it is a dry run, do all of it.

A command defines where the file goes, and puts its numbers into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from clubsite.digits import whole_number
from ratings.imports.kinds import Choices, kind_of
from ratings.imports.limits import ReadingBudget, confined
from ratings.imports.names import NEW, Answers, Question, players_by_id
from ratings.imports.read import open_file
from ratings.imports.sheets import Findings
from ratings.mahjong.problems import Refused
from ratings.models import ImportBatch


class ImportCommand(BaseCommand):
    new_option = "all_new"  # the option that makes new players for names that the import asks about
    new_words = "--all-new makes a new player"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument(
            "--name",
            action="append",
            default=[],
            metavar="NAME=NUMBER",
            help="who a name is: a player's number, or new",
        )

    def target(self, options: dict[str, Any]) -> ImportBatch:
        """Return where the file goes: a batch that is not yet stored."""
        raise NotImplementedError

    def choices(self, options: dict[str, Any]) -> Choices:
        return Choices(names=_names_said(options["name"]))

    def is_new(self, question: Question) -> bool:
        """Whether the option for new players answers the question."""
        return not question.ambiguous

    def counts(self, plan: Any) -> str:
        raise NotImplementedError

    def result(self, batch: ImportBatch) -> str:
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        batch = self.target(options)
        batch.file_name = options["file"].name[-200:]
        choices = self.choices(options)
        try:
            with confined():
                book = open_file(_content_of(options["file"]), options["file"].name)
                kind = kind_of(batch, book)
                plan = kind.plan(batch, book, choices)
                if options[self.new_option] and plan.questions:
                    choices.names |= {question.key: NEW for question in plan.questions if self.is_new(question)}
                    plan = kind.plan(batch, book, choices)
            self._say_findings(plan.findings)
            self._say_questions(plan.questions)
            problems = f"{plan.findings.wrong_count} problems, {len(plan.questions)} open names."
            self.stdout.write(f"{self.counts(plan)}; {problems}")
            if options["dry_run"]:
                self.stdout.write("Dry run: nothing was stored.")
            elif plan.may_be_written:
                with transaction.atomic():  # if the command is killed or refused, not even the batch is stored
                    batch.save()
                    kind.write(plan, batch)
                self.stdout.write(self.result(batch))
            elif plan.has_something or plan.findings.wrong_count or plan.questions:
                raise CommandError("Nothing was imported: put right what is listed above, and run it again.")
            else:
                self.stdout.write("There is nothing new in the file.")
        except Refused as refused:
            raise CommandError(" ".join(refused.sentences())) from refused

    def _say_findings(self, found: Findings) -> None:
        for problem in found.wrong:
            self.stderr.write(problem.sentence())
        if found.more_wrong:
            self.stderr.write(f"… and {found.more_wrong} more.")
        for note in found.notes:
            self.stdout.write(note.sentence())
        if found.more_notes:
            self.stdout.write(f"… and {found.more_notes} more notes.")

    def _say_questions(self, questions: Sequence[Question]) -> None:
        people = players_by_id(pk for question in questions for pk in question.candidates)
        for question in questions:
            near = "; ".join(f'--name "{question.key}={pk}" for {people[pk]}' for pk in question.candidates)
            what = "is ambiguous" if question.ambiguous else "is not a known player"
            self.stderr.write(f"“{question.name}” {what}: {near or self.new_words}.")


class PeopleCommand(ImportCommand):
    """A command that imports a list of people."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--all-new", action="store_true", help="a name that is only similar to a known one becomes a new player"
        )


def _content_of(file: Path) -> bytes:
    try:
        ReadingBudget(lambda: 0.0).check_size(file.stat().st_size)  # before a byte is read
        return file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def _names_said(pairs: list[str]) -> Answers:
    found: Answers = {}
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
