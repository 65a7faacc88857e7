"""Check names before they are stored: the same check for every service, whatever form or file they come from."""

from __future__ import annotations

from django.db.models import Model

from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Refused
from ratings.models.clubs import valid_name


def refuse_bad_names(row: Model) -> None:
    """Check every column that the row's model declares as a name. A column that may be blank may be empty."""
    for field in row._meta.concrete_fields:
        if valid_name not in field.validators:
            continue
        name = getattr(row, field.attname)
        problem = objection_to_name(name) if name or not field.blank else None
        if problem:
            raise Refused(problem)
