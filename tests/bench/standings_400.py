"""Standings of an event of 400 players and 15 rounds, and what it costs to confirm a late round against an early one.

First: nothing is cached. Repeated: the page is cached. For comparison the same cells are also drawn by a bare Django
template with the same tags and filters; everything else (queries, ranking, the frame) is the same.
"""

from __future__ import annotations

import datetime
import statistics
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache as cache_once
from functools import partial
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.template import Context, Template
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.scoring import Seat
from ratings.models import Player
from tests.bench.leaderboard import EMPTY, Site, _engine, cpu_medians
from tests.bench.measure import Figure, Line, Mark, milliseconds
from tests.cast import make_club, make_rule_set
from tests.tournaments.hall import FALLING
from tournaments.models import Entry, Round, Table, Tournament
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.rounds import LineUp, confirm_round, seat_round, unconfirm_round
from tournaments.services.tables import new_sheet, record_table
from tournaments.standings import ranking
from tournaments.tables import standings as table

PLAYERS, ROUNDS = 400, 15
EARLY = 2
STEPS = (1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37)
PAGE = "/tournaments/bench/standings/"
TIMES = 11
SATURDAY = datetime.date(2026, 4, 18)

BARE = """{% load components i18n %}{% for row in rows %}<tr role="row">
<td role="cell" class="rank-cell">{% rank_tile row.rank %}</td>
<td role="cell" class="moved-cell">{% movement row.moved %}</td>
<th role="rowheader" scope="row" class="name-cell">
{% player_name row.name row.latin row.url row.country %}{% if row.country %}
<span class="alt">{{ row.country }}</span>{% endif %}</th>
<td role="cell" class="numeric total total-cell {{ row.total|tone }}">{{ row.total|result }}</td>
{% for cell in row.rounds %}<td role="cell" class="result {{ cell.css }} {{ cell.result|tone }}">
<a href="{{ cell.url }}">{{ cell.result|result }}</a>{% if cell.corrected %}
<sup class="correction"><abbr title="{% translate "corrected" %}">c</abbr></sup>{% endif %}</td>{% endfor %}</tr>
{% endfor %}"""


def bench() -> Iterator[Line]:
    with override_settings(ROOT_URLCONF="tests.bench.urls"):
        event = make()
        early, late = yield from play(event)
        yield Figure(f"confirming round {EARLY} and round {ROUNDS}", f"{milliseconds(early)}, {milliseconds(late)}")
        yield Mark(f"confirming round {ROUNDS} against round {EARLY}", late / early, at_most=1.5)
        yield from compare(Site())


def make() -> Tournament:
    call_command("migrate", verbosity=0)
    club = make_club("Bench")
    event = Tournament(
        club=club,
        name="Bench",
        slug="bench",
        rule_set=make_rule_set(club, "ema-2012"),
        starts_on=SATURDAY,
        ends_on=SATURDAY + datetime.timedelta(days=2),
    )
    make_event(event, [StagePlan("Main", ROUNDS)])
    for number in range(PLAYERS):
        player = Player.objects.create(native_name=f"Игрок {number}", latin_first="Player", latin_last=f"{number}")
        enter(event, player, status=Entry.Status.CHECKED_IN)
    return event


def play(event: Tournament) -> Generator[Line, None, tuple[float, float]]:
    """Play all rounds; return how long it took to confirm an early round and the last one, each when it was played."""
    entries = list(event.entries.select_related("player"))
    taken: dict[int, float] = {}
    for round_ in Round.objects.filter(stage__tournament=event).order_by("number"):
        # A step that is coprime to the number of players visits every player once; each round has other meetings.
        step = STEPS[round_.number - 1]
        seats = [entries[index * step % PLAYERS] for index in range(PLAYERS)]
        seat_round(round_, LineUp([seats[start : start + 4] for start in range(0, PLAYERS, 4)]))
        record(round_)
        confirm_round(round_)
        if round_.number in (EARLY, ROUNDS):
            taken[round_.number] = statistics.median(confirmed(round_) for _time in range(TIMES))
    yield Figure("event", f"{PLAYERS} players, {ROUNDS} rounds, {PLAYERS * ROUNDS // 4} tables")
    return taken[EARLY], taken[ROUNDS]


def record(round_: Round) -> None:
    for found in Table.objects.filter(round=round_).prefetch_related("seats__entry__player"):
        seats = sorted(found.seats.all(), key=lambda seat: seat.wind)
        played = [SeatSheet(seat.entry, Seat(points)) for seat, points in zip(seats, FALLING, strict=True)]
        record_table(found, new_sheet(found, played))
    Table.objects.filter(round=round_).update(checked_at=datetime.datetime.now(datetime.UTC))


def confirmed(round_: Round) -> float:
    """Processor time, not clock time: the two rounds are minutes apart, and other processes may use the machine."""
    unconfirm_round(round_, reason="once more")
    start = time.process_time()
    confirm_round(round_)
    return time.process_time() - start


def compare(site: Site) -> Iterator[Line]:
    status, headers, body = site.get(PAGE)
    assert status.startswith("200"), status
    assert body.count(b'<td role="cell" class="result ') == PLAYERS * ROUNDS
    site.cookie = headers["Set-Cookie"].split(";")[0]
    etag = site.get(PAGE)[1]["ETag"]

    def first() -> None:
        cache.clear()
        site.get(PAGE)

    def bare() -> None:
        with bare_cells():
            first()

    empty = partial(site.get, EMPTY)
    made, from_template = cpu_medians(first, bare, times=TIMES)
    first()
    again, unchanged = partial(site.get, PAGE), partial(site.get, PAGE, HTTP_IF_NONE_MATCH=etag)
    nothing, kept, not_modified = cpu_medians(empty, again, unchanged, times=TIMES * 8)
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        site.get(PAGE)
    yield Figure("first time", f"{milliseconds(made)}, {len(body) // 1000} kB, {len(queries)} queries")
    yield Mark("first rendering against the same cells from a bare template", made / from_template, at_most=1)
    yield Mark("repeated against an empty view", kept / nothing, at_most=4)
    yield Mark("unchanged (304) against an empty view", not_modified / nothing, at_most=4)


@contextmanager
def bare_cells() -> Iterator[None]:
    """The same page with its rows drawn by a Django template."""
    ours = table.rows
    table.rows = _bare_rows
    try:
        yield
    finally:
        table.rows = ours


@cache_once
def _template() -> Template:
    return _engine().from_string(BARE)


def _bare_rows(board: table.Board) -> SafeString:
    games = table._games(board)
    rows = [_values(board, row, games[row.entry]) for row in board.standings.rows]
    return _template().render(Context({"rows": rows}))


def _values(board: table.Board, row: ranking.Row, games: dict[int, str]) -> dict[str, Any]:
    player = board.view.entries[row.entry].player
    return {
        "rank": row.rank,
        "moved": row.moved,
        "name": board.names.text(player),
        "latin": board.names.latin(player),
        "url": board.names.address(player),
        "country": board.view.entries[row.entry].country,
        "total": row.total,
        "rounds": [
            {
                "css": board.phone_class(number),
                "url": games.get(number, ""),
                "result": row.tally.by_round.get(number),
                "corrected": number in row.tally.corrected,
            }
            for number in board.rounds
        ],
    }
