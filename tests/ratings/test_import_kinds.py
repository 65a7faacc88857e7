"""What each registered kind of import declares is enough for its pages and documents."""

from __future__ import annotations

from itertools import chain

import pytest
from django.template.loader import get_template

from ratings.forms.imports import MappingForm
from ratings.imports import game_rows
from ratings.imports.columns import ImportColumn, Layout, by_heading, plain
from ratings.imports.kinds import Choices, kind_of
from ratings.imports.people import PeopleImport
from ratings.models import ImportBatch
from tests.ratings.imports_document import DOCUMENT, document

KINDS = ["games", "players", "entries"]


def test_the_kinds_are_those_that_the_apps_register() -> None:
    field = ImportBatch._meta.get_field("kind")

    assert [key for key, _label in field.flatchoices] == KINDS


@pytest.mark.parametrize("key", KINDS)
def test_the_page_of_columns_offers_every_declared_column(key: str) -> None:
    kind = kind_of(ImportBatch(kind=key))
    form = MappingForm(kind, Layout(kind.forms[0].key, {}, heads=("a heading",)), Choices())
    offered = dict(form.fields["column_0"].choices)  # type: ignore[attr-defined]

    assert offered.keys() - {""} == set(chain.from_iterable(each.labels for each in kind.forms))


@pytest.mark.parametrize("key", KINDS)
def test_every_page_of_a_kind_has_its_template(key: str) -> None:
    kind = kind_of(ImportBatch(kind=key))

    assert all(get_template(kind.templates[page]) for page in ("dry_run", "done", "refused"))
    assert not isinstance(kind, PeopleImport) or get_template(kind.rows_template)


@pytest.mark.parametrize("key", KINDS)
def test_every_declared_heading_is_recognised_as_its_column(key: str) -> None:
    kind = kind_of(ImportBatch(kind=key))
    people: tuple[ImportColumn, ...] = kind.people.columns if isinstance(kind, PeopleImport) else ()
    for form in kind.forms:
        columns = people or (*game_rows.GAME, *((*game_rows.SEAT, game_rows.WIND) if form.key == "long" else ()))
        for column in columns:
            for heading in filter(None, column.headings):
                assert form.key_of(plain(heading)) == column.key, heading


@pytest.mark.parametrize("key", ["players", "entries"])
def test_no_heading_of_a_list_means_two_columns(key: str) -> None:
    kind = kind_of(ImportBatch(kind=key))
    assert isinstance(kind, PeopleImport)

    assert len(by_heading(kind.people.columns)) == sum(len(set(each.headings)) for each in kind.people.columns)


def test_the_document_lists_the_headings_of_every_column() -> None:
    """If this fails: `python -m tests.ratings.imports_document` writes the tables."""
    assert DOCUMENT.read_text("utf-8") == document()
