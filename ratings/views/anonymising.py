"""Anonymising a player for good. The page asks for the name, and lists the texts of others that contain it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext

from clubsite.signing_in import user_of
from ratings.forms.players import AnonymiseForm
from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, Club, Hanchan, ImportBatch, Player, RuleSet, Season
from ratings.queries.texts import FoundText
from ratings.services import anonymising
from ratings.views.staff_players import frame_of, player_to_merge, say_and_return

# Where a text can be edited or read. Rows of other models have their own page, or none.
PAGES = {
    Adjustment: "desk:penalty_revoke",
    Club: "desk:club_settings",
    Hanchan: "desk:correct",
    ImportBatch: "desk:import",
    RuleSet: "desk:rule_set",
    Season: "desk:season",
}


def anonymise(request: HttpRequest, pk: int) -> HttpResponse:
    player = player_to_merge(request, pk)
    objections = anonymising.objections(player)
    texts = [] if objections else anonymising.texts_naming(player)
    choices = [(text.key, _label(text)) for text in texts]
    ticked = [text.key for text in texts if text.in_full]
    form = AnonymiseForm(player, choices, ticked, request.POST if request.method == "POST" else None)
    if request.method == "POST" and not objections and form.is_valid():
        return _anonymise(request, player, form.cleaned_data.get("texts", []))
    context = {
        **frame_of(request, player),
        "heading": gettext("Anonymise %(name)s") % {"name": player},
        "submit": gettext("Anonymise for good"),
        "cancel_url": reverse("desk:player", args=[player.pk]),
        "form": form,
        "objections": objections,
        "new_name": anonymising.anonymous_name(player),
    }
    return render(request, "desk/players/anonymise.html", context)


def _anonymise(request: HttpRequest, player: Player, texts: list[str]) -> HttpResponse:
    here = reverse("desk:player", args=[player.pk])
    try:
        left = anonymising.anonymise(player, replace_in=texts, by=user_of(request))
    except Refused as refused:
        return say_and_return(request, refused, here)
    messages.success(request, gettext("The player is anonymous now."))
    if left:
        words = ngettext(
            "%(count)d text was left as it is: %(places)s",
            "%(count)d texts were left as they are: %(places)s",
            len(left),
        )
        places = "; ".join(text.place for text in left)
        messages.warning(request, words % {"count": len(left), "places": places})
    return redirect(here)


def _label(found: FoundText) -> str:
    """A text with its place, linked to the page where it can be edited or read."""
    address = _address(found)
    place = format_html('<a href="{}">{}</a>', address, found.place) if address else found.place
    return format_html("{}: <q>{}</q>", place, found.text)


def _address(found: FoundText) -> str:
    if found.model in PAGES:
        return reverse(PAGES[found.model], args=[found.pk])
    try:
        row: Any = found.row()
        return str(row.get_absolute_url())
    except (AttributeError, NoReverseMatch):
        return ""
