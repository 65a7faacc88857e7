"""Add counters of limits. Store recovery codes as digests, and remove earlier deleted data from SQLite's file."""

from __future__ import annotations

import contextlib
from typing import Any

from django.db import OperationalError, migrations, models

from clubsite.passwords import digest_of_code

PLAIN = 8  # letters of a code; a digest has 16


def digest_codes(apps: Any, schema_editor: Any) -> None:
    tokens = apps.get_model("otp_static", "StaticToken").objects.using(schema_editor.connection.alias)
    for token in tokens.all():
        if len(token.token) == PLAIN:
            token.token = digest_of_code(token.token, token.device_id)
            token.save(update_fields=["token"])


def write_file_anew(apps: Any, schema_editor: Any) -> None:
    """Write the SQLite file again. This needs as much free space as the file; without it the upgrade goes on."""
    if schema_editor.connection.vendor == "sqlite":
        with contextlib.suppress(OperationalError):
            schema_editor.execute("VACUUM")
            schema_editor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class Migration(migrations.Migration):
    # VACUUM cannot run in a transaction. Steps that can be repeated come first, so that an interrupted migration can
    # start again.
    atomic = False

    dependencies = [
        ("clubsite", "0001_initial"),
        ("otp_static", "0003_add_timestamps"),
    ]

    operations = [
        migrations.RunPython(digest_codes, migrations.RunPython.noop),
        migrations.RunPython(write_file_anew, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("count", models.PositiveIntegerField()),
                ("until", models.BigIntegerField(db_index=True)),
            ],
        ),
    ]
