"""The three clubs of the demo and what they play: texts, seasons, and how many incidents of each kind.

Data only; `load` stores it. Names of seasons contain the time of year, in the club's own language.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ratings.demo.people import ARKHANGELSK, LODZ, MINSK, DemoPerson

WINTER, SPRING, SUMMER, AUTUMN = "winter", "spring", "summer", "autumn"
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)


@dataclass(frozen=True)
class Incidents:
    """How many games of a season have an incident, in addition to what happens by chance."""

    ties: int = 3
    penalties: tuple[int, ...] = ()
    late: int = 0
    absent: int = 0  # a substitute played the seat from the start
    left_early: int = 0  # a substitute took over in mid-game
    wrong_sum: int = 0
    winds_unknown: int = 0
    corrected: int = 0
    void: int = 0
    draft: int = 0


@dataclass(frozen=True)
class Fine:
    """A row of the penalty ledger; `points` are game points, and a warning has none."""

    kind: str
    points: int
    reason: str
    revoked: str = ""


@dataclass(frozen=True)
class SeasonPlan:
    slug: str  # the time of year and the year are added
    names: Mapping[str, str]  # time of year -> name
    running: bool
    rules: int  # version of the club's rule set
    games: int
    weekdays: tuple[int, ...]
    incidents: Incidents
    fines: tuple[Fine, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)  # columns of the season
    variations: tuple[Mapping[str, Any], ...] = ()  # of single games, chosen at random


@dataclass(frozen=True)
class ClubPlan:
    name: str
    slug: str
    city: str
    country: str
    time_zone: str
    about: str
    preset: str
    rules_name: str
    versions: tuple[Mapping[str, Any], ...]  # what differs from the preset, version by version
    people: tuple[DemoPerson, ...]
    guests: tuple[DemoPerson, ...]
    starts: datetime.time
    seasons: tuple[SeasonPlan, ...]


ENGLISH = {WINTER: "Winter", SPRING: "Spring", SUMMER: "Summer", AUTUMN: "Autumn"}
RUSSIAN = {WINTER: "Зима", SPRING: "Весна", SUMMER: "Лето", AUTUMN: "Осень"}
POLISH = {WINTER: "Liga zimowa", SPRING: "Liga wiosenna", SUMMER: "Liga letnia", AUTUMN: "Liga jesienna"}
IN_ENGLISH = {key: f"{word} season" for key, word in ENGLISH.items()}
FREE = {key: f"Free games, {word.lower()}" for key, word in ENGLISH.items()}

# Within the ranges that Furiten's rules allow for a free game; the empty ones are games by the rated rules.
FREE_GAMES: tuple[Mapping[str, Any], ...] = (
    {},
    {},
    {"start_points": 25_000, "target_points": 30_000, "uma": [20_000, 10_000, -10_000, -20_000]},
    {"start_points": 25_000, "target_points": 25_000, "red_fives": 4},
    {"uma": [15_000, 5_000, -5_000, -15_000]},
    {"red_fives": 0, "minimum_han": 2},
    {"open_tanyao": True, "kuikae": "free"},
    {"open_riichi": True},
    {"five_honba_minimum": "two_han", "leading_dealer_ends": True},
    {"start_points": 35_000, "target_points": 40_000, "open_tanyao": True},
)

FURITEN = ClubPlan(
    name="Furiten",
    slug="furiten",
    city="Минск",
    country="BY",
    time_zone="Europe/Minsk",
    about=(
        "Thursdays and Saturdays on the second floor of the chess house. Rated games count from the first tile; "
        "for red fives, open tanyao or another uma, agree before the dice are rolled and play a free game.\n\n"
        "New players are welcome every first Thursday of the month: we explain, you win."
    ),
    preset="furiten",
    rules_name="Furiten rated",
    # Before the running season first place took the sticks left; the preset's notes say why a club may choose this.
    versions=({"leftover_sticks": "winner"}, {}),
    people=MINSK,
    guests=(*LODZ[:4], *ARKHANGELSK[:3]),
    starts=datetime.time(18, 30),
    seasons=(
        SeasonPlan(
            slug="rated",
            names=IN_ENGLISH,
            running=False,
            rules=1,
            games=120,
            weekdays=(THURSDAY, SATURDAY),
            incidents=Incidents(absent=1, penalties=(1_000,), corrected=1),
            settings={"minimum_games": 6},
        ),
        SeasonPlan(
            slug="rated",
            names=IN_ENGLISH,
            running=True,
            rules=2,
            games=150,
            weekdays=(THURSDAY, SATURDAY),
            incidents=Incidents(
                ties=5,
                penalties=(1_000, 2_000),
                absent=2,
                left_early=1,
                wrong_sum=1,
                winds_unknown=2,
                corrected=1,
                void=1,
                draft=1,
            ),
            fines=(
                Fine("warning", 0, "Looked through the dead wall after the hand, first time."),
                Fine("penalty", -10_000, "Left the evening before the last round without a word."),
                Fine("penalty", -5_000, "Tea on the tiles.", revoked="It was the neighbour's elbow."),
                Fine("bonus", 3_000, "Ran the beginners' Thursday."),
            ),
            settings={"minimum_games": 6},
        ),
        SeasonPlan(
            slug="free",
            names=FREE,
            running=True,
            rules=2,
            games=100,
            weekdays=(TUESDAY, SUNDAY),
            incidents=Incidents(ties=2, absent=1, winds_unknown=4),
            settings={"kind": "simplified", "minimum_games": 4},
            variations=FREE_GAMES,
        ),
    ),
)

PHOENIX = ClubPlan(
    name="Феникс",
    slug="phoenix",
    city="Архангельск",
    country="RU",
    time_zone="Europe/Moscow",
    about=(
        "Маджонг у Белого моря. Играем по средам и воскресеньям, зимой — при свечах и с пирогами. "
        "При равенстве очков выше тот, кто ближе к первому дилеру; результат округляется вверх до тысячи.\n\n"
        "Phoenix is the riichi club of the north: guests from anywhere find a table on Sundays."
    ),
    preset="phoenix",
    rules_name="Phoenix",
    versions=({},),
    people=ARKHANGELSK,
    guests=MINSK[:3],
    starts=datetime.time(17, 0),
    seasons=(
        SeasonPlan(
            slug="season",
            names=RUSSIAN,
            running=False,
            rules=1,
            games=110,
            weekdays=(WEDNESDAY, SUNDAY),
            incidents=Incidents(absent=1),
            settings={"minimum_games": 8, "formula": "average"},
        ),
        SeasonPlan(
            slug="season",
            names=RUSSIAN,
            running=True,
            rules=1,
            games=150,
            weekdays=(WEDNESDAY, SUNDAY),
            incidents=Incidents(ties=6, penalties=(1_000,), absent=2, left_early=1, corrected=1, void=1, draft=1),
            fines=(
                Fine("penalty", -5_000, "Опоздание на час без предупреждения."),
                Fine("warning", 0, "Подсказка соседу во время розыгрыша."),
            ),
            settings={"minimum_games": 8},
        ),
    ),
)

LODZ_MAHJONG = ClubPlan(
    name="Łódź Mahjong",
    slug="lodz",
    city="Łódź",
    country="PL",
    time_zone="Europe/Warsaw",
    about=(
        "Klub turniejowy: gramy według reguł EMA, z zegarem, sędzią i kartą wyników. Liga w piątki, turnieje w "
        "weekendy.\n\nA tournament club under EMA rules: ninety minutes, a referee, and a rating that remembers "
        "whom you beat."
    ),
    preset="ema-2012",
    rules_name="EMA 2012",
    versions=({},),
    people=LODZ,
    guests=(*MINSK[:2], *MINSK[16:20]),
    starts=datetime.time(18, 0),
    seasons=(
        SeasonPlan(
            slug="league",
            names=POLISH,
            running=False,
            rules=1,
            games=120,
            weekdays=(FRIDAY,),
            incidents=Incidents(late=3, absent=1),
            settings={"minimum_games": 8, "formula": "tenhou", "initial_rating": 1_500_000},
        ),
        SeasonPlan(
            slug="league",
            names=POLISH,
            running=True,
            rules=1,
            games=160,
            weekdays=(FRIDAY, SATURDAY),
            incidents=Incidents(
                ties=4,
                penalties=(8_000, 12_000),
                late=6,
                absent=3,
                left_early=1,
                wrong_sum=1,
                corrected=1,
                void=1,
                draft=1,
            ),
            fines=(
                Fine("penalty", -12_000, "Telefon przy stole, po raz drugi."),
                Fine("warning", 0, "Telefon przy stole."),
                Fine("warning", 0, "Powolna gra."),
            ),
            settings={"minimum_games": 8, "formula": "elo", "initial_rating": 1_500_000},
        ),
    ),
)

CLUBS = (FURITEN, PHOENIX, LODZ_MAHJONG)
