"""The components of a page, the frame around it, and the error pages."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from lxml import html

from clubsite import components, numbers
from clubsite.names import language_of
from clubsite.templatetags.frame import message_kind

HEBREW = "\u05d3\u05d5\u05d3"


def visit(path: str = "/", user: AnonymousUser | User | None = None) -> HttpRequest:
    request = RequestFactory().get(path)
    request.user = user or AnonymousUser()
    return request


def page(template: str = "base.html", path: str = "/", user: User | None = None, **context: Any) -> html.HtmlElement:
    return html.document_fromstring(render_to_string(template, context, request=visit(path, user)))


class GuestForm(forms.Form):
    name = forms.CharField(label="Native name", help_text="As the player writes it.")
    regular = forms.BooleanField(label="Regular", required=False)
    shown = forms.ChoiceField(label="Visibility", widget=forms.RadioSelect, choices=[("f", "full"), ("h", "hidden")])
    token = forms.CharField(widget=forms.HiddenInput)


def test_the_first_three_ranks_are_tiles() -> None:
    assert components.rank_tile(1) == '<span class="tile one">1</span>'
    assert components.rank_tile(3) == '<span class="tile">3</span>'
    assert components.rank_tile(4) == '<span class="rank">4</span>'
    assert "\u2013" in components.rank_tile(None)


def test_a_wind_is_a_tile_with_its_word() -> None:
    assert html.fromstring(components.wind("S")).text_content() == "South"
    assert components.wind(1) == components.wind("S")
    assert 'aria-label="North"' in components.wind_tile("N")
    assert "sprite.svg#w-N" in components.wind_tile("N")


def test_places_differ_in_class_and_text() -> None:
    assert components.place_chip(4) == '<span class="place place-4">4th</span>'
    assert components.place_chip(None) == "\u2013"


@pytest.mark.parametrize(("moved", "words"), [(3, "up 3"), (-2, "down 2"), (0, "unchanged"), (None, "\u2013")])
def test_movement_is_said_and_not_only_drawn(moved: int | None, words: str) -> None:
    assert html.fromstring(components.movement(moved)).text_content() == words


def test_a_part_drawn_with_the_writer_of_a_table_is_the_same() -> None:
    write = numbers.writer()
    assert components.place_chip(2, write) == components.place_chip(2)
    assert components.movement(2, write) == components.movement(2)


def test_a_name_stands_in_its_own_script_with_the_latin_form_after_it() -> None:
    assert components.player_name("Дмитрий Соколов", "Dmitry Sokolov", "/players/3/", "BY") == (
        '<a class="name" href="/players/3/" lang="ru" dir="auto">Дмитрий Соколов</a>'
        '<span class="alt">Dmitry Sokolov</span>'
    )
    assert components.player_name("Jonas Lindqvist", "Jonas Lindqvist") == (
        '<span class="name" dir="auto">Jonas Lindqvist</span>'
    )


def test_what_people_typed_is_escaped_in_every_part() -> None:
    bad = '<b title="x">&'
    drawn = [
        components.player_name(bad, bad + "2", bad, bad, bad),
        components.tag(bad),
        components.message("ok", bad, bad, bad),
        components.empty_state(bad, bad, bad, bad),
        components.check_bar("right", bad, bad, bad),
    ]
    assert not [part for part in drawn if "<b t" in part or 'title="x"' in part]


@pytest.mark.parametrize(
    ("name", "country", "language"),
    [
        ("Дмитрий Соколов", "BY", "ru"),
        ("Аляксандр Воўк", "BY", "be"),
        ("Виктор Шевченко", "UA", "uk"),
        ("佐藤 健", "JP", "ja"),
        ("王伟", "CN", "zh-Hans"),
        ("さとう 健", "CN", "ja"),
        ("Łukasz Żurawski", "PL", "pl"),
        ("Hannah Okafor", "GB", ""),
        (HEBREW, "IL", "he"),
        ("42", "PL", ""),
        ("", "", ""),
    ],
)
def test_the_language_of_a_name_follows_letters_and_country(name: str, country: str, language: str) -> None:
    assert language_of(name, country) == language


def test_games_of_the_minimum_are_counted_in_sticks_and_words() -> None:
    row = components.games_of_minimum(4, 6)
    assert row.startswith("4 of 6 games")
    assert (row.count("<i></i>"), row.count('<i class="missing">')) == (4, 2)
    assert "<i" not in components.games_of_minimum(4, 40)


def test_only_the_sentence_of_a_check_is_spoken() -> None:
    bar = html.fragment_fromstring(
        components.check_bar("wrong", "1100 points short", "118 900 entered", "-1100"), "div"
    )
    assert bar.xpath("string(.//*[@role='status'])") == "1100 points short118 900 entered"
    assert "#i-bad" in html.tostring(bar).decode()


def test_tags_draw_the_same_as_functions() -> None:
    template = Template(
        '{% load components %}{% place_chip 1 %}{% movement -2 %}{% player_name "佐藤 健" "Ken" %}{% duel 1 2 %}'
    )
    drawn = template.render(Context())
    assert drawn.startswith(
        components.place_chip(1) + components.movement(-2) + components.player_name("佐藤 健", "Ken")
    )


def test_a_pager_keeps_sort_and_filter() -> None:
    shown = Paginator(range(200), 20).get_page(3)
    template = Template("{% load components %}{% pager shown %}")
    nav = html.fromstring(template.render(Context({"request": visit("/?sort=-total&page=3"), "shown": shown})))
    assert nav.xpath("string(.//a[@rel='next']/@href)") == "?sort=-total&page=4"
    assert nav.xpath("string(.//a[@aria-current]/@href)") == "?sort=-total&page=3"


def test_one_page_needs_no_pager() -> None:
    shown = Paginator(range(5), 20).get_page(1)
    template = Template("{% load components %}{% pager shown %}")
    assert template.render(Context({"request": visit(), "shown": shown})).strip() == ""


def test_a_refused_field_names_its_error_and_help_to_screen_readers() -> None:
    form = GuestForm({"shown": "f", "token": "t"})
    fields = html.fromstring(render_to_string("form_page.html", {"form": form, "heading": "Add"}, request=visit()))
    field = fields.get_element_by_id("id_name")
    told = [fields.get_element_by_id(name).text_content().strip() for name in field.get("aria-describedby").split()]
    assert told == ["As the player writes it.", "This field is required."]
    assert field.get("aria-invalid") == "true"
    assert fields.xpath("string(//label[@for='id_name'])") == "Native name"
    assert fields.xpath("string(//legend)") == "Visibility"
    assert not fields.xpath("//label[@for='id_token']")


def test_an_error_of_the_whole_form_stands_above_it() -> None:
    form = GuestForm({"name": "A", "shown": "f", "token": "t"})
    form.add_error(None, "Both players sit at one table.")
    shown = page("form_page.html", form=form, heading="Merge")
    assert "Both players sit at one table." in shown.xpath("string(//*[@class='message bad'])")


def test_a_page_has_no_inline_script_or_style() -> None:
    shown = page()
    assert not shown.xpath("//script[not(@src)] | //style | //*[@style] | //*[@*[starts-with(name(), 'on')]]")
    assert all(link.startswith("/static/") for link in shown.xpath("//script/@src | //link/@href"))


def test_a_page_starts_with_the_way_to_its_content() -> None:
    shown = page()
    assert shown.xpath("//body/*[1]/@href") == ["#main"]
    assert shown.xpath("count(//main[@id='main'])") == 1


def test_pages_that_are_not_built_are_not_linked() -> None:
    shown = page()
    names = ["ratings:home", "tournaments:index", "ratings:rules", "tournaments:european_ranking"]
    built = 0
    for name in names:
        try:
            reverse(name)
        except NoReverseMatch:
            continue
        built += 1
    assert shown.xpath("count(//header//nav/a)") == built
    assert not shown.xpath("//a[@href='']")


def test_the_navigation_marks_where_you_are() -> None:
    assert page(path="/").xpath("string(//header//nav/a[1]/@aria-current)") == "page"
    assert page(path="/clubs/furiten/").xpath("string(//header//nav/a[1]/@aria-current)") == "true"
    assert page(path="/elsewhere/").xpath("string(//header//nav/a[1]/@aria-current)") == ""


def test_a_visitor_can_sign_in_and_come_back() -> None:
    link = page(path="/clubs/furiten/?sort=name").xpath("string(//div[@class='account']//a/@href)")
    assert link == "/admin/login/?next=/clubs/furiten/%3Fsort%3Dname"


def test_a_member_signs_out_by_post() -> None:
    shown = page(user=User(username="kasia", is_staff=True))
    assert shown.xpath("string(//div[@class='account']/form/@method)") == "post"
    assert shown.xpath("string(//div[@class='account']/form/@action)") == "/admin/logout/"


def test_a_link_in_a_message_stays_a_link_and_a_name_is_never_markup() -> None:
    told = [
        Message(constants.SUCCESS, format_html('<a href="/1/">{}</a> was changed.', "A & <b>")),
        Message(constants.WARNING, "<b>B</b> was not."),
    ]
    shown = page(messages=told)
    assert [link.text for link in shown.xpath("//*[@role='status']//p/a")] == ["A & <b>"]
    assert shown.xpath("string(//*[@class='message warn']/p)") == "<b>B</b> was not."


def test_levels_of_messages_become_kinds_of_the_look() -> None:
    assert [message_kind(level) for level in ("success", "error", "warning", "info", "debug")] == [
        "ok",
        "bad",
        "warn",
        "info",
        "info",
    ]


@pytest.mark.parametrize("template", ["404.html", "403.html", "403_csrf.html", "500.html"])
def test_a_refusal_says_what_to_do_and_stands_without_context(template: str) -> None:
    shown = html.document_fromstring(render_to_string(template))
    assert shown.xpath("count(//h1)") == 1
    assert shown.xpath("count(//main//p)") >= 2


@pytest.mark.django_db
def test_an_unknown_address_answers_in_our_look(client: Client) -> None:
    answer = client.get("/no-such-page/")
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()


@pytest.mark.django_db
def test_the_admin_wears_our_colours_under_the_policy(admin_client: Client) -> None:
    answer = admin_client.get("/admin/data/")
    shown = html.fromstring(answer.content)
    assert "/static/umaoka/admin.css" in shown.xpath("//link/@href")
    assert not shown.xpath("//script[not(@src)] | //style | //*[@style]")
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_member_of_a_club_is_led_to_its_entry_page_and_a_visitor_is_not() -> None:
    member = page(user=User(username="kasia", is_staff=True), enter_url="/admin/enter/furiten/")
    assert member.xpath("string(//div[@class='account']/a[@class='btn']/@href)") == "/admin/enter/furiten/"
    assert not page(enter_url="/admin/enter/furiten/").xpath("//div[@class='account']/a[@class='btn']")
