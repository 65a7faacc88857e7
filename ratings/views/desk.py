"""The desk of a club: what waits, what was played today, and the way to everything its staff look after."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from clubsite import backups, worker
from clubsite.signing_in import user_of
from clubsite.staff_actions import actions_for
from ratings import rights
from ratings.competitions import game_page
from ratings.models import Club, Hanchan, Membership, Player, Season
from ratings.queries import clubs as club_queries
from ratings.queries import desk as queries
from ratings.queries.entry import seasons_for
from ratings.queries.invitations import invitations_of
from ratings.queries.people import as_seen
from ratings.waiting import waiting_for

LAST_CLUB = "desk_club"
TOP = 3
ROLES = {level: role for role, level in rights.LEVELS.items()}


class ClubOfUser(NamedTuple):
    """A line of the club switcher."""

    club: Club
    role: str
    is_chosen: bool


class SideLink(NamedTuple):
    """A line of the list beside the desk: where it leads, if anywhere, how many there are, and a word about them."""

    label: str
    url: str
    count: int | None = None
    note: str = ""


class TableOfToday(NamedTuple):
    """A game on the desk. `action` is empty if the user can only look at it."""

    game: Hanchan
    people: dict[int, Player]
    url: str
    action: str


@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The desk of the club that the user worked for last, or of the first one."""
    clubs = list(rights.clubs_of(user_of(request)))
    last = request.session.get(LAST_CLUB)
    chosen = next((club for club in clubs if club.pk == last), next(iter(clubs), None))
    return _page(request, chosen, clubs)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    chosen = get_object_or_404(Club, slug=slug)
    if not rights.may_enter(user_of(request), chosen.pk):
        raise Http404
    if request.session.get(LAST_CLUB) != chosen.pk:
        request.session[LAST_CLUB] = chosen.pk
    return _page(request, chosen, list(rights.clubs_of(user_of(request))))


def _page(request: HttpRequest, club: Club | None, clubs: list[Club]) -> HttpResponse:
    user = user_of(request)
    context: dict[str, Any] = {"invited": invitations_of(user).count(), "is_owner": rights.is_owner(user)}
    if rights.is_owner(user):
        context |= {"complaint": worker.complaint(), "site_links": _site_links(len(clubs))}
    if club is None:
        return render(request, "desk/no_club.html", context)
    return render(request, "desk/desk.html", {**context, **_of_club(user, club, clubs)})


def _of_club(user: User, club: Club, clubs: list[Club]) -> dict[str, Any]:
    seasons = seasons_for(user, club)
    season = next(iter(seasons), None)
    day = season.today() if season else Season(club=club).today()
    may_rule, may_manage = rights.may_rule(user, club.pk), rights.may_manage(user, club.pk)
    counts = queries.counts(club) if may_manage else None
    tops = club_queries.top_players([season], TOP) if season else {}
    return {
        "club": club,
        "desk_clubs": _switcher(user, club, clubs),
        "season": season,
        "day": day,
        "role": _role(user, club),
        "may_rule": may_rule,
        "may_manage": may_manage,
        "waiting": waiting_for(club, user),
        "tables": _tables(user, club, queries.tables_of_day(club, day)),
        "evening": queries.last_evening(club, day) if may_rule else None,
        "top": tops.get(season.pk, []) if season else [],
        "links": _manager_links(club, season, counts) if counts else _tools(club, season, may_rule=may_rule),
        "creating": [action for action in actions_for(club, user) if action.creates],
    }


def _role(user: User, club: Club) -> str:
    if rights.is_owner(user):
        return gettext("owner of the site")
    return str(Membership.Role(ROLES[rights.level(user, club.pk)]).label)


def _switcher(user: User, chosen: Club, clubs: list[Club]) -> list[ClubOfUser]:
    return [ClubOfUser(each, _role(user, each), each == chosen) for each in clubs] if len(clubs) > 1 else []


def _tables(user: User, club: Club, games: list[Hanchan]) -> list[TableOfToday]:
    """Today's games with the names that the user may read, and what the user may do with each."""
    players = {seat.player_id: seat.player for game in games for seat in game.seats.all()}
    people = {player.pk: player for player in as_seen(players.values(), user)}
    return [TableOfToday(game, people, *_next_step(user, club, game)) for game in games]


def _next_step(user: User, club: Club, game: Hanchan) -> tuple[str, str]:
    """Where the table leads, and what is done there if the user may do it."""
    if not rights.may_change(user, game):
        return game.get_absolute_url(), ""
    words = gettext("Finish table %(table)s") if game.is_draft else gettext("Correct table %(table)s")
    if not game.table:
        words = gettext("Finish draft") if game.is_draft else gettext("Correct game")
    address = game_page(game.season.competition, game.pk) or reverse("desk:correct", args=[game.pk])
    return address, words % {"table": game.table}


# --- the list beside ----------------------------------------------------------------------------------------


def _manager_links(club: Club, season: Season | None, counts: queries.ClubCounts) -> list[SideLink]:
    running = gettext("%(season)s is running") % {"season": season.name} if season and _is_running(season) else ""
    slug = [club.slug]
    links = [
        SideLink(gettext("Seasons"), reverse("ratings:club", args=slug), counts.seasons, running),
        SideLink(gettext("Players"), reverse("ratings:club_players", args=slug), counts.players),
        SideLink(gettext("Members"), reverse("desk:members", args=slug), counts.members),
        SideLink(gettext("Rules"), reverse("ratings:club_rules", args=slug), counts.rule_sets),
        SideLink(gettext("Imports"), reverse("desk:imports", args=slug), counts.imports, gettext("Games or players")),
    ]
    if season:
        book = reverse("ratings:season_workbook", args=[club.slug, season.slug])
        links.append(SideLink(gettext("Export"), book, None, gettext("%(season)s in Excel") % {"season": season.name}))
    settings = SideLink(gettext("Settings"), reverse("desk:club_settings", args=[club.pk]))
    return [*links, settings._replace(note=gettext("Name, place, time zone"))]


def _tools(club: Club, season: Season | None, *, may_rule: bool) -> list[SideLink]:
    links = [
        SideLink(gettext("Leaderboard"), reverse("ratings:club_season", args=[club.slug])),
        SideLink(gettext("Games"), reverse("ratings:club_games", args=[club.slug])),
        SideLink(gettext("Players"), reverse("ratings:club_players", args=[club.slug])),
    ]
    if may_rule:
        links.append(SideLink(gettext("Penalties"), reverse("ratings:club_penalties", args=[club.slug])))
    if may_rule and season:
        links.append(SideLink(gettext("Add a penalty"), f"{reverse('desk:penalty_add')}?season={season.pk}"))
    return links


def _is_running(season: Season) -> bool:
    return season.covers(season.today())


def _site_links(clubs: int) -> list[SideLink]:
    """What the owner of the site looks after."""
    age = backups.age_of_last_backup()
    note = gettext("No backup was made from this machine yet: manage.py backup FILE")
    if age is not None:
        note = ngettext("The last is %(n)s day old", "The last is %(n)s days old", age.days) % {"n": age.days}
    return [
        SideLink(gettext("Clubs"), reverse("ratings:home"), clubs),
        SideLink(gettext("Users"), reverse("admin:auth_user_changelist"), User.objects.count()),
        SideLink(gettext("Work behind the pages"), reverse("work"), None, gettext("Workers, emails, long work")),
        SideLink(gettext("Backups"), "", None, note),
        SideLink(gettext("All data"), reverse("admin:index"), None, gettext("Every row, for reading")),
    ]


@require_safe
def moved(request: HttpRequest, old: str) -> HttpResponse:
    """An address of Django's admin from before it moved: the owner gets the same page there, others their desk."""
    if not rights.is_owner(user_of(request)):
        return redirect("desk:desk")
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return redirect(f"{reverse('admin:index')}{old}{query}")
