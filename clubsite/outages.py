"""What a visitor is told when the machine fails us and not the code: a database that is away, a disk without room.

Everything else that breaks stays a plain 500. Nothing here asks the database: whatever broke may be that.
"""

from __future__ import annotations

import errno
import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
SECONDS_UNTIL_AGAIN = 10


def is_database_away(error: BaseException | None) -> bool:
    """It does not answer, hung up in the middle, or could not be written to; what was asked of it was right."""
    return isinstance(error, OperationalError | InterfaceError)


def has_no_room(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in NO_ROOM


def broken(request: HttpRequest) -> HttpResponse:
    """Django's handler500, called while the error is being handled."""
    error = sys.exc_info()[1]
    if is_database_away(error):
        headers = {"Retry-After": str(SECONDS_UNTIL_AGAIN)}
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    if has_no_room(error):
        return HttpResponse(render_to_string("507.html"), status=507)
    return server_error(request)
