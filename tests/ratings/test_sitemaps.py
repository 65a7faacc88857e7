"""What search engines are told: everything public, and nothing else."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from lxml import etree

from ratings.models import Player, Season
from tests.cast import make_club, make_players, make_season
from tests.pages import tight
from tests.tournaments.hall import Hall

pytestmark = pytest.mark.django_db


def listed(client: Client) -> set[str]:
    """The paths of all sitemaps, found from robots.txt as a search engine finds them."""
    robots = client.get("/robots.txt").content.decode()
    (index,) = re.findall(r"Sitemap: (\S+)", robots)
    return {page for part in _locations(client, index) for page in _locations(client, part)}


def _locations(client: Client, address: str) -> list[str]:
    tree = etree.fromstring(client.get(address.removeprefix("http://testserver")).content)
    return [text.removeprefix("http://testserver") for text in tree.xpath("//*[local-name()='loc']/text()")]


def test_search_engines_are_kept_out_of_staff_pages(client: Client) -> None:
    answer = client.get("/robots.txt")

    assert answer["Content-Type"].startswith("text/plain")
    assert "Disallow: /admin/" in answer.content.decode()


def test_public_pages_are_listed_and_answer(client: Client) -> None:
    season, (player,) = make_season(make_club()), make_players(1)
    event = Hall(4, club=make_club("Host")).tournament

    found = listed(client)

    wanted = (season, season.club, season.rule_set, player, event)
    assert {each.get_absolute_url() for each in wanted} <= found
    assert {"/", "/rules/", "/rules/ema-2025/"} <= found
    assert all(client.get(address).status_code == 200 for address in found)


def test_hidden_players_seasons_and_events_are_never_listed(client: Client) -> None:
    hidden, merged, nameless, kept = make_players(4)
    Player.objects.filter(pk=hidden.pk).update(visibility=Player.Visibility.HIDDEN)
    Player.objects.filter(pk=merged.pk).update(merged_into=kept)
    Player.objects.filter(pk=nameless.pk).update(visibility=Player.Visibility.NICKNAME, nickname="")
    season, hall = make_season(make_club()), Hall(0, club=make_club("Secret"), is_public=False)
    Season.objects.filter(pk=season.pk).update(results_public=False)

    found = " ".join(listed(client))

    assert f"/players/{kept.pk}-" in found
    for player in (hidden, merged, nameless):
        assert f"/players/{player.pk}-" not in found
    assert season.get_absolute_url() not in found
    assert hall.tournament.get_absolute_url() not in found


def test_pages_describe_themselves(client: Client) -> None:
    season = make_season(make_club("Łódź “Mahjong”", slug="lodz"), name="Autumn <1>")

    page = tight(client.get(season.get_absolute_url()).content.decode())

    (words,) = re.findall(r'<meta name="description" content="([^"]*)"', page)
    assert "Leaderboard of Autumn &lt;1&gt; at Łódź “Mahjong”" in words
    assert 'name="description"' in client.get("/privacy/").content.decode()
