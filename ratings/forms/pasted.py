"""A pasted list of people: the box, and how each line is read, shown beside it while the user types.

The list takes the way of a file: `PLAYERS` reads and plans it. Nothing here stores anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.forms.imports import described
from ratings.imports.headless import as_file
from ratings.imports.kinds import Choices
from ratings.imports.names import NEW, Answers, Question
from ratings.imports.players import PLAYERS, PlayerRow, PlayersPlan
from ratings.imports.read import open_file
from ratings.imports.sheets import MOST_KEPT
from ratings.imports.uploads import pasted_name
from ratings.mahjong.names import folded
from ratings.mahjong.problems import Problem, Refused
from ratings.models import Club, ImportBatch, Player
from ratings.queries.people import as_seen

MOST_LETTERS = 200_000
MOST_LINES_LIVE = MOST_KEPT  # a longer list is read only when it is sent
ANSWER = "who:"  # followed by the key of a person in the list


class PastedListForm(forms.Form):
    """The box. `seen` says which text the user saw the reading of; only such a text is stored without a dry run."""

    text = forms.CharField(
        label=_("Names"),
        strip=False,
        max_length=MOST_LETTERS,
        help_text=_("One name on each line. A country and an EMA number may follow, after a comma, semicolon or tab."),
        error_messages={"required": _("Paste or type at least one name.")},
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "class": "paste"}),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(self.fields["text"].error_messages["required"], code="required")
        return text

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data["seen"] == digest(self.cleaned_data["text"]))


def digest(text: str) -> str:
    return hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()


@dataclass(frozen=True)
class ReadLine:
    """How one line of the list is read. `choices` are the answers to the question who it is."""

    row: int
    name: str
    state: str
    latin: str = ""
    country: str = ""
    note: str = ""
    answer_name: str = ""
    choices: list[tuple[str, str]] = field(default_factory=list)
    chosen: str = ""

    @property
    def is_new(self) -> bool:
        return self.state == "new"

    @property
    def is_known(self) -> bool:
        return self.state == "known"

    @property
    def is_reader(self) -> bool:
        return self.state == "you"

    @property
    def is_double(self) -> bool:
        return self.state == "double"

    @property
    def is_wrong(self) -> bool:
        return self.state == "wrong"


@dataclass
class PastedReading:
    """What a pasted list would do. Without a plan, `refused` says why it cannot be read."""

    text: str
    plan: PlayersPlan | None = None
    choices: Choices = field(default_factory=Choices)
    refused: list[str] = field(default_factory=list)
    asks_for_columns: bool = False
    is_long: bool = False
    lines: list[ReadLine] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return digest(self.text)

    @property
    def count(self) -> int:
        """How many players storing the list would add or complete. A list with a wrong line adds nobody."""
        if self.plan is None or self.plan.findings.wrong_count:
            return 0
        return sum(row.changes and row.person.key not in self.plan.asked for row in self.plan.rows)

    @property
    def open_count(self) -> int:
        return len(self.plan.questions) if self.plan else 0

    @property
    def may_be_written(self) -> bool:
        return self.plan is not None and self.plan.may_be_written


def read_pasted(club: Club, text: str, posted: Mapping[str, Any], user: User) -> PastedReading:
    """Read the list, with the answers that were given beside it."""
    reading = PastedReading(text)
    if not text.strip():
        return reading
    batch = ImportBatch(club=club, kind=PLAYERS.key, file_name=pasted_name())
    try:
        book = open_file(as_file(text), batch.file_name)
        plan = PLAYERS.plan(batch, book, reading.choices, by=user)
        questions = {question.key: question for question in plan.questions}
        reading.choices.names = _answers(questions, posted)
        if reading.choices.names:
            plan = PLAYERS.plan(batch, book, reading.choices, by=user)
    except Refused as refused:
        reading.asks_for_columns = any(problem.code == "unknown_columns" for problem in refused.problems)
        reading.refused = refused.sentences(gettext)
        return reading
    reading.plan = plan
    reading.lines = _lines(plan, questions, reading.choices.names, user)
    return reading


def live_reading(club: Club, text: str, posted: Mapping[str, Any], user: User) -> PastedReading:
    """Like `read_pasted`, but a list too long to be read after every key is not read."""
    if text.count("\n") > MOST_LINES_LIVE:
        return PastedReading(text, is_long=True)
    return read_pasted(club, text, posted, user)


def _answers(questions: Mapping[str, Question], posted: Mapping[str, Any]) -> Answers:
    found: Answers = {}
    for key, question in questions.items():
        said = posted.get(f"{ANSWER}{key}", "")
        if said == NEW:
            found[key] = NEW
        elif said in {str(pk) for pk in question.candidates}:
            found[key] = int(said)
    return found


def _lines(plan: PlayersPlan, questions: Mapping[str, Question], answers: Answers, user: User) -> list[ReadLine]:
    candidates = Player.objects.filter(pk__in={pk for each in questions.values() for pk in each.candidates})
    people = {player.pk: player for player in candidates.prefetch_related("affiliations__club")}
    own = folded(user.get_full_name())
    lines = [_wrong(problem) for problem in plan.findings.wrong]
    refused = {line.row for line in lines}
    for row in plan.rows:
        if row.person.place.row in refused:
            continue
        question = questions.get(row.person.key)
        if question:
            lines.append(_asked(row, question, people, str(answers.get(question.key, "")), user))
        else:
            lines.append(_read(row, is_reader=folded(row.person.name) == own))
    return sorted(lines, key=lambda line: line.row)


def _facts(row: PlayerRow) -> dict[str, Any]:
    person = row.person
    latin = person.latin_name if person.latin_name != person.name else ""
    return {"row": person.place.row or 0, "name": person.name, "latin": latin, "country": person["country"]}


def _read(row: PlayerRow, *, is_reader: bool) -> ReadLine:
    note = ""
    if row.player:
        note = row.gains if row.changes else gettext("Already a player of the club")
    if is_reader:
        return ReadLine(state="you", note=note or gettext("The name of your account"), **_facts(row))
    return ReadLine(state="known" if row.player else "new", note=note, **_facts(row))


def _asked(row: PlayerRow, question: Question, people: Mapping[int, Player], chosen: str, user: User) -> ReadLine:
    seen = as_seen([people[pk] for pk in question.candidates if pk in people], user, question.name)
    same = gettext("Same person: %(player)s")
    choices = [
        ("", gettext("Who is this?")),
        *((str(player.pk), same % {"player": described(player)}) for player in seen),
        (NEW, gettext("Another person")),
    ]
    name = f"{ANSWER}{question.key}"
    return ReadLine(state="known", answer_name=name, choices=choices, chosen=chosen, **_facts(row))


def _wrong(problem: Problem) -> ReadLine:
    """A line that cannot be imported. The problem is told with its place around it, which the table shows already."""
    told, row = problem.params["what"], problem.params["row"]
    assert isinstance(told, Problem)
    state = "double" if problem.code == "person_twice" else "wrong"
    name = str(told.params.get("name", ""))
    return ReadLine(row=row if isinstance(row, int) else 0, name=name, state=state, note=told.sentence(gettext))
