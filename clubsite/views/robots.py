"""What search engines are told: not to enter staff pages, and where the list of public pages is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

# Addresses with parameters are other views of pages that have an address without them.
RULES = """\
User-agent: *
Disallow: /admin/
Disallow: /password/
Disallow: /*/manage/
Disallow: /*?
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    where = request.build_absolute_uri(reverse("sitemap"))
    return HttpResponse(f"{RULES}\nSitemap: {where}\n", content_type="text/plain; charset=utf-8")
