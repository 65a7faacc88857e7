"""`python -m tests.faults.audit SEASON`: a season read back row by row, printed as JSON.

Standings are added up again from the facts with the scoring function alone, so that a mistake in the code that stores
the standings cannot hide itself.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from typing import Any

import django


def read_season(pk: int) -> dict[str, Any]:
    from ratings.models import Hanchan, Season, Standing

    season = Season.objects.get(pk=pk)
    games = Hanchan.objects.filter(season=season).select_related("rule_set").prefetch_related("seats", "events")
    return {
        "revision": season.revision,
        "games": {str(game.pk): _game(game) for game in games},
        "standings": {
            str(player): [count, results]
            for player, count, results in Standing.objects.filter(season=season).values_list(
                "player_id", "games", "results"
            )
        },
        "added_up": _added_up(games),
    }


def _game(game: Any) -> dict[str, Any]:
    return {
        "version": game.version,
        "status": game.status,
        "comment": game.comment,
        "seats": {str(seat.player_id): seat.points for seat in game.seats.all()},
        "events": [
            {
                "version": event.version,
                "action": event.action,
                "token": event.reason or event.sheet["comment"],
                "seats": {str(seat["player"]): seat["points"] for seat in event.sheet["seats"]},
            }
            for event in game.events.all()
        ],
    }


def _added_up(games: Any) -> dict[str, list[int]]:
    from ratings.mahjong import scoring

    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for game in games:
        if game.status == "final":
            results = scoring.score(game.as_table(), game.rules)
            for seat, result in zip(game.seats.all(), results, strict=True):
                mine = found[str(seat.player_id)]
                mine[0] += 1
                mine[1] += result.total
    return found


if __name__ == "__main__":
    django.setup()
    print(json.dumps(read_season(int(sys.argv[1]))))
