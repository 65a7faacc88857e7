"""The leaderboard of a season of 100 000 hanchans and 2 000 players, against a view that returns one word.

First: nothing is cached. Repeated: the page is cached. Unchanged: the reader already has it (304). For comparison the
same cells are also drawn by a bare Django template with the same tags and filters; everything else is the same.
"""

from __future__ import annotations

import io
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache as cache_once
from functools import partial
from typing import Any

from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.template import Context, Engine, Template
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from ratings.mahjong.standings import METRICS
from ratings.tables import leaderboard as board
from tests.bench.measure import Figure, Line, Mark, Work, milliseconds, open_scale

PAGE = "/clubs/large/seasons/season/"
EMPTY = "/bench/empty/"
MOST_QUERIES = 5
ROWS = 100
TIMES = 31

BARE = """{% load components i18n %}{% for row in rows %}<tr role="row">
<td role="cell" class="rank-cell">{% rank_tile row.rank %}</td>
<th role="rowheader" scope="row" class="name-cell">{% player_name row.name row.latin row.url row.country %}</th>
<td role="cell" class="numeric total total-cell {{ row.total|tone }}">
<a href="{{ row.games_url }}">{{ row.total|result }}</a></td>
<td role="cell" class="numeric games-cell" data-u="{% translate "games" %}">{{ row.line.games }}</td>
<td role="cell" class="numeric off {{ row.average|tone }}">{{ row.average|result }}</td>
<td role="cell" class="numeric average-cell" data-l="{% translate "place" %}">{{ row.average_place|average_place }}</td>
<td role="cell" class="shares">{% shares_bar row.shares %}</td>
<td role="cell" class="numeric off {{ row.line.best|tone }}">
<a href="{{ row.games_url }}&amp;result={{ row.line.best }}">{{ row.line.best|result }}</a></td>
<td role="cell" class="numeric off {{ row.line.worst|tone }}">
<a href="{{ row.games_url }}&amp;result={{ row.line.worst }}">{{ row.line.worst|result }}</a></td>
<td role="cell" class="numeric off">{{ row.line.chombo|unless_zero }}</td>
<td role="cell" class="numeric off {{ row.penalties|tone }}">{% if row.line.penalties %}
<a href="{{ row.penalties_url }}">{{ row.penalties|result }}</a>{% else %}–{% endif %}</td>
<td role="cell" class="recent-cell">{% sparkline row.line.recent scale %}</td></tr>{% endfor %}"""


class Site:
    """The site called as a server calls it, without a network between."""

    def __init__(self) -> None:
        self.application = get_wsgi_application()
        self.cookie = ""

    def get(self, path: str, **headers: str) -> tuple[str, dict[str, str], bytes]:
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "HTTP_COOKIE": self.cookie,
            **headers,
        }
        answered: list[tuple[str, dict[str, str]]] = []

        def start(status: str, given: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            answered.append((status, dict(given)))
            return sys.stdout.buffer.write

        answer: Any = self.application(environ, start)
        body = b"".join(answer)
        answer.close()
        status, given = answered[0]
        return status, given, body


def bench() -> Iterator[Line]:
    open_scale()
    with override_settings(ROOT_URLCONF="tests.bench.urls"):
        yield from compare(Site())


def cpu_medians(*works: Work, times: int) -> list[float]:
    """Median processor time of each, run in turns. Other load on the machine must not make long work look longer."""
    taken: list[list[float]] = [[] for _ in works]
    for _round in range(times):
        for work, mine in zip(works, taken, strict=True):
            began = time.process_time()
            work()
            mine.append(time.process_time() - began)
    return [statistics.median(mine) for mine in taken]


def compare(site: Site) -> Iterator[Line]:
    status, headers, body = site.get(PAGE)
    assert status.startswith("200"), status
    assert body.count(b"<tr") > ROWS
    site.cookie = headers["Set-Cookie"].split(";")[0]  # as a browser would, from its second visit on
    etag = site.get(PAGE)[1]["ETag"]
    assert site.get(PAGE, HTTP_IF_NONE_MATCH=etag)[0].startswith("304")

    def first() -> None:
        cache.clear()
        site.get(PAGE)

    def bare() -> None:
        with bare_cells():
            first()

    empty = partial(site.get, EMPTY)
    nothing, made, from_template = cpu_medians(empty, first, bare, times=TIMES)
    first()
    again, unchanged = partial(site.get, PAGE), partial(site.get, PAGE, HTTP_IF_NONE_MATCH=etag)
    nothing_again, kept, not_modified = cpu_medians(empty, again, unchanged, times=TIMES * 4)
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        site.get(PAGE)
    yield Figure("empty view", milliseconds(nothing))
    yield Figure(f"leaderboard of {ROWS} rows, first time", f"{milliseconds(made)}, {len(body) // 1000} kB")
    yield Mark("queries", len(queries), at_most=MOST_QUERIES, unit="")
    yield Mark("first rendering against an empty view", made / nothing, at_most=60)
    yield Mark("first rendering against the same cells from a bare template", made / from_template, at_most=1)
    yield Mark("repeated against an empty view", kept / nothing_again, at_most=3)
    yield Mark("unchanged (304) against an empty view", not_modified / nothing_again, at_most=2)


@contextmanager
def bare_cells() -> Iterator[None]:
    """The same page with its rows drawn by a Django template."""
    ours = board.rows
    board.rows = _bare_rows
    try:
        yield
    finally:
        board.rows = ours


def _engine() -> Engine:
    libraries = {"components": "clubsite.templatetags.components", "i18n": "django.templatetags.i18n"}
    return Engine(libraries=libraries, builtins=["clubsite.templatetags.numbers"])


@cache_once
def _template() -> Template:
    return _engine().from_string(BARE)


def _bare_rows(table: board.BoardTable, page: Iterable[board.Ranked], draw: board.BoardPage) -> SafeString:
    return _template().render(Context({"rows": [_values(row, draw) for row in page], "scale": draw.scale}))


def _values(row: board.Ranked, draw: board.BoardPage) -> dict[str, Any]:
    rank, line = row
    player = draw.people[line.player_id]
    return {
        "rank": rank,
        "line": line,
        "name": draw.names.text(player),
        "latin": draw.names.latin(player),
        "url": draw.names.address(player),
        "country": player.country,
        "games_url": f"{draw.links.games}?player={line.player_id}",
        "penalties_url": f"{draw.links.penalties}?player={line.player_id}",
        "shares": board.shares(line),
        **{key: METRICS[key].value(line) for key in ("total", "average", "average_place", "penalties")},
    }
