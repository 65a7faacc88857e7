"""Messages for failures of the machine, not of the code: an unreachable database or a full disk.

Visitors get a page that does not use the database. Commands print a sentence. Everything else stays an error.
"""

from __future__ import annotations

import errno
import sys

from django.db import Error, InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
SECONDS_UNTIL_AGAIN = 10


def is_database_away(error: BaseException | None) -> bool:
    """Whether the database did not answer, closed the connection or could not be written to. The query was right."""
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


def sentence_for(error: Error) -> str | None:
    """The sentence for a database error. None means a fault of the program, whose traceback is wanted."""
    try:
        connection.ensure_connection()
    except OperationalError as away:
        reason = " ".join(str(away).split())
        return f"The database cannot be reached: {reason[:300]}. Is DATABASE_URL right, and does the server run?"
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return None
    if waiting:
        return "The database is not set up for this version yet. Run `manage.py migrate`, then this again."
    return None
