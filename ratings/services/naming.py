"""Names on their way into the database: the same check for every service, whatever form or file they come from."""

from __future__ import annotations

from django.db.models import Model

from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Refused
from ratings.models.clubs import valid_name


def refuse_bad_names(row: Model) -> None:
    """Asks every column of a row that its model declares to hold a name; one that may be empty may be."""
    for field in row._meta.concrete_fields:
        if valid_name not in field.validators:
            continue
        name = getattr(row, field.attname)
        problem = objection_to_name(name) if name or not field.blank else None
        if problem:
            raise Refused(problem)
