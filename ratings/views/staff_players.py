"""What the pages share on which staff change players: finding the player, and refusing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Club, Player
from ratings.queries.players import players_known_to


def known_player(request: HttpRequest, pk: int) -> Player:
    """Return a player of one of the user's clubs, or raise 404, also for a player who was merged into another."""
    player = players_known_to(user_of(request)).filter(pk=pk).first()
    if player is None:
        raise Http404(f"no player {pk} in the clubs of {request.user}")
    return player


def player_to_merge(request: HttpRequest, pk: int) -> Player:
    player = known_player(request, pk)
    if not rights.may_merge_or_anonymise(user_of(request), player):
        raise PermissionDenied
    return player


def frame_of(request: HttpRequest, player: Player) -> dict[str, Any]:
    """The player with the club that the page is of: one of the user's own, if it can be. `clock` tells the times."""
    rows = sorted(player.affiliations.select_related("club"), key=lambda row: (row.is_guest, row.pk))
    club = next((row.club for row in rows if rights.may_enter(user_of(request), row.club_id)), None)
    return {"player": player, "club": club, "clock": club or Club()}


def say_and_return(request: HttpRequest, refused: Refused, address: str) -> HttpResponse:
    """Say why a service refused, and lead back."""
    for sentence in refused.sentences(gettext):
        messages.error(request, sentence)
    return redirect(address)
