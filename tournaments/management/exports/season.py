"""`manage.py export season SLUG -o FILE`: the workbook of a season (docs/workbook.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from ratings.models import Season
from ratings.problems import Problem, Refused, gettext_noop
from ratings.workbooks import season as book
from tournaments.management.exports.kind import Kind, output

_ = gettext_noop


class SeasonWorkbook(Kind):
    help = "a season as an Excel workbook: standings, games, players, penalties, rules, checks"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slug", metavar="SLUG", help="the season's address, CLUB/SEASON, or SEASON if no other has it"
        )
        parser.add_argument("--public", action="store_true", help="as strangers see it: hidden players stay hidden")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        season = find_season(options["slug"])
        with output(options["output"]) as file:
            book.write(season, file, sees_hidden=not options["public"])
        return []


def find_season(slug: str) -> Season:
    club, _slash, name = slug.rpartition("/")
    found = Season.objects.select_related("club", "rule_set").filter(slug=name)
    seasons = list(found.filter(club__slug=club) if club else found)
    if not seasons:
        raise Refused(Problem(_("There is no season with the address “%(slug)s”."), {"slug": slug}))
    if len(seasons) > 1:
        choices = ", ".join(f"{season.club.slug}/{season.slug}" for season in seasons)
        raise Refused(Problem(_("Several clubs have such a season. Name one of %(choices)s."), {"choices": choices}))
    return seasons[0]
