"""Finding people by their names, for pages on which staff choose somebody: of the own club, or a guest of another.

Who shows only a nickname, or nothing, is to other clubs what visitors may see. Such a player is chosen all the same by
whoever knows the name, in full, or the EMA number; and is then called on the page what was typed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

from django.db.models import Case, F, Max, Prefetch, Q, QuerySet, When

from ratings.mahjong.names import folded
from ratings.models import Affiliation, Club, Player
from ratings.queries.players import findable, known_players
from ratings.rights import Person

SUGGESTIONS = 8


def living() -> QuerySet[Player]:
    """Players who may sit down: neither merged away nor anonymised."""
    return Player.objects.filter(merged_into=None, anonymised_at=None)


def suggest(club: Club, typed: str, user: Person, limit: int = SUGGESTIONS) -> list[Player]:
    """Players whose names hold every word typed, as the user may see them; `called` says whether it is a whole name.

    Those who played here lately come first, then the club's own.
    """
    exact = {player.pk for player in called(typed)}
    found = living().filter(Q(pk__in=findable(living(), typed, user).values("pk")) | Q(pk__in=exact))
    found = found.annotate(
        lately=Max("standings__last_played_on", filter=Q(standings__season__club=club)),
        own=Max("affiliations__club_id", filter=Q(affiliations__club=club)),
    )
    lately, own = F("lately").desc(nulls_last=True), F("own").desc(nulls_last=True)
    clubs = Prefetch("affiliations", Affiliation.objects.select_related("club").order_by("kind", "pk"))
    # Sorted by what is read: the place in the list must not tell a name that is not shown.
    foreign = Q(visibility=Player.Visibility.NICKNAME, own=None)
    shown = Case(When(foreign, then=F("nickname")), default=F("native_name"))
    rows = found.order_by(lately, own, shown, "pk").prefetch_related(clubs)[:limit]
    for player in rows:
        player.called = player.pk in exact  # type: ignore[attr-defined]
    return as_seen(rows, user, typed)


def named(name: str) -> list[Player]:
    """Players who are called exactly this, in any of their names, whatever the case and marks."""
    return [player for player in living().filter(_line(folded(name.strip()))) if is_called(player, name)]


def called(typed: str) -> list[Player]:
    """As `named`, or the holders of this EMA number."""
    holders = Q(ema_number=typed.strip()) if _is_number(typed) else Q(pk__in=[])
    found = living().filter(_line(folded(typed.strip())) | holders)
    return [player for player in found if is_called(player, typed)]


def _line(text: str) -> Q:
    """One whole line of the search text, or nothing: a name is a line of it, and no name is empty."""
    if not text:
        return Q(pk__in=[])
    ends = Q(search_text__startswith=f"{text}\n") | Q(search_text__endswith=f"\n{text}")
    return ends | Q(search_text__contains=f"\n{text}\n") | Q(search_text=text)


def is_called(player: Player, typed: str) -> bool:
    """Whether this is a whole name of the player, or the player's EMA number."""
    line = folded(typed.strip())
    if not line:
        return False
    return line in player.search_text.split("\n") or (_is_number(typed) and player.ema_number == typed.strip())


def _is_number(typed: str) -> bool:
    number = typed.strip()
    return number.isascii() and number.isdigit() and len(number) == 8


# --- as others may see them -------------------------------------------------------------------------------


def choosable(players: Iterable[Player], user: Person | None, typed: str = "") -> list[Player]:
    """Those the user may choose: not hidden, known to the user, or called exactly so. Commands choose anybody."""
    everybody = list(players)
    hidden = [player for player in everybody if player.is_hidden]
    if user is None or not hidden:
        return everybody
    known = known_players(hidden, user)
    return [each for each in everybody if each not in hidden or each.pk in known or is_called(each, typed)]


def as_seen(players: Iterable[Player], user: Person | None, typed: str = "") -> list[Player]:
    """The same people with no more of their names than the user may read. Of the others copies, for showing only."""
    everybody = list(players)
    shy = [player for player in everybody if player.visibility != Player.Visibility.FULL]
    if user is None or not shy:
        return everybody
    known = known_players(shy, user)
    return [each if each not in shy or each.pk in known else _reduced(each, typed) for each in everybody]


def _reduced(player: Player, typed: str) -> Player:
    """What visitors may read, or what was typed by somebody who knows more."""
    seen = copy.copy(player)
    knows_more = is_called(player, typed) and folded(typed.strip()) != folded(player.nickname)
    seen.native_name = typed.strip() if knows_more else player.public_name
    seen.latin_first = seen.latin_last = seen.ema_number = seen.search_text = ""
    if player.is_hidden or knows_more:
        seen.nickname = ""
    return seen
