"""The penalty ledger as a list: who, what, how much, why, by whom, when; and what was taken back, and why."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Table

from clubsite import components, export
from clubsite.numbers import MISSING, Writer, tone, writer
from ratings.models import Adjustment
from ratings.queries.ledger import LedgerEntry
from ratings.tables import drawing
from ratings.tables.names import Names


class LedgerTable(Table):
    player = drawing.Column(_("Player"), css="name-cell", orderable=False)
    points = drawing.Column(_("Points"), css="numeric total-cell", orderable=False)
    kind = drawing.Column(_("Kind"), css="kind-cell", orderable=False)
    reason = drawing.Column(_("Reason"), css="why", orderable=False)
    by = drawing.Column(_("By"), css="author-cell", orderable=False)
    given_on = drawing.Column(_("Date"), css="when", orderable=False)


def rows(entries: Iterable[LedgerEntry], names: Names, may_revoke: bool = False) -> SafeString:
    write = writer()
    return drawing.body(_row(entry, names, write, may_revoke) for entry in entries)


def _row(entry: LedgerEntry, names: Names, write: Writer, may_revoke: bool) -> str:
    kind = f" {tone(entry.points)}" if tone(entry.points) else ""
    points = write.result(entry.points)
    points = f"<s>{points}</s>" if entry.is_revoked else points
    return (
        f'<th role="rowheader" scope="row" class="name-cell">{names.cell(entry.player)}</th>'
        f'<td role="cell" class="numeric total-cell{kind}">{points}</td>'
        f'<td role="cell" class="kind-cell">{escape(kind_of(entry))}</td>'
        f'<td role="cell" class="why">{_reason(entry)}{_revoked(entry, may_revoke)}</td>'
        f'<td role="cell" class="author-cell{"" if entry.by else " off"}">{escape(person(entry.by)) or MISSING}</td>'
        f'<td role="cell" class="when">{date_format(entry.given_on, "j E Y")}</td>'
    )


def kind_of(entry: LedgerEntry) -> str:
    if entry.hanchan_id:
        return gettext("penalty in a game")
    return str(Adjustment.Kind(entry.kind).label)


def _reason(entry: LedgerEntry) -> str:
    if entry.hanchan_id:
        url = escape(reverse("ratings:hanchan", args=[entry.hanchan_id]))
        return f'<a href="{url}">{escape(game_of(entry))}</a>'
    return escape(entry.reason)


def game_of(entry: LedgerEntry) -> str:
    return gettext("hanchan of %(day)s") % {"day": date_format(entry.given_on, "j E Y")}


def _revoked(entry: LedgerEntry, may_revoke: bool) -> str:
    if not entry.is_revoked:
        if not may_revoke or entry.adjustment_id is None:
            return ""
        url = escape(reverse("admin:ratings_adjustment_revoke", args=[entry.adjustment_id]))
        revoke = escape(gettext("Revoke"))
        return f' <a href="{url}">{revoke}</a>'
    tag = components.tag(gettext("revoked"), "brass")
    return f'<br>{tag} <span class="soft">{escape(revocation(entry))}</span>'


def revocation(entry: LedgerEntry) -> str:
    """When and by whom it was taken back, and why."""
    if entry.revoked_on is None:
        return ""
    said = {"day": date_format(entry.revoked_on, "j E Y"), "by": person(entry.revoked_by)}
    when = gettext("on %(day)s by %(by)s") % said if said["by"] else gettext("on %(day)s") % said
    return f"{when}: {entry.revoked_reason}" if entry.revoked_reason else when


def person(user: User | None) -> str:
    return (user.get_full_name() or user.get_username()) if user else ""


# --- files ------------------------------------------------------------------------------------------------


def export_columns() -> list[export.Column]:
    return [
        export.Column(gettext("Player"), width=30),
        export.Column(gettext("Points"), export.Kind.RESULT),
        export.Column(gettext("Kind"), width=18),
        export.Column(gettext("Reason"), width=40),
        export.Column(gettext("By")),
        export.Column(gettext("Date"), export.Kind.DATE),
        export.Column(gettext("Revoked"), export.Kind.DATE),
        export.Column(gettext("Revoked by")),
        export.Column(gettext("Why revoked"), width=40),
    ]


def export_rows(entries: Iterable[LedgerEntry], names: Names) -> Iterable[list[export.Cell]]:
    for entry in entries:
        yield [
            names.text(entry.player),
            entry.points,
            kind_of(entry),
            game_of(entry) if entry.hanchan_id else entry.reason,
            person(entry.by),
            entry.given_on,
            entry.revoked_on,
            person(entry.revoked_by),
            entry.revoked_reason,
        ]
