"""Han and fu to amounts: the formula, the limits, a club's own printed values, and which hands can occur.

This module does not know who sits where; `hands` and `draws` decide who pays the amounts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ratings.mahjong.problems import Phrase, Problem, gettext_noop
from ratings.mahjong.rulesets import Rules

_ = gettext_noop

SEVEN_PAIRS_FU = 25
FU: tuple[int, ...] = (20, SEVEN_PAIRS_FU, *range(30, 111, 10))
# A hand with more than 110 fu has three kans, and therefore at least four han: it is a mangan whatever the fu.
FU_OF_THREE_KANS: tuple[int, ...] = (120, 130, 140)
ANY_FU = (*FU, *FU_OF_THREE_KANS)
HAN: tuple[int, ...] = (1, 2, 3, 4)  # where fu count
ONE_AND_HALF = Fraction(3, 2)
MOST_YAKUMAN = 6  # all honours, big four winds and four concealed triplets on a pair (double each), four kans

MANGAN_BASIC = 2000
YAKUMAN_BASIC = 8000
KIRIAGE_BASIC = 1920  # 4 han 30 fu and 3 han 60 fu


@dataclass(frozen=True)
class HandLimit:
    code: str
    label: str
    basic: int


MANGAN = HandLimit("mangan", _("mangan"), MANGAN_BASIC)
HANEMAN = HandLimit("haneman", _("haneman"), 3000)
BAIMAN = HandLimit("baiman", _("baiman"), 4000)
SANBAIMAN = HandLimit("sanbaiman", _("sanbaiman"), 6000)
YAKUMAN = HandLimit("yakuman", _("yakuman"), YAKUMAN_BASIC)
ONE_AND_HALF_YAKUMAN = HandLimit("one_and_half_yakuman", _("one and a half yakuman"), 3 * YAKUMAN_BASIC // 2)
DOUBLE_YAKUMAN = HandLimit("double_yakuman", _("double yakuman"), 2 * YAKUMAN_BASIC)
BY_HAN = ((11, SANBAIMAN), (8, BAIMAN), (6, HANEMAN), (5, MANGAN))
NAMED: dict[str, HandLimit] = {limit.code: limit for limit in (MANGAN, HANEMAN, BAIMAN, SANBAIMAN)}

Yakuman = int | Fraction  # how many yakuman a hand counts as: 1, 3/2, 2 …


@dataclass(frozen=True)
class Amounts:
    """What one payer pays, before honba."""

    ron: int
    dealer_ron: int
    tsumo: int  # each non-dealer to a non-dealer
    tsumo_from_dealer: int
    dealer_tsumo: int  # each non-dealer to the dealer


def amounts(basic: int) -> Amounts:
    return Amounts(
        ron=_hundreds(4 * basic),
        dealer_ron=_hundreds(6 * basic),
        tsumo=_hundreds(basic),
        tsumo_from_dealer=_hundreds(2 * basic),
        dealer_tsumo=_hundreds(2 * basic),
    )


def _hundreds(points: int) -> int:
    return -(-points // 100) * 100


@dataclass(frozen=True)
class Worth:
    """What a hand is worth under a rule set. `printed` marks a value of the club's own table, not of the formula."""

    amounts: Amounts
    limit: HandLimit | None = None
    yakuman: Yakuman = 0
    printed: bool = False

    @property
    def name(self) -> Phrase | None:
        """The limit's name, if the hand reaches one."""
        if self.yakuman > 2:
            return Phrase(_("yakuman, %(count)s times"), {"count": shown(self.yakuman)})
        return Phrase(self.limit.label) if self.limit else None


def worth(rules: Rules, han: int, fu: int) -> Worth:
    """Return the worth by han and fu, whether or not such a hand can occur; from five han on fu do not matter."""
    limit = _limit_by_han(rules, han)
    if limit:
        return Worth(amounts(limit.basic), limit, yakuman=1 if limit is YAKUMAN else 0)
    basic = fu * 2 ** (2 + han)
    if basic >= (KIRIAGE_BASIC if rules.applied.kiriage else MANGAN_BASIC):
        return Worth(amounts(MANGAN_BASIC), MANGAN)
    by_formula = amounts(basic)
    for printed_han, printed_fu, ron, dealer_ron in rules.printed_values:
        if (printed_han, printed_fu) == (han, fu):
            return Worth(replace(by_formula, ron=ron, dealer_ron=dealer_ron), printed=True)
    return Worth(by_formula)


def yakuman_worth(count: Yakuman) -> Worth:
    limit = {1: YAKUMAN, ONE_AND_HALF: ONE_AND_HALF_YAKUMAN}.get(count, DOUBLE_YAKUMAN)
    return Worth(amounts(int(count * YAKUMAN_BASIC)), limit, yakuman=count)


def limit_worth(code: str) -> Worth:
    """Return the worth of a hand of which only the limit is known."""
    limit = NAMED[code]
    return Worth(amounts(limit.basic), limit)


def _limit_by_han(rules: Rules, han: int) -> HandLimit | None:
    if han >= 13:
        return SANBAIMAN if rules.applied.thirteen_han == "sanbaiman" else YAKUMAN
    return next((limit for low, limit in BY_HAN if han >= low), None)


def gives(rules: Rules, han: int, fu: int, code: str) -> bool:
    """Whether a hand of this many han reaches exactly this limit, with these fu or, if `fu` is 0, with any fu."""
    told = [fu] if fu or han > HAN[-1] else ANY_FU if han == HAN[-1] else FU
    reached = {worth(rules, han, each).limit for each in told}
    return NAMED.get(code) in reached


def most_yakuman(rules: Rules) -> Yakuman:
    """Return how many yakuman one hand can count as. A rule that is not stated does not forbid anything here."""
    if rules.applied.yakuman_add_up:
        return MOST_YAKUMAN
    if rules.double_yakuman != ():
        return 2
    return ONE_AND_HALF if rules.one_and_half_yakuman else 1


def counts_as_yakuman(rules: Rules, count: Yakuman) -> bool:
    """Whether a hand can count as this many yakuman. Halves need a yakuman that is worth one and a half."""
    whole = count == int(count)
    halves = bool(rules.one_and_half_yakuman) and 2 * count == int(2 * count)
    return 1 <= count <= most_yakuman(rules) and (whole or halves)


def shown(count: Yakuman) -> str:
    """Write a number of yakuman: 1, 1.5, 2."""
    return f"{float(count):g}"


def impossible(rules: Rules, han: int, fu: int, *, tsumo: bool) -> Problem | None:
    """Return why no hand can have these han and fu, or None if one can. `fu` may be 0 from five han on."""
    if han < 1:
        return Problem(_("A winning hand has one han at least, not %(han)s."), {"han": han}, code="bad_han")
    if rules.minimum_han and han < rules.minimum_han:
        return Problem(
            _("%(han)s han are too few: these rules ask for %(minimum)s."),
            {"han": han, "minimum": rules.minimum_han},
            code="below_minimum",
        )
    if han > HAN[-1]:  # fu no longer matter, so any number of fu that exists is accepted
        return None if not fu or fu in ANY_FU else _bad_fu(han, fu, most=ANY_FU[-1])
    if fu not in (ANY_FU if han == HAN[-1] else FU):
        return _bad_fu(han, fu, most=ANY_FU[-1] if han == HAN[-1] else FU[-1])
    return _impossible_seven_pairs(han, tsumo) if fu == SEVEN_PAIRS_FU else _impossible_20_fu(rules, han, fu, tsumo)


def _bad_fu(han: int, fu: int, most: int) -> Problem:
    message = _("A hand of %(han)s han has 20, 25 or 30, 40 … %(most)s fu, not %(fu)s.")
    return Problem(message, {"han": han, "fu": fu, "most": most}, code="bad_fu")


def _impossible_seven_pairs(han: int, tsumo: bool) -> Problem | None:
    least = 3 if tsumo else 2  # a closed hand: tsumo adds its own han
    if han >= least:
        return None
    message = (
        _("25 fu are seven pairs: %(least)s han at least by tsumo.")
        if tsumo
        else _("25 fu are seven pairs: %(least)s han at least.")
    )
    return Problem(message, {"least": least}, code="seven_pairs")


def _impossible_20_fu(rules: Rules, han: int, fu: int, tsumo: bool) -> Problem | None:
    if fu != FU[0]:
        return None
    if tsumo:
        if han >= 2:
            return None
        return Problem(_("20 fu by tsumo are a pinfu: 2 han at least."), code="pinfu_tsumo")
    # A closed ron has 30 fu. So 20 fu are an open hand without other fu, if the rules do not raise it to 22.
    if not rules.applied.open_pinfu_fu:
        return None
    return Problem(
        _("20 fu by ron do not occur: a closed hand has 30, and an open one without fu is raised to 30."),
        code="open_pinfu",
    )


@dataclass(frozen=True)
class PaymentCell:
    """One cell of the payment table. `worth` is always set; the amounts of a win that cannot occur are None."""

    han: int
    fu: int
    worth: Worth
    ron_occurs: bool
    tsumo_occurs: bool

    @property
    def ron(self) -> int | None:
        return self.worth.amounts.ron if self.ron_occurs else None

    @property
    def dealer_ron(self) -> int | None:
        return self.worth.amounts.dealer_ron if self.ron_occurs else None

    @property
    def tsumo(self) -> tuple[int, int] | None:
        """What each non-dealer pays, and what the dealer pays."""
        paid = self.worth.amounts
        return (paid.tsumo, paid.tsumo_from_dealer) if self.tsumo_occurs else None

    @property
    def dealer_tsumo(self) -> int | None:
        return self.worth.amounts.dealer_tsumo if self.tsumo_occurs else None

    @property
    def limit(self) -> HandLimit | None:
        return self.worth.limit

    @property
    def printed(self) -> bool:
        """Whether the ron is the club's printed value, which differs from the formula."""
        return self.worth.printed and self.ron_occurs


@dataclass(frozen=True)
class PaymentRow:
    fu: int
    cells: tuple[PaymentCell, ...]


def payment_table(rules: Rules) -> tuple[PaymentRow, ...]:
    return tuple(PaymentRow(fu, tuple(_cell(rules, han, fu) for han in HAN)) for fu in FU)


def _cell(rules: Rules, han: int, fu: int) -> PaymentCell:
    return PaymentCell(
        han,
        fu,
        worth(rules, han, fu),
        ron_occurs=impossible(rules, han, fu, tsumo=False) is None,
        tsumo_occurs=impossible(rules, han, fu, tsumo=True) is None,
    )


COMMON_LIMITS = 5  # mangan to yakuman


@dataclass(frozen=True)
class LimitRow:
    """One limit: its han (None for a yakuman that han cannot reach) and the fu that reach it with fewer han."""

    limit: HandLimit
    amounts: Amounts
    low: int | None = None
    high: int | None = None
    from_fu: tuple[tuple[int, int], ...] = ()  # (han, least fu)

    @property
    def han(self) -> Phrase:
        if self.low is None:
            return Phrase(_("yakuman hands only"))
        if self.low == self.high:
            return Phrase("%(low)s", {"low": self.low})
        return Phrase("%(low)s–%(high)s" if self.high else "%(low)s+", {"low": self.low, "high": self.high})


def limits(rules: Rules) -> tuple[LimitRow, ...]:
    """Return mangan to yakuman with their han, then one and a half and double yakuman if these rules have them."""
    counted = _limit_by_han(rules, 13) is YAKUMAN
    rows = [
        _limit_row(MANGAN, 5, 5, _mangan_from_fu(rules)),
        _limit_row(HANEMAN, 6, 7),
        _limit_row(BAIMAN, 8, 10),
        _limit_row(SANBAIMAN, 11, 12 if counted else None),
        _limit_row(YAKUMAN, 13 if counted else None, None),
    ]
    if rules.one_and_half_yakuman:
        rows.append(_limit_row(ONE_AND_HALF_YAKUMAN, None, None))
    if rules.double_yakuman or rules.yakuman_add_up:
        rows.append(_limit_row(DOUBLE_YAKUMAN, None, None))
    return tuple(rows)


def _limit_row(
    limit: HandLimit, low: int | None, high: int | None, from_fu: tuple[tuple[int, int], ...] = ()
) -> LimitRow:
    return LimitRow(limit, amounts(limit.basic), low, high, from_fu)


def _mangan_from_fu(rules: Rules) -> tuple[tuple[int, int], ...]:
    found = []
    for han in HAN:
        enough = [fu for fu in FU if worth(rules, han, fu).limit]
        if enough:
            found.append((han, enough[0]))
    return tuple(found)
