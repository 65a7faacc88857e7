"""Presets as cards to choose from: the numbers that tell them apart, and one and the same table scored by each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django import forms
from django.utils.translation import gettext

from ratings.mahjong import scoring
from ratings.mahjong.problems import Phrase
from ratings.mahjong.rulesets import PARAMETERS, PRESETS, Preset
from ratings.mahjong.rulesets.words import words

# How far the four players of the table end from the start points; first to fourth place, together zero.
FROM_START = (16_200, 2_600, -6_100, -12_700)
PLACES = (1, 2, 3, 4)
SHOWN = ("ema-2025", "wrc", "ema-2016", "m-league", "tenhou")  # the others are folded


class ScoredSeat(NamedTuple):
    place: int
    points: int
    result: int
    position: str  # on the common scale of all cards, in percent


@dataclass(frozen=True)
class PresetCard:
    preset: Preset
    is_chosen: bool

    @property
    def is_folded(self) -> bool:
        return self.preset.key not in SHOWN

    @property
    def shares_places(self) -> bool:
        return self.preset.rules.ties == "split"

    @property
    def uma(self) -> Phrase:
        return words(PARAMETERS["uma"], self.preset.rules.uma)

    @property
    def chombo(self) -> int:
        return -self.preset.rules.chombo_penalty

    @property
    def zero(self) -> str:
        """Where a result of 0.0 is on the common scale."""
        return position(0)

    @property
    def oka(self) -> int:
        """What first place gets because all start below the target."""
        rules = self.preset.rules
        return 4 * (rules.target_points - rules.start_points)

    @cached_property
    def seats(self) -> list[ScoredSeat]:
        start = self.preset.rules.start_points
        results = _results(self.preset)
        return [
            ScoredSeat(place, start + change, result, position(result))
            for place, change, result in zip(PLACES, FROM_START, results, strict=True)
        ]


def _results(preset: Preset) -> list[int]:
    seats = tuple(scoring.Seat(preset.rules.start_points + change) for change in FROM_START)
    working = scoring.work_out(scoring.Table(seats), preset.rules)
    return [result.total for result in working.results]


# The ends of the common scale: the best and the worst result by any preset, with some room.
_ALL = [result for preset in PRESETS.values() for result in _results(preset)]
LOWEST, HIGHEST = min(_ALL) - 5_000, max(_ALL) + 5_000


def position(result: int) -> str:
    return f"{100 * (result - LOWEST) / (HIGHEST - LOWEST):.1f}%"


class PresetForm(forms.Form):
    """One of the presets."""

    preset = forms.ChoiceField(
        choices=[(key, preset.name) for key, preset in PRESETS.items()],
        error_messages={"required": "", "invalid_choice": ""},
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        sentence = gettext("Choose one of the rule sets.")
        self.fields["preset"].error_messages = {"required": sentence, "invalid_choice": sentence}

    @property
    def cards(self) -> list[PresetCard]:
        """The cards in view first, in their order; then those that are folded."""
        shown = [PRESETS[key] for key in SHOWN]
        folded = [preset for key, preset in PRESETS.items() if key not in SHOWN]
        return [PresetCard(preset, preset.key == self["preset"].value()) for preset in (*shown, *folded)]

    @property
    def shown(self) -> list[PresetCard]:
        """In view: the usual ones, and the chosen one."""
        return [card for card in self.cards if not card.is_folded or card.is_chosen]

    @property
    def folded(self) -> list[PresetCard]:
        return [card for card in self.cards if card.is_folded and not card.is_chosen]
