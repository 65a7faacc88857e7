"""Two users who edit the same settings: the second is told what the first has stored."""

from __future__ import annotations

from typing import Any

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.queries.history import newest_change

_ = gettext_noop

CHANGED_MEANWHILE = "changed_meanwhile"


def refuse_if_changed(row: Any, seen: int | None) -> None:
    """Refuse to overwrite what another user stored after the form was opened. Call it once the row is locked.

    `seen` is `newest_change` of the row when the form was opened; None if nobody looked at a form.
    """
    if seen is None or seen == newest_change(row):
        return
    message = _("These settings were changed while you were editing. Compare the changes below, then save again.")
    raise Refused(Problem(message, code=CHANGED_MEANWHILE))
