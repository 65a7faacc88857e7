"""Giving and revoking penalties; referees and club admins only."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.ledger import AdjustmentForm, RevokeForm
from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, Season
from ratings.queries.entry import seasons_for
from ratings.services import adjustments


def add(request: HttpRequest) -> HttpResponse:
    """Enter an adjustment into the ledger. The address names the season; without it, the first season is used."""
    user = user_of(request)
    seasons = [season for season in seasons_for(user) if rights.may_rule(user, season.club_id)]
    wanted = request.GET.get("season", "")
    season = next((s for s in seasons if str(s.pk) == wanted), None) if wanted else next(iter(seasons), None)
    if season is None:
        raise Http404
    form = AdjustmentForm(season, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        adjustments.give(
            season,
            data["player"],
            data["kind"],
            data["change"],
            data["reason"],
            by=user,
            on=data["given_on"],
            submit_key=data["submit_key"],
        )
        messages.success(request, gettext("Entered. The totals are up to date."))
        return redirect(_ledger(season))
    context = {
        "heading": gettext("Penalty in %(season)s") % {"season": season},
        "form": form,
        "cancel_url": _ledger(season),
        "club": season.club,
    }
    return render(request, "ratings/entry/ledger_form.html", context, status=422 if form.is_bound else 200)


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    found = Adjustment.objects.select_related("season__club", "player").filter(pk=pk).first()
    if found is None or not rights.may_rule(user, found.season.club_id):
        raise Http404
    if found.revoked_at is not None:
        messages.info(request, gettext("This entry was revoked already."))
        return redirect(_ledger(found.season))
    form = RevokeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            adjustments.revoke(found, by=user, reason=form.cleaned_data["reason"])
            messages.success(request, gettext("Revoked. It stays in the list and counts nowhere."))
        except Refused as refused:
            messages.info(request, refused.problems[0].sentence(gettext))
        return redirect(_ledger(found.season))
    context = {
        "heading": gettext("Revoke an entry"),
        "form": form,
        "adjustment": found,
        "submit": gettext("Revoke"),
        "cancel_url": _ledger(found.season),
        "club": found.season.club,
    }
    return render(request, "ratings/entry/ledger_form.html", context, status=422 if form.is_bound else 200)


def _ledger(season: Season) -> str:
    return reverse("ratings:season_penalties", args=[season.club.slug, season.slug])
