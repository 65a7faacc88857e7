"""A small event as a file, and many ways to make it wrong, each with the message that must be shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def small() -> dict[str, Any]:
    """Eight players, two rounds, by EMA rules; points falling from East to North."""
    tables = [[1, 2, 3, 4], [5, 6, 7, 8]], [[5, 2, 7, 4], [1, 6, 3, 8]]
    points = [45_000, 35_000, 25_000, 15_000]
    return {
        "name": "Small",
        "slug": "small",
        "club": "Furiten",
        "ruleset": "ema-2012",
        "dates": ["2026-04-18"],
        "city": "Minsk",
        "country": "BY",
        "tie_breaks": ["average_place", "best_game"],
        "entries": [
            {
                "number": number,
                "native_name": f"Player {number}",
                "latin_first": "Player",
                "latin_last": str(number),
                "country": "BY",
                "ema_number": "",
                "status": "player",
            }
            for number in range(1, 9)
        ],
        "stages": [
            {
                "name": "Main",
                "rounds": [
                    {
                        "tables": [
                            {
                                "seats": [{"entry": e, "points": p} for e, p in zip(seats, points, strict=True)],
                                "sticks_left": 0,
                            }
                            for seats in each
                        ],
                        "absent": [],
                    }
                    for each in tables
                ],
            }
        ],
        "penalties": [],
        "disqualified": [],
        "withdrawn": [],
    }


Change = Callable[[dict[str, Any]], object]


def seat(data: dict[str, Any], table: int = 0, index: int = 0, round_number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = data["stages"][0]["rounds"][round_number]["tables"][table]["seats"][index]
    return found


def first_round(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["stages"][0]["rounds"][0]
    return found


ERRORS: dict[str, tuple[Change, str]] = {
    "wrong sum": (
        lambda d: seat(d, 1, 2, 1).update(points=25_100),
        "Main, round 2, table 2: The points sum to 120 100 instead of 120 000: 100 are too many.",
    ),
    "unknown entry": (
        lambda d: seat(d, 1, 2).update(entry=99),
        "Main, round 1, table 2, seat West: “entry” is 99, and there is no such entry.",
    ),
    "unknown substitute": (
        lambda d: seat(d).update(substitute="from_start", played_by=99),
        "Main, round 1, table 1, seat East: “played_by” is 99, and there is no such entry.",
    ),
    "seated twice": (
        lambda d: seat(d, 1, 3).update(entry=2),
        "Main, round 1, table 2, seat North: entry 2 is in this round already: table 1.",
    ),
    "twice at a table": (
        lambda d: seat(d, 0, 1).update(entry=1),
        "Main, round 1, table 1, seat South: entry 1 is in this round already: table 1.",
    ),
    "a substitute who sits elsewhere": (
        lambda d: seat(d).update(substitute="from_start", played_by=8),
        "Main, round 1, table 2, seat North: entry 8 is in this round already: table 1.",
    ),
    "absent and seated": (
        lambda d: first_round(d).update(absent=[3]),
        "Main, round 1: entry 3 is in this round already: table 1.",
    ),
    "unknown absent": (
        lambda d: first_round(d).update(absent=[77]),
        "Main, round 1: “absent” is 77, and there is no such entry.",
    ),
    "absent and bye": (
        lambda d: d["stages"][0]["rounds"].append({"tables": [], "absent": [1], "byes": [1]}),
        "Main, round 3: entry 1 is in this round already: “absent”.",
    ),
    "played by nobody named": (
        lambda d: d["entries"].append({**d["entries"][0], "number": 9}) or seat(d).update(played_by=9),
        "Main, round 1, table 1, seat East: A substitute played this seat: select whether from the start",
    ),
    "too late": (
        lambda d: seat(d, 1, 1).update(late_minutes=11),
        "Main, round 1, table 2, seat South: 11 minutes late is more than 10; a substitute has to play this seat.",
    ),
    "odd points": (
        lambda d: seat(d, 1, 1).update(points=35_050),
        "Main, round 1, table 2, seat South: 35 050 points are not a multiple of 100.",
    ),
    "points as text": (
        lambda d: seat(d).update(points="45000"),
        'Main, round 1, table 1, seat East: “points” must be a whole number, not "45000".',
    ),
    "points as a decimal": (
        lambda d: seat(d).update(points=45_000.0),
        "Main, round 1, table 1, seat East: “points” must be a whole number, not 45000.0.",
    ),
    "points as a truth": (
        lambda d: seat(d).update(points=True),
        "Main, round 1, table 1, seat East: “points” must be a whole number, not true.",
    ),
    "points beyond any game": (
        lambda d: seat(d).update(points=10**40),
        "Main, round 1, table 1, seat East: “points” is 1000000",
    ),
    "no points": (lambda d: seat(d).pop("points"), "Main, round 1, table 1, seat East: “points” is missing."),
    "negative chombo": (
        lambda d: seat(d).update(chombo=-1),
        "Main, round 1, table 1, seat East: “chombo” is -1; it must be from 0 to 10 000 000.",
    ),
    "no such substitute": (
        lambda d: seat(d).update(substitute="somehow"),
        'Main, round 1, table 1, seat East: “substitute” is "somehow"; it must be one of none, from_start, mid_game.',
    ),
    "an unknown key": (lambda d: seat(d).update(score=1), 'Main, round 1, table 1, seat East: has no key "score"'),
    "a seat that is none": (
        lambda d: first_round(d)["tables"][0]["seats"].__setitem__(0, 7),
        "Main, round 1, table 1, seat East: must be a JSON object, not 7.",
    ),
    "three seats": (
        lambda d: first_round(d)["tables"][0]["seats"].pop(),
        "Main, round 1, table 1: a hanchan has four seats, this one has 3.",
    ),
    "seats that are no list": (
        lambda d: first_round(d)["tables"][0].update(seats={}),
        "Main, round 1, table 1: “seats” must be a list, not {}.",
    ),
    "a table that is none": (
        lambda d: first_round(d).update(tables=[None]),
        "Main, round 1, table 1: must be a JSON object, not null.",
    ),
    "sticks below zero": (
        lambda d: first_round(d)["tables"][0].update(sticks_left=-1),
        "Main, round 1, table 1: “sticks_left” is -1",
    ),
    "tables that are no list": (
        lambda d: first_round(d).update(tables=7),
        "Main, round 1: “tables” must be a list, not 7.",
    ),
    "no tables": (lambda d: first_round(d).pop("tables"), "Main, round 1: “tables” is missing."),
    "rounds that are no list": (
        lambda d: d["stages"][0].update(rounds="2"),
        '“stages”, number 1: “rounds” must be a list, not "2".',
    ),
    "no stage": (lambda d: d.update(stages=[]), "The event file: “stages” is empty; an event has at least one."),
    "a bad cut": (
        lambda d: d["stages"][0].update(cut={"top": 0, "totals": "carry"}),
        "“stages”, number 1: “top” is 0; it must be from 1 to 9999.",
    ),
    "a cut of what": (
        lambda d: d["stages"][0].update(cut={"top": 4, "totals": "double"}),
        '“stages”, number 1: “totals” is "double"; it must be one of carry, halve, reset.',
    ),
    "two entries of one number": (
        lambda d: d["entries"][3].update(number=1),
        "“entries”, number 4: number 1 is another entry's already.",
    ),
    "an entry without a name": (
        lambda d: d["entries"][0].update(native_name=" "),
        "“entries”, number 1: “native_name” is empty.",
    ),
    "a name with a NUL": (
        lambda d: d["entries"][0].update(native_name="a\0b"),
        "“entries”, number 1: “native_name” holds a character that is not a letter, sign or space.",
    ),
    "half a letter": (
        lambda d: d["entries"][0].update(native_name="a\ud800"),
        "“entries”, number 1: “native_name” holds a character that is not a letter, sign or space.",
    ),
    "a name without end": (
        lambda d: d["entries"][0].update(native_name="a" * 121),
        "“entries”, number 1: “native_name” has 121 characters; 120 are the most.",
    ),
    "a wrong EMA number": (
        lambda d: d["entries"][0].update(ema_number="123"),
        '“entries”, number 1: “ema_number” is "123"; it must be eight digits.',
    ),
    "a wrong country": (
        lambda d: d["entries"][0].update(country="Belarus"),
        '“entries”, number 1: “country” is "Belarus"; it must be two capital letters.',
    ),
    "no such status": (
        lambda d: d["entries"][0].update(status="referee"),
        '“entries”, number 1: “status” is "referee"; it must be one of player, substitute.',
    ),
    "no such rule set": (lambda d: d.update(ruleset="mahjong"), 'The event file: there is no rule set "mahjong"'),
    "rules that are no rules": (lambda d: d.update(ruleset=[1]), "The event file: “ruleset” must be a preset's key"),
    "rules with a part missing": (lambda d: d.update(ruleset={"uma": [1, 2, 3, 4]}), "The event file: "),
    "no date": (lambda d: d.update(dates=[]), "The event file: “dates” must list the days in order, at least one."),
    "dates in disorder": (
        lambda d: d.update(dates=["2026-04-19", "2026-04-18"]),
        "The event file: “dates” must list the days in order, at least one.",
    ),
    "a date that is none": (
        lambda d: d.update(dates=["2026-02-30"]),
        'The event file: “dates” holds "2026-02-30"; write YYYY-MM-DD.',
    ),
    "a date as a number": (lambda d: d.update(dates=[20260418]), "The event file: “dates” holds 20260418"),
    "a bad address": (
        lambda d: d.update(slug="a b/c"),
        'The event file: “slug” is "a b/c"; it must be Latin letters, digits, - and _, at most 50.',
    ),
    "no name": (lambda d: d.pop("name"), "The event file: “name” is missing."),
    "no such tie-break": (lambda d: d.update(tie_breaks=["luck"]), 'The event file: “tie_breaks” holds "luck"'),
    "a tie-break twice": (
        lambda d: d.update(tie_breaks=["firsts", "firsts"]),
        'The event file: “tie_breaks” holds "firsts"; it lists, each once,',
    ),
    "a penalty of nobody": (
        lambda d: d.update(penalties=[{"entry": 99, "after_round": 1, "points": 1, "reason": "x"}]),
        "“penalties”, number 1: “entry” is 99, and there is no such entry.",
    ),
    "a penalty without a reason": (
        lambda d: d.update(penalties=[{"entry": 1, "after_round": 1, "points": 1, "reason": ""}]),
        "“penalties”, number 1: “reason” is empty.",
    ),
    "a penalty after no round": (
        lambda d: d.update(penalties=[{"entry": 1, "after_round": 3, "points": 1, "reason": "x"}]),
        "“penalties”, number 1: “after_round” is 3; it must be from 0 to 2.",
    ),
    "a penalty in no stage": (
        lambda d: d.update(penalties=[{"entry": 1, "stage": 1, "after_round": 0, "points": 1, "reason": "x"}]),
        "“penalties”, number 1: “stage” is 1; it must be from 0 to 0.",
    ),
    "a maybe": (
        lambda d: d.update(withdrawn=[{"entry": 1, "after_round": 1, "keep_results": 1, "reason": "x"}]),
        "“withdrawn”, number 1: “keep_results” must be true or false, not 1.",
    ),
    "somebody leaves twice": (
        lambda d: d.update(
            disqualified=[{"entry": 1, "after_round": 1, "reason": "x"}],
            withdrawn=[{"entry": 1, "after_round": 2, "keep_results": True, "reason": "x"}],
        ),
        "“withdrawn”, number 1: entry 1 has left already, by “disqualified”.",
    ),
    "somebody in the final who did not reach it": (
        lambda d: (
            d["stages"][0].update(cut={"top": 4, "totals": "carry"}),
            d["stages"].append({"name": "Final", "rounds": [{"tables": [first_round(d)["tables"][0]]}]}),
        ),
        "Final, round 1, table 1, seat West: Entry 3 did not reach this stage.",
    ),
    "a name of several lines is one line": (
        lambda d: (d["stages"][0].update(name="Main"), seat(d, 0, 0).update(entry=[1, {"a": "b\nc"}])),
        'Main, round 1, table 1, seat East: “entry” must be a whole number, not [1, {"a": "b\\nc"}].',
    ),
}
