"""Forms of Django's admin that staff still use at their old addresses, until the site has a page of its own for them.

Each form asks for the rights that it asked for before. Its links into lists lead to the desk, except for the owner.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponseBase

from clubsite.staff import View, staff_page


def todays_form(model: type[Model], page: str = "") -> View[...]:
    """The admin's view of a model: the form to add or change a row, or its page `history`, `delete` or `example`."""

    def view(request: HttpRequest, pk: int | None = None) -> HttpResponseBase:
        forms: Any = admin.site.get_model_admin(model)
        request.current_app = admin.site.name
        if page == "example":
            answer: HttpResponseBase = forms.example(request, pk)
        elif page:
            answer = getattr(forms, f"{page}_view")(request, str(pk))
        elif pk is None:
            answer = forms.add_view(request)
        else:
            answer = forms.change_view(request, str(pk))
        return answer

    return staff_page(view)
