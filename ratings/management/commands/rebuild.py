"""`manage.py rebuild [--season CLUB/SEASON] [--check]`: computes all derived values again from the facts.

It stores the values that differ, and moves rows that were left on merged players; a healthy database needs neither.
With --check it stores nothing, and its exit status is 0 if everything is right and 1 if something is not.
"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubsite.digits import whole_number
from ratings.mahjong.problems import Refused
from ratings.models import Season
from ratings.queries.replay import Report
from ratings.services.rebuild import RebuildFindings, rebuild_merged, rebuild_search_texts, rebuild_season


class Command(BaseCommand):
    help = "Computes places, results, ratings, standings and search texts again and stores what differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--season", metavar="CLUB/SEASON", help="only this season: its addresses, or its number")
        parser.add_argument("--check", action="store_true", help="store nothing; exit with 1 if anything differs")

    def handle(self, *args: Any, season: str | None = None, check: bool = False, **options: Any) -> None:
        chosen = _chosen(season)
        found = rebuild_merged(chosen[0].pk if season else None, check=check)
        for each in chosen:
            found += self._rebuild(each, check)
        if season is None:
            found += rebuild_search_texts(check=check)
        self._say(found, check)

    def _rebuild(self, season: Season, check: bool) -> RebuildFindings:
        try:
            return rebuild_season(season.pk, check=check, report=self._progress(season))
        except Refused as refused:
            raise CommandError(str(refused)) from refused

    def _progress(self, season: Season) -> Report | None:
        """Return a function that updates a progress line, or None if the output is not a terminal."""
        if not sys.stderr.isatty():
            return None

        def report(done: int, total: int) -> None:
            end = "\n" if done == total else ""
            line = f"\r\033[K{season.club.slug}/{season.slug}: {done} of {total} games"
            self.stderr.write(line, ending=end)
            self.stderr.flush()

        return report

    def _say(self, found: RebuildFindings, check: bool) -> None:
        if not found.count:
            self.stdout.write("Everything derived is right; nothing was changed.")
            return
        for difference in found.first:
            self.stdout.write(str(difference))
        if found.count > len(found.first):
            self.stdout.write(f"… and {found.count - len(found.first)} more.")
        if check:
            raise CommandError(
                f"{found.count} differences; nothing was changed. `manage.py rebuild` stores them right."
            )
        if found.stuck:
            sentences = " ".join(problem.sentence() for problem in found.stuck)
            raise CommandError(f"{found.count} differences, and not all could be put right. {sentences}")
        self.stdout.write(f"{found.count} differences were put right.")


def _chosen(name: str | None) -> list[Season]:
    seasons = Season.objects.select_related("club").order_by("pk")
    if name is None:
        return list(seasons)
    club, slash, slug = name.partition("/")
    wanted = {"club__slug": club, "slug": slug} if slash else {"pk": whole_number(name) or 0}
    found = list(seasons.filter(**wanted))
    if not found:
        raise CommandError(f"There is no season “{name}”. Name it by its addresses, as in furiten/spring-2026.")
    return found
