"""People who enter an event and may be new to the site: one by one, as a list, or by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from ratings.models import Player
from ratings.queries.people import named
from ratings.services.players import save_player
from tournaments.models import Entry, Tournament
from tournaments.services.entries import enter


@dataclass(frozen=True)
class Newcomer:
    """Somebody to be entered: a player known already, or the names of a new one."""

    name: str
    player: Player | None = None
    latin_first: str = ""
    latin_last: str = ""
    country: str = ""
    ema_number: str = ""
    team: str = ""
    substitute_kind: str = ""
    number: int | None = None


@transaction.atomic
def enter_newcomer(tournament: Tournament, newcomer: Newcomer, *, by: User | None = None) -> Entry:
    """Enters a known player, or makes one first. What was not said of a known player is taken from the player."""
    player = newcomer.player or _make(newcomer)
    facts: dict[str, object] = {"team": newcomer.team, "substitute_kind": newcomer.substitute_kind}
    if newcomer.country:
        facts["country"] = newcomer.country
    if newcomer.ema_number:
        facts["ema_number"] = newcomer.ema_number
    if newcomer.number is not None:
        facts["number"] = newcomer.number
    return enter(tournament, player, by=by, **facts)


@transaction.atomic
def enter_list(tournament: Tournament, newcomers: Iterable[Newcomer], *, by: User | None = None) -> list[Entry]:
    """A pasted list, all of it or nothing."""
    return [enter_newcomer(tournament, newcomer, by=by) for newcomer in newcomers]


@transaction.atomic
def register_oneself(tournament: Tournament, newcomer: Newcomer) -> Entry:
    """A stranger's own registration. Nobody is taken for somebody known but by name and EMA number together.

    In doubt it is a new player: two rows of one person can be merged, one row of two cannot be parted.
    """
    known = [player for player in named(newcomer.name) if _is_surely(player, newcomer)]
    return enter_newcomer(tournament, Newcomer(**{**vars(newcomer), "player": known[0] if len(known) == 1 else None}))


def _is_surely(player: Player, newcomer: Newcomer) -> bool:
    return bool(newcomer.ema_number) and player.ema_number == newcomer.ema_number


def _make(newcomer: Newcomer) -> Player:
    player = Player(
        native_name=newcomer.name,
        latin_first=newcomer.latin_first,
        latin_last=newcomer.latin_last,
        country=newcomer.country,
        ema_number=newcomer.ema_number,
    )
    save_player(player)
    return player
