"""The calculator of a rules page: the typed hand, and what is paid for it under these rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import DecimalNumberField, WholeNumberField
from ratings.mahjong import payments
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import Rules

MOST = 99  # the largest number for any field
# Which field a refusal of `ratings.mahjong.payments` belongs to; others are about the hand as a whole.
FIELD_OF = {
    "bad_han": "han",
    "below_minimum": "han",
    "bad_fu": "fu",
    "seven_pairs": "fu",
    "pinfu_tsumo": "fu",
    "open_pinfu": "fu",
    "bad_yakuman": "yakuman",
    "han_and_yakuman": "yakuman",
    "bad_honba": "honba",
    "bad_sticks": "sticks",
}


def _count(label: Any, **options: Any) -> WholeNumberField:
    return WholeNumberField(
        label=label,
        required=False,
        min_value=0,
        max_value=MOST,
        widget=forms.TextInput(attrs={"class": "numeric", "inputmode": "numeric", "size": 3, "autocomplete": "off"}),
        error_messages={
            "invalid": _("Type a whole number."),
            "min_value": _("Type 0 or more."),
            "max_value": _("That is more than a hand can have."),
        },
        **options,
    )


class YakumanField(DecimalNumberField):
    """A number of yakuman; some are worth one and a half. A decimal comma is accepted too."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)

    def clean(self, value: Any) -> payments.Yakuman:
        found = super().clean(value)
        if found is None:
            return 0
        return int(found) if found == int(found) else Fraction(found)


@dataclass(frozen=True)
class Answer:
    """What the page shows: who pays how much, and what the winner gets including the sticks."""

    worth: payments.Worth
    lines: list[tuple[int, str]]
    received: int
    sticks: int


class CalculatorForm(forms.Form):
    """The form is sent by GET, so that an answer has an address. `settlement` is set once the form is valid."""

    han = _count(_("Han"))
    fu = forms.TypedChoiceField(
        label=_("Fu"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "–"), *((fu, fu) for fu in payments.ANY_FU)],
    )
    yakuman = YakumanField(
        label=_("Yakuman"),
        required=False,
        min_value=0,
        max_value=MOST,
        max_digits=4,  # so that no fraction can have a million digits
        decimal_places=1,
        widget=forms.TextInput(attrs={"class": "numeric", "inputmode": "decimal", "size": 3, "autocomplete": "off"}),
        error_messages={
            "invalid": _("Type a number, such as 1 or 1.5."),
            "min_value": _("Type 0 or more."),
            "max_value": _("That is more than a hand can have."),
        },
    )
    dealer = forms.ChoiceField(label=_("Winner"), required=False, choices=[("", _("non-dealer")), ("1", _("dealer"))])
    win = forms.ChoiceField(label=_("Won by"), required=False, choices=[("ron", _("ron")), ("tsumo", _("tsumo"))])
    honba = _count(_("Honba"))
    sticks = _count(_("Sticks"))

    def __init__(self, rules: Rules, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.label_suffix = ""
        self.rules = rules
        self.settlement: payments.Settlement | None = None
        self.taken: list[payments.TakenAs] = []  # defaults used for what these rules do not state

    @classmethod
    def asked(cls, data: Any) -> bool:
        """Whether the address holds a hand, and not only the choice of a payment table."""
        return "han" in data or "yakuman" in data

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        dealer, tsumo = bool(cleaned["dealer"]), cleaned["win"] == "tsumo"
        hand = payments.Hand(
            winner=payments.EAST if dealer else payments.SOUTH,
            discarder=None if tsumo else payments.WEST,
            han=cleaned["han"] or 0,
            fu=cleaned["fu"] or 0,
            yakuman=cleaned["yakuman"],
        )
        pot = payments.Pot(honba=cleaned["honba"] or 0, sticks=cleaned["sticks"] or 0)
        try:
            self.settlement = payments.hand_payment(self.rules, hand, pot)
            self.taken = payments.taken_as(self.rules, lambda rules: _paid(payments.hand_payment(rules, hand, pot)))
        except Refused as refused:
            for problem in refused.problems:
                self.add_error(FIELD_OF.get(problem.code), problem.sentence(gettext))
        return cleaned

    @property
    def answer(self) -> Answer | None:
        if self.settlement is None:
            return None
        (win,) = self.settlement.wins
        return Answer(
            worth=win.worth,
            lines=_lines(self.settlement.payments),
            received=self.settlement.received(win.winner),
            sticks=sum(bet.points for bet in self.settlement.bets),
        )


def _paid(settlement: payments.Settlement) -> object:
    """The parts of a settlement that the calculator shows; it does not show who deals next."""
    return settlement.payments, settlement.bets, settlement.wins


def _lines(paid: tuple[payments.Payment, ...]) -> list[tuple[int, str]]:
    if len(paid) == 1:
        return [(paid[0].points, gettext("from the player who discarded the tile"))]
    dealer = [each.points for each in paid if each.role == payments.PayerRole.DEALER]
    others = [each.points for each in paid if each.role != payments.PayerRole.DEALER]
    if not dealer:
        return [(others[0], gettext("from each of the other three"))]
    return [(others[0], gettext("from each non-dealer")), (dealer[0], gettext("from the dealer"))]
