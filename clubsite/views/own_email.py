"""The user's own email address, to which a link to a new password is sent."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from clubsite import accounts
from clubsite.forms import OwnEmailForm
from clubsite.signing_in import user_of
from clubsite.views.second_factor import typed


@sensitive_post_parameters("password")
def change(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = OwnEmailForm(request, typed(request), initial={"email": user.email})
    if form.is_valid():
        accounts.change_email(user, form.cleaned_data["email"])
        messages.success(request, gettext("Email address saved.") if user.email else gettext("Email address removed."))
        return redirect("desk:account")
    context = {
        "heading": gettext("Change your email address"),
        "form": form,
        "submit": gettext("Save email address"),
        "cancel_url": reverse("desk:account"),
    }
    return render(request, "accounts/email.html", context, status=422 if form.errors else 200)
