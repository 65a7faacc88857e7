"""Signing in: name and password, then a code for users who have or need a second step.

The form decides which accounts may sign in at all. An app passes the form.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

from clubsite import browsers, counting, limits, second_factor
from clubsite.counting import Claim, LimitReached
from clubsite.forms import AppCodeForm, CodeForm
from clubsite.pruning import prune_sign_ins
from clubsite.signing_in import at_the_door, let_in, wait_for_code
from clubsite.views.second_factor import forget_key, offered_key, set_up_page, typed

FEW_CODES = 3


class SignIn(LoginView):
    """Every attempt is counted; a right password is taken off the count. A refused attempt costs no password check."""

    template_name = "accounts/sign_in.html"
    next_page = "desk:desk"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.POST.get("username") or not request.POST.get("password"):
            return super().post(request, *args, **kwargs)
        refusal = counting.spend(*_claims(request))
        return refused(request, refusal) if refusal else super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        prune_sign_ins()
        counting.give_back(*_claims(self.request))
        answer = self._go_on(form)
        browsers.remember(self.request, answer, form.cleaned_data["username"])
        return answer

    def _go_on(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if second_factor.is_on(user):
            next_step = "desk:second_step"
        elif second_factor.is_required_of(user):
            next_step = "desk:first_set_up"
        else:
            return super().form_valid(form)
        wait_for_code(self.request, user, self.get_success_url())
        return HttpResponseRedirect(reverse(next_step))


def _claims(request: HttpRequest) -> list[Claim]:
    """What an attempt is counted by: the browser if it knows the name, else the network and the name."""
    name = counting.name_as_counted(request.POST.get("username", ""))
    if browsers.knows(request, name):
        return [Claim(limits.SIGN_IN_BROWSER, f"{name} {request.COOKIES[browsers.COOKIE]}")]
    # The network first: a visitor who tries many names is stopped before using up the counts of the names.
    return [Claim(limits.SIGN_IN_NET, counting.network_of(request)), Claim(limits.SIGN_IN_NAME, name)]


def refused(request: HttpRequest, refusal: LimitReached) -> HttpResponse:
    """Show the form again with the name as typed, and say when to try again."""
    name = request.POST.get("username", "") or request.user.get_username()
    form = AuthenticationForm(request, initial={"username": name[:150]})
    context = {"form": form, "next": request.POST.get("next", ""), "refusal": refusal}
    return refusal.mark(render(request, "locked_out.html", context))


def locked_out(request: HttpRequest, *_credentials: object) -> HttpResponse:
    """The response of django-axes, which counts attempts by name and address together."""
    return refused(request, LimitReached(limits.SIGN_IN_PAIR, int(limits.SIGN_IN_PAIR.within.total_seconds())))


@sensitive_post_parameters()
@csrf_protect
@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for the code, after the right password."""
    visitor = at_the_door(request)
    if visitor is None or not second_factor.is_on(visitor.user):
        return _back_to_the_start(request)
    recovery = "recovery" in request.GET
    form = CodeForm(visitor.user, typed(request), recovery=recovery)
    if form.is_valid():
        let_in(request, visitor, form.device)
        _warn_about_recovery_codes(request, visitor.user)
        return redirect(visitor.goes_to)
    context = {"form": form, "recovery": recovery}
    return render(request, "accounts/second_step.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters()
@csrf_protect
@never_cache
def first_set_up(request: HttpRequest) -> HttpResponse:
    """A user who must use a second step and has none yet sets it up before being signed in."""
    visitor = at_the_door(request)
    if visitor is None or second_factor.is_on(visitor.user):
        return _back_to_the_start(request)
    form = AppCodeForm(typed(request))
    if form.is_valid():
        try:
            device, codes = second_factor.turn_on(visitor.user, offered_key(request), form.cleaned_data["code"])
        except second_factor.WrongCode as wrong:
            form.add_error("code", str(wrong))
        else:
            forget_key(request)
            let_in(request, visitor, device)
            return render(request, "accounts/recovery_codes.html", {"codes": codes, "goes_to": visitor.goes_to})
    return set_up_page(request, visitor.user, form, must=True)


def _back_to_the_start(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        messages.info(request, gettext("Sign in with your name and password first."))
    return redirect("desk:login")


def _warn_about_recovery_codes(request: HttpRequest, user: User) -> None:
    left = second_factor.recovery_codes_left(user)
    if left < FEW_CODES:
        words = ngettext(
            "You have %(n)d recovery code left. Create new ones on your account page.",
            "You have %(n)d recovery codes left. Create new ones on your account page.",
            left,
        )
        messages.warning(request, words % {"n": left})
