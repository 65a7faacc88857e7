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
from ratings.imports.columns import Layout
from ratings.imports.game_rows import LONG, WIDE
from ratings.imports.games import GAMES
from ratings.imports.kinds import Choices, ImportKind
from ratings.imports.limits import DEFAULT, MEGA
from ratings.imports.names import NEW, Answers, Question, players_by_id
from ratings.imports.players import PLAYERS
from ratings.imports.sheets import letter
from ratings.imports.values import UNIT_LABELS
from ratings.models import Player, Season
from ratings.queries.people import as_seen, choosable, living
from ratings.rights import Person

NEW_SEASON, NEW_PLAYERS = "new", "players"


class FileForm(forms.Form):
    """A file that is not larger than the limit."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("An .xlsx or .csv file. Nothing is saved until you have seen what it changes."),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv"}),
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


class MappingForm(forms.Form):
    """What each column of a sheet holds; remembered for the next file of the club with the same headings.

    For games it also asks for the form of the rows, the unit of the points and the day of games without a date.
    """

    form = forms.ChoiceField(
        label=_("Each row is"),
        choices=[(WIDE.key, _("a game: four players and their points")), (LONG.key, _("a seat"))],
    )
    unit = forms.ChoiceField(label=_("Unit of points"), choices=list(UNIT_LABELS.items()))
    day = forms.DateField(
        label=_("Day of games without a date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, kind: ImportKind[Any], base: Layout, choices: Choices, data: Any = None) -> None:
        super().__init__(data, initial={"form": base.form, "unit": choices.unit or base.unit, "day": choices.day})
        self.kind, self.base = kind, base
        if not kind.has_points:
            for name in ("form", "unit", "day"):
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
        return replace(layout, unit=data["unit"], unit_said=True) if self.kind.has_points else layout

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
    """Who the names of a file are: a suggested player, a player's number, or a new player (with the label `new`)."""

    def __init__(self, questions: Sequence[Question], user: Person, new: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions, self.user = questions, user
        people = players_by_id({pk for question in questions for pk in question.candidates})
        for index, question in enumerate(questions):
            asked = as_seen([people[pk] for pk in question.candidates if pk in people], user, question.name)
            known = [(str(player.pk), describe(player)) for player in asked]
            choices = [
                ("", gettext("choose")),
                *known,
                (NEW, new),
                ("other", gettext("player no.:")),
            ]
            self.fields[f"name_{index}"] = forms.ChoiceField(
                label=question.name, choices=choices, required=False, help_text=self._why(question)
            )
            self.fields[f"other_{index}"] = WholeNumberField(
                label=gettext("Player no. of %(name)s") % {"name": question.name}, required=False, min_value=1
            )

    def _why(self, question: Question) -> str:
        where = gettext("first in row %(row)s") % {"row": question.place.row}
        if question.ambiguous:
            return gettext("Several players have this name; %(where)s.") % {"where": where}
        return gettext("No player has this name; %(where)s.") % {"where": where}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        wanted = {data.get(f"other_{i}") for i in range(len(self.questions)) if data.get(f"name_{i}") == "other"}
        there = {player.pk: player for player in living().filter(pk__in=[pk for pk in wanted if pk])}
        for index, question in enumerate(self.questions):
            number = data.get(f"other_{index}")
            chosen = choosable([there[number]] if number in there else [], self.user, question.name)
            if data.get(f"name_{index}") == "other" and not chosen:
                self.add_error(f"other_{index}", gettext("There is no player with this number."))
        return data

    def chosen(self) -> Answers:
        """Key in the file -> player or NEW, for the questions that were answered."""
        found: Answers = {}
        for index, question in enumerate(self.questions):
            answer = self.cleaned_data.get(f"name_{index}")
            if answer == "other":
                found[question.key] = self.cleaned_data[f"other_{index}"]
            elif answer:
                found[question.key] = NEW if answer == NEW else int(answer)
        return found


def describe(player: Player) -> str:
    latin = f" – {player.latin_name}" if player.latin_name and player.latin_name != player.native_name else ""
    return f"{player.native_name}{latin} (no. {player.pk})"
