"""Markup and formulas in every text a user can write: every page, print-out, workbook and CSV shows them as text.

The texts are put straight into the database, past all checks of forms, into every row of every model.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils.html import escape
from openpyxl import load_workbook
from pytest_django.plugin import DjangoDbBlocker

from ratings.models import Hanchan, HanchanEvent, RuleSet
from ratings.services.hanchans import change_hanchan, sheet_of
from tests.faults import results
from tests.faults.everywhere import Everywhere, make_everywhere
from tests.forms import Form, forms

pytestmark = pytest.mark.django_db

OWN_APPS = ("ratings", "tournaments", "clubsite", "auth")
TEXTS = (models.CharField, models.TextField)
# These decide where a page is, who may see it or how it is computed; users do not write them as texts.
NO_TEXT = {"slug", "country", "time_zone", "preset", "password", "competition", "back_url", "into", "digest"}
NO_TEXT |= {"heads", "language", "scope", "subject", "kind", "codename", "history_change_reason"}
FORMATS = ("csv", "xlsx")
LISTS = ("/seasons/", "/players/", "/games/", "/penalties/", "/standings/")
TYPED = ("text", "textarea", "search", "email", "number", "date", "time", "url")
ADDRESSES = ("href", "src", "action", "formaction")


def hostile(number: int, row: int, room: int | None) -> str:
    """A formula that breaks out of an attribute and opens an element; the element's name says which field it is in."""
    text = f"=\"'><pwn{number} onpwn={row}>"
    return text if room is None or len(text) <= room else "<pwn a>"


def text_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTS) and not field.choices and not field.primary_key and field.name not in NO_TEXT
    ]


def poison() -> dict[int, str]:
    """Replace every text of every row; return a dict of the number in the element's name -> field."""
    found: dict[int, str] = {}
    for model in apps.get_models():
        if model._meta.app_label not in OWN_APPS:
            continue
        for field in text_fields(model):
            number = len(found) + 1
            found[number] = f"{model._meta.label}.{field.name}"
            rows = list(model._base_manager.values_list("pk", flat=True))
            for row, pk in enumerate(rows):
                model._base_manager.filter(pk=pk).update(**{field.name: hostile(number, row, field.max_length)})
    number = len(found) + 1
    found[number] = "ratings.RuleSet.notes"
    for rule_set in RuleSet.objects.all():
        RuleSet.objects.filter(pk=rule_set.pk).update(
            notes=dict.fromkeys(rule_set.parameters, hostile(number, 0, None))
        )
    for event in HanchanEvent.objects.all():
        sheet = event.sheet | {"comment": hostile(number + 1, 0, None), "override": hostile(number + 2, 0, None)}
        HanchanEvent.objects.filter(pk=event.pk).update(sheet=sheet)
    found |= {number + 1: "ratings.HanchanEvent.sheet.comment", number + 2: "ratings.HanchanEvent.sheet.override"}
    return found


class Poisoned:
    def __init__(self) -> None:
        self.everywhere: Everywhere = make_everywhere()
        house = self.everywhere.world.furiten
        game = Hanchan.objects.get(pk=house.hanchan.pk)
        change_hanchan(game, sheet_of(game), version=game.version, reason="so that there is a history to read")
        names = "".join(f",=\"'><pwnfile{seat}>,1" for seat in range(4))
        content = f"x,E Player,E Points,S Player,S Points,W Player,W Points,N Player,N Points\n{names}\n".encode()
        type(house.upload).objects.filter(pk=house.upload.pk).update(content=content)
        self.fields = poison()


@pytest.fixture(scope="module")
def poisoned(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Poisoned]:
    with django_db_blocker.unblock(), transaction.atomic():
        made = Poisoned()
        yield made
        transaction.set_rollback(True)


def ask(
    client: Client, address: str, data: dict[str, Any] | None = None, method: str = "get"
) -> tuple[HttpResponse, bytes]:
    with transaction.atomic():
        answer = getattr(client, method)(address, data)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        transaction.set_rollback(True)
    assert answer.status_code < 500, address
    return answer, body


class Markup(HTMLParser):
    """Collects elements and attributes that came out of a text, and links to `javascript:`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.broken_out: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag.startswith("pwn") or any("pwn" in name for name, _value in attrs):
            self.broken_out.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            if name in ("href", "src", "action", "formaction") and (value or "").strip().lower().startswith(
                "javascript:"
            ):
                self.broken_out.append(f"{name}={value}")


def numbers_in(text: str) -> set[int]:
    return {int(part.split(" ", 1)[0]) for part in text.split("pwn")[1:] if part.split(" ", 1)[0].isdecimal()}


def check(answer: HttpResponse, body: bytes, where: str) -> str:
    """The text of an answer; fails if some hostile text works as markup or as a formula."""
    kind = answer.headers.get("Content-Type", "")
    if "spreadsheetml" in kind:
        return check_book(body, where)
    text = body.decode("utf-8-sig")
    if "csv" in kind:
        for row in csv.reader(io.StringIO(text)):
            assert [cell for cell in row if cell.startswith(("=", "+", "@", "\t", "-")) and "pwn" in cell] == [], where
    elif "json" in kind:
        json.loads(text)
    elif "html" in kind:
        assert Markup(text).broken_out == [], where
        assert "<pwn" not in text, where  # not in a script either, where a parser sees no elements
    return text


def check_book(body: bytes, where: str) -> str:
    book = load_workbook(io.BytesIO(body))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    alive = [cell.value for cell in cells if cell.data_type == "f" and "pwn" in str(cell.value)]
    assert alive == [], where
    return " ".join(str(cell.value) for cell in cells)


def test_the_check_sees_what_comes_alive() -> None:
    text = hostile(1, 0, None)
    for page in (
        f"<p>{text}</p>",
        f'<input value="{text}">',
        f"<input value='{text}'>",
        f'<a href="javascript:{text}">',
    ):
        assert Markup(page).broken_out, page
    assert not Markup(f'<input value="{escape(text)}">{escape(text)}').broken_out


def readers(poisoned: Poisoned, address: str) -> list[Client]:
    """The owner, and for public pages a visitor too: such pages differ for users with rights."""
    both = not address.startswith("/admin/") and "/manage/" not in address
    return [poisoned.everywhere.owner, *([poisoned.everywhere.stranger] if both else [])]


def addresses(poisoned: Poisoned) -> list[str]:
    """Every address, and the exported files of lists."""
    found = poisoned.everywhere.all_addresses()
    return [*found, *(f"{each}?export={kind}" for each in found if each.endswith(LISTS) for kind in FORMATS)]


def test_no_page_workbook_print_out_or_csv_lets_a_text_out(poisoned: Poisoned) -> None:
    shown: set[int] = set()
    kinds: Counter[str] = Counter()
    for address in addresses(poisoned):
        for client in readers(poisoned, address):
            answer, body = ask(client, address)
            shown |= numbers_in(check(answer, body, address))
            if answer.status_code == 200:
                kinds[answer.headers["Content-Type"].split(";")[0].rsplit(".", 1)[-1]] += 1
    seen = {poisoned.fields[number] for number in shown if number in poisoned.fields}
    assert seen >= SHOWN, f"nowhere shown: {sorted(SHOWN - seen)}"
    assert kinds["sheet"] >= 5
    assert kinds["text/csv"] >= 5
    figures = {"fields": len(poisoned.fields), "shown": len(seen), "pages": kinds["text/html"]}
    results.keep(f"markup-{connection.vendor}", **figures, workbooks=kinds["sheet"], csv=kinds["text/csv"])


# Texts that must be shown somewhere, or the test looked at the wrong pages.
SHOWN = {
    *("ratings.Club.name", "ratings.Club.city", "ratings.Club.about", "ratings.Season.name", "ratings.RuleSet.name"),
    *("ratings.RuleSet.notes", "ratings.Player.native_name", "ratings.Player.latin_last", "ratings.Player.nickname"),
    *("ratings.Hanchan.comment", "ratings.HanchanEvent.reason", "ratings.Adjustment.reason", "clubsite.Job.title"),
    *("ratings.HanchanEvent.sheet.comment", "ratings.ImportBatch.file_name", "auth.User.username"),
    *("tournaments.Tournament.name", "tournaments.Tournament.city", "tournaments.Tournament.about"),
    *("tournaments.Stage.name", "tournaments.Entry.team", "tournaments.Ruling.reason"),
    *("tournaments.Registration.name", "tournaments.Registration.latin_first", "tournaments.Registration.team"),
}


def test_what_is_typed_comes_back_as_text(poisoned: Poisoned) -> None:
    """Refused forms show the typed text again, and search pages show the searched text."""
    known: set[tuple[str, frozenset[str]]] = set()
    for address in poisoned.everywhere.all_addresses():
        answer, body = ask(poisoned.everywhere.owner, address)
        for form in forms(body.decode()) if "html" in answer.headers.get("Content-Type", "") else ():
            target, names = urljoin(address, form.action), frozenset(form.names())
            if (target, names) not in known:  # a form that is on every page is sent once
                known.add((target, names))
                send(poisoned.everywhere.owner, target, form)
    assert len(known) > 100


def send(client: Client, target: str, form: Form) -> None:
    typed = [each.name for each in form.fields if each.kind in TYPED]
    data = {**form.data(), **{name: f"=\"'><pwn onpwn={index}>" for index, name in enumerate(typed)}}
    answer, body = ask(client, target, data, form.method)
    check(answer, body, f"{form.method} {target}")
