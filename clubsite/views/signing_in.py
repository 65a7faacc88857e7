"""Signing in: name and password, then, for those who have or need it, a code.

Which accounts may enter at all is the form's affair, which the admin site hands over.
"""

from __future__ import annotations

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

from clubsite import second_factor
from clubsite.forms import AppCodeForm, CodeForm
from clubsite.signing_in import at_the_door, let_in, wait_for_code
from clubsite.views.second_factor import forget_key, offered_key, set_up_page, typed

FEW_CODES = 3


class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    next_page = "admin:index"

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if second_factor.is_on(user):
            next_step = "admin:second_step"
        elif second_factor.is_required_of(user):
            next_step = "admin:first_set_up"
        else:
            return super().form_valid(form)
        wait_for_code(self.request, user, self.get_success_url())
        return HttpResponseRedirect(reverse(next_step))


@sensitive_post_parameters()
@csrf_protect
@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """The code, for somebody whose password was right a moment ago."""
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
    """Whoever must use a second step and has none yet sets it up before being let in."""
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
    return redirect("admin:login")


def _warn_about_recovery_codes(request: HttpRequest, user: User) -> None:
    left = second_factor.recovery_codes_left(user)
    if left < FEW_CODES:
        words = ngettext(
            "You have %(n)d recovery code left. Make new ones on your account page.",
            "You have %(n)d recovery codes left. Make new ones on your account page.",
            left,
        )
        messages.warning(request, words % {"n": left})
