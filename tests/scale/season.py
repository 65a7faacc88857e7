"""Builds the season: facts and derived columns in bulk, standings by the services' own derivation.

Results come from `scoring.score`, ratings from `formulas.fold`; `test_season` proves that the rows are the same as
those that `record_hanchan` writes, and that a rebuild by the services changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeVar

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max, Model
from django.utils import timezone

from ratings.mahjong import formulas, scoring
from ratings.mahjong.formulas import Rated, RatedGame
from ratings.mahjong.gamesheet import Sheet
from ratings.models import Affiliation, Club, Hanchan, HanchanEvent, Player, Season, Seat, Standing
from ratings.queries.ratings import rater_of
from ratings.services.players import index_names
from ratings.services.standings import derive
from tests.cast import make_rule_set
from tests.scale.sheets import FIRST_DAY, LAST_DAY, draw_sheets

BATCH = 2000
Progress = Callable[[int, int], None]


def silent(_done: int, _of: int) -> None:
    """Report no progress."""


@transaction.atomic
def build_season(
    hanchans: int,
    players: int,
    *,
    slug: str = "scale",
    preset: str = "furiten",
    formula: str = formulas.SUM.key,
    progress: Progress = silent,
) -> Season:
    """A club of its own with one season of this size; the same numbers give the same season."""
    season = make_empty(slug, preset, formula)
    people = make_people(season.club, players)
    sheets = draw_sheets(Random(f"{slug} {hanchans} {players}"), people, hanchans, season.rule_set.rules)
    ratings: dict[int, Rated] = {}
    done = 0
    for batch in batches(sheets, BATCH):
        insert(season, batch, ratings)
        done += len(batch)
        progress(done, hanchans)
    reset_sequences()
    Season.objects.filter(pk=season.pk).update(revision=hanchans)
    keep_standings(season, ratings)
    season.refresh_from_db()
    return season


def make_empty(slug: str, preset: str, formula: str) -> Season:
    club = Club.objects.create(name=slug.title(), slug=slug, time_zone="UTC")
    return Season.objects.create(
        club=club,
        name=f"{FIRST_DAY.year}",
        slug="season",
        starts_on=FIRST_DAY,
        ends_on=LAST_DAY,
        rule_set=make_rule_set(club, preset),
        formula=formula,
        initial_rating=formulas.FORMULAS[formula].initial,
    )


def make_people(club: Club, count: int) -> list[int]:
    """Make players and return their ids. Names are in two scripts, so that pages must show both."""
    people = [
        Player(native_name=f"Игрок {number}", latin_first="Player", latin_last=f"{number:05}")
        for number in range(1, count + 1)
    ]
    for player in people:
        index_names(player)
    Player.objects.bulk_create(people, batch_size=BATCH)
    Affiliation.objects.bulk_create((Affiliation(player=player, club=club) for player in people), batch_size=BATCH)
    return [player.pk for player in people]


def insert(season: Season, sheets: list[Sheet], ratings: dict[int, Rated]) -> None:
    """Insert the rows that `record_hanchan` would write for each sheet. `ratings` is carried from batch to batch."""
    first = (Hanchan.objects.aggregate(last=Max("pk"))["last"] or 0) + 1
    write_time, write_day = connection.ops.adapt_datetimefield_value, connection.ops.adapt_datefield_value
    write_json = HanchanEvent._meta.get_field("sheet").get_db_prep_save
    now = write_time(timezone.now())
    hanchans, seats, events = [], [], []
    for pk, sheet in enumerate(sheets, first):
        when = write_time(sheet.played_at), write_day(sheet.played_on)
        hanchans.append((pk, season.pk, season.rule_set_id, sheet.sticks_left, now, *when))
        seats += [(*row, season.pk, True, *when) for row in seats_of(season, sheet, pk, ratings)]
        events.append((pk, HanchanEvent.Action.ENTERED.value, 1, write_json(sheet.write(), connection), now))
    insert_rows(Hanchan, HANCHAN_COLUMNS, hanchans)
    insert_rows(Seat, SEAT_COLUMNS, seats)
    insert_rows(HanchanEvent, EVENT_COLUMNS, events)


HANCHAN_COLUMNS = ("id", "season_id", "rule_set_id", "sticks_left", "entered_at", "played_at", "played_on")
EVENT_COLUMNS = ("hanchan_id", "action", "version", "sheet", "at")
SEAT_COLUMNS = (
    *("hanchan_id", "wind", "player_id", "points", "chombo", "penalty", "substitute", "place", "place_twice"),
    *("result", "rating_after", "season_id", "counts", "played_at", "played_on"),
)


def seats_of(season: Season, sheet: Sheet, pk: int, ratings: dict[int, Rated]) -> list[tuple[object, ...]]:
    """Four rows of SEAT_COLUMNS up to the rating."""
    results = scoring.score(sheet.as_table(), season.rule_set.rules)
    places = [result.place for result in results]
    twice = [2 * place + places.count(place) - 1 for place in places]
    after = rate(season, sheet, twice, ratings)
    return [
        (
            *(pk, wind, seat.player, seat.played.points, seat.played.chombo),
            *(seat.played.penalty, seat.played.substitute),
            *(result.place, twice[wind], result.total, after[wind]),
        )
        for wind, (seat, result) in enumerate(zip(sheet.seats, results, strict=True))
    ]


def rate(season: Season, sheet: Sheet, twice: list[int], ratings: dict[int, Rated]) -> list[int | None]:
    """Ratings after the game, where the formula keeps any."""
    if not season.depends_on_order:
        return [None] * 4
    east, south, west, north = sheet.seats
    game = RatedGame(
        0,
        (east.player, south.player, west.player, north.player),
        (twice[0], twice[1], twice[2], twice[3]),
        any(seat.played.substitute != scoring.NONE for seat in sheet.seats),
    )
    return next(formulas.fold([game], ratings, rater_of(season)))[1]


def insert_rows(model: type[Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows as database values; other columns get the model's defaults. Many times as fast as bulk_create."""
    fields = {field.attname: field for field in model._meta.concrete_fields if not field.primary_key}
    others = [name for name in fields if name not in columns]
    constant = tuple(fields[name].get_db_prep_save(fields[name].get_default(), connection) for name in others)
    quote = connection.ops.quote_name
    names = ", ".join(quote(name) for name in (*columns, *others))
    marks = ", ".join(["%s"] * (len(columns) + len(others)))
    with connection.cursor() as cursor:
        statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"
        cursor.executemany(statement, [row + constant for row in rows])


def reset_sequences() -> None:
    """PostgreSQL hands out ids from a counter that does not see ids we chose."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Hanchan]):
            cursor.execute(statement)


def keep_standings(season: Season, ratings: dict[int, Rated]) -> None:
    standings = derive(season.pk)
    if season.depends_on_order:
        for standing in standings:
            standing.rating, standing.rated_games = ratings.get(standing.player_id, Rated(season.initial_rating, 0))
    Standing.objects.bulk_create(standings, batch_size=BATCH)


Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
