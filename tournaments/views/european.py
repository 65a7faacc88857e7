"""The European ranking over the finished events of this site."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubsite import freshness
from tournaments.queries import european
from tournaments.queries.lookup import revisions


@require_safe
def european_ranking(request: HttpRequest) -> HttpResponseBase:
    events = european.counting_events(request.user)
    today = timezone.localdate()
    facts = (today, [(event.pk, event.name, event.slug) for event in events], revisions([event.pk for event in events]))

    def context() -> dict[str, Any]:
        return {"ranking": european.european_ranking(events, today)}

    return freshness.page(request, facts, "tournaments/european_ranking.html", context)
