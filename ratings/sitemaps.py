"""The pages that search engines may list: only what every visitor sees, and no hidden player."""

from __future__ import annotations

from django.contrib.sitemaps import GenericSitemap, Sitemap
from django.urls import reverse

from ratings.mahjong.rulesets import PRESETS
from ratings.models import Club, Player, Season
from ratings.queries.clubs import public_seasons
from ratings.queries.players import HIDDEN
from ratings.queries.rulesets import public_rule_sets


class SinglePages(Sitemap):
    """Pages that show no row of the database."""

    names = ("ratings:home", "ratings:rules", "ratings:player_search", "ratings:privacy")

    def items(self) -> list[str]:
        return [reverse(name) for name in self.names] + [reverse("ratings:preset", args=[key]) for key in PRESETS]

    def location(self, item: str) -> str:
        return item


SITEMAPS = {
    "pages": SinglePages,
    "clubs": GenericSitemap({"queryset": Club.objects.order_by("pk")}),
    # The seasons of events have no page under their club.
    "seasons": GenericSitemap(
        {"queryset": public_seasons().filter(is_public=True, kind__in=Season.CLUB_KINDS).order_by("pk")}
    ),
    "rules": GenericSitemap({"queryset": public_rule_sets().select_related("club").order_by("pk")}),
    "players": GenericSitemap({"queryset": Player.objects.exclude(HIDDEN).filter(merged_into=None).order_by("pk")}),
}
