"""What is wrong with the database, said in a sentence to whoever ran a command."""

from __future__ import annotations

from django.db import Error, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor


def sentence_for(error: Error) -> str | None:
    """None: the error is a fault of the program, and its trace is wanted."""
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
