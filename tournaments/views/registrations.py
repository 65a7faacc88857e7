"""Players register themselves; the organiser confirms or removes several registrations at once."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from clubsite import counting, limits
from clubsite.counting import Claim, LimitReached
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Problem, Refused
from tournaments.forms.entries import RegisterForm
from tournaments.models import Tournament
from tournaments.queries.events import sees_event
from tournaments.queries.registration import door, is_full, progress
from tournaments.services.entries import remove_entries
from tournaments.services.registration import confirm_registrations, register_oneself, remove_registrations
from tournaments.views.access import manage_url, page_context, staff_page

# --- by the players themselves ------------------------------------------------------------------------------


def register(request: HttpRequest, slug: str) -> HttpResponse:
    """A player's own registration while registration is open; with `?key=`, the progress of that registration."""
    tournament = get_object_or_404(Tournament.objects.select_related("club"), slug=slug)
    if not sees_event(request.user, tournament):
        raise Http404
    context: dict[str, Any] = {"tournament": tournament, "heading": gettext("Register"), "door": door(tournament)}
    key = _key(request.GET.get("key", ""))
    if key is not None:
        context |= {"asked": True, "progress": progress(tournament, key)}
        return render(request, "tournaments/register.html", context)
    again = _key(request.POST.get("submit_key", ""))
    if again is not None and progress(tournament, again) is not None:
        return _shown(tournament, again)
    form = RegisterForm(request.POST if request.method == "POST" and context["door"].is_open else None)
    refusal = None
    if form.is_bound and form.is_valid():
        if form.is_a_program:
            return redirect("tournaments:register", tournament.slug)
        key = form.key
        refusal = _register(request, tournament, form, key)
        if not form.errors:
            return _shown(tournament, key)
    context |= {"form": form, "waits": is_full(tournament)}
    answer = render(request, "tournaments/register.html", context, status=422 if form.is_bound else 200)
    return refusal.mark(answer) if refusal else answer


def _register(request: HttpRequest, tournament: Tournament, form: RegisterForm, key: uuid.UUID) -> LimitReached | None:
    """Store the registration, or add the reason for a refusal to the form."""
    network = Claim(limits.REGISTRATION_NET, counting.network_of(request))
    refusal = counting.spend(network, Claim(limits.REGISTRATION_EVENT, str(tournament.pk)))
    if refusal is not None:
        form.add_error(None, counting.too_many(refusal))
        return refusal
    try:
        register_oneself(tournament, form.newcomer(), key)
    except Refused as refused:
        form.add_error(None, refused.sentences(gettext))
    return None


def _shown(tournament: Tournament, key: uuid.UUID) -> HttpResponse:
    """Redirect to the registration's own page: reloading it does not post the form again, and it can be bookmarked."""
    return redirect(f"{reverse('tournaments:register', args=[tournament.slug])}?key={key}")


def _key(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text[:40])
    except ValueError:
        return None


# --- by the organiser ---------------------------------------------------------------------------------------


@require_POST
@staff_page(rights.may_manage)
def selected(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Confirm registrations; or ask whether to remove what is selected, and remove it after the answer."""
    ids, numbers = _chosen(request.POST, "registration"), _chosen(request.POST, "number")
    action = request.POST.get("action", "")
    if action in ("confirm_all", "remove_all"):
        ids, numbers = list(tournament.registrations.values_list("pk", flat=True)), []
    if not ids and not numbers:
        messages.warning(request, gettext("No one is selected. Tick the boxes before the names first."))
    elif action in ("confirm", "confirm_all"):
        _confirm(request, tournament, ids)
    elif action in ("remove", "remove_all"):
        return _ask(request, tournament, ids, numbers)
    elif action == "removed":
        _remove(request, tournament, ids, numbers)
    else:
        raise Http404
    return redirect(manage_url("entries", tournament))


def _chosen(posted: QueryDict, name: str) -> list[int]:
    return [int(text) for text in posted.getlist(name) if text.isascii() and text.isdigit() and len(text) < 10]


def _confirm(request: HttpRequest, tournament: Tournament, ids: list[int]) -> None:
    done = confirm_registrations(tournament, ids, by=user_of(request))
    if done.placed:
        words = ngettext(
            "%(count)s registration is confirmed.", "%(count)s registrations are confirmed.", len(done.placed)
        )
        messages.success(request, words % {"count": len(done.placed)})
    if done.waiting:
        words = ngettext(
            "%(count)s registration is confirmed and on the waiting list: all places are taken.",
            "%(count)s registrations are confirmed and on the waiting list: all places are taken.",
            len(done.waiting),
        )
        messages.success(request, words % {"count": len(done.waiting)})
    _complain(request, done.problems)


def _ask(request: HttpRequest, tournament: Tournament, ids: list[int], numbers: list[int]) -> HttpResponse:
    context = page_context(
        request,
        tournament,
        "entries",
        heading=gettext("Remove from the list?"),
        registrations=tournament.registrations.filter(pk__in=ids),
        entries=tournament.entries.filter(number__in=numbers).select_related("player"),
    )
    return render(request, "tournaments/manage/remove.html", context)


def _remove(request: HttpRequest, tournament: Tournament, ids: list[int], numbers: list[int]) -> None:
    done = remove_entries(tournament, numbers, by=user_of(request))
    count = done.count + remove_registrations(tournament, ids)
    if count:
        words = ngettext(
            "%(count)s name is removed from the list.", "%(count)s names are removed from the list.", count
        )
        messages.success(request, words % {"count": count})
    _complain(request, done.problems)
    if done.drawn:
        words = ngettext(
            "Round %(rounds)s was drawn with this entry and is to be drawn again.",
            "Rounds %(rounds)s were drawn with this entry and are to be drawn again.",
            len(done.drawn),
        )
        messages.warning(request, words % {"rounds": ", ".join(str(number) for number in sorted(done.drawn))})


def _complain(request: HttpRequest, problems: Iterable[Problem]) -> None:
    for problem in problems:
        messages.error(request, problem.sentence(gettext))
