"""Finding players by name, for pages on which staff choose a player of their club, or a guest from another club.

If a player shows only a nickname or nothing, staff of other clubs see no more than visitors do. They can still choose
such a player if they type a whole name or the EMA number. The page then calls the player by what was typed.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable
from typing import Any

from django.db import models
from django.db.models import Case, F, Max, Prefetch, Q, QuerySet, When

from ratings.mahjong.names import folded
from ratings.mahjong.transliteration import is_cyrillic
from ratings.models import Affiliation, Club, Player
from ratings.queries.players import beginning, findable, first_line, known_players, search_words, sounding
from ratings.rights import Person

SUGGESTIONS = 8


def living() -> QuerySet[Player]:
    """Return players who may sit at a table: neither merged into another player nor anonymised."""
    return Player.objects.filter(merged_into=None, anonymised_at=None)


class Closeness(models.IntegerChoices):
    """How what was typed fits a player: whole names come first, and parts from within words last."""

    CALLED = 0
    BEGINS = 1
    SOUNDS = 2
    CONTAINS = 3


def suggest(
    club: Club, typed: str, user: Person, limit: int = SUGGESTIONS, *, without: Collection[int] = ()
) -> list[Player]:
    """Return players whose names contain or sound like every word typed, as the user may see them.

    Players of the club come first, the closest names before others, and those who played lately before the rest.
    The attribute `called` says whether the text is a whole name or the EMA number of the player, and `is_sure` whether
    the first suggestion can be taken without choosing it. Players in `without` are left out.
    """
    exact = {player.pk for player in called(typed)}
    found = living().filter(Q(pk__in=findable(living(), typed, user).values("pk")) | Q(pk__in=exact))
    found = found.exclude(pk__in=without).annotate(
        lately=Max("standings__last_played_on", filter=Q(standings__season__club=club)),
        own=Max("affiliations__club_id", filter=Q(affiliations__club=club)),
    )
    # Sorted by the name shown: the position in the list must not reveal a name that is not shown.
    foreign = Q(visibility=Player.Visibility.NICKNAME, own=None)
    shown = Case(When(foreign, then=F("nickname")), default=F("native_name"))
    words = Case(
        When(foreign, then=first_line("search_words")), default=F("search_words"), output_field=models.TextField()
    )
    found = found.annotate(shown_words=words).annotate(
        closeness=Case(
            When(pk__in=exact, then=Closeness.CALLED),
            When(beginning(typed, "shown_words"), then=Closeness.BEGINS),
            When(sounding(typed, "shown_words"), then=Closeness.SOUNDS),
            default=Closeness.CONTAINS,
        )
    )
    clubs = Prefetch("affiliations", Affiliation.objects.select_related("club").order_by("kind", "pk"))
    own, lately = F("own").desc(nulls_last=True), F("lately").desc(nulls_last=True)
    rows = found.order_by(own, "closeness", lately, shown, "pk").prefetch_related(clubs)[:limit]
    for player in rows:
        player.called = player.pk in exact  # type: ignore[attr-defined]
        player.is_sure = _is_sure(player, typed)  # type: ignore[attr-defined]
    return as_seen(rows, user, typed)


def _is_sure(player: Any, typed: str) -> bool:
    """Return whether a fast typist means this player: neither a name that only sounds like it in the same script,
    nor a part from within a word, unless the player is of the club.
    """
    if player.closeness == Closeness.SOUNDS:
        return is_cyrillic(typed) != is_cyrillic(player.native_name)
    if player.closeness == Closeness.CONTAINS:
        return bool(player.own) and all(folded(word) in player.search_text for word in search_words(typed))
    return True


def named(name: str) -> list[Player]:
    """Return players one of whose names is exactly this, ignoring case and diacritical marks."""
    return [player for player in living().filter(_line(folded(name.strip()))) if is_called(player, name)]


def same_names(club: Club, name: str) -> list[Player]:
    """Return players of the club one of whose names is exactly this, as `named` compares names."""
    here = set(Affiliation.objects.filter(club=club).values_list("player_id", flat=True))
    return [player for player in named(name) if player.pk in here]


def called(typed: str) -> list[Player]:
    """Like `named`, but also return the holders of this EMA number."""
    holders = Q(ema_number=typed.strip()) if _is_number(typed) else Q(pk__in=[])
    found = living().filter(_line(folded(typed.strip())) | holders)
    return [player for player in found if is_called(player, typed)]


def _line(text: str) -> Q:
    """Match one whole line of the search text: each name is a line. An empty text matches no player."""
    if not text:
        return Q(pk__in=[])
    ends = Q(search_text__startswith=f"{text}\n") | Q(search_text__endswith=f"\n{text}")
    return ends | Q(search_text__contains=f"\n{text}\n") | Q(search_text=text)


def is_called(player: Player, typed: str) -> bool:
    """Return whether this is a whole name of the player, or the player's EMA number."""
    line = folded(typed.strip())
    if not line:
        return False
    return line in player.search_text.split("\n") or (_is_number(typed) and player.ema_number == typed.strip())


def _is_number(typed: str) -> bool:
    number = typed.strip()
    return number.isascii() and number.isdigit() and len(number) == 8


# --- as others may see them -------------------------------------------------------------------------------


def choosable(players: Iterable[Player], user: Person | None, typed: str = "") -> list[Player]:
    """Return the players whom the user may choose: not hidden, known to the user, or called exactly what was typed.

    Commands have no user and may choose anybody.
    """
    everybody = list(players)
    hidden = [player for player in everybody if player.is_hidden]
    if user is None or not hidden:
        return everybody
    known = known_players(hidden, user)
    return [each for each in everybody if each not in hidden or each.pk in known or is_called(each, typed)]


def as_seen(players: Iterable[Player], user: Person | None, typed: str = "") -> list[Player]:
    """Return the players with no more of their names than the user may read.

    A player whose names are reduced is a copy, for display only.
    """
    everybody = list(players)
    shy = {player.pk for player in everybody if player.visibility != Player.Visibility.FULL or player.remark}
    if user is None or not shy:
        return everybody
    known = known_players([player for player in everybody if player.pk in shy], user)
    return [each if each.pk not in shy or each.pk in known else _reduced(each, typed) for each in everybody]


def _reduced(player: Player, typed: str) -> Player:
    """Return a copy with the names that visitors may read, or with the typed name if the user knew more than that."""
    seen = copy.copy(player)
    seen.remark = ""
    if player.visibility == Player.Visibility.FULL:
        return seen
    knows_more = is_called(player, typed) and folded(typed.strip()) != folded(player.nickname)
    seen.native_name = typed.strip() if knows_more else player.public_name
    seen.latin_first = seen.latin_last = seen.ema_number = seen.search_text = seen.search_words = ""
    if player.is_hidden or knows_more:
        seen.nickname = ""
    return seen
