"""A club's rule sets: copied by value, frozen by the first game, exchanged as files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ratings.mahjong import rulesets
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, files
from ratings.models import RuleSet, Season
from ratings.services.hanchans import make_ready, record_hanchan, record_hanchans
from ratings.services.rulesets import add_rule_set, as_file, change_rule_set, copy_preset
from tests.cast import make_club, make_players, make_season, make_sheet


def with_rules(rule_set: RuleSet, **changed: Any) -> files.RuleFile:
    content = as_file(rule_set)
    return replace(content, rules=replace(content.rules, **changed))


@pytest.mark.django_db
class TestCopying:
    @pytest.mark.parametrize("key", PRESETS)
    def test_a_preset_is_copied_by_value_with_everything_it_has(self, key: str) -> None:
        copied = copy_preset(make_club(), key, "House rules")

        stored = RuleSet.objects.get(pk=copied.pk)
        assert (stored.name, stored.slug, stored.version, stored.preset) == ("House rules", "house-rules", 1, key)
        assert as_file(stored) == replace(files.of_preset(PRESETS[key]), name="House rules")

    def test_another_of_the_clubs_sets_is_copied_and_remembered(self) -> None:
        rated = copy_preset(make_club(), "furiten", "Rated")

        free = add_rule_set(rated.club, as_file(rated), "Free games", parent=rated)

        assert free.parent == rated
        assert (free.club, free.version, free.rules) == (rated.club, 1, rated.rules)

    def test_two_sets_of_one_name_have_two_addresses(self) -> None:
        club = make_club()

        slugs = [copy_preset(club, "wrc", "Правила").slug for _time in range(3)]

        assert slugs == ["rules", "rules-2", "rules-3"]

    def test_a_set_needs_a_name(self) -> None:
        content = replace(files.of_preset(PRESETS["wrc"]), name="")

        with pytest.raises(Refused, match="needs a name"):
            add_rule_set(make_club(), content)


@pytest.mark.django_db
class TestChanging:
    def test_a_set_no_game_uses_changes_in_place(self) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        changed = change_rule_set(rule_set, with_rules(rule_set, chombo_penalty=8_000))

        assert (changed.pk, changed.version) == (rule_set.pk, 1)
        assert RuleSet.objects.get().rules.chombo_penalty == 8_000

    def test_a_set_a_game_uses_is_frozen_and_a_change_makes_the_next_version(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        season = make_season(club, rule_set=rule_set)
        record_hanchan(season, make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))

        changed = change_rule_set(rule_set, with_rules(rule_set, chombo_penalty=8_000))

        assert (changed.slug, changed.version, changed.parent) == (rule_set.slug, 2, rule_set)
        assert changed.rules.chombo_penalty == 8_000
        assert RuleSet.objects.get(pk=rule_set.pk).rules.chombo_penalty == 20_000
        season.refresh_from_db()
        assert season.rule_set == rule_set, "a new version reaches a season only through what-if"

    def test_even_a_draft_freezes(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 1_000, 0, 0, 0), draft=True)

        assert change_rule_set(rule_set, with_rules(rule_set, chombo_penalty=0)).version == 2

    def test_games_scored_by_rules_that_were_changed_since_are_not_written(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        season = make_season(club, rule_set=rule_set)
        games = [make_ready(season, make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))]
        change_rule_set(rule_set, with_rules(rule_set, uma=(90_000, 30_000, -30_000, -90_000)))

        with pytest.raises(Refused, match="were changed meanwhile"):
            record_hanchans(season, games)

    def test_a_change_of_name_keeps_nobody_from_writing(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        season = make_season(club, rule_set=rule_set)
        games = [make_ready(season, make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))]
        change_rule_set(rule_set, replace(as_file(rule_set), name="Rated games"))

        assert len(record_hanchans(season, games)) == 1

    def test_a_change_outdates_the_pages_of_seasons_that_use_the_set(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        season = make_season(club, rule_set=rule_set)

        change_rule_set(rule_set, with_rules(rule_set, chombo_penalty=8_000))

        assert Season.objects.get().revision > season.revision

    def test_versions_go_on_from_the_newest_whichever_is_changed(self) -> None:
        club = make_club()
        first = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=first), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))
        change_rule_set(first, with_rules(first, chombo_penalty=1))

        again = change_rule_set(first, with_rules(first, chombo_penalty=2))

        assert (again.version, again.parent) == (3, first)

    def test_saving_without_a_change_makes_no_version(self) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))

        assert change_rule_set(rule_set, as_file(rule_set)) == rule_set
        assert RuleSet.objects.count() == 1

    def test_saving_an_older_version_without_a_change_makes_no_version_either(self) -> None:
        """Its JSON lacks the parameters that were declared since; not stated is no change."""
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))
        stored = {name: value for name, value in rule_set.parameters.items() if name != "penalty_applies"}
        RuleSet.objects.filter(pk=rule_set.pk).update(parameters=stored)
        older = RuleSet.objects.get()

        assert change_rule_set(older, as_file(older)) == older
        assert RuleSet.objects.get().parameters == stored

    def test_what_a_set_was_before_is_in_its_history(self) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        change_rule_set(rule_set, with_rules(rule_set, chombo_penalty=8_000))

        penalties = [row.parameters["chombo_penalty"] for row in rule_set.history.order_by("history_id")]
        assert penalties == [20_000, 8_000]


@pytest.mark.django_db
class TestFiles:
    @pytest.mark.parametrize("key", PRESETS)
    def test_a_set_survives_the_way_through_a_file(self, key: str) -> None:
        exported = json.loads(json.dumps(files.of_preset(PRESETS[key]).write()))

        imported = add_rule_set(make_club(), files.read_file(exported))

        assert imported.name == PRESETS[key].name
        assert imported.rules == PRESETS[key].rules
        assert imported.allowed_ranges == PRESETS[key].ranges
        assert imported.notes == dict(PRESETS[key].notes)


class TestReadingFiles:
    def test_everything_that_is_wrong_is_said_at_once(self) -> None:
        parameters = {**rulesets.write(PRESETS["wrc"].rules), "uma": [1, 2], "luck": 7}

        with pytest.raises(Refused) as refused:
            files.read_file({"parameters": parameters, "ranges": {"fate": {}}, "notes": {"uma": 5}, "colour": "red"})

        assert sorted(problem.code for problem in refused.value.problems) == [
            *("bad_note", "bad_parameter", "bad_range", "bad_rule_file", "unknown_parameter"),
        ]

    @pytest.mark.parametrize("data", [None, [], "text", 5, {}, {"parameters": []}, {"start_points": 30_000}])
    def test_what_is_no_rule_set_is_refused_as_such(self, data: object) -> None:
        with pytest.raises(Refused, match="must be a JSON object with “parameters”"):
            files.read_file(data)

    @pytest.mark.parametrize("part", ["notes", "paragraphs", "ranges"])
    def test_a_part_that_is_no_object_is_refused(self, part: str) -> None:
        with pytest.raises(Refused, match=f"“{part}” must be a JSON object"):
            files.read_file({"parameters": rulesets.write(PRESETS["wrc"].rules), part: [1]})

    def test_a_preset_of_another_site_is_only_forgotten(self) -> None:
        content = files.read_file(
            {"name": "X", "preset": "elsewhere", "parameters": rulesets.write(PRESETS["wrc"].rules)}
        )

        assert content.preset == ""
