"""Charts read by eye, by keyboard and by screen reader; nothing is inline but SVG attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from clubsite import charts, numbers


def points_of(values: Sequence[int], tick: str = "") -> list[charts.Point]:
    return [
        charts.Point(
            value=value,
            shown=numbers.result(value),
            change="+1.0",
            when="21 February",
            what=f"game {index + 1}, 1st",
            url=f"/hanchans/{index + 1}/",
            tick=tick,
        )
        for index, value in enumerate(values)
    ]


def drawn(values: Sequence[int], **options: int | None) -> etree._Element:
    svg = charts.curve(points_of(values), label="Total", noun="total", **options)  # type: ignore[arg-type]
    return etree.fromstring(svg)


def percentages(svg: etree._Element) -> list[float]:
    return [float(value) for value in re.findall(r'="(-?[\d.]+)%"', etree.tostring(svg).decode())]


def test_every_point_of_a_short_curve_is_a_link_that_says_what_it_is() -> None:
    links = drawn([7600, 35_700, 29_400]).findall("a")
    assert [link.get("href") for link in links] == ["/hanchans/1/", "/hanchans/2/", "/hanchans/3/"]
    assert links[1].get("aria-label") == "21 February, game 2, 1st: +1.0, total +35.7"
    assert all(link.find("svg/circle[@class='hit']").get("r") == "12" for link in links)


def test_the_drawing_has_no_view_box_but_its_line_has() -> None:
    svg = drawn([0, 1000])
    assert svg.get("viewBox") is None
    assert svg.find("svg[@viewBox]/polyline") is not None
    assert "style=" not in etree.tostring(svg).decode()


@pytest.mark.parametrize(
    "values",
    [[0], [-16_300], [5000] * 9, [0, 0], [-40_000, -90_000, -10_000], list(range(-500_000, 500_000, 1000)), [1, 2, 3]],
    ids=["one", "one below", "all equal", "all nought", "all below", "a thousand", "tiny"],
)
@pytest.mark.parametrize("baseline", [0, None, 1_500_000])
def test_everything_drawn_lies_within_the_plot(values: list[int], baseline: int | None) -> None:
    assert all(0 <= value <= 100 for value in percentages(drawn(values, baseline=baseline)))


def test_a_long_curve_keeps_its_whole_line_and_thins_its_links() -> None:
    values = [(-1) ** i * i * 100 for i in range(1000)]
    svg = drawn(values)
    line = svg.find("svg/polyline")
    assert line is not None
    assert len((line.get("points") or "").split()) == 1000
    links = svg.findall("a")
    assert len(links) == charts.MOST_POINTS
    assert links[0].get("href") == "/hanchans/1/"
    assert links[-1].get("href") == "/hanchans/1000/"
    assert 0 < len([link for link in links if link.get("class") == "point"]) <= charts.MOST_POINTS_ON_A_PHONE


@given(st.lists(st.integers(-100_000, 100_000), min_size=1, max_size=300), st.integers(5, 60))
def test_ends_and_peaks_can_always_be_pointed_at(values: list[int], most: int) -> None:
    chosen = charts.marked(values, most)
    assert len(chosen) <= most or len(chosen) == len(values)
    assert chosen == sorted(set(chosen))
    assert {0, len(values) - 1} <= set(chosen)
    assert max(values) in [values[index] for index in chosen]
    assert min(values) in [values[index] for index in chosen]


@given(st.integers(-2_000_000, 2_000_000), st.integers(0, 2_000_000))
def test_ticks_are_round_even_and_embrace_the_values(low: int, span: int) -> None:
    levels = charts.ticks(low, low + span)
    steps = {after - before for before, after in pairwise(levels)}
    assert len(steps) == 1
    step = steps.pop()
    assert step >= charts.LEAST_STEP
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert levels[0] <= low
    assert levels[-1] >= low + span
    assert len(levels) <= 7


def test_the_ticks_of_a_spring_season() -> None:
    assert charts.ticks(0, 129_600) == [0, 50_000, 100_000, 150_000]


def test_words_under_the_axis_do_not_run_into_each_other() -> None:
    svg = charts.curve(points_of([100] * 60, tick="February"), label="Total", noun="total")
    assert 1 < svg.count(">February<") < 12


def test_no_games_no_curve() -> None:
    assert charts.curve([], label="Total", noun="total") == ""
    assert charts.curve_figure([], title="Total", label="Total", noun="total") == ""


def test_the_same_games_can_be_read_as_a_table() -> None:
    figure = html.fromstring(
        charts.curve_figure(points_of([7600, -100]), title="Total over the season", label="Total", noun="total")
    )
    rows = [[cell.text_content() for cell in row] for row in figure.findall(".//tbody/tr")]
    assert rows == [
        ["21 February", "game 1, 1st", "+1.0", "+7.6"],
        ["21 February", "game 2, 1st", "+1.0", "\u22120.1"],
    ]
    assert figure.findtext(".//summary") == "Show as a table"


def test_words_of_people_are_escaped_in_a_curve() -> None:
    bad = "<script>alert(1)</script>"
    point = charts.Point(0, bad, bad, bad, bad, '"><b>', bad)
    drawing = charts.curve_figure([point], title=bad, label=bad, noun=bad)
    assert "<script" not in drawing
    assert '"><b>' not in drawing


def test_shares_stand_in_order_with_gaps_and_are_said_in_words() -> None:
    bar = charts.shares_bar([8, 4, 0, 1])
    assert re.findall(r'class="(place-\d)" x="([\d.]+)" width="([\d.]+)"', bar) == [
        ("place-1", "0.0", "60.3"),
        ("place-2", "61.5", "29.6"),
        ("place-4", "92.3", "6.5"),
    ]
    assert "1st 8 times, 2nd 4 times, 3rd 0 times, 4th once" in bar


def test_shares_of_no_games_are_empty_and_still_said() -> None:
    assert "<rect" not in charts.shares_bar([0, 0, 0, 0])


def test_sticks_share_one_scale_and_end_at_the_right() -> None:
    line = charts.sparkline([30_000, -15_000, 0], scale=30_000)
    assert re.findall(r'class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="4" height="([\d.]+)"', line) == [
        ("gain", "59.8", "0.0", "13.0"),
        ("loss", "68.2", "13.0", "6.5"),
        ("level", "76.6", "12.0", "2.0"),
    ]
    assert 'aria-label="Last 3 games together +15.0"' in line


def test_a_sparkline_shows_the_last_ten_games_only() -> None:
    assert charts.sparkline([1000] * 25, scale=1000).count("<rect") == 10
    assert charts.sparkline([], scale=1000) == "\u2013"


def test_a_duel_says_who_was_ahead() -> None:
    words = html.fromstring(charts.duel(3, 2)).text_content()
    assert words == "ahead 3behind 2"
    assert charts.duel(5, 0).count("<rect") == 1
    assert charts.duel(0, 0).count("<rect") == 0


def test_a_bar_is_as_long_as_its_share_of_the_longest() -> None:
    assert 'width="83.3"' in charts.bar(5, 6)
    assert 'width="0.0"' in charts.bar(0, 0)


def test_a_bar_has_the_colour_of_its_place() -> None:
    assert 'class="place-4"' in charts.bar(5, 6, place=4)


def test_charts_use_the_readers_decimal_sign() -> None:
    with translation.override("ru"):
        assert "+15,0" in charts.sparkline([15_000], scale=15_000)
