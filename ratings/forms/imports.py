"""Bringing a file in: the upload, what its columns are, and who its names are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings import rights
from ratings.imports import layouts
from ratings.imports.layouts import LONG, WIDE, Layout
from ratings.imports.limits import DEFAULT, MEGA
from ratings.imports.places import letter
from ratings.imports.values import UNIT_LABELS
from ratings.models import Club, ImportBatch, Player, Season
from ratings.queries.name_matches import players_by_id
from ratings.queries.people import as_seen, choosable, living
from ratings.rights import Person
from ratings.services.imports.files import NEW
from ratings.services.imports.names import Question

NEW_SEASON, NEW_PLAYERS = "new", "players"
Columns = Mapping[str, tuple[str, ...]]  # what a column can be -> its label, in parts


class FileForm(forms.Form):
    """A file of a size that is read at all."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("An .xlsx or .csv file. Nothing of it is stored before you have seen what it does."),
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
    """Where to, and the file: a season of the member's clubs, a new one as our own workbook says, or the players."""

    target = forms.ChoiceField(label=_("Into"))

    field_order = ["target", "file"]

    def __init__(self, user: User, *args: Any, into: str = "", **kwargs: Any) -> None:
        """`into` chooses beforehand: a season's number, or the players of the member's first club."""
        super().__init__(*args, **kwargs)
        clubs = rights.clubs_of(user, rights.Level.ADMIN)
        seasons = Season.objects.of_clubs().filter(club__in=clubs).select_related("club")
        self.seasons = {str(season.pk): season for season in seasons}
        self.clubs = {f"{NEW_SEASON}-{club.pk}": club for club in clubs}
        self.players = {f"{NEW_PLAYERS}-{club.pk}": club for club in clubs}
        new = gettext("%(club)s: a new season, as our own workbook says")
        people = gettext("%(club)s: the list of players")
        field = self.fields["target"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            *((key, f"{season.club.name}: {season.name}") for key, season in self.seasons.items()),
            *((key, new % {"club": club.name}) for key, club in self.clubs.items()),
            *((key, people % {"club": club.name}) for key, club in self.players.items()),
        ]
        field.initial = (
            next((key for key, _label in field.choices if str(key).startswith(into)), None) if into else None
        )

    def destination(self) -> tuple[Club, Season | None, ImportBatch.Kind]:
        key = self.cleaned_data["target"]
        if key in self.players:
            return self.players[key], None, ImportBatch.Kind.PLAYERS
        season = self.seasons.get(key)
        club = season.club if season else self.clubs[key]
        return club, season, ImportBatch.Kind.GAMES


class ColumnsForm(forms.Form):
    """What each column of a sheet is; remembered for the next file of the club with the same headings."""

    def __init__(self, labels: Columns, heads: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heads = heads
        chosen: dict[int, str] = kwargs.get("initial", {}).get("columns", {})
        choices = [
            ("", gettext("nothing of this")),
            *((key, " – ".join(gettext(part) for part in parts)) for key, parts in labels.items()),
        ]
        for index, head in enumerate(heads):
            self.fields[f"column_{index}"] = forms.ChoiceField(
                label=f"{letter(index)}: {head or '–'}",
                choices=choices,
                required=False,
                initial=chosen.get(index, ""),
            )

    def columns(self) -> dict[str, int]:
        data = self.cleaned_data
        return {data[f"column_{i}"]: i for i in range(len(self.heads)) if data.get(f"column_{i}")}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        chosen = [data[name] for name in data if name.startswith("column_") and data[name]]
        if len(chosen) != len(set(chosen)):
            self.add_error(None, gettext("Two columns are said to hold the same. Choose one of them."))
        return data


class ListMappingForm(ColumnsForm):
    """The columns of a list of people."""

    def __init__(self, list_form: str, heads: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(layouts.keys_of(list_form), heads, *args, **kwargs)
        self.list_form = list_form

    def layout(self, base: Layout) -> Layout:
        return replace(base, form=self.list_form, columns=self.columns())

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if layouts.missing(self.list_form, self.columns()):
            self.add_error(None, gettext("Say which column holds the names."))
        return data


class MappingForm(ColumnsForm):
    """The columns of a sheet of games, with the form of its rows and the unit of its points."""

    form = forms.ChoiceField(
        label=_("A row of the sheet is"),
        choices=[(WIDE, _("a game: four players and their points")), (LONG, _("a seat"))],
    )
    unit = forms.ChoiceField(label=_("Points are written in"), choices=list(UNIT_LABELS.items()))
    day = forms.DateField(
        label=_("Day of games without a date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, heads: Sequence[str], *args: Any, **kwargs: Any) -> None:
        both = {**layouts.keys_of(LONG), **layouts.keys_of(WIDE)}
        super().__init__(both, heads, *args, **kwargs)

    def layout(self, base: Layout) -> Layout:
        data = self.cleaned_data
        known = layouts.keys_of(data["form"])
        return replace(
            base,
            form=data["form"],
            unit=data["unit"],
            unit_said=True,
            columns={key: index for key, index in self.columns().items() if key in known},
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if "form" in data and "unit" in data:
            for problem in layouts.check(self.layout(Layout(data["form"], {}))):
                self.add_error(None, problem.sentence(gettext))
        return data


class NamesForm(forms.Form):
    """Who the names of a file are: one of those suggested, a player's number, or somebody new."""

    def __init__(self, questions: Sequence[Question], user: Person, *args: Any, new: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions, self.user = questions, user
        people = players_by_id({pk for question in questions for pk in question.candidates})
        for index, question in enumerate(questions):
            asked = as_seen([people[pk] for pk in question.candidates if pk in people], user, question.name)
            known = [(str(player.pk), describe(player)) for player in asked]
            choices = [
                ("", gettext("choose")),
                *known,
                (NEW, new or gettext("a new guest")),
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
        return gettext("Nobody has this name; %(where)s.") % {"where": where}

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

    def chosen(self) -> dict[str, int | str]:
        """Key in the file -> player or NEW, of those that were answered."""
        found: dict[str, int | str] = {}
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
