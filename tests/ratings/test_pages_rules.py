"""The rules in public: words and sources, the worked example, payment tables, the calculator, the file."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.test import Client

from ratings.mahjong.rulesets import PARAMETERS, PRESETS, files
from ratings.models import RuleSet
from ratings.services.hanchans import record_hanchan
from ratings.services.rulesets import as_file, copy_preset
from tests.cast import make_club, make_players, make_season, make_sheet, make_user
from tests.pages import tight

MATHS = {"\u00a0": " ", "\u2212": "-"}


def text_of(client: Client, address: str, **asked: Any) -> str:
    """The page as a reader sees it: no markup, one space between words, plain minus."""
    answer = client.get(address, asked)
    assert answer.status_code == 200
    body = re.sub(r"<[^>]+>", " ", answer.content.decode())
    for sign, plain in MATHS.items():
        body = body.replace(sign, plain)
    return re.sub(r"\s+", " ", html.unescape(body))


def make_used(name: str = "Rated", preset: str = "furiten") -> RuleSet:
    club = make_club()
    rule_set = copy_preset(club, preset, name)
    record_hanchan(make_season(club, rule_set=rule_set), make_sheet(make_players(), 45_000, 30_000, 25_000, 20_000))
    return rule_set


@pytest.mark.django_db
class TestLists:
    def test_all_presets_are_listed(self, client: Client) -> None:
        page = text_of(client, "/rules/")

        for preset in PRESETS.values():
            shown = preset.name if preset.source == preset.name else f"{preset.name} {preset.source}"
            assert shown in page

    def test_a_name_that_is_its_own_source_is_not_said_twice(self, client: Client) -> None:
        assert "M-League M-League" not in text_of(client, "/rules/")

    def test_europe_and_the_world_come_before_platforms_and_clubs(self, client: Client) -> None:
        listed = re.findall(r'href="/rules/([\w-]+)/"', client.get("/rules/").content.decode())

        assert listed[:4] == ["ema-2025", "ema-2016", "ema-2012", "wrc"]
        assert listed.index("tenhou") < listed.index("furiten")

    def test_the_european_rules_in_force_come_first_and_those_for_logs_not_at_all(self, client: Client) -> None:
        listed = re.findall(r'href="/rules/([\w-]+)/"', client.get("/rules/").content.decode())

        assert listed[0] == "ema-2025"
        assert "mahjong-soul" not in listed
        assert client.get("/rules/mahjong-soul/").status_code == 404

    def test_a_clubs_sets_stand_above_the_presets_with_their_games(self, client: Client) -> None:
        rule_set = make_used("House rules")

        page = text_of(client, f"/clubs/{rule_set.club.slug}/rules/")

        assert page.index("House rules 1 1 30 000") < page.index("Presets")

    def test_a_club_without_rules_is_told_how_to_get_some(self, client: Client) -> None:
        assert "has no rule set yet" in text_of(client, f"/clubs/{make_club().slug}/rules/")


@pytest.mark.django_db
class TestPage:
    @pytest.mark.parametrize("key", PRESETS)
    def test_every_preset_shows_every_parameter_and_its_source(self, client: Client, key: str) -> None:
        page = text_of(client, f"/rules/{key}/")

        assert PRESETS[key].source in page
        for parameter in PARAMETERS.values():
            assert parameter.label in page

    def test_values_are_words_with_where_they_come_from(self, client: Client) -> None:
        page = text_of(client, "/rules/furiten/")

        assert "Uma in thousands 9 / 3 / -3 / -9 What first to fourth place add to their result. §13.4" in page
        assert "Riichi sticks left on the table go to no one" in page
        assert "The source is silent or unclear here: this is our reading" in page

    def test_what_no_source_states_says_so(self, client: Client) -> None:
        assert "Red fives not stated" in text_of(client, "/rules/wrc/")

    def test_what_is_taken_where_nothing_is_stated_says_so(self, client: Client) -> None:
        page = text_of(client, "/rules/jpml-a/")

        assert "Three rons are an abortive draw not stated, taken as no" in page
        assert "Chombo at the table nothing at the table" in page
        assert "Riichi with fewer than 1000 points not stated, taken as yes" in page

    def test_a_rule_that_another_leaves_nothing_to_decide_does_not_matter(self, client: Client) -> None:
        page = text_of(client, "/rules/ema-2025/")

        assert "Nagashi mangan counts as does not matter here" in page
        assert "The extra round ends does not matter here" in page
        assert "Honba at several rons go to does not matter here" in text_of(client, "/rules/wrc/")
        assert "Extra round: points to reach 30 000" in text_of(client, "/rules/tenhou/")

    def test_what_a_rule_leaves_out_is_not_called_unstated(self, client: Client) -> None:
        page = text_of(client, "/rules/wrc/")

        assert "Floating uma none" in page
        assert "Latest arrival no maximum" in page

    def test_variations_are_shown_with_their_ranges(self, client: Client) -> None:
        page = text_of(client, "/rules/furiten/")

        assert "Minimum han 1 to 3 han In these rules: 1 han." in page
        assert "25 000 to 50 000, not below “Start points”" in page
        assert "What a game may vary" not in text_of(client, "/rules/phoenix/")

    def test_a_clubs_set_is_shown_like_its_preset(self, client: Client) -> None:
        rule_set = copy_preset(make_club(), "phoenix", "Club rules")

        ours = text_of(client, rule_set.get_absolute_url())
        theirs = text_of(client, "/rules/phoenix/")

        start, end = "From points to a result", "Calculator"
        assert ours[ours.index(start) : ours.index(end)] == theirs[theirs.index(start) : theirs.index(end)]

    def test_a_frozen_version_says_how_many_games_use_it(self, client: Client) -> None:
        page = text_of(client, make_used().get_absolute_url())

        assert "1 game frozen: games use it" in page
        assert "copied from Furiten : Rules of the Furiten club" in page

    def test_versions_are_listed_with_what_they_changed(self, client: Client) -> None:
        first = make_used()
        second = RuleSet.objects.create(
            club=first.club,
            name="Rated",
            slug=first.slug,
            version=2,
            parent=first,
            parameters={**first.parameters, "chombo_penalty": 8_000, "kuikae": "free"},
        )

        page = text_of(client, second.get_absolute_url())

        assert "Chombo, Discard after a call (kuikae) 0" in page

    def test_without_a_version_the_newest_is_shown(self, client: Client) -> None:
        first = make_used()
        RuleSet.objects.create(
            club=first.club, name="Rated", slug=first.slug, version=2, parent=first, parameters=first.parameters
        )

        answer = client.get(f"/clubs/{first.club.slug}/rules/{first.slug}/")

        assert answer.headers["Location"] == f"/clubs/{first.club.slug}/rules/{first.slug}/2/"

    @pytest.mark.parametrize(
        "address", ["/rules/none/", "/rules/none/rules.json", "/clubs/furiten/rules/x/", "/clubs/furiten/rules/x/1/"]
    )
    def test_unknown_rules_have_no_page(self, client: Client, address: str) -> None:
        make_club()

        answer = client.get(address)

        assert answer.status_code == 404
        assert "There is no such page" in answer.content.decode()

    def test_only_admins_of_the_club_are_offered_to_change_it(self, client: Client) -> None:
        rule_set = make_used()
        address = rule_set.get_absolute_url()
        assert "next version" not in text_of(client, address)

        client.force_login(make_user("referee", rule_set.club, "referee"))
        assert "next version" not in text_of(client, address)

        client.force_login(make_user("boss", rule_set.club, "admin"))
        assert "Create the next version" in text_of(client, address)


@pytest.mark.django_db
class TestWorkedExample:
    def test_it_is_scored_by_the_rules_of_the_page(self, client: Client) -> None:
        """RULES §1 by hand: Furiten splits the tie, loses the stick and takes 20.0 for a chombo."""
        page = text_of(client, "/rules/furiten/")

        assert "44 300 29 300 29 300 16 100 119 000" in page
        assert "what counts in the season +23.3 -0.7 -20.7 -22.9 -21.0" in page
        assert "Why the sum is -21.0" in page
        assert "-1.0 riichi sticks left on the table: 1; by these rules no one gets them" in page
        assert "-20.0 chombo of West, given to no one" in page

    def test_other_rules_give_another_result_for_the_same_hands(self, client: Client) -> None:
        """Phoenix: ties by seat, the stick to first place, uma 7/3/-3/-7, thousands rounded up."""
        page = text_of(client, "/rules/phoenix/")

        # 39 300 - 25 000 + 1000 + 7000 = 22 300 -> 23 000; 24 300: +2300 -> 3000 and -3700 -> -3000; -20 900 -> -20 000
        assert "what counts in the season +23.0 +3.0 -3.0 -20.0 +3.0" in page
        assert "+3.0 rounding, taken over the four seats" in page

    def test_a_club_that_changes_a_number_sees_it_in_the_example(self, client: Client) -> None:
        rule_set = copy_preset(make_club(), "furiten", "Rated")
        RuleSet.objects.filter(pk=rule_set.pk).update(parameters={**rule_set.parameters, "chombo_penalty": 8_000})

        assert "-8.0 chombo of West, given to no one" in text_of(client, rule_set.get_absolute_url())


@pytest.mark.django_db
class TestPayments:
    def test_the_table_is_for_the_non_dealer_first(self, client: Client) -> None:
        page = text_of(client, "/rules/ema-2012/")

        assert "30 1000 300/500 2000 500/1000 3900 1000/2000 7700 2000/3900" in page
        assert "Yakuman 13+ 32 000 8000 / 16 000" in page

    def test_a_link_leads_to_the_dealers_table(self, client: Client) -> None:
        page = text_of(client, "/rules/ema-2012/", dealer=1)

        assert "30 1500 500 2900 1000 5800 2000 11 600 3900" in page
        assert "Yakuman 13+ 48 000 16 000" in page

    def test_a_clubs_own_printed_value_is_marked(self, client: Client) -> None:
        page = text_of(client, "/rules/furiten/")

        assert "20 800*" in page
        assert "as this club’s own table prints it" in page
        assert "own table prints it" not in text_of(client, "/rules/ema-2012/")

    def test_kiriage_makes_a_mangan_of_4_han_30_fu(self, client: Client) -> None:
        assert "30 1000 300/500 2000 500/1000 3900 1000/2000 8000 2000/4000" in text_of(client, "/rules/wrc/")


@pytest.mark.django_db
class TestCalculator:
    ADDRESS = "/rules/ema-2012/"

    def test_a_ron_is_paid_by_the_discarder_with_honba(self, client: Client) -> None:
        page = text_of(client, self.ADDRESS, han=3, fu=40, win="ron", honba=1)

        assert "5500 from the player who discarded the tile." in page

    def test_a_tsumo_is_paid_by_everybody_and_takes_the_sticks(self, client: Client) -> None:
        page = text_of(client, self.ADDRESS, han=3, fu=40, win="tsumo", honba=1, sticks=2)

        assert "1400 from each non-dealer, 2700 from the dealer." in page
        assert "With 2000 from the sticks the winner gets 7500." in page

    def test_the_dealers_tsumo_is_the_same_from_each(self, client: Client) -> None:
        assert "2600 from each of the other three." in text_of(
            client, self.ADDRESS, han=3, fu=40, win="tsumo", dealer=1
        )

    def test_a_limit_is_named(self, client: Client) -> None:
        assert "12 000 from the player who discarded the tile. Haneman." in text_of(
            client, self.ADDRESS, han=6, win="ron"
        )

    def test_yakuman_are_counted(self, client: Client) -> None:
        page = text_of(client, self.ADDRESS, yakuman=2, win="ron")

        assert "64 000 from the player who discarded the tile. Double yakuman." in page

    def test_from_five_han_on_any_fu_will_do(self, client: Client) -> None:
        for fu in (20, 25, 140):
            assert "12 000 from the player who discarded the tile. Haneman." in text_of(
                client, self.ADDRESS, han=6, fu=fu, win="ron"
            )

    @pytest.mark.parametrize("typed", ["1.5", "1,5"])
    def test_one_and_a_half_yakuman_where_the_rules_have_them(self, client: Client, typed: str) -> None:
        rule_set = copy_preset(make_club(), "phoenix", "Polish")
        halves = {**rule_set.parameters, "one_and_half_yakuman": ["big_four_winds"]}
        RuleSet.objects.filter(pk=rule_set.pk).update(parameters=halves)

        page = text_of(client, rule_set.get_absolute_url(), yakuman=typed, win="ron")

        assert "48 000 from the player who discarded the tile. One and a half yakuman." in page
        assert "One and a half yakuman yakuman hands only 48 000 12 000 / 24 000" in page

    @pytest.mark.parametrize(
        ("asked", "field", "sentence"),
        [
            ({"yakuman": "1.5"}, "yakuman", "Under these rules no yakuman is worth one and a half: enter a whole"),
            ({"yakuman": "many"}, "yakuman", "Type a number, such as 1 or 1.5."),
            ({"yakuman": "NaN"}, "yakuman", "Type a number, such as 1 or 1.5."),
            ({"yakuman": "1e9"}, "yakuman", "That is more than a hand can have."),
            ({"yakuman": "1e-999999"}, "yakuman", "no more than 4 digits"),
            ({"han": "3", "fu": ""}, "fu", "A hand of 3 han has 20, 25 or 30, 40 … 110 fu, not 0."),
            ({"han": "1", "fu": "25"}, "fu", "25 fu are seven pairs: 2 han at least."),
            ({"han": "three", "fu": "30"}, "han", "Type a whole number."),
            ({"han": "", "fu": "30"}, "han", "A winning hand has one han at least, not 0."),
            ({"han": "3", "fu": "40", "honba": "-1"}, "honba", "Type 0 or more."),
            ({"han": "3", "fu": "40", "sticks": "9999999999"}, "sticks", "That is more than a hand can have."),
            ({"han": "3", "fu": "40", "yakuman": "1"}, "yakuman", "Enter han and fu or a number of yakuman, not both."),
            ({"han": "1", "fu": "30", "honba": "5"}, "han", "From 5 honba on these rules ask for two han at least."),
        ],
    )
    def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(
        self, client: Client, asked: dict[str, str], field: str, sentence: str
    ) -> None:
        answer = client.get(self.ADDRESS, {"win": "ron", **asked})

        page = answer.content.decode()
        assert answer.status_code == 200
        errors = re.search(rf'<small class="error" id="id_{field}_error">(.*?)</small>', tight(page))
        assert errors
        assert sentence in html.unescape(errors[1])
        assert 'class="answer"' not in page
        for name, typed in asked.items():
            assert name == "fu" or not typed or f'value="{typed}"' in page

    def test_a_page_opened_without_a_hand_shows_no_error(self, client: Client) -> None:
        page = client.get(self.ADDRESS).content.decode()

        assert 'class="error"' not in page
        assert 'class="answer"' not in page

    @pytest.mark.parametrize("asked", [{"han": "3", "fu": "7"}, {"han": "3", "fu": "40", "win": "luck"}])
    def test_a_made_up_choice_is_refused_and_not_an_accident(self, client: Client, asked: dict[str, str]) -> None:
        answer = client.get(self.ADDRESS, asked)

        assert answer.status_code == 200
        assert 'class="error"' in answer.content.decode()


@pytest.mark.django_db
class TestNotStated:
    """`basic` states neither kiriage nor what 13 han are."""

    ADDRESS = "/rules/basic/"
    KIRIAGE = "Kiriage mangan : not stated, taken as no."
    THIRTEEN = "13 han and more without a yakuman : not stated, taken as yakuman."

    def after_the_calculator(self, client: Client, address: str = ADDRESS, **asked: Any) -> str:
        return text_of(client, address, **asked).split("Work it out")[1]

    def test_an_amount_that_rests_on_a_default_is_marked(self, client: Client) -> None:
        assert self.KIRIAGE in self.after_the_calculator(client, han=4, fu=30, win="ron")
        assert self.THIRTEEN in self.after_the_calculator(client, han=13, win="tsumo")

    def test_an_amount_that_does_not_is_not(self, client: Client) -> None:
        assert "taken as" not in self.after_the_calculator(client, han=3, fu=40, win="ron")
        assert "taken as" not in self.after_the_calculator(client, "/rules/ema-2012/", han=13, win="ron")

    def test_the_table_and_the_limits_are_marked_too(self, client: Client) -> None:
        before = text_of(client, self.ADDRESS).split("Work it out")[0]
        assert f"mangan: the limit is reached {self.KIRIAGE} {self.THIRTEEN}" in before
        assert "taken as" not in text_of(client, "/rules/ema-2025/").split("By han and fu")[1]

    def test_whoever_may_edit_is_led_to_the_rule(self, client: Client) -> None:
        rule_set = copy_preset(make_club(), "basic", "Rated")
        asked: dict[str, Any] = {"han": 4, "fu": 30, "win": "ron"}
        assert "Set this rule" not in text_of(client, rule_set.get_absolute_url(), **asked)

        client.force_login(make_user("referee", rule_set.club, "referee"))
        assert "Set this rule" not in text_of(client, rule_set.get_absolute_url(), **asked)

        client.force_login(make_user("boss", rule_set.club, "admin"))
        page = client.get(rule_set.get_absolute_url(), asked).content.decode()
        form = f"/admin/ratings/ruleset/{rule_set.pk}/change/"
        assert f'href="{form}?rule=kiriage#row-kiriage"' in page
        opened = tight(client.get(f"{form}?rule=kiriage").content.decode()).partition('id="row-kiriage"')[0]
        assert opened.rpartition("<details")[2].startswith(' class="form-section" open')

    def test_on_a_preset_an_admin_is_led_to_a_copy_of_it(self, client: Client) -> None:
        client.force_login(make_user("boss", make_club(), "admin"))
        page = client.get(self.ADDRESS, {"han": 4, "fu": 30}).content.decode()
        assert 'href="/admin/ratings/ruleset/add/?preset=basic"' in page
        form = client.get("/admin/ratings/ruleset/add/?preset=basic").content.decode()
        assert 'value="basic" checked' in tight(form)


@pytest.mark.django_db
class TestDownload:
    @pytest.mark.parametrize("key", PRESETS)
    def test_the_file_of_a_preset_can_be_read_again(self, client: Client, key: str) -> None:
        answer = client.get(f"/rules/{key}/rules.json")

        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert files.read_file(json.loads(answer.content)) == files.of_preset(PRESETS[key])

    def test_the_file_of_a_clubs_set_names_its_version(self, client: Client) -> None:
        rule_set = copy_preset(make_club(), "jpml-a", "Правила клуба")

        answer = client.get(f"{rule_set.get_absolute_url()}rules.json")

        assert answer.headers["Content-Disposition"] == 'attachment; filename="jpml-a-v1.json"'
        assert "Правила клуба" in answer.content.decode()
        assert files.read_file(json.loads(answer.content)) == as_file(rule_set)


@pytest.mark.django_db
class TestLeftOpen:
    def test_rules_that_the_source_does_not_state_are_one_line_to_open(self, client: Client) -> None:
        page = client.get("/rules/ema-2016/").content.decode()
        folded = tight(page).partition("<details")[2].partition("</details>")[0]

        assert "rules this source leaves open" in folded
        assert folded.count("not stated") >= folded.count("<dt>") // 2
        assert "not stated" not in tight(page).partition('<details class="card left-open">')[0]

    def test_a_source_that_states_everything_has_no_such_line(self, client: Client) -> None:
        rule_set = copy_preset(make_club(), "ema-2025", "House")
        stated = {name: value for name, value in rule_set.parameters.items() if value is not None}
        assert ("leaves open" in text_of(client, rule_set.get_absolute_url())) == (stated != rule_set.parameters)


@pytest.mark.django_db
class TestComparing:
    def test_presets_are_compared_and_what_differs_comes_first(self, client: Client) -> None:
        page = text_of(client, "/rules/ema-2016/", **{"with": "wrc"})

        assert "What differs" in page
        assert page.index("What differs") < page.index("From points to a result")
        assert "Riichi sticks left on the table go to first place go to no one" in page
        assert "Red fives 0 not stated" in page

    def test_nothing_is_compared_until_it_is_asked(self, client: Client) -> None:
        for asked in ({}, {"with": ""}, {"with": "none"}, {"with": "ema-2016"}, {"with": "x/y/1"}):
            assert "What differs" not in text_of(client, "/rules/ema-2016/", **asked)

    def test_rules_without_a_difference_say_so(self, client: Client) -> None:
        copy = copy_preset(make_club(), "wrc", "House")

        assert "No rule differs from WRC." in text_of(client, copy.get_absolute_url(), **{"with": "wrc"})

    def test_the_newest_sets_of_all_clubs_are_offered(self, client: Client) -> None:
        first = make_used("House rules")
        newest = RuleSet.objects.create(
            club=first.club, name="House rules", slug=first.slug, version=2, parameters=first.parameters
        )
        page = client.get("/rules/wrc/", {"with": f"{first.club.slug}/{first.slug}/2"}).content.decode()

        assert f'value="{first.club.slug}/{first.slug}/2" selected' in tight(page)
        assert f'value="{first.club.slug}/{first.slug}/1"' not in page
        assert "House rules, version 2" in page
        assert newest.get_absolute_url() not in page

    def test_rules_of_an_event_that_is_not_public_are_for_staff(self, client: Client) -> None:
        secret = copy_preset(make_club(), "wrc", "Surprise cup")
        make_season(secret.club, rule_set=secret, is_public=False)
        asked = {"with": f"{secret.club.slug}/{secret.slug}/1"}
        assert "Surprise cup" not in text_of(client, "/rules/ema-2016/", **asked)

        client.force_login(make_user("scorer", secret.club))
        assert "Surprise cup" in text_of(client, "/rules/ema-2016/", **asked)


@pytest.mark.django_db
def test_an_empty_list_of_rules_has_a_button_for_those_who_may_copy(client: Client) -> None:
    club = make_club()
    address = f"/clubs/{club.slug}/rules/"
    assert "Copy a preset" not in text_of(client, address)

    client.force_login(make_user("boss", club, "admin"))
    assert 'href="/admin/ratings/ruleset/add/?club=furiten"' in client.get(address).content.decode()
