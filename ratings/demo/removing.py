"""Take the demo off a site again: its clubs with everything in them, its people and its accounts.

What the demo made is known by its history, whatever it is called now. A club is the demo's if its history begins with
the address, the name and the time zone of the plan, made by no user, and if its first members were made by no user
either: everything else that makes clubs and members is done by somebody. A player is the demo's if the history begins
with a person of the plan, made by no user within the hour before the demo's first club.

What people added to the demo's clubs goes with them, so the page names it before. What hangs on clubs of their own is
never touched: if a person of the demo plays there, nothing is removed.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Model, Q, QuerySet

from ratings.demo.builders import removers
from ratings.demo.clubs import CLUBS
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import (
    Adjustment,
    Affiliation,
    Club,
    Hanchan,
    ImportBatch,
    Invitation,
    Membership,
    Player,
    PlayerMerge,
    RuleSet,
    Season,
    Seat,
)
from ratings.services.player_rows import seasons_of
from ratings.services.seasons import forget_books, touch

_ = gettext_noop

LOADING = datetime.timedelta(hours=1)  # far longer than loading the demo takes
NAMED = 10  # people, in a sentence


@dataclass(frozen=True)
class DemoData:
    """What would be removed, what of it people added, and why it cannot be removed."""

    clubs: list[Club]
    seasons: list[int]
    players: list[int]
    users: list[int]
    games: int
    added_games: int = 0
    added_players: list[str] = field(default_factory=list)
    objections: list[Problem] = field(default_factory=list)

    @property
    def was_used(self) -> bool:
        """Whether people added something to the demo's clubs."""
        return bool(self.added_games or self.added_players)

    @property
    def some_added_players(self) -> list[str]:
        return self.added_players[:NAMED]


def demo_clubs() -> list[Club]:
    plans = Q()
    for plan in CLUBS:
        plans |= Q(slug=plan.slug, name=plan.name, time_zone=plan.time_zone)
    made = Club.history.filter(plans, history_type="+", history_user=None).values("id")
    staffed = _first_members().values("club_id").annotate(n=Count("id")).filter(n__gte=len(Membership.Role))
    return list(Club.objects.filter(pk__in=made).filter(pk__in=staffed.values("club_id")).order_by("pk"))


def _first_members() -> QuerySet[Any]:
    """The history of memberships that no user made."""
    members: QuerySet[Any] = Membership.history.filter(history_type="+", history_user=None).order_by()
    return members


def find_demo() -> DemoData:
    clubs = demo_clubs()
    seasons = list(Season.objects.filter(club__in=clubs).order_by("pk").values_list("pk", flat=True))
    people = _people_of_the_plans(clubs)
    users = _users(clubs)
    tied = _with_ties_elsewhere(_present(clubs, seasons) | people, clubs, seasons)
    removed = (_present(clubs, seasons) | people) - tied
    removed |= set(Player.objects.filter(merged_into__in=removed).values_list("pk", flat=True))
    games = Hanchan.objects.filter(season__in=seasons)
    added = Player.objects.filter(pk__in=removed - people, merged_into=None).order_by("pk")
    return DemoData(
        clubs=clubs,
        seasons=seasons,
        players=sorted(removed),
        users=users,
        games=games.count(),
        added_games=_added(games, clubs, users),
        added_players=list(added.values_list("native_name", flat=True)),
        objections=_objections(tied & people),
    )


def _loaded_at(clubs: list[Club]) -> datetime.datetime | None:
    first = Club.history.filter(id__in=[club.pk for club in clubs], history_type="+").order_by("history_date").first()
    return first.history_date if first else None


def _people_of_the_plans(clubs: list[Club]) -> set[int]:
    at = _loaded_at(clubs)
    if at is None:
        return set()
    planned = {(person.native, person.country) for plan in CLUBS for person in (*plan.people, *plan.guests)}
    made = Player.history.filter(history_type="+", history_user=None, history_date__range=(at - LOADING, at))
    rows = made.order_by().values_list("id", "native_name", "country")
    there = {pk for pk, name, country in rows if (name, country) in planned}
    return set(Player.objects.filter(pk__in=there).values_list("pk", flat=True))


def _users(clubs: list[Club]) -> list[int]:
    """The accounts of the demo, but for those that work for another club by now or own the site."""
    first = _first_members().filter(club_id__in=[club.pk for club in clubs]).values("user_id")
    users = User.objects.filter(pk__in=first, is_superuser=False)
    return list(users.exclude(memberships__in=Membership.objects.exclude(club__in=clubs)).values_list("pk", flat=True))


def _present(clubs: list[Club], seasons: list[int]) -> set[int]:
    """The players who are on the list of one of the clubs, or who sat in one of its games."""
    here = set(Affiliation.objects.filter(club__in=clubs).values_list("player_id", flat=True))
    seats = Seat.objects.filter(season__in=seasons)
    for column in ("player_id", "played_by_id"):
        here |= set(seats.exclude(**{column: None}).values_list(column, flat=True).distinct().order_by())
    return here


def _with_ties_elsewhere(players: set[int], clubs: list[Club], seasons: list[int]) -> set[int]:
    """Those of the players who belong to another club, played in one of its seasons, or are merged into one of them."""
    rows = Affiliation.objects.filter(player__in=players).exclude(club__in=clubs)
    tied = set(rows.values_list("player_id", flat=True))
    found = {player.pk: player for player in Player.objects.filter(pk__in=players)}
    if seasons_of(*found.values()) - set(seasons):
        tied |= {pk for pk, player in found.items() if seasons_of(player) - set(seasons)}
    merged = Player.objects.filter(pk__in=players).exclude(merged_into=None)
    tied |= {pk for pk, into in merged.values_list("pk", "merged_into_id") if into in tied or into not in players}
    return tied


def _objections(tied: set[int]) -> list[Problem]:
    if not tied:
        return []
    names = list(Player.objects.filter(pk__in=tied).order_by("pk").values_list("native_name", flat=True))
    shown = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
    message = _(
        "The demo cannot be removed, because people of the demo belong to a club of your own: %(names)s. Replace them "
        "there by other players first."
    )
    return [Problem(message, {"names": shown}, code="used_elsewhere")]


def _added(games: QuerySet[Hanchan], clubs: list[Club], users: list[int]) -> int:
    """How many games people entered: with another account, or when the demo was loaded long ago."""
    at = _loaded_at(clubs)
    if at is None:
        return 0
    by_demo = Q(entered_by__in=users) | Q(entered_by=None)
    return games.exclude(by_demo, entered_at__lte=at + LOADING).count()


# --- removing -----------------------------------------------------------------------------------------------


@transaction.atomic
def remove_demo() -> DemoData:
    """Remove all of the demo or nothing, and return what was removed. It takes less than a second."""
    touch(Season.objects.filter(club__in=demo_clubs()).values_list("pk", flat=True))
    demo = find_demo()
    if demo.objections:
        raise Refused(*demo.objections)
    for remove in removers():
        remove([club.pk for club in demo.clubs])
    _remove_clubs(demo)
    _remove_players(demo.players)
    User.objects.filter(pk__in=demo.users).delete()
    transaction.on_commit(lambda: forget_books(demo.seasons))
    return demo


def _remove_clubs(demo: DemoData) -> None:
    of_season, of_club = {"season__in": demo.seasons}, {"club__in": demo.clubs}
    ImportBatch.objects.filter(**of_club).delete()
    remove_rows(Adjustment.objects.filter(**of_season))
    Hanchan.objects.filter(**of_season).delete()
    remove_rows(Season.objects.filter(pk__in=demo.seasons))
    for model in (RuleSet, Affiliation, Membership, Invitation):
        remove_rows(model._default_manager.filter(**of_club))
    remove_rows(Club.objects.filter(pk__in=[club.pk for club in demo.clubs]))


def _remove_players(players: list[int]) -> None:
    PlayerMerge.objects.filter(Q(merged__in=players) | Q(survivor__in=players)).delete()
    rows = Player.objects.filter(pk__in=players)
    rows.update(merged_into=None)
    remove_rows(rows)


def remove_rows(rows: QuerySet[Any]) -> None:
    """Delete rows with their history: nothing of them is to be read any more."""
    model: type[Model] = rows.model
    ids = list(rows.values_list("pk", flat=True))
    rows.delete()
    history = getattr(model, "history", None)
    if history is not None:
        history.filter(id__in=ids).delete()
