"""Count requests against `clubsite.limits` in the database, so that all processes and machines share the counts.

Each count is one short statement that locks only its own row. The key stored is a keyed hash: no name and no network
address can be read from it. Rows are removed when their time is over.
"""

from __future__ import annotations

import ipaddress
import math
import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext

from clubsite.limits import Limit
from clubsite.models import Tally
from clubsite.security import address_of

PRUNED_AT_ONCE = 1000
# Table and columns are those of Tally. A row whose time is over starts again at 1. RETURNING gives the new count.
_COUNT = """
INSERT INTO clubsite_tally (key, count, until) VALUES (%s, 1, %s)
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN clubsite_tally.until <= %s THEN 1 ELSE clubsite_tally.count + 1 END,
    until = CASE WHEN clubsite_tally.until <= %s THEN excluded.until ELSE clubsite_tally.until END
RETURNING count, until
"""


@dataclass(frozen=True)
class Claim:
    """One subject of one limit."""

    limit: Limit
    subject: str

    @property
    def key(self) -> str:
        return salted_hmac("clubsite.counting", f"{self.limit.name}\0{self.subject}", algorithm="sha256").hexdigest()


@dataclass(frozen=True)
class LimitReached:
    """A limit was reached. The user can try again after `seconds`."""

    limit: Limit
    seconds: int

    @property
    def wait(self) -> str:
        """In words: “Try again in 12 minutes.”"""
        minutes = math.ceil(self.seconds / 60)
        if minutes > 90:
            hours = math.ceil(minutes / 60)
            return ngettext("Try again in %(n)d hour.", "Try again in %(n)d hours.", hours) % {"n": hours}
        return ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes) % {"n": minutes}

    def mark(self, answer: HttpResponse) -> HttpResponse:
        """Set status 429 and Retry-After on a response."""
        answer.status_code = 429
        answer["Retry-After"] = str(self.seconds)
        answer["Cache-Control"] = "private, no-store"
        return answer


def spend(*claims: Claim, now: float | None = None) -> LimitReached | None:
    """Count each claim once. The first claim over its limit is returned as a refusal; later claims are not counted.

    If the count cannot be stored, for example on a full disk, nothing is refused: the request itself will then report
    what is wrong.
    """
    at = int(time.time() if now is None else now)
    try:
        return _first_refusal(claims, at)
    except OperationalError:
        return None


def _first_refusal(claims: Iterable[Claim], at: int) -> LimitReached | None:
    for claim in claims:
        count, until = _count(claim, at)
        if count == 1:
            forget_old(at)
        if count > claim.limit.times:
            return LimitReached(claim.limit, max(until - at, 1))
    return None


def give_back(*claims: Claim) -> None:
    """Take back one count of each claim, because the attempt was right, such as a correct password."""
    for claim in claims:
        Tally.objects.filter(pk=claim.key, count__gt=0).update(count=F("count") - 1)


def forgive(*claims: Claim) -> None:
    """Reset these counts, for example those of a user name after its owner has set a new password."""
    Tally.objects.filter(pk__in=[claim.key for claim in claims]).delete()


def forget_old(at: int) -> int:
    """Remove rows whose time is over. Rows locked by another process are skipped, so there is no deadlock."""
    with transaction.atomic():
        old = Tally.objects.select_for_update(skip_locked=True).filter(until__lte=at)
        return Tally.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])).delete()[0]


def _count(claim: Claim, at: int) -> tuple[int, int]:
    until = at + int(claim.limit.within.total_seconds())
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [claim.key, until, at, at])
        count, until = cursor.fetchone()
    return count, until


# --- subjects -----------------------------------------------------------------------------------------------


def network_of(request: HttpRequest) -> str:
    """The IPv4 address, or the /64 of an IPv6 address: one household or hall has a whole /64."""
    text = address_of(request) or ""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


def name_as_counted(typed: str) -> str:
    """Normalise a user name or email address, so that all spellings of it share one count."""
    return unicodedata.normalize("NFKC", typed[:300]).casefold().strip()


def too_many(refusal: LimitReached) -> str:
    """The whole sentence, for forms that were filled in correctly."""
    return gettext("There were too many requests. %(wait)s") % {"wait": refusal.wait}
