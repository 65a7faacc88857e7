"""The page on which staff add or change a player, and the player's history."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite.country_names import country_name
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.players import PlayerForm
from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, Player
from ratings.queries.history import Happening, happenings
from ratings.views.settings_pages import Editing, asked_club
from ratings.views.staff_players import frame_of, known_player


def add(request: HttpRequest) -> HttpResponse:
    heading = gettext("Add a player")
    club = asked_club(request, heading)
    if isinstance(club, HttpResponse):
        return club
    user = user_of(request)
    form = PlayerForm(request.POST if request.method == "POST" else None, user=user, club=club)
    players = reverse("ratings:club_players", args=[club.slug])
    if form.is_valid():
        try:
            player = form.apply(by=user)
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
        else:
            messages.success(
                request, gettext("%(name)s is a player of %(club)s now.") % {"name": player, "club": club.name}
            )
            again = f"{reverse('desk:player_add')}?club={club.slug}"
            return redirect(again if "again" in request.POST else players)
    context = {
        "heading": heading,
        "club": club,
        "form": form,
        "submit": gettext("Save player"),
        "cancel_url": players,
    }
    return render(request, "desk/players/new.html", context, status=422 if form.errors else 200)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    player, user = known_player(request, pk), user_of(request)
    if player.anonymised_at or not rights.may_edit_player(user, player):
        if request.method == "POST":
            raise PermissionDenied
        return render(request, "desk/players/facts.html", _around(request, player))
    edited = known_player(request, pk)  # checking the form puts its values on this one
    form = PlayerForm(request.POST if request.method == "POST" else None, instance=edited, user=user)
    editing = Editing.of(request, edited, lambda: player_history(player))
    if form.is_valid() and editing.save(form, lambda seen: form.apply(by=user, seen=seen)):
        messages.success(request, gettext("%(name)s is saved.") % {"name": edited})
        return redirect(edited)
    context = {
        **_around(request, player),
        "heading": player.native_name,
        "form": form,
        "editing": editing,
        "submit": gettext("Save player"),
        "cancel_url": player.get_absolute_url(),
    }
    return render(request, "desk/players/player.html", context, status=editing.status(form))


def _around(request: HttpRequest, player: Player) -> dict[str, object]:
    """What is around the form: facts of the player, and what else the user may do."""
    user, rows = user_of(request), list(player.affiliations.select_related("club").order_by("pk"))
    return {
        **frame_of(request, player),
        "country": country_name(player.country),
        "keepers": [row.club for row in rows if row.club_id in rights.keepers(player)],
        "may_merge": not player.anonymised_at and rights.may_merge_or_anonymise(user, player),
        "may_leave": [row.club for row in rows if rights.may_manage(user, row.club_id)],
        "history_at": reverse("desk:player_history", args=[player.pk]),
    }


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    player = known_player(request, pk)
    context = {
        **_around(request, player),
        "heading": gettext("History of %(name)s") % {"name": player},
        "happenings": player_history(player),
    }
    return render(request, "desk/players/history.html", context)


def player_history(player: Player) -> list[Happening]:
    """Also the history of the player's clubs: who added the player, and who removed the player."""
    clubs = happenings(Affiliation.history.filter(player_id=player.pk))
    return sorted([*happenings(player.history.all()), *clubs], key=lambda told: told.at, reverse=True)
