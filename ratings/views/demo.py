"""Removing the demo, for the owner of the site."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from clubsite.signing_in import user_of
from ratings import rights
from ratings.demo.removing import find_demo, remove_demo
from ratings.forms.demo import RemoveDemoForm
from ratings.mahjong.problems import Refused


def remove(request: HttpRequest) -> HttpResponse:
    """Say what would be removed, and remove it once that is confirmed."""
    user = user_of(request)
    if not rights.is_owner(user):
        raise PermissionDenied
    demo = find_demo()
    if not demo.clubs:
        raise Http404
    posted = request.POST if request.method == "POST" else None
    form = RemoveDemoForm(posted, was_used=demo.was_used)
    if form.is_valid():
        try:
            remove_demo()
            messages.success(request, gettext("The demo is removed."))
            return redirect("desk:desk")
        except Refused:  # the page says why
            demo = find_demo()
    return render(request, "desk/demo/remove.html", {"demo": demo, "form": form}, status=422 if posted else 200)
