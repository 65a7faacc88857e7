"""Countries to choose from: all of them, by their names in the reader's language."""

from __future__ import annotations

from django.utils import translation

from clubsite.countries import THREE_LETTERS
from clubsite.country_names import NAMES, country_choices, country_name


def test_every_code_has_a_name_of_its_own() -> None:
    assert set(NAMES) == set(THREE_LETTERS)
    with translation.override("en"):
        assert len({str(name) for name in NAMES.values()}) == len(NAMES)


def test_they_are_sorted_by_name_and_not_by_code() -> None:
    with translation.override("en"):
        names = [name for _code, name in country_choices()]

    assert names.index("Åland Islands") < names.index("Belarus") < names.index("Switzerland")


def test_a_code_without_a_name_stays_as_it_is() -> None:
    assert (country_name("XX"), country_name("")) == ("XX", "")
