"""The penalty ledger as a list: player, kind, points, reason, who gave it and when, and why it was revoked."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import components, days
from clubsite.export import Kind
from clubsite.numbers import MISSING, tone
from clubsite.tables import Cell, Column, ListTable
from ratings.models import Adjustment, Player
from ratings.queries.ledger import LedgerEntry
from ratings.tables.names import NameColumn, NamesOnPage


@dataclass(frozen=True)
class LedgerPage(NamesOnPage):
    may_revoke: bool = False


def _player(_page: LedgerPage, entry: LedgerEntry) -> Player:
    return entry.player


def _points(page: LedgerPage, entry: LedgerEntry) -> Cell:
    points = page.write.result(entry.points)
    return Cell(format_html("<s>{}</s>", points) if entry.is_revoked else points, tone(entry.points))


def _kind(_page: LedgerPage, entry: LedgerEntry) -> str:
    return gettext("penalty in a game") if entry.hanchan_id else str(Adjustment.Kind(entry.kind).label)


def _reason(_page: LedgerPage, entry: LedgerEntry) -> str:
    if entry.hanchan_id:
        return gettext("hanchan of %(day)s") % {"day": days.day(entry.given_on)}
    return entry.reason


def _reason_and_state(page: LedgerPage, entry: LedgerEntry) -> SafeString:
    reason = _reason(page, entry)
    if entry.hanchan_id:
        reason = format_html('<a href="{}">{}</a>', reverse("ratings:hanchan", args=[entry.hanchan_id]), reason)
    if entry.is_revoked:
        tag = components.tag(gettext("revoked"), "brass")
        return format_html('{}<br>{} <span class="soft">{}</span>', reason, tag, _revocation(entry))
    if page.may_revoke and entry.adjustment_id is not None:
        url = reverse("desk:penalty_revoke", args=[entry.adjustment_id])
        return format_html('{} <a href="{}">{}</a>', reason, url, gettext("Revoke"))
    return format_html("{}", reason)


def _revocation(entry: LedgerEntry) -> str:
    """When and by whom a penalty was revoked, and why."""
    if entry.revoked_on is None:
        return ""
    said = {"day": days.day(entry.revoked_on), "by": _person(entry.revoked_by)}
    when = gettext("on %(day)s by %(by)s") % said if said["by"] else gettext("on %(day)s") % said
    return f"{when}: {entry.revoked_reason}" if entry.revoked_reason else when


def _by(_page: LedgerPage, entry: LedgerEntry) -> str | Cell:
    return _person(entry.by) or Cell(MISSING, "" if entry.by else "off")


def _person(user: User | None) -> str:
    return (user.get_full_name() or user.get_username()) if user else ""


class LedgerTable(ListTable):
    player = NameColumn(_player, width=30)
    points = Column(
        _("Points"),
        css="numeric total-cell",
        cell=_points,
        value=lambda _page, entry: entry.points,
        kind=Kind.RESULT,
    )
    kind = Column(_("Kind"), css="kind-cell", cell=_kind, value=_kind, width=18)
    reason = Column(_("Reason"), css="why", cell=_reason_and_state, value=_reason, width=40)
    by = Column(_("By"), css="author-cell", cell=_by, value=lambda _page, entry: _person(entry.by))
    given_on = Column(
        _("Date"),
        css="when",
        cell=lambda _page, entry: days.day(entry.given_on),
        value=lambda _page, entry: entry.given_on,
        kind=Kind.DATE,
    )
    revoked_on = Column(_("Revoked"), value=lambda _page, entry: entry.revoked_on, kind=Kind.DATE)
    revoked_by = Column(_("Revoked by"), value=lambda _page, entry: _person(entry.revoked_by))
    revoked_reason = Column(_("Why revoked"), value=lambda _page, entry: entry.revoked_reason, width=40)
