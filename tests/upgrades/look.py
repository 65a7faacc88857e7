"""Upgrades the database of DATABASE_URL and says what it holds: `python -m tests.upgrades.look CODE`.

Runs as a process of its own, as `manage.py` would: first the migrations, then `rebuild --check`, then a recovery code
that was written down before the upgrade is typed. What it says is one line of JSON.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any


def main(code: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    checked = io.StringIO()
    call_command("rebuild", check=True, stdout=checked)
    print(json.dumps({"checked": checked.getvalue().strip(), "code": _type(code), **_found()}))


def _type(code: str) -> list[str]:
    """The result of typing a recovery code, and of typing the same code again."""
    from django.contrib.auth.models import User

    from clubsite import second_factor

    said = []
    for _time in range(2):
        try:
            second_factor.check(User.objects.get(username="referee"), code)
            said.append("taken")
        except second_factor.WrongCode:
            said.append("refused")
    return said


def _found() -> dict[str, Any]:
    from ratings.models import Hanchan, Player, Season
    from tournaments.models import Stage
    from tournaments.queries.standings import standings_after

    seasons = {season.slug: season for season in Season.objects.all()}
    return {
        "totals": {
            slug: [row.results + row.adjustments for row in season.standings.order_by("player_id")]
            for slug, season in seasons.items()
        },
        "ratings": {
            slug: [row.rating for row in seasons[slug].standings.order_by("player_id")] for slug in ("tenhou", "elo")
        },
        "final": [(row.rank, row.entry, row.total) for row in standings_after(Stage.objects.get(name="Final")).rows],
        "games": sorted(Hanchan.objects.values_list("status", flat=True)),
        "pages": sorted({season.get_absolute_url() for season in seasons.values() if season.is_competition}),
        "formerly": sorted(set(Season.history.exclude(competition="").values_list("kind", "competition"))),
        "people": list(Player.objects.order_by("pk").values_list("native_name", flat=True)),
    }


if __name__ == "__main__":
    main(sys.argv[1])
