"""Rule sets with the number of games that use them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ratings import rights
from ratings.models import Club, Hanchan, RuleSet, Season

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

FINAL = Q(hanchans__status=Hanchan.Status.FINAL)


class Uses(TypedDict):
    games: int  # finished
    uses: int  # drafts and void games too: any of them freezes the version


@dataclass
class RuleSetLine:
    """A rule set of a club: its versions, newest first."""

    versions: list[WithAnnotations[RuleSet, Uses]] = field(default_factory=list)

    @property
    def newest(self) -> WithAnnotations[RuleSet, Uses]:
        return self.versions[0]

    @property
    def games(self) -> int:
        return sum(version.games for version in self.versions)


def rule_sets_of(club: Club, user: rights.Person) -> list[RuleSetLine]:
    versions = _used(club, user)
    return [RuleSetLine(list(several)) for _slug, several in groupby(versions, key=lambda version: version.slug)]


def visible_rule_sets(user: rights.Person) -> list[RuleSet]:
    """Return the newest version of every rule set of every club that the user may know of, by club and name."""
    newest = RuleSet.objects.filter(club=OuterRef("club"), slug=OuterRef("slug")).order_by("-version").values("pk")[:1]
    found = RuleSet.objects.filter(pk=newest).select_related("club").order_by("club__name", "name")
    if rights.is_owner(user):
        return list(found)
    of_hidden = Season.objects.filter(rule_set=OuterRef("pk"), is_public=False)
    of_public = Season.objects.filter(rule_set=OuterRef("pk"), is_public=True)
    hidden = Exists(of_hidden) & ~Exists(of_public)
    return list(found.filter(Q(club__in=rights.clubs_of(user)) | ~hidden))


def versions_of(club: Club, slug: str, user: rights.Person) -> list[WithAnnotations[RuleSet, Uses]]:
    """Return all versions of one set, newest first; empty if there is no set that the user may know of."""
    return _used(club, user, slug=slug)


def public_rule_sets() -> QuerySet[RuleSet]:
    """Return what visitors may see. An event's own rules carry its name, so those of a hidden event are left out."""
    seasons = Season.objects.filter(rule_set=OuterRef("pk"))
    return RuleSet.objects.exclude(Exists(seasons.filter(is_public=False)) & ~Exists(seasons.filter(is_public=True)))


def _used(club: Club, user: rights.Person, **wanted: str) -> list[WithAnnotations[RuleSet, Uses]]:
    known = RuleSet.objects.all() if rights.may_enter(user, club.pk) else public_rule_sets()
    found = known.filter(club=club, **wanted).select_related("club", "parent__club")
    counted = found.annotate(games=Count("hanchans", filter=FINAL), uses=Count("hanchans"))
    return list(counted.order_by("slug", "-version"))
