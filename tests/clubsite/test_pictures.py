"""Pictures beside tables: everything drawn follows from the numbers, and nothing in them takes the keyboard."""

from __future__ import annotations

import pytest
from django.utils.safestring import SafeString
from lxml import etree, html

from clubsite.columns import ChartColumn, column_chart
from clubsite.heat_map import heat_map, repeats
from clubsite.rank_charts import RaceLine, Slope, race, slope
from clubsite.waterfall import WaterfallStep, bounds_of, waterfall


def line_of(name: str, *places: int | None) -> RaceLine:
    return RaceLine(SafeString(name), places, [str(place or "") for place in places])


def drawn_race(*lines: RaceLine) -> etree._Element:
    days = [f"{day} May" for day, _place in enumerate(lines[0].places, 1)]
    return html.fromstring(race(days, lines, title="Race", note="Ranks"))


class TestRace:
    def test_every_place_has_a_row_and_the_last_is_for_all_below(self) -> None:
        picture = drawn_race(line_of("Anna", 2, 1), line_of("Ben", 9, 2))

        assert picture.xpath("//polyline/@points") == ["0,150 100,50", "0,250 100,150"]
        assert picture.xpath("//svg/@viewbox") == ["0 0 100 300"]

    def test_a_line_begins_where_the_runner_is_ranked_first(self) -> None:
        picture = drawn_race(line_of("Anna", None, None, 1, 1))

        assert picture.xpath("//polyline/@points") == ["200,50 300,50"]

    def test_the_same_ranks_are_in_a_table(self) -> None:
        picture = drawn_race(line_of("Anna", 2, None, 1))

        assert [cell.text for cell in picture.xpath("//tbody//td")] == ["2", "–", "1"]

    def test_hundreds_of_days_are_drawn_and_one_is_not(self) -> None:
        assert len(drawn_race(line_of("Anna", *[1, 2] * 200)).xpath("//polyline")) == 1
        assert race(["1 May"], [line_of("Anna", 1)], title="Race", note="") == ""

    def test_the_only_stop_of_the_keyboard_is_the_table(self) -> None:
        picture = drawn_race(line_of("Anna", 2, 1))

        assert picture.xpath("//*[self::a or self::button or @tabindex][not(ancestor::details)]") == []
        assert "style=" not in etree.tostring(picture).decode()


class TestSlope:
    def test_lines_say_who_rises_and_who_falls(self) -> None:
        picture = html.fromstring(
            slope(
                [
                    Slope(SafeString("Anna"), 1, 2, (1, 2)),
                    Slope(SafeString("Ben"), 2, 1, (2, 1)),
                    Slope(SafeString("Cleo"), 3, 3, (3, 3)),
                ],
                2,
                title="Ranks",
                before="Now",
                after="Then",
            )
        )

        assert [line.get("class").split()[1] for line in picture.xpath("//line")] == ["falling", "rising"]
        assert [name.text for name in picture.xpath("//ol[1]/li/span")] == ["Anna", "Ben"]
        assert [name.text for name in picture.xpath("//ol[2]/li/span")] == ["Ben", "Anna"]

    def test_a_place_far_below_ends_in_the_last_row(self) -> None:
        picture = html.fromstring(
            slope([Slope(SafeString("Anna"), 1, 90, (1, 88))], 3, title="Ranks", before="Now", after="Then")
        )

        assert picture.xpath("//line/@y2") == ["350"]
        assert picture.xpath("//ol[2]/li") == []

    def test_without_players_there_is_nothing(self) -> None:
        assert slope([], 3, title="Ranks", before="Now", after="Then") == ""


class TestWaterfall:
    STEPS = (WaterfallStep("Base", -5_000, "−5.0"), WaterfallStep("Uma", 15_000, "+15.0"))

    def test_a_step_begins_where_the_one_before_ended(self) -> None:
        bounds = bounds_of([[-5_000, 15_000]])
        picture = html.fromstring(
            waterfall(("Points", "25 000"), self.STEPS, WaterfallStep("Result", 10_000, "+10.0"), bounds)
        )

        rects = [(rect.get("class"), rect.get("x"), rect.get("width")) for rect in picture.xpath("//rect")]
        assert rects == [("loss", "0.0", "33.3"), ("gain", "0.0", "100.0"), ("outcome gain", "33.3", "66.7")]
        assert [item.text_content() for item in picture.xpath("//li")] == [
            "Points25 000",
            "Base−5.0",
            "Uma+15.0",
            "Result+10.0",
        ]

    def test_several_have_one_scale(self) -> None:
        bounds = bounds_of([[10, -30], [40, 5]])

        assert (bounds.low, bounds.high) == (-20, 45)

    def test_a_result_of_nothing_is_drawn(self) -> None:
        zero = WaterfallStep("Result", 0, "0.0")

        assert 'width="0.6"' in waterfall(("Points", "30 000"), [], zero, bounds_of([[]]))


class TestColumns:
    @pytest.mark.parametrize("values", [[1], [3, 12], list(range(1, 200))])
    def test_the_highest_column_is_full_and_every_number_is_text(self, values: list[int]) -> None:
        columns = [ChartColumn(value, f"{value} May", f"{value} May: games") for value in values]
        picture = html.fromstring(column_chart(columns))

        heights = [float(height) for height in picture.xpath("//rect/@height")]
        assert max(heights) == heights[values.index(max(values))] == 100
        assert [spoken.text for spoken in picture.xpath("//span[@class='spoken']")] == [each.words for each in columns]

    def test_without_columns_there_is_nothing(self) -> None:
        assert column_chart([]) == ""


class TestHeatMap:
    def test_each_pair_has_two_cells_and_the_key_counts_all_pairs(self) -> None:
        picture = html.fromstring(f"<div>{heat_map(['1', '2', '3'], {(0, 1): 2, (1, 2): 1})}</div>")

        cells = {path.get("class"): path.get("d").count("M") for path in picture.xpath("//path")}
        assert cells == {"met-0": 3, "met-1": 2, "met-2": 2}
        assert [item.text_content() for item in picture.xpath("//li")] == [
            "1 pair: never",
            "1 pair: once",
            "1 pair: 2 times",
        ]

    def test_of_hundreds_of_players_every_fifth_is_named(self) -> None:
        names = [str(number) for number in range(1, 201)]
        picture = html.fromstring(f"<div>{heat_map(names, {})}</div>")

        assert [label.text for label in picture.xpath("//text[@class='anchor-end']")][:3] == ["1", "6", "11"]

    def test_repeats_are_named_the_most_often_first(self) -> None:
        assert repeats(["7", "8", "9"], {(0, 1): 2, (0, 2): 1, (1, 2): 3}) == ["8 – 9: 3 times", "7 – 8: 2 times"]

    @pytest.mark.parametrize("names", [[], ["1"]])
    def test_without_two_players_there_is_nothing(self, names: list[str]) -> None:
        assert heat_map(names, {}) == ""
