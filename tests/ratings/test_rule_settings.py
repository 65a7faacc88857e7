"""The forms of rule sets: made from the declarations, with versions instead of changes to what games use."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ratings.forms.rule_sections import section_fields
from ratings.forms.rules import RuleSetForm
from ratings.mahjong import rulesets
from ratings.mahjong.rulesets import PARAMETERS, PRESETS, files
from ratings.models import RuleSet
from ratings.services.hanchans import record_hanchan
from ratings.services.rulesets import as_file, copy_preset
from tests.cast import make_club, make_players, make_season, make_sheet
from tests.forms import forms
from tests.pages import tight
from tests.world import World

ADD = "/admin/ratings/ruleset/add/"


@pytest.fixture
def owner(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("owner", password="tile-for-tile"))
    return client


def change_address(rule_set: RuleSet) -> str:
    return f"/admin/ratings/ruleset/{rule_set.pk}/change/"


def as_typed(rule_set: RuleSet) -> dict[str, Any]:
    """What the browser sends back when the change form is saved untouched."""
    form = RuleSetForm(instance=rule_set)
    sent: dict[str, Any] = {}
    for bound in form:
        value = bound.value()
        if bound.name == "uma":
            sent |= {f"uma_{place}": number for place, number in enumerate(value)}
        elif value is not None:
            sent[bound.name] = value
    return sent


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


class TestFormFromDeclarations:
    def test_every_parameter_has_a_field_in_the_section_of_its_group(self) -> None:
        shown = section_fields()

        assert set(PARAMETERS) <= set(shown)
        assert len(shown) == len(set(shown))

    @pytest.mark.parametrize("key", PRESETS)
    def test_a_set_saved_untouched_is_the_same_set(self, key: str) -> None:
        content = files.of_preset(PRESETS[key])
        rule_set = RuleSet(pk=1, **content.write())

        form = RuleSetForm(as_typed(rule_set), instance=rule_set)

        assert form.is_valid(), form.errors
        assert form.content == content
        assert form.changed_data == []

    @pytest.mark.parametrize(
        ("name", "typed", "sentence"),
        [
            ("start_points", "30050", "is read as 30050 points. Enter whole hundreds"),
            ("start_points", "", "required"),
            ("late_max_minutes", "-1", "it must be a whole number from 0 to 10\N{NO-BREAK SPACE}000"),
            ("ties", "coin", "not one of the available choices"),
            ("uma_2", "", "Enter four amounts, for first to fourth place."),
            ("floating_uma", "1: 12000 -1000", "is not a number of seats and four amounts"),
            ("floating_uma", "1: 1 2 3 4\n1: 4 3 2 1", "the same number of seats"),
            ("floating_uma", "7: 1 2 3 4", "an object from a count of seats (0 to 4)"),
            ("printed_values", "one 20 800 1200", "is not 4 whole numbers"),
            ("printed_values", f"1 20 800 {'9' * 5_000}", "is not 4 whole numbers"),
            ("printed_values", "1 20 850 1200", "a list of [han, fu, ron, dealer's ron]"),
            ("pao", ["-", "daisangen"], "not both"),
            ("ranges", '{"uma": {"low": 3}}', "“uma” is not a range"),
            ("ranges", "[1]", "“ranges” must be a JSON object"),
            ("ranges", "{", "Enter a valid JSON"),
            ("notes", r'{"uma": "\u0000"}', "“uma” has no note"),
            ("notes", '{"luck": "x"}', "“luck” has no note"),
        ],
    )
    def test_what_is_wrong_is_said(self, name: str, typed: Any, sentence: str) -> None:
        rule_set = RuleSet(pk=1, **files.of_preset(PRESETS["furiten"]).write())

        form = RuleSetForm({**as_typed(rule_set), name: typed}, instance=rule_set)

        assert not form.is_valid()
        assert sentence in html.unescape(str(form.errors))

    def test_nothing_ticked_means_none_and_not_unstated(self) -> None:
        rule_set = RuleSet(pk=1, **files.of_preset(PRESETS["furiten"]).write())
        sent = as_typed(rule_set)
        del sent["pao"]

        form = RuleSetForm(sent, instance=rule_set)

        assert form.is_valid()
        assert form.content.rules.pao == ()

    def test_a_floating_uma_can_be_typed_as_people_write_it(self) -> None:
        rule_set = RuleSet(pk=1, **files.of_preset(PRESETS["wrc"]).write())

        form = RuleSetForm(
            {**as_typed(rule_set), "floating_uma": "3: 8000/3000/1000/−12000\n\n1: 12000, -1000, -3000, -8000"},
            instance=rule_set,
        )

        assert form.is_valid(), form.errors
        assert form.content.rules.floating_uma == PRESETS["jpml-a"].rules.floating_uma


class TestAmounts:
    """A club says: uma 20/10, oka 20, chombo 20."""

    HOUSE = {
        "start_points": "25",
        "oka": "20",
        "uma_0": "20",
        "uma_1": "10",
        "uma_2": "−10",
        "uma_3": "-20",
        "chombo_penalty": "20",
    }

    def form(self, **typed: str) -> Any:
        rule_set = RuleSet(pk=1, **files.of_preset(PRESETS["wrc"]).write())
        return RuleSetForm({**as_typed(rule_set), **typed}, instance=rule_set)

    def test_amounts_are_read_as_a_club_says_them(self) -> None:
        form = self.form(**self.HOUSE)

        assert form.is_valid(), form.errors
        rules = form.content.rules
        assert (rules.start_points, rules.target_points, rules.oka) == (25_000, 30_000, 20_000)
        assert (rules.uma, rules.chombo_penalty) == ((20_000, 10_000, -10_000, -20_000), 20_000)

    def test_amounts_that_are_stored_already_stay(self) -> None:
        parameters = {"uma": [500, 100, -100, -500], "late_per_minute": 500, "substitute_uma": -900}
        content = files.of_preset(PRESETS["wrc"]).write()
        rule_set = RuleSet(pk=1, **{**content, "parameters": {**content["parameters"], **parameters}})

        form = RuleSetForm(as_typed(rule_set), instance=rule_set)

        assert form.is_valid(), form.errors
        assert form.changed_data == []
        assert form.content.rules == rule_set.rules

    @pytest.mark.parametrize(
        ("typed", "field", "sentence"),
        [
            ({"oka": "20", "target_points": "31"}, "oka", "These target points make an oka of 4000 points."),
            ({"oka": "0.5"}, "oka", "cannot be shared by four"),
            ({"target_points": ""}, "target_points", "Enter the target points or the oka."),
            ({"oka": "much"}, "oka", "“much” is not an amount."),
            ({"uma_1": "5"}, "uma", "“5” is read as 5 points."),  # beside 15000
        ],
    )
    def test_what_contradicts_itself_is_refused(self, typed: dict[str, str], field: str, sentence: str) -> None:
        form = self.form(**typed)

        assert not form.is_valid()
        assert sentence in str(form.errors[field])

    def test_a_target_left_blank_follows_from_the_oka(self) -> None:
        form = self.form(oka="8", target_points="")

        assert form.is_valid(), form.errors
        assert form.content.rules.target_points == 32_000

    def test_unlikely_amounts_are_asked_about_once_and_then_saved(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")
        sent = {**as_typed(rule_set), "chombo_penalty": "0.5"}

        asked = owner.post(change_address(rule_set), sent)
        assert "Is this right?" in page_of(asked)
        assert "Chombo: 500 points." in page_of(asked)
        assert RuleSet.objects.get().rules.chombo_penalty == 20_000

        (form,) = [form for form in forms(asked.content.decode()) if "sure" in form.names()]
        (sure,) = [field for field in form.fields if field.name == "sure"]
        assert (sure.kind, sure.values) == ("checkbox", [])
        again = owner.post(change_address(rule_set), {**sent, "chombo_penalty": "0.6", "sure": sure.options[0]})
        assert "Chombo: 600 points." in page_of(again), "the tick answers only what was asked"

        owner.post(change_address(rule_set), {**sent, "sure": sure.options[0]})
        assert RuleSet.objects.get().rules.chombo_penalty == 500

    def test_the_example_follows_what_is_typed_and_stores_nothing(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "wrc", "House")
        address = f"/admin/ratings/ruleset/{rule_set.pk}/example/"

        page = page_of(owner.post(address, {**as_typed(rule_set), **self.HOUSE})).replace("\N{NO-BREAK SPACE}", " ")
        for reading in ("25 000 points", "30 000 points", "20 000 / 10 000 / −10 000 / −20 000 points"):
            assert reading in page
        assert "+49.3" in page, "first place is 14.3 above the start, so 9.3 above the target, and gets 20 and 20"
        assert "as soon as every field can be read" in page_of(owner.post(address, {**as_typed(rule_set), "oka": "x"}))
        assert RuleSet.objects.get().rules == rule_set.rules

    def test_readings_stand_beside_the_fields_without_javascript(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "wrc", "House")

        page = page_of(owner.get(change_address(rule_set))).replace("\N{NO-BREAK SPACE}", " ")

        assert "→ 15 000 / 5000 / −5000 / −15 000 points</output>" in page
        assert "→ 30 000 points</output>" in page

    @pytest.mark.parametrize(
        ("sent", "answer"),
        [
            ({"of": "points", "as": "one", "points": "20"}, "→ 20 000 points"),
            ({"of": "points", "as": "one", "points": "x<"}, '<span class="error">“x<” is not an amount.'),
            ({"of": "points", "as": "one", "points": " "}, ""),
            ({"of": "v-uma", "as": "four", "v-uma_0": "9", "v-uma_1": "3", "v-uma_2": "-3"}, ""),
            (
                {"of": "uma", "as": "four", "uma_0": "9", "uma_1": "3", "uma_2": "-3", "uma_3": "-9"},
                "→ 9000 / 3000 / −3000 / −9000 points",
            ),
            (
                {"of": "f", "as": "rows", "f": "1: 12 -1 -3 -8\n\n3: 8 3 1 -12"},
                "<br>→ 3: 8000 / 3000 / 1000 / −12 000 points",
            ),
            ({"of": "points", "as": "one"}, ""),
            ({"as": "one", "": "9" * 5_000}, ""),
        ],
    )
    def test_the_reading_of_a_field_is_told_while_it_is_typed(
        self, client: Client, sent: dict[str, str], answer: str
    ) -> None:
        page = page_of(client.get("/amounts/", sent)).replace("\N{NO-BREAK SPACE}", " ")

        assert answer in page
        assert bool(answer) == bool(page)


class TestAdding:
    def test_a_preset_is_copied_and_opened_to_be_changed(self, owner: Client) -> None:
        club = make_club()

        answer = owner.post(ADD, {"name": "House rules", "preset": "phoenix"})

        rule_set = RuleSet.objects.get()
        assert answer.headers["Location"] == change_address(rule_set)
        assert (rule_set.club, rule_set.name, rule_set.rules) == (club, "House rules", PRESETS["phoenix"].rules)

    def test_another_of_the_clubs_sets_is_copied(self, owner: Client) -> None:
        source = copy_preset(make_club(), "furiten", "Rated")

        owner.post(ADD, {"name": "Free", "own": source.pk})

        assert RuleSet.objects.get(name="Free").parent == source

    def test_a_set_of_another_club_is_refused(self, owner: Client) -> None:
        source = copy_preset(make_club(), "furiten", "Rated")
        other = make_club("Phoenix")

        answer = owner.post(f"{ADD}?club={other.slug}", {"name": "Theirs", "own": source.pk})

        assert "Select a valid choice." in page_of(answer)
        assert RuleSet.objects.count() == 1

    def test_only_sets_of_the_club_are_offered(self, world: World) -> None:
        form = world.client("admin").get(ADD).context["form"]

        assert list(form.fields["own"].queryset) == [world.furiten.rule_set]
        assert RuleSet.objects.count() > 1

    @pytest.mark.parametrize("way", ["upload", "pasted"])
    def test_a_file_is_imported(self, owner: Client, way: str) -> None:
        make_club()
        text = json.dumps(files.of_preset(PRESETS["jpml-a"]).write())
        given: Any = SimpleUploadedFile("rules.json", text.encode()) if way == "upload" else text

        owner.post(ADD, {"name": "", way: given})

        assert as_file(RuleSet.objects.get()) == files.of_preset(PRESETS["jpml-a"])

    @pytest.mark.parametrize(
        ("pasted", "sentence"),
        [
            ("{", "This is not JSON"),
            ("[" * 100_000, "This is not JSON"),
            ('{"parameters": ' + "9" * 5_000 + "}", "This is not JSON"),
            ("[]", "The file is not a rule set"),
            (json.dumps({"parameters": {"uma": [1]}}), "The rule set has no start_points."),
            (
                json.dumps({"parameters": rulesets.write(PRESETS["wrc"].rules)}),
                "Enter a name for the rule set; the file has none.",
            ),
        ],
    )
    def test_a_bad_file_is_refused_with_a_sentence(self, owner: Client, pasted: str, sentence: str) -> None:
        answer = owner.post(f"{ADD}?club={make_club().slug}", {"name": "", "pasted": pasted})

        assert answer.status_code == 422
        assert sentence in page_of(answer)
        assert not RuleSet.objects.exists()

    def test_a_picture_is_no_rule_set(self, owner: Client) -> None:
        picture = SimpleUploadedFile("rules.json", b"\x89PNG\xff\xfe")

        answer = owner.post(f"{ADD}?club={make_club().slug}", {"name": "X", "upload": picture})

        assert "The file is not a text file" in page_of(answer)

    @pytest.mark.parametrize("given", [{}, {"preset": "wrc", "pasted": "{}"}])
    def test_there_is_one_thing_to_start_from(self, owner: Client, given: dict[str, str]) -> None:
        answer = owner.post(f"{ADD}?club={make_club().slug}", {"name": "X", **given})

        assert "Choose one thing to start from" in page_of(answer)


class TestChanging:
    def test_a_set_no_game_uses_changes_in_place(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        answer = owner.post(change_address(rule_set), {**as_typed(rule_set), "chombo_penalty": 8_000}, follow=True)

        assert answer.redirect_chain[-1][0] == rule_set.get_absolute_url()
        assert RuleSet.objects.get().rules.chombo_penalty == 8_000

    def test_the_form_says_what_is_taken_where_a_rule_is_not_stated(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "basic", "Rated")

        page = page_of(owner.get(change_address(rule_set)))

        assert "If not stated: every winner." in page
        assert "Besides three rons, which are a rule of their own. If not stated: nine terminals" in page
        assert "How the game goes on and ends" in page

    def test_a_change_of_a_frozen_set_makes_the_next_version_and_says_so(self, owner: Client) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))

        assert "saving creates the next version" in page_of(owner.get(change_address(rule_set)))
        answer = owner.post(change_address(rule_set), {**as_typed(rule_set), "chombo_penalty": 8_000}, follow=True)

        assert "Games use version 1, so it stays as it is, and your changes became version 2." in page_of(answer)
        first, second = RuleSet.objects.order_by("version")
        assert (first.rules.chombo_penalty, second.rules.chombo_penalty) == (20_000, 8_000)

    def test_an_odd_uma_is_pointed_out_and_not_refused(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        answer = owner.post(change_address(rule_set), {**as_typed(rule_set), "uma_3": -8_000}, follow=True)

        assert "The uma does not sum to zero." in page_of(answer)
        assert RuleSet.objects.get().rules.uma == (9_000, 3_000, -3_000, -8_000)

    def test_who_changed_it_is_kept(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        owner.post(change_address(rule_set), {**as_typed(rule_set), "chombo_penalty": 8_000})

        newest = rule_set.history.order_by("-history_id").first()
        assert newest is not None
        assert newest.history_user.username == "owner"

    def test_what_games_use_cannot_be_deleted(self, owner: Client) -> None:
        club = make_club()
        rule_set = copy_preset(club, "furiten", "Rated")
        record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))

        assert owner.post(f"/admin/data/ratings/ruleset/{rule_set.pk}/delete/", {"post": "yes"}).status_code == 403
        assert RuleSet.objects.filter(pk=rule_set.pk).exists()

    def test_the_forms_open(self, owner: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")

        for address in (f"{ADD}?club={rule_set.club.slug}", change_address(rule_set), "/admin/ratings/club/add/"):
            assert owner.get(address).status_code == 200


class TestSource:
    """What differs from the rules that a set was copied from, and the way back."""

    HOUSE = {"chombo_penalty": "8", "uma_0": "20", "uma_1": "10", "uma_2": "-10", "uma_3": "-20"}

    @pytest.fixture
    def rules(self) -> RuleSet:
        return copy_preset(make_club(), "ema-2025", "House")

    def example(self, owner: Client, rules: RuleSet, **typed: str) -> str:
        address = f"/admin/ratings/ruleset/{rules.pk}/example/"
        page = tight(page_of(owner.post(address, {**as_typed(rules), **typed})))
        return page.replace("\N{NO-BREAK SPACE}", " ")

    def test_each_change_is_marked_with_the_value_of_the_source(self, owner: Client, rules: RuleSet) -> None:
        page = self.example(owner, rules, **self.HOUSE)

        assert "EMA 2025: 15 / 5 / −5 / −15" in page
        assert "EMA 2025: 20 000" in page
        assert "2 changes from EMA 2025" in page
        assert "2 changed" in page

    def test_the_example_shows_the_results_of_the_source_too(self, owner: Client, rules: RuleSet) -> None:
        page = self.example(owner, rules, **self.HOUSE)

        assert "+30.3" in page, "14.3 above the target, 1.0 of the stick, 15.0 of the uma"
        assert "+35.3" in page

    def test_a_rule_is_restored_and_nothing_is_stored(self, owner: Client, rules: RuleSet) -> None:
        answer = owner.post(change_address(rules), {**as_typed(rules), **self.HOUSE, "restore": "uma"})

        form = answer.context["form"]
        assert answer.status_code == 200
        assert form["uma"].value() == ["15000", "5000", "-5000", "-15000"]
        assert form["chombo_penalty"].value() == "8", "the other change stays"
        assert RuleSet.objects.get().rules == rules.rules

    def test_rules_that_cannot_be_read_are_no_change(self, owner: Client, rules: RuleSet) -> None:
        page = self.example(owner, rules, chombo_penalty="much")

        assert "0 changes from EMA 2025" in page

    def test_a_set_without_a_source_has_no_marks(self, owner: Client) -> None:
        rules = copy_preset(make_club(), "ema-2025", "House")
        RuleSet.objects.update(preset="")

        page = page_of(owner.post(change_address(rules), {**as_typed(rules), "restore": "uma"}))
        assert "changes from" not in page

    def test_the_button_says_what_saving_makes(self, owner: Client, rules: RuleSet) -> None:
        assert "Save rules" in page_of(owner.get(change_address(rules)))
        season = make_season(rules.club, rule_set=rules)
        record_hanchan(season, make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))

        page = page_of(owner.get(change_address(rules)))
        assert "Save as version 2" in page
        assert "Version 1 is used by<b>1</b>game" in tight(page)


class TestTwoEditors:
    def test_a_version_made_meanwhile_is_told_and_not_overtaken(self, owner: Client) -> None:
        rules = copy_preset(make_club(), "furiten", "Rated")
        season = make_season(rules.club, rule_set=rules)
        record_hanchan(season, make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))
        seen = owner.get(change_address(rules)).context["editing"].seen
        owner.post(change_address(rules), {**as_typed(rules), "chombo_penalty": 8_000})

        sent = {**as_typed(rules), "start_points": 25_000, "seen": seen}
        refused = owner.post(change_address(rules), sent)

        assert refused.status_code == 409
        assert "These settings were changed while you were editing." in page_of(refused)
        assert RuleSet.objects.count() == 2

    def test_a_change_in_place_names_the_rules_that_changed(self, owner: Client) -> None:
        rules = copy_preset(make_club(), "furiten", "Rated")
        seen = owner.get(change_address(rules)).context["editing"].seen
        owner.post(change_address(rules), {**as_typed(rules), "chombo_penalty": 8_000})

        refused = owner.post(change_address(rules), {**as_typed(rules), "start_points": 25_000, "seen": seen})

        page = tight(page_of(refused)).replace("\N{NO-BREAK SPACE}", " ")
        assert refused.status_code == 409
        assert "Chombo:" in page
        assert "<ins>8000</ins>" in page
        assert RuleSet.objects.get().rules.start_points == 30_000


def test_the_history_names_each_rule_that_changed(owner: Client) -> None:
    rules = copy_preset(make_club(), "furiten", "Rated")
    owner.post(change_address(rules), {**as_typed(rules), "chombo_penalty": 8_000, "kuikae": "free"})

    told = owner.get(f"/admin/ratings/ruleset/{rules.pk}/history/").context["happenings"]
    changes = {change.label: (change.old, change.new) for change in told[0].changes}
    assert changes["Chombo"] == ("20\N{NO-BREAK SPACE}000", "8000")
    assert len(changes) == 2
