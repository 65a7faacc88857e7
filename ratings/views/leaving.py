"""A player leaves the list of a club; the page says first what stays."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.services.players import leave_club
from ratings.views.staff_players import known_player, say_and_return


def leave(request: HttpRequest, pk: int, club_id: int) -> HttpResponse:
    player = known_player(request, pk)
    row = player.affiliations.filter(club=club_id).select_related("club").first()
    if row is None:
        raise Http404(f"player {player.pk} is not of club {club_id}")
    if not rights.may_manage(user_of(request), club_id):
        raise PermissionDenied
    if request.method != "POST":
        context = {
            "player": player,
            "heading": gettext("Remove %(name)s from %(club)s") % {"name": player, "club": row.club},
            "submit": gettext("Remove player"),
            "cancel_url": reverse("desk:player", args=[player.pk]),
            "club": row.club,
            "affiliation": row,
            "games": player.seats.filter(season__club=club_id).count(),
        }
        return render(request, "desk/players/leave.html", context)
    players = reverse("ratings:club_players", args=[row.club.slug])
    try:
        leave_club(player, row.club, by=user_of(request))
    except Refused as refused:
        return say_and_return(request, refused, players)
    said = gettext("%(name)s is no longer on the list of %(club)s.")
    messages.success(request, said % {"name": player, "club": row.club})
    return redirect(players)
