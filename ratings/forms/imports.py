"""Forms of an import: the upload, the meaning of the columns, and the players behind the names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings import rights
from ratings.forms.seats import person_field
from ratings.imports.columns import Layout
from ratings.imports.corrections import LONGEST_CELL, CellToCorrect, Corrections, RowToCorrect
from ratings.imports.game_rows import LONG, WIDE
from ratings.imports.games import GAMES
from ratings.imports.kinds import Choices, ImportKind
from ratings.imports.limits import DEFAULT, MEGA
from ratings.imports.names import NEW, Answers, Question
from ratings.imports.players import PLAYERS
from ratings.imports.sheets import letter
from ratings.imports.values import UNIT_LABELS
from ratings.models import Player, Season
from ratings.queries.people import as_seen, called, choosable, living
from ratings.rights import Person

NEW_SEASON, NEW_PLAYERS = "new", "players"
OTHER = "other"  # the answer that a name is a player who is searched


class FileForm(forms.Form):
    """A file that is not larger than the limit."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("An .xlsx or .csv file. Nothing is saved until you have seen what it changes."),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv"}),
        error_messages={"required": _("Choose a file.")},
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > DEFAULT.file_bytes:
            sentence = gettext("The file has %(size)s MB; at most %(most)s MB are read. Split it into smaller files.")
            raise forms.ValidationError(
                sentence % {"size": -(-(file.size or 0) // MEGA), "most": DEFAULT.file_bytes // MEGA}
            )
        return file


class UploadForm(FileForm):
    """The file and its target: a season of the member's clubs, a new season from our own workbook, or the players."""

    target = forms.ChoiceField(label=_("Import into"))

    field_order = ["target", "file"]

    def __init__(self, user: User, *args: Any, into: str = "", club: str = "", **kwargs: Any) -> None:
        """`club` leaves the targets of one club, named by its slug.

        `into` preselects the first target whose key starts with it: a season's id, or "players" of a club.
        """
        super().__init__(*args, **kwargs)
        clubs = rights.clubs_of(user, rights.Level.ADMIN)
        if club:
            clubs = clubs.filter(slug=club)
        self.club = next(iter(clubs), None) if len(clubs) == 1 else None
        seasons = Season.objects.of_clubs().filter(club__in=clubs).select_related("club")
        self.seasons = {str(season.pk): season for season in seasons}
        self.clubs = {f"{NEW_SEASON}-{club.pk}": club for club in clubs}
        self.players = {f"{NEW_PLAYERS}-{club.pk}": club for club in clubs}
        new = gettext("%(club)s: a new season, from its workbook")
        people = gettext("%(club)s: the list of players")
        field = self.fields["target"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            *((key, f"{season.club.name}: {season.name}") for key, season in self.seasons.items()),
            *((key, new % {"club": club.name}) for key, club in self.clubs.items()),
            *((key, people % {"club": club.name}) for key, club in self.players.items()),
        ]
        field.initial = into if into in self.seasons else None
        if into == NEW_PLAYERS:
            field.initial = next(iter(self.players), None)

    def destination(self) -> dict[str, Any]:
        """Columns of ImportBatch."""
        key = self.cleaned_data["target"]
        if key in self.players:
            return {"club": self.players[key], "season": None, "kind": PLAYERS.key}
        season = self.seasons.get(key)
        return {"club": season.club if season else self.clubs[key], "season": season, "kind": GAMES.key}


def unit_choices() -> list[tuple[str, str]]:
    """The units of points, in the language of the page."""
    return [(key, gettext(label)) for key, label in UNIT_LABELS.items()]


class MappingForm(forms.Form):
    """What each column of a sheet holds; remembered for the next file of the club with the same headings.

    For games it also asks for the form of the rows, the unit of the points and the day of games without a date; for
    people, whether the row that is shown is a person.
    """

    headless = forms.BooleanField(label=_("The first row is a person: there are no headings"), required=False)

    form = forms.ChoiceField(
        label=_("Each row is"),
        choices=[(WIDE.key, _("a game: four players and their points")), (LONG.key, _("a seat"))],
    )
    unit = forms.ChoiceField(label=_("Unit of points"), choices=unit_choices)
    day = forms.DateField(
        label=_("Day of games without a date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, kind: ImportKind[Any], base: Layout, choices: Choices, data: Any = None) -> None:
        initial = {"form": base.form, "unit": choices.unit or base.unit, "day": choices.day}
        super().__init__(data, initial={**initial, "headless": base.headless})
        self.kind, self.base = kind, base
        for name in ("headless",) if kind.has_points else ("form", "unit", "day"):
            del self.fields[name]
        labels = {key: parts for form in reversed(kind.forms) for key, parts in form.labels.items()}
        can_hold = [
            ("", gettext("none of these")),
            *((key, " – ".join(gettext(part) for part in parts)) for key, parts in labels.items()),
        ]
        held = {index: key for key, index in base.columns.items()}
        for index, head in enumerate(base.heads):
            self.fields[f"column_{index}"] = forms.ChoiceField(
                label=f"{letter(index)}: {head or '–'}",
                choices=can_hold,
                required=False,
                initial=held.get(index, ""),
            )

    def layout(self) -> Layout:
        data = self.cleaned_data
        form = self.kind.form(data.get("form", self.kind.forms[0].key))
        chosen = {data[f"column_{i}"]: i for i in range(len(self.base.heads)) if data.get(f"column_{i}")}
        layout = replace(self.base, form=form.key, columns={key: i for key, i in chosen.items() if key in form.labels})
        if self.kind.has_points:
            return replace(layout, unit=data["unit"], unit_said=True)
        return replace(layout, headless=data["headless"])

    def decide(self, choices: Choices) -> Layout:
        """Stores the answers in the choices about the file."""
        choices.layout = self.layout()
        if self.kind.has_points:
            choices.unit, choices.day = choices.layout.unit, self.cleaned_data["day"]
        return choices.layout

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        chosen = [data[name] for name in data if name.startswith("column_") and data[name]]
        if len(chosen) != len(set(chosen)):
            self.add_error(None, gettext("This is selected for two columns. Choose one of them."))
        if not self.kind.has_points or ("form" in data and "unit" in data):
            layout = self.layout()
            for problem in self.kind.form(layout.form).check(layout):
                self.add_error(None, problem.sentence(gettext))
        return data


class NamesForm(forms.Form):
    """Who the names of a file are: a suggested player, a player who is searched, or a new one (with the label `new`).

    The search is that of the entry page: `other_id_0` is set by its suggestions and emptied when typed over.
    """

    rest = forms.BooleanField(label=_("Names without a suggestion are new, all of them"), required=False)

    def __init__(self, questions: Sequence[Question], user: Person, new: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions, self.user = questions, user
        candidates = Player.objects.filter(pk__in={pk for question in questions for pk in question.candidates})
        people = {player.pk: player for player in candidates.prefetch_related("affiliations__club")}
        for index, question in enumerate(questions):
            asked = as_seen([people[pk] for pk in question.candidates if pk in people], user, question.name)
            self.fields[f"name_{index}"] = forms.ChoiceField(
                label=question.name,
                choices=[
                    *((str(player.pk), described(player)) for player in asked),
                    (NEW, gettext("another person with this name") if question.elsewhere else new),
                    (OTHER, gettext("another player")),
                ],
                required=False,
                help_text=_why(question),
                widget=forms.RadioSelect,
            )
            self.fields[f"other_{index}"] = person_field(
                gettext("Search a player for %(name)s") % {"name": question.name}
            )
            self.fields[f"other_id_{index}"] = WholeNumberField(required=False, widget=forms.HiddenInput)
        if sum(not question.candidates for question in questions) < 2:
            del self.fields["rest"]

    @property
    def asked(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """For each name: the choice, the search, and whom the search found."""
        return [
            (self[f"name_{index}"], self[f"other_{index}"], self[f"other_id_{index}"])
            for index in range(len(self.questions))
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for index, question in enumerate(self.questions):
            typed = data.get(f"other_{index}", "").strip()
            answer = data.get(f"name_{index}") or (OTHER if typed else "")
            if answer == OTHER:
                answer = self._searched(index, typed)
            elif not answer and data.get("rest") and not question.candidates:
                answer = NEW
            data[f"name_{index}"] = answer
        return data

    def _searched(self, index: int, typed: str) -> str:
        """The id of the player who was chosen from the suggestions, or whose whole name was typed."""
        chosen = self.cleaned_data.get(f"other_id_{index}")
        found = choosable(living().filter(pk=chosen), self.user, typed) if chosen else called(typed)
        if len(found) == 1:
            return str(found[0].pk)
        if not typed:
            message = gettext("Type the name of the player, or select another answer.")
        elif found:
            message = gettext("Several players are called “%(name)s”. Choose one from the list.") % {"name": typed}
        else:
            message = gettext("No player is called “%(name)s”. Choose one from the list.") % {"name": typed}
        self.add_error(f"other_{index}", message)
        return ""

    def chosen(self) -> Answers:
        """Key in the file -> player or NEW, for the questions that were answered."""
        answers = {question.key: self.cleaned_data[f"name_{i}"] for i, question in enumerate(self.questions)}
        return {key: answer if answer == NEW else int(answer) for key, answer in answers.items() if answer}


def _why(question: Question) -> str:
    where = gettext("first in row %(row)s") % {"row": question.place.row}
    if question.elsewhere:
        return gettext("A player of another club has this name; %(where)s. Is it the same person?") % {"where": where}
    if question.ambiguous:
        return gettext("Several players have this name; %(where)s.") % {"where": where}
    return gettext("No player has this name; %(where)s.") % {"where": where}


def described(player: Player) -> str:
    """A player so that two of one name can be told apart: with the Latin form, the remark and the clubs."""
    latin = player.latin_name if player.latin_name != player.native_name else ""
    clubs = "" if player.is_hidden else ", ".join(row.club.name for row in player.affiliations.all())
    return " · ".join(filter(None, (player.native_name, latin, clubs)))


class CorrectionsForm(forms.Form):
    """The cells of rows with a problem, to type again, and which of these rows to leave out."""

    def __init__(self, rows: Sequence[RowToCorrect], data: Any = None) -> None:
        super().__init__(data)
        self.rows = rows
        for row in rows:
            self.fields[_out(row)] = forms.BooleanField(label=gettext("Leave this row out"), required=False)
            for cell in row.cells:
                attributes = {"autocomplete": "off", **({"aria-invalid": "true"} if cell.is_wrong else {})}
                self.fields[_cell(row, cell)] = forms.CharField(
                    label=cell.label,
                    initial=cell.value,
                    max_length=LONGEST_CELL,
                    required=False,
                    widget=forms.TextInput(attrs=attributes),
                )

    @property
    def blocks(self) -> list[tuple[RowToCorrect, list[forms.BoundField], forms.BoundField]]:
        """The rows that have fields: what is wrong, the cells, and whether to leave the row out."""
        return [
            (row, [self[_cell(row, cell)] for cell in row.cells], self[_out(row)]) for row in self.rows if row.cells
        ]

    @property
    def more(self) -> int:
        """How many rows with a problem have no fields yet."""
        return sum(not row.cells for row in self.rows)

    def correct(self, corrections: Corrections) -> None:
        """Add what was typed and ticked to the corrections of the file. What was not on the page stays as it is."""
        for row in self.rows:
            if self.cleaned_data[_out(row)]:
                corrections.leave_out(row.place)
                continue
            for cell in row.cells:
                name = _cell(row, cell)
                typed = self.cleaned_data[name]
                if name in self.data and typed != cell.value:
                    corrections.cells[row.place._replace(column=cell.column)] = typed


def _cell(row: RowToCorrect, cell: CellToCorrect) -> str:
    return f"cell_{row.row}_{cell.column}"


def _out(row: RowToCorrect) -> str:
    return f"out_{row.row}"
