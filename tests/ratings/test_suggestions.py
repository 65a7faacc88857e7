"""Players offered while a name is typed: in which order, in which spelling, and which of them Enter may take."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ratings.models import Affiliation, Club, Player, Season
from ratings.queries.people import same_names, suggest
from ratings.queries.players import search_players
from ratings.services.anonymising import anonymise, texts_naming
from ratings.services.hanchans import record_hanchan
from ratings.services.merging import merge_players, undo_merge
from ratings.services.players import refresh_search_text, save_player
from tests.cast import THURSDAY, make_club, make_season, make_sheet, make_user

pytestmark = pytest.mark.django_db


def player(name: str, *clubs: Club, **facts: str) -> Player:
    made = Player.objects.create(native_name=name, **facts)
    for club in clubs:
        Affiliation.objects.create(player=made, club=club, kind="regular")
    refresh_search_text(made)
    return made


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def other() -> Club:
    return make_club("Phoenix")


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("scorer", club)


def names(club: Club, typed: str, user: User) -> list[str]:
    return [each.native_name for each in suggest(club, typed, user)]


def sure(club: Club, typed: str, user: User) -> list[str]:
    return [each.native_name for each in suggest(club, typed, user) if each.is_sure]  # type: ignore[attr-defined]


@pytest.mark.parametrize("typed", ["shev", "szewczuk", "schewtschuk", "Шевчук", "ШЕВ", "олег шев", "oleg shevchuk"])
def test_one_player_is_found_in_every_spelling_by_staff_and_by_visitors(club: Club, scorer: User, typed: str) -> None:
    player("Олег Шевчук", club)
    player("Олег Кравець", club)

    assert names(club, typed, scorer) == ["Олег Шевчук"]
    assert [each.native_name for each in search_players(typed, AnonymousUser())] == ["Олег Шевчук"]


def test_players_of_the_club_come_first_and_beginnings_before_parts_of_words(
    club: Club, other: Club, scorer: User
) -> None:
    player("Евгений Щукин", other)
    player("Кирилл Белов", other)
    player("Иван Букин", club)
    player("Ян Киселёв", club)

    assert names(club, "ки", scorer) == ["Ян Киселёв", "Иван Букин", "Кирилл Белов", "Евгений Щукин"]


def test_a_whole_name_comes_before_longer_ones_and_letters_before_sounds(club: Club, scorer: User) -> None:
    player("Anna Nowakowska", club)
    player("Анна Новак", club)
    player("Anna Nowak", club)

    assert names(club, "Anna Nowak", scorer) == ["Anna Nowak", "Anna Nowakowska", "Анна Новак"]


def test_those_who_played_lately_come_first_among_equals(club: Club, scorer: User) -> None:
    people = [player(f"Anna {last}", club) for last in ("Abel", "Berg", "Cohn", "Dahl", "Eich")]
    season: Season = make_season(club)
    record_hanchan(season, make_sheet(people[1:], 45_200, 31_100, 25_700, 18_000))
    week = datetime.timedelta(days=7)
    record_hanchan(season, make_sheet([people[4], *people[1:4]], 45_200, 31_100, 25_700, 18_000, at=THURSDAY + week))

    assert names(club, "anna", scorer)[-1] == "Anna Abel"


def test_a_part_of_a_word_is_sure_in_the_own_club_only(club: Club, other: Club, scorer: User) -> None:
    player("Иван Букин", club)
    player("Евгений Щукин", other)
    player("Кирилл Белов", other)

    assert sure(club, "ки", scorer) == ["Иван Букин", "Кирилл Белов"]


def test_a_sound_is_sure_from_script_to_script_only(club: Club, scorer: User) -> None:
    player("Олег Шевчук", club)
    player("Oleg Szewczyk", club)
    player("Иван Кошак", club)

    assert sure(club, "shevc", scorer) == ["Олег Шевчук"]
    assert names(club, "Косак", scorer) == ["Иван Кошак"]
    assert sure(club, "Косак", scorer) == []


def test_a_nickname_decides_the_place_of_a_stranger_who_shows_nothing_else(
    club: Club, other: Club, scorer: User
) -> None:
    player("Aaron Beck", other, nickname="Unakuma", visibility="nickname")
    player("Ann Unak", other)

    assert names(club, "una", scorer) == ["Ann Unak", "Unakuma"]
    assert names(club, "a", scorer) == ["Ann Unak", "Unakuma"], "by the hidden name it would be the first"


def test_people_already_seated_are_left_out(club: Club, scorer: User) -> None:
    first, second = player("Anna Abel", club), player("Anna Berg", club)

    assert [each.pk for each in suggest(club, "anna", scorer, without=[first.pk])] == [second.pk]


def test_a_remark_is_seen_by_staff_of_the_players_clubs(club: Club, other: Club, scorer: User) -> None:
    player("Anna Abel", club, remark="the elder")
    player("Anna Abel", other, remark="from Gdynia")

    assert [each.remark for each in suggest(club, "anna", scorer)] == ["the elder", ""]


def test_anonymising_forgets_the_remark_and_every_spelling(club: Club, scorer: User) -> None:
    oleg = player("Олег Шевчук", club, remark="from Lviv")
    player("Марта Іванчук", club, remark="married to Олег Шевчук")
    oleg.remark = "from Odesa"
    save_player(oleg)
    texts = texts_naming(oleg)
    anonymise(oleg, replace_in=[text.key for text in texts])
    oleg.refresh_from_db()

    assert {text.text for text in texts} == {"married to Олег Шевчук"}
    assert (oleg.remark, set(oleg.history.values_list("remark", flat=True))) == ("", {""})
    assert "sevcuk" not in oleg.search_words
    assert names(club, "shev", scorer) == []


def test_merging_keeps_the_remark_of_the_player_who_stays_and_undoing_brings_back_the_other(club: Club) -> None:
    one, two = player("Марта Іванчук", club, remark="one"), player("Marta Ivanchuk", club, remark="two")
    merge = merge_players(two, one)
    one.refresh_from_db()
    assert (one.remark, "~ivancuk" in one.search_words) == ("one", True)

    undo_merge(merge)
    two.refresh_from_db()
    assert two.remark == "two"


def test_people_of_one_name_are_those_of_the_club(club: Club, other: Club) -> None:
    mine = player("Марта Іванчук", club)
    player("Марта Іванчук", other)
    merged = player("Марта Іванчук", club)
    Player.objects.filter(pk=merged.pk).update(merged_into=mine)

    assert same_names(club, "марта  іванчук".replace("  ", " ")) == [mine]
    assert same_names(club, "Марта") == []


def test_a_new_name_is_found_at_once_and_the_old_one_no_longer(club: Club, scorer: User) -> None:
    oleg = player("Олег Шевчук", club)
    oleg.native_name = "Олег Бойко"
    save_player(oleg)

    assert names(club, "boyko", scorer) == ["Олег Бойко"]
    assert names(club, "shev", scorer) == []
