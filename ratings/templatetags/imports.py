"""`{% load imports %}`: what rows of a file would bring, in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

from ratings.imports.headings import LABELS_OF_LISTS, PLAYERS
from ratings.models import Affiliation
from ratings.services.imports.players import Planned

register = template.Library()


@register.filter
def gains(row: Planned) -> str:
    """What a known player gains by a row of a list of players."""
    told = [f"{gettext(LABELS_OF_LISTS[PLAYERS][name])}: {value}" for name, value in row.filled.items()]
    told += [gettext("also called “%(name)s”") % {"name": name} for name in row.aliases]
    if row.kind:
        told.append(
            gettext("regular of the club") if row.kind == Affiliation.Kind.REGULAR else gettext("guest of the club")
        )
    return "; ".join(told) or gettext("as you said")
