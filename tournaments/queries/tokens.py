"""The signed token in a table's QR code. It lets a phone hand in a draft for this one table and nothing else."""

from __future__ import annotations

import datetime

from django.core import signing

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from tournaments.models import Round, Table

_ = gettext_noop

SALT = "tournaments.table"
VALID_FOR = datetime.timedelta(days=14)  # printed the week before; expired before the next event begins


def token_of(table: Table) -> str:
    return signing.dumps(table.pk, salt=SALT)


def table_of(token: str, event: int) -> Table:
    """The table of a token at an event. A forged, expired or outdated token is refused with a sentence."""
    try:
        pk = signing.loads(token, salt=SALT, max_age=VALID_FOR)
    except signing.SignatureExpired as late:
        message = _("This code is too old. Ask the organiser for a new score sheet.")
        raise Refused(Problem(message, code="old_token")) from late
    except signing.BadSignature as forged:
        message = _("This code is not one of ours. Scan the one on the score sheet again.")
        raise Refused(Problem(message, code="bad_token")) from forged
    tables = Table.objects.filter(pk=pk, round__stage__tournament=event).exclude(round__state=Round.State.PLANNED)
    related = ("round__stage__season__rule_set", "round__stage__tournament__club", "hanchan")
    table = tables.select_related(*related).first()
    if table is None:
        message = _(
            "The seats of this table changed after the code was printed. Ask the organiser for a new score sheet."
        )
        raise Refused(Problem(message, code="gone_token"))
    return table
