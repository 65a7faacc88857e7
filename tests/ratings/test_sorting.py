"""Names in the order that readers of each language expect."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.sorting import sort_key

LANGUAGES = ["en", "ru", "uk", "pl"]


def in_order(language: str, *names: str) -> list[str]:
    return sorted(names, key=lambda name: sort_key(name, language))


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pl", ["Lucyna", "Lwów", "Łucja", "Łukasz", "Maria"]),
        ("pl", ["Adam", "Ącki", "Celina", "Ćwik", "Zofia", "Źrebak", "Żaneta"]),
        ("en", ["Łucja", "Lucyna", "Lukasz", "Łukasz", "Lwów", "Maria"]),
        ("uk", ["Ганна", "Ґалаґан", "Данило", "Євген", "Жанна", "Ігор", "Їжак", "Йосип"]),
        ("uk", ["Ирина", "Ірина", "Юлія"]),
        ("ru", ["Егор", "Ёлкин", "Емельян", "Женя", "Зоя", "Иван", "Йован"]),
        ("ru", ["Березкин", "Берёзкин", "Березов"]),
        ("en", ["Anna Zimmer", "Annabel", "Anna-Maria"]),
        ("en", ["Guest 2", "Guest 9", "Guesta"]),
        ("ja", ["あべ", "イトウ", "うえだ", "佐藤 健"]),
    ],
)
def test_letters_are_where_readers_look_for_them(language: str, names: list[str]) -> None:
    assert in_order(language, *reversed(names)) == names


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Thomas", "Дмитрий", "佐藤 健"]),
        ("pl", ["Thomas", "Дмитрий", "佐藤 健"]),
        ("uk", ["Дмитрий", "Thomas", "佐藤 健"]),
        ("ru", ["Дмитрий", "Thomas", "佐藤 健"]),
        ("ja", ["佐藤 健", "Thomas", "Дмитрий"]),
        ("en-gb", ["Thomas", "Дмитрий", "佐藤 健"]),
    ],
)
def test_the_script_of_the_reader_comes_first(language: str, expected: list[str]) -> None:
    assert in_order(language, "佐藤 健", "Дмитрий", "Thomas") == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_upper_and_lower_case_and_the_way_of_storing_a_letter_do_not_matter(language: str) -> None:
    apart = unicodedata.normalize("NFD", "Łukasz Ćwik Ёжик")
    assert sort_key(apart, language)[:3] == sort_key("łukasz ćwik ёжик", language)[:3]


@given(st.lists(st.text(max_size=12)), st.sampled_from(LANGUAGES))
def test_any_text_has_a_place_and_no_two_texts_share_it(names: list[str], language: str) -> None:
    keys = {sort_key(name, language) for name in names}

    assert len(sorted(keys)) == len(set(names))
