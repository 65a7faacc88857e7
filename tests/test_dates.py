"""Days and times on every page: one style a language, and the club's own time."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.forms import DateField
from django.utils import translation
from lxml import html

from clubsite import days
from ratings.models import Club
from tests.cast import THURSDAY
from tests.test_urls_matrix import TABLE, places
from tests.world import World, make_world

OTHER_STYLES = {
    "American": re.compile(r"\b\d{1,2}/\d{1,2}/\d{4}\b"),
    "month first": re.compile(r"\b(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)\.? \d{1,2}, \d{4}"),
    "for machines": re.compile(r"\b\d{4}-\d{2}-\d{2}\b"),
    "another zone": re.compile(r"\bUTC\b"),
}
DRAWN_BY_DJANGO = ("/admin/data/",)


@pytest.fixture
def world(db: None) -> World:
    found = make_world()
    Club.objects.update(time_zone="Asia/Tokyo")
    return found


def visible_text(page: bytes) -> str:
    """What a reader sees: no scripts, no values of fields, no choices that are not shown."""
    tree = html.fromstring(page)
    for hidden in tree.xpath("//script | //style | //select | //head | //textarea"):
        hidden.drop_tree()
    return " ".join(tree.text_content().split())


@pytest.mark.parametrize("role", ["stranger", "admin", "owner"])
def test_no_page_writes_dates_in_another_style_or_zone(role: str, world: World) -> None:
    client, named = world.client(role), places(world)
    evening = f"{THURSDAY:%H:%M}"  # where the club is, it is night
    wrong, seen = [], 0
    for address in TABLE:
        if address.startswith(DRAWN_BY_DJANGO):
            continue
        answer: Any = client.get(address.format(**named))
        if answer.streaming:
            b"".join(answer.streaming_content)  # reading a file to its end closes it, and not the database
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        text = visible_text(answer.content)
        seen += 1
        wrong += [(address, what, found[0]) for what, style in OTHER_STYLES.items() if (found := style.search(text))]
        wrong += [(address, "UTC", evening)] if evening in text else []

    assert seen > 20
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "day", "short", "moment"),
    [
        ("en", "16 April 2026", "16 Apr 2026", "17 Apr 2026, 02:30"),
        ("ru", "16 апреля 2026", "16 апр 2026", "17 апр 2026, 02:30"),
        ("uk", "16 квітня 2026", "16 кві 2026", "17 кві 2026, 02:30"),
        ("pl", "16 kwietnia 2026", "16 kwi 2026", "17 kwi 2026, 02:30"),
    ],
)
def test_every_language_has_one_way_to_write_a_day(language: str, day: str, short: str, moment: str) -> None:
    with translation.override(language):
        assert (days.day(THURSDAY.date()), days.short_day(THURSDAY.date())) == (day, short)
        assert days.moment(THURSDAY, ZoneInfo("Asia/Tokyo")) == moment
        assert days.clock_time(THURSDAY, ZoneInfo("Asia/Tokyo")) == "02:30"
        assert days.day(None) == "–"


@pytest.mark.parametrize("typed", ["16/04/2026", "16.04.2026", "16.04.26", "16 April 2026", "2026-04-16"])
def test_english_reads_days_in_the_european_order(typed: str) -> None:
    assert DateField().clean(typed) == THURSDAY.date()
