"""Search for players: whom strangers may find and by which name, and whom staff may also find."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Left, StrIndex

from ratings import rights
from ratings.mahjong.names import folded
from ratings.mahjong.sound_keys import KEY_SIGN, keys_of, keys_while_typed, plain, words_of
from ratings.models import Affiliation, Player, Season, Seat
from ratings.queries.players_by_name import PlayersByName

MOST_WORDS = 6  # of a search; further words are ignored
LONGEST_SEARCH = 100

NOBODY = Q(pk__in=[])
HIDDEN = (
    Q(visibility=Player.Visibility.HIDDEN)
    | Q(visibility=Player.Visibility.NICKNAME, nickname="")
    | Q(anonymised_at__isnull=False)
)


def search_words(text: str) -> list[str]:
    return text[:LONGEST_SEARCH].split()[:MOST_WORDS]


def matching(text: str, names: str = "search_text", words: str = "search_words") -> Q:
    """Match players whose names contain every word of the text, or have a word that sounds as if it began like it."""
    found = Q()
    for word in search_words(text):
        found &= Q(**{f"{names}__contains": folded(word)}) | _sounding(word, words, keys_while_typed)
    return found


def beginning(text: str, words: str = "search_words") -> Q:
    """Match players of whose names a word begins with each word of the text, letter for letter."""
    found = Q()
    for part in (part for word in search_words(text) for part in words_of(word)):
        found &= Q(**{f"{words}__contains": f" {plain(part)}"})
    return found or NOBODY


def sounding(text: str, words: str = "search_words") -> Q:
    """Match players of whose names a word sounds as if it began with each word of the text."""
    found = Q()
    for word in search_words(text):
        found &= beginning(word, words) | _sounding(word, words, keys_of)
    return found or NOBODY


def _sounding(word: str, words: str, keys: Callable[[str], list[str]]) -> Q:
    """Match each part of a word by its keys. A part that has no key, such as one in kanji, matches by letters only."""
    found = Q()
    for part in words_of(word):
        by_key = NOBODY
        for key in keys(part):
            by_key |= Q(**{f"{words}__contains": f"{KEY_SIGN}{key}"})
        found &= by_key
    return found or NOBODY


def search_players(text: str, user: rights.Person) -> PlayersByName:
    """Return players whom the user may find by this text, in the order of the names shown; all if it is empty."""
    return PlayersByName(findable(Player.objects.filter(merged_into=None), text, user))


def findable(players: QuerySet[Player], text: str, user: rights.Person) -> QuerySet[Player]:
    """Return those of the players whom the user may find by this text.

    Strangers never find hidden players, and find players who show only a nickname by that nickname alone.
    """
    players = players.alias(
        known=_known_to(user),
        nickname_line=first_line("search_text"),
        nickname_words=first_line("search_words"),
    )
    by_nickname = Q(visibility=Player.Visibility.NICKNAME) & matching(text, "nickname_line", "nickname_words")
    by_any_name = Q(visibility=Player.Visibility.FULL) & matching(text)
    return players.filter(Q(known=True) & matching(text) | ~HIDDEN & (by_nickname | by_any_name))


def first_line(field: str) -> Left:
    return Left(field, StrIndex(field, Value("\n")))


def _known_to(user: rights.Person) -> Exists | Value:
    if rights.is_owner(user):
        return Value(True)
    if not rights.is_member(user):
        return Value(False)
    return Exists(Affiliation.objects.filter(player=OuterRef("pk"), club__in=rights.clubs_of(user)))


def players_known_to(user: rights.Person) -> QuerySet[Player]:
    """Return the players of the user's clubs, without those who were merged into another."""
    players = Player.objects.filter(merged_into=None).alias(known=_known_to(user)).filter(known=True)
    return players.prefetch_related("affiliations__club")


def known_ids(user: rights.Person) -> set[int] | None:
    """Return the ids of players whose full names the user may read, whatever they show to strangers. None means all."""
    if rights.is_owner(user):
        return None
    return set(Affiliation.objects.filter(club__in=rights.clubs_of(user)).values_list("player_id", flat=True))


def known_players(players: Iterable[Player], user: rights.Person) -> set[int]:
    """Return the ids of those players whose full names the user may read, whatever they show to strangers.

    No query is needed for strangers.
    """
    ids = [player.pk for player in players]
    if rights.is_owner(user):
        return set(ids)
    if not rights.is_member(user):
        return set()
    mine = Affiliation.objects.filter(player__in=ids, club__in=rights.clubs_of(user))
    return set(mine.values_list("player_id", flat=True))


# --- on pages of a season, whose staff read all names ------------------------------------------------------


def asked_for(season: Season, number: int | None, *, sees_hidden: bool) -> Player | None:
    """Return the player with this id, or None.

    Staff who read all names in this season must not learn the name of a player who never appeared in it.
    """
    player = Player.objects.filter(pk=number).first() if number else None
    if player is None or not sees_hidden or player.visibility == Player.Visibility.FULL:
        return player
    here = (player.seats, player.standings, player.adjustments)
    return player if any(rows.filter(season=season).exists() for rows in here) else None


def strangers_in(season: Season) -> frozenset[int]:
    """Return the ids of players in drafts of the season whom its staff may only see as visitors do.

    These players do not show their full names, are not affiliated with the club, and have no counting seat in the
    season.
    """
    seats = Seat.objects.filter(season=season).order_by()
    drafted = seats.filter(counts=False)
    shy = Player.objects.exclude(visibility=Player.Visibility.FULL).filter(
        Q(pk__in=drafted.values("player")) | Q(pk__in=drafted.exclude(played_by=None).values("played_by"))
    )
    own = Exists(Affiliation.objects.filter(club=season.club_id, player=OuterRef("pk")))
    played = Exists(seats.filter(Q(player=OuterRef("pk")) | Q(played_by=OuterRef("pk")), counts=True))
    return frozenset(shy.exclude(own | played).order_by().values_list("pk", flat=True))
