"""Stored workbooks of seasons: each is written once and served again until its contents would be different.

The file name contains everything that the contents depend on: the season's revision, the reader's language and rights,
and a digest of what does not change the revision. If any of these differs, it is another file. Only the newest file for
a season, language and rights is kept.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from django.db.models import Count, Max, Sum
from django.utils.translation import get_language

from clubsite import freshness, generated_files
from ratings.models import Season
from ratings.queries.workbooks import everybody_in, rule_sets_in
from ratings.services.seasons import SEASON_BOOKS
from ratings.workbooks import season as book
from ratings.workbooks.people import People
from ratings.workbooks.season import Report, nobody_asks


def kept_book(season: Season, *, sees_hidden: bool) -> Path | None:
    """Return the stored workbook if it is up to date, otherwise None."""
    path = generated_files.folder(SEASON_BOOKS) / _name(season, sees_hidden)
    return path if path.exists() else None


def write_book(season: Season, *, sees_hidden: bool, report: Report = nobody_asks) -> Path | None:
    """Write and store the workbook; return None if the season changed while it was stored and it is out of date."""
    with generated_files.write(SEASON_BOOKS, lambda: _name(season, sees_hidden)) as file:
        book.write(season, file, sees_hidden=sees_hidden, report=report)
    written = season.revision
    name = _name(season, sees_hidden)
    for older in generated_files.folder(SEASON_BOOKS).glob(f"{_kind(season, sees_hidden)}-*.xlsx"):
        if older.name != name:
            older.unlink(missing_ok=True)
    season.refresh_from_db(fields=["revision"])
    if season.revision != written:  # a player in it may have been anonymised, so no old file may stay
        generated_files.forget(SEASON_BOOKS, name)
        return None
    return kept_book(season, sees_hidden=sees_hidden)


def _kind(season: Season, sees_hidden: bool) -> str:
    return f"season-{season.pk}-{get_language()}-{'staff' if sees_hidden else 'public'}"


def _name(season: Season, sees_hidden: bool) -> str:
    return f"{_kind(season, sees_hidden)}-{season.revision}-{_digest(season, sees_hidden)}.xlsx"


def _digest(season: Season, sees_hidden: bool) -> str:
    """Return a digest of what does not change the revision.

    This includes EMA numbers, aliases and names of rules, a restored backup, and a new version of this software.
    """
    people = list(People(everybody_in(season), sees_hidden).rows())
    rules = [(each.pk, each.name, each.parameters) for each in rule_sets_in(season)]
    games = season.hanchans.aggregate(Count("pk"), Max("pk"), Max("entered_at"), Sum("version"))
    facts = (freshness.build(), season.club.name, people, rules, sorted(games.items()))
    return sha256(repr(facts).encode()).hexdigest()[:16]
