"""Show how an amount is read while it is typed into a form. It uses only what the request contains."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ratings.forms.amounts import READ_AS, reading_of

LONGEST = 500  # characters of a field


@require_safe
def reading(request: HttpRequest) -> HttpResponse:
    """Return a page fragment. `of` names the field; `as` says whether it holds one amount, four, or rows of four."""
    kind = READ_AS.get(request.GET.get("as", ""))
    if kind is None:
        raise Http404
    value = kind().value_from_datadict(request.GET, request.FILES, request.GET.get("of", ""))
    if len(str(value)) > LONGEST:
        value = None
    return HttpResponse(reading_of(kind.read, value, refusals=True))
