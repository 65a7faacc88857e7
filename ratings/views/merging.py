"""Merging two rows of one person, and taking a merge back; the page asks first."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Player, PlayerMerge
from ratings.queries.players import matching, players_known_to
from ratings.services import merging
from ratings.views.staff_players import frame_of, known_player, player_to_merge, say_and_return

MOST_CANDIDATES = 20


def merge(request: HttpRequest, pk: int) -> HttpResponse:
    """First search for the other row of the same person, then show what would move, then merge."""
    player = player_to_merge(request, pk)
    survivor = _survivor(request)
    if survivor and not rights.may_merge_or_anonymise(user_of(request), survivor):
        refusal = gettext("Only an admin of every club where the two players are regulars can merge them.")
        messages.error(request, refusal)
        return redirect(request.path)
    if survivor and request.method == "POST":
        return _merge(request, player, survivor)
    typed = request.GET.get("q", "").strip()
    others = players_known_to(user_of(request)).exclude(pk=player.pk).filter(anonymised_at=None)
    context = {
        **frame_of(request, player),
        "heading": gettext("Merge %(name)s") % {"name": player},
        "typed": typed,
        "candidates": others.filter(matching(typed))[:MOST_CANDIDATES] if typed else [],
        "survivor": survivor,
        "preview": merging.preview_merge(player, survivor) if survivor else None,
        "merges": player.merges_here.filter(undone_at=None).select_related("merged", "by"),
    }
    return render(request, "desk/players/merge.html", context)


def _survivor(request: HttpRequest) -> Player | None:
    """Return the other player, if one was chosen. A number of no player that the user knows raises 404."""
    into = request.POST.get("into") or request.GET.get("into")
    if not into:
        return None
    number = whole_number(into)
    if number is None:
        raise Http404
    return known_player(request, number)


def _merge(request: HttpRequest, player: Player, survivor: Player) -> HttpResponse:
    try:
        merging.merge_players(player, survivor, by=user_of(request))
    except Refused as refused:
        return say_and_return(request, refused, f"{request.path}?into={survivor.pk}")
    said = gettext("%(merged)s is merged into %(survivor)s. The page “Merge” of %(survivor)s undoes it.")
    messages.success(request, said % {"merged": player, "survivor": survivor})
    return redirect("desk:player", survivor.pk)


def unmerge(request: HttpRequest, pk: int, merge_id: int) -> HttpResponse:
    player = player_to_merge(request, pk)
    found = PlayerMerge.objects.filter(survivor=player, pk=merge_id).select_related("merged", "survivor").first()
    if found is None:
        raise Http404(f"no merge {merge_id} into player {player.pk}")
    if request.method != "POST":
        context = {
            **frame_of(request, player),
            "heading": gettext("Undo the merge of %(name)s") % {"name": found.merged},
            "submit": gettext("Undo the merge"),
            "cancel_url": reverse("desk:player_merge", args=[player.pk]),
            "merge": found,
            "objections": merging.undo_objections(found),
            "games": len(found.moved.get("seats", [])),
        }
        return render(request, "desk/players/unmerge.html", context)
    try:
        merging.undo_merge(found, by=user_of(request))
    except Refused as refused:
        return say_and_return(request, refused, request.path)
    messages.success(request, gettext("The merge is undone: %(name)s is back.") % {"name": found.merged})
    return redirect("desk:player", found.merged_id)
