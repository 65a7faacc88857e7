"""The settings of a club and their history. Its staff read them, its admins change them, the owner adds clubs."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite.country_names import country_name
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.clubs import ClubForm, zone_for
from ratings.models import Club
from ratings.queries.history import happenings
from ratings.queries.settings_history import club_history
from ratings.views.settings_pages import Editing, history_page, refuse_reading, refuse_writing


def add(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if not rights.is_owner(user):
        raise PermissionDenied
    form = ClubForm(request.POST if request.method == "POST" else None, user=user)
    if request.method == "POST" and form.is_valid():
        club = form.apply()
        messages.success(request, gettext("The club is added. Next it needs rules and a season."))
        return redirect("desk:club", club.slug)
    context = {
        "heading": gettext("New club"),
        "form": form,
        "submit": gettext("Add club"),
        "zones_at": reverse("desk:club_zones"),
        "cancel_url": reverse("desk:desk"),
    }
    return render(request, "desk/settings/club.html", context, status=422 if form.is_bound else 200)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    club = get_object_or_404(Club, pk=pk)
    if refuse_writing(request, club.pk):
        context = {"club": club, "country": country_name(club.country)}
        return render(request, "desk/settings/club_facts.html", context)
    user = user_of(request)
    edited = get_object_or_404(Club, pk=pk)  # checking the form puts its values on this one
    form = ClubForm(request.POST if request.method == "POST" else None, instance=edited, user=user)
    editing = Editing.of(request, edited, lambda: happenings(club.history.all()))
    if request.method == "POST" and form.is_valid():
        saved = editing.save(form, form.apply)
        if saved:
            messages.success(request, gettext("Settings saved."))
            return redirect("desk:club_settings", pk)
    context = {
        "heading": gettext("%(name)s: settings") % {"name": club.name},
        "club": club,
        "form": form,
        "editing": editing,
        "submit": gettext("Save club"),
        "zones_at": reverse("desk:club_zones"),
        "history_at": reverse("desk:club_history", args=[pk]),
        "cancel_url": club.get_absolute_url(),
    }
    return render(request, "desk/settings/club.html", context, status=editing.status(form))


@require_safe
def zones(request: HttpRequest) -> HttpResponse:
    """A fragment of the form: the time zones, those of the chosen country first. Nothing is stored."""
    country = request.GET.get("country", "")[:2]
    form = ClubForm(initial={"country": country}, user=user_of(request))
    form.initial["time_zone"] = zone_for(country, request.GET.get("time_zone", ""))
    return render(request, "desk/settings/row.html", {"field": form["time_zone"]})


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    club, user = get_object_or_404(Club, pk=pk), user_of(request)
    refuse_reading(user, club.pk)
    back = reverse("desk:club_settings", args=[pk])
    return history_page(request, club, club.name, back, club_history(club, user))
