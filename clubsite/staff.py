"""Pages for the people who run clubs: who may enter, and what all these pages have in common.

The site knows no roles. An app registers the rule of who may enter in `AppConfig.ready()`; what a user may do on a page
the page itself asks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

P = ParamSpec("P")
Person = AbstractBaseUser | AnonymousUser
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def _nobody_may(user: Person) -> bool:
    return False


_may_enter: Callable[[Person], bool] = _nobody_may


def register_rule(rule: Callable[[Person], bool]) -> None:
    global _may_enter
    _may_enter = rule


def may_enter(user: Person) -> bool:
    """Whether the user may see pages for staff at all."""
    return _may_enter(user)


def staff_page(view: View[P]) -> View[P]:
    """A page for staff: it is never kept, checks forged posts, and leads everybody else to the sign-in page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not may_enter(request.user):
            return redirect_to_login(request.get_full_path(), resolve_url(settings.LOGIN_URL))
        return view(request, *args, **kwargs)

    return never_cache(csrf_protect(checked))
