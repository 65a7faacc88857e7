"""The value of a hand: every cell printed in the source documents, the limits, and impossible hands."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ratings.mahjong.payments import (
    FU,
    HAN,
    Amounts,
    Hand,
    PaymentCell,
    hand_payment,
    limits,
    payment_table,
    worth,
    yakuman_worth,
)
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, Rules

DATA = Path(__file__).parent / "data"
DOCUMENTS = {name: json.loads((DATA / f"payments-{name}.json").read_text()) for name in ("000", "001", "003", "004")}
KINDS = ("ron", "tsumo", "dealer_ron", "dealer_tsumo")

# RULES §2: misprints, where the formula's value counts (non-dealer tsumo, from each and from the dealer).
MISPRINTS = {("004", "tsumo", "1", "50"): (400, 800), ("004", "tsumo", "2", "90"): (1500, 2900)}

FURITEN, EMA_2012, PHOENIX, BASIC = (PRESETS[key].rules for key in ("furiten", "ema-2012", "phoenix", "basic"))
TENHOU = PRESETS["tenhou"].rules


def rules_of(document: dict[str, Any]) -> Rules:
    """The document's own rule set. The Polish sheet has none and gets rules that follow the formula."""
    return PRESETS[document["preset"]].rules if document["preset"] else TENHOU


def han_range(text: str) -> list[int]:
    if text.endswith("+"):
        return [int(text[:-1]), 20]
    low, _dash, high = text.partition("-")
    return list(range(int(low), int(high or low) + 1))


def amount(paid: Amounts, kind: str) -> int | tuple[int, int]:
    by_kind: dict[str, int | tuple[int, int]] = {
        "ron": paid.ron,
        "dealer_ron": paid.dealer_ron,
        "tsumo": (paid.tsumo, paid.tsumo_from_dealer),
        "dealer_tsumo": paid.dealer_tsumo,
    }
    return by_kind[kind]


def cell(rules: Rules, han: int, fu: int) -> PaymentCell:
    return next(row for row in payment_table(rules) if row.fu == fu).cells[han - 1]


def grid(document: dict[str, Any], *, blank: bool) -> Iterator[tuple[str, str, str, Any]]:
    """The cells of a printed table, empty or filled: kind of win, han, fu and what is printed there."""
    columns = document.get("han", ["1", "2", "3", "4"])
    for kind in KINDS:
        for fu, row in document[kind].items():
            for han, printed in zip(columns, row, strict=True):
                if (printed is None) == blank:
                    yield kind, han, fu, tuple(printed) if isinstance(printed, list) else printed


def paid_for_a_limit(rules: Rules, han: str, kind: str) -> set[int | tuple[int, int]]:
    if han == "X":  # the Polish sheet's optional one and a half yakuman
        return {amount(yakuman_worth(Fraction(3, 2)).amounts, kind)}
    if han == "O":
        return {amount(yakuman_worth(2).amounts, kind)}
    return {amount(worth(rules, count, 0).amounts, kind) for count in han_range(han)}


@pytest.mark.parametrize(("name", "cells"), [("000", 168), ("001", 144), ("003", 166), ("004", 386)])
def test_every_printed_cell_is_what_the_rules_pay(name: str, cells: int) -> None:
    rules = rules_of(DOCUMENTS[name])
    printed = list(grid(DOCUMENTS[name], blank=False))
    assert len(printed) == cells

    wrong = []
    for kind, han, fu, value in printed:
        expected = MISPRINTS.get((name, kind, han, fu), value)
        paid = {amount(worth(rules, count, int(fu)).amounts, kind) for count in han_range(han)}
        if paid != {expected}:
            wrong.append(f"{kind}, {han} han {fu} fu: {expected} is printed, {paid} paid")
    assert wrong == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_empty_cell_of_a_printed_table_can_occur(name: str) -> None:
    rules = rules_of(DOCUMENTS[name])
    empty = [(kind, han, fu) for kind, han, fu, _printed in grid(DOCUMENTS[name], blank=True)]

    assert [place for place in empty if getattr(cell(rules, int(place[1]), int(place[2])), place[0]) is not None] == []


def test_printed_tables_have_empty_cells() -> None:
    assert sum(len(list(grid(document, blank=True))) for document in DOCUMENTS.values()) == 36


@pytest.mark.parametrize(("name", "cells"), [("000", 20), ("001", 10), ("003", 20), ("004", 14)])
def test_every_printed_limit_is_what_the_rules_pay(name: str, cells: int) -> None:
    rules = rules_of(DOCUMENTS[name])
    printed = [(han, *cell) for han, kinds in DOCUMENTS[name]["limits"].items() for cell in kinds.items()]
    assert len(printed) == cells

    wrong = []
    for han, kind, value in printed:
        expected = tuple(value) if isinstance(value, list) else value
        paid = paid_for_a_limit(rules, han, kind)
        if paid != {expected}:
            wrong.append(f"{kind}, {han} han: {expected} is printed, {paid} paid")
    assert wrong == []


def test_the_misprints_differ_from_the_formula() -> None:
    for (name, kind, han, fu), expected in MISPRINTS.items():
        assert tuple(DOCUMENTS[name][kind][fu][int(han) - 1]) != expected


@pytest.mark.parametrize(
    ("rules", "han", "fu", "kind", "expected"),
    [
        pytest.param(EMA_2012, 5, 30, "dealer_tsumo", 4000, id="001-4.3-mangan"),
        pytest.param(EMA_2012, 4, 30, "ron", 7700, id="001-4.3-pinfu-ron"),
        pytest.param(EMA_2012, 4, 30, "dealer_ron", 11_600, id="001-4.3-pinfu-dealer-ron"),
        pytest.param(EMA_2012, 2, 30, "ron", 2000, id="001-4.3-open-pinfu"),
        pytest.param(EMA_2012, 2, 30, "dealer_ron", 2900, id="001-4.3-open-pinfu-dealer"),
        pytest.param(EMA_2012, 8, 0, "ron", 16_000, id="001-4.3-baiman"),
        pytest.param(EMA_2012, 8, 0, "dealer_ron", 24_000, id="001-4.3-baiman-dealer"),
        pytest.param(EMA_2012, 7, 25, "tsumo", (3000, 6000), id="001-4.3-haneman-tsumo"),
        pytest.param(EMA_2012, 3, 25, "ron", 3200, id="001-4.3-seven-pairs"),
        pytest.param(EMA_2012, 3, 25, "dealer_ron", 4800, id="001-4.3-seven-pairs-dealer"),
        pytest.param(EMA_2012, 4, 30, "tsumo", (2000, 3900), id="001-4.3-ryanpeikou-tsumo"),
        pytest.param(EMA_2012, 6, 0, "dealer_ron", 18_000, id="001-4.1.3-haneman-dealer"),
        pytest.param(EMA_2012, 4, 40, "tsumo", (2000, 4000), id="001-4.3-honitsu-tsumo"),
    ],
)
def test_worked_example_of_the_document(
    rules: Rules, han: int, fu: int, kind: str, expected: int | tuple[int, int]
) -> None:
    assert amount(worth(rules, han, fu).amounts, kind) == expected


def test_furitens_printed_cell_is_marked_as_its_own() -> None:
    own = cell(FURITEN, 1, 20)
    assert (own.ron, own.dealer_ron, own.printed) == (800, 1200, True)
    assert own.tsumo is None
    marked = [(c.han, c.fu) for row in payment_table(FURITEN) for c in row.cells if c.printed]
    assert marked == [(1, 20)]


def test_a_printed_exception_leaves_tsumo_to_the_formula() -> None:
    own_30 = replace(EMA_2012, printed_values=((1, 30, 1100, 1700),))
    assert (cell(own_30, 1, 30).ron, cell(own_30, 1, 30).dealer_ron) == (1100, 1700)
    assert (cell(own_30, 1, 30).tsumo, cell(own_30, 1, 30).dealer_tsumo) == ((300, 500), 500)


def test_the_same_cell_follows_the_formula_in_the_base_rules() -> None:
    base = cell(BASIC, 1, 20)
    assert (base.ron, base.dealer_ron, base.printed) == (700, 1000, False)


@pytest.mark.parametrize("key", ["ema-2012", "phoenix", "ema-2016", "wrc", "jpml-a", "m-league", "tenhou"])
def test_20_fu_by_ron_occurs_only_where_an_open_pinfu_has_no_fu(key: str) -> None:
    cells = [cell(PRESETS[key].rules, han, 20) for han in HAN]
    assert [c.ron for c in cells] == [None] * 4
    assert [c.dealer_ron for c in cells] == [None] * 4
    assert [c.tsumo for c in cells] == [None, (400, 700), (700, 1300), (1300, 2600)]


def test_the_table_has_a_row_for_each_fu_and_a_cell_for_each_han() -> None:
    table = payment_table(EMA_2012)
    assert [row.fu for row in table] == [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    assert all([c.han for c in row.cells] == [1, 2, 3, 4] for row in table)


def test_limits_reached_by_fu_are_marked() -> None:
    marked = {(c.han, c.fu) for row in payment_table(EMA_2012) for c in row.cells if c.limit}
    assert marked == {(3, fu) for fu in FU if fu >= 70} | {(4, fu) for fu in FU if fu >= 40}


@pytest.mark.parametrize("key", ["wrc", "m-league"])
def test_kiriage_raises_two_cells_to_mangan(key: str) -> None:
    with_kiriage = PRESETS[key].rules
    without = replace(with_kiriage, kiriage=False)
    raised = [
        (new.han, new.fu)
        for old_row, new_row in zip(payment_table(without), payment_table(with_kiriage), strict=True)
        for old, new in zip(old_row.cells, new_row.cells, strict=True)
        if old != new
    ]
    assert raised == [(4, 30), (3, 60)]
    assert (cell(with_kiriage, 4, 30).ron, cell(with_kiriage, 3, 60).dealer_tsumo) == (8000, 4000)


def test_a_minimum_of_han_takes_cheaper_hands_off_the_table() -> None:
    two = replace(FURITEN, minimum_han=2)
    assert all(row.cells[0].ron is None and row.cells[0].tsumo is None for row in payment_table(two))
    assert cell(two, 2, 30).ron == 2000


def limit_rows(key: str) -> list[tuple[str, str, int, int]]:
    rows = limits(PRESETS[key].rules)
    return [(row.limit.code, row.han.sentence(), row.amounts.ron, row.amounts.dealer_ron) for row in rows]


COMMON = [
    ("mangan", "5", 8000, 12_000),
    ("haneman", "6–7", 12_000, 18_000),
    ("baiman", "8–10", 16_000, 24_000),
]
COUNTED = [("sanbaiman", "11–12", 24_000, 36_000), ("yakuman", "13+", 32_000, 48_000)]
NOT_COUNTED = [("sanbaiman", "11+", 24_000, 36_000), ("yakuman", "yakuman hands only", 32_000, 48_000)]
DOUBLE = [("double_yakuman", "yakuman hands only", 64_000, 96_000)]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("furiten", COMMON + COUNTED),
        ("ema-2012", COMMON + COUNTED + DOUBLE),
        ("phoenix", COMMON + COUNTED + DOUBLE),
        ("basic", COMMON + COUNTED),
        ("ema-2016", COMMON + NOT_COUNTED),
        ("jpml-a", COMMON + NOT_COUNTED),
        ("ema-2025", COMMON + NOT_COUNTED),
        ("wrc", COMMON + NOT_COUNTED),
        ("m-league", COMMON + NOT_COUNTED + DOUBLE),
        ("tenhou", COMMON + COUNTED + DOUBLE),
    ],
)
def test_limits_follow_the_rule_set(key: str, expected: list[tuple[str, str, int, int]]) -> None:
    assert limit_rows(key) == expected


def test_mangan_is_reached_by_fu_too() -> None:
    assert limits(FURITEN)[0].from_fu == ((3, 70), (4, 40))
    assert limits(PRESETS["wrc"].rules)[0].from_fu == ((3, 60), (4, 30))


@pytest.mark.parametrize(
    ("key", "points"),
    [("furiten", 32_000), ("ema-2025", 24_000), ("ema-2016", 24_000), ("wrc", 24_000), ("tenhou", 32_000)],
)
def test_thirteen_han_are_a_yakuman_or_a_sanbaiman(key: str, points: int) -> None:
    settled = hand_payment(PRESETS[key].rules, Hand(winner=1, discarder=2, han=13))
    assert settled.received(1) == points


def test_a_hand_names_its_limit() -> None:
    def name(**hand: Any) -> str | None:
        won = hand_payment(TENHOU, Hand(winner=1, **hand)).wins[0].worth.name
        return won.sentence() if won else None

    assert name(han=3, fu=30) is None
    assert name(han=4, fu=40) == "mangan"
    assert name(han=11) == "sanbaiman"
    assert name(yakuman=1) == "yakuman"
    assert name(yakuman=2) == "double yakuman"
    assert name(yakuman=3) == "yakuman, 3 times"


RON = {"winner": 1, "discarder": 2}
TSUMO = {"winner": 1}


@pytest.mark.parametrize(
    ("rules", "hand", "sentence"),
    [
        (EMA_2012, {**RON, "han": 0, "fu": 30}, "A winning hand has one han at least, not 0."),
        (EMA_2012, {**RON, "han": -3, "fu": 30}, "A winning hand has one han at least, not −3."),
        (EMA_2012, {**RON, "han": 1, "fu": 25}, "25 fu are seven pairs: 2 han at least."),
        (EMA_2012, {**TSUMO, "han": 2, "fu": 25}, "25 fu are seven pairs: 3 han at least by tsumo."),
        (EMA_2012, {**TSUMO, "han": 1, "fu": 20}, "20 fu by tsumo are a pinfu: 2 han at least."),
        (
            EMA_2012,
            {**RON, "han": 2, "fu": 20},
            "20 fu by ron do not occur: a closed hand has 30, and an open one without fu is raised to 30.",
        ),
        (EMA_2012, {**RON, "han": 2, "fu": 0}, "A hand of 2 han has 20, 25 or 30, 40 … 110 fu, not 0."),
        (EMA_2012, {**RON, "han": 2, "fu": 32}, "A hand of 2 han has 20, 25 or 30, 40 … 110 fu, not 32."),
        (EMA_2012, {**RON, "han": 2, "fu": 120}, "A hand of 2 han has 20, 25 or 30, 40 … 110 fu, not 120."),
        (EMA_2012, {**RON, "han": 6, "fu": 31}, "A hand of 6 han has 20, 25 or 30, 40 … 140 fu, not 31."),
        (FURITEN, {**RON, "yakuman": 2}, "Under these rules a hand counts as one yakuman, not 2."),
        (EMA_2012, {**RON, "yakuman": 3}, "Under these rules a hand counts as 1 to 2 yakuman, not 3."),
        (BASIC, {**RON, "yakuman": -1}, "Under these rules a hand counts as 1 to 6 yakuman, not -1."),
        (
            EMA_2012,
            {**RON, "yakuman": 1, "han": 3, "fu": 30},
            "Enter han and fu or a number of yakuman, not both.",
        ),
        (replace(FURITEN, minimum_han=3), {**RON, "han": 2, "fu": 30}, "2 han are too few: these rules ask for 3."),
        (EMA_2012, {"winner": 1, "discarder": 1, "han": 2, "fu": 30}, "The winner cannot be the one who pays."),
        (EMA_2012, {"winner": 4, "han": 2, "fu": 30}, "A seat is East, South, West or North."),
        (
            FURITEN,
            {**RON, "han": 2, "fu": 30, "feeder": 3},
            "A win on the tile after a kan is a tsumo, not a ron.",
        ),
    ],
)
def test_a_hand_that_cannot_be_is_refused_with_a_sentence(rules: Rules, hand: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(rules, Hand(**hand))
    assert [problem.sentence() for problem in refused.value.problems] == [sentence]


@pytest.mark.parametrize("fu", [0, 20, 25, *range(30, 141, 10)])
@pytest.mark.parametrize("tsumo", [False, True])
def test_from_five_han_on_any_fu_is_accepted(fu: int, tsumo: bool) -> None:
    hand = Hand(winner=1, discarder=None if tsumo else 2, han=6, fu=fu)
    assert hand_payment(EMA_2012, hand).received(1) == 12_000


def test_the_limits_name_one_and_a_half_yakuman_where_there_is_one() -> None:
    polish = replace(PHOENIX, one_and_half_yakuman=("big_four_winds",))
    rows = {row.limit.code: row.amounts for row in limits(polish)}
    assert (rows["one_and_half_yakuman"].ron, rows["one_and_half_yakuman"].dealer_ron) == (48_000, 72_000)
    won = hand_payment(polish, Hand(winner=1, yakuman=Fraction(3, 2))).wins[0].worth.name
    assert won is not None
    assert won.sentence() == "one and a half yakuman"


def test_more_than_110_fu_come_with_a_mangan() -> None:
    assert hand_payment(EMA_2012, Hand(winner=1, discarder=2, han=4, fu=130)).received(1) == 8000


def test_every_problem_of_a_hand_is_named_at_once() -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(FURITEN, Hand(winner=1, discarder=1, han=1, fu=25))
    assert [problem.code for problem in refused.value.problems] == ["winner_pays", "seven_pairs"]
