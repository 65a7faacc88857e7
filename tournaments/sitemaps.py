"""The pages of events that search engines may list: never those of hidden events."""

from __future__ import annotations

from django.contrib.sitemaps import GenericSitemap

from tournaments.models import Tournament

SITEMAPS = {"events": GenericSitemap({"queryset": Tournament.objects.filter(is_public=True).order_by("pk")})}
