"""Send nonsense to every address, every parameter and every field of every form: the answer is never a crash."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.conf import settings as site_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.faults import results
from tests.faults.everywhere import PARAMETER, Everywhere, make_everywhere, taken_apart
from tests.faults.nonsense import encoded, pieces, segment, values
from tests.forms import Form, forms
from tests.test_urls_matrix import TABLE

pytestmark = pytest.mark.django_db
LONGEST = 60  # seconds until a request counts as not answered
FORM = "application/x-www-form-urlencoded"
READ = re.compile(r"GET(?:\.get|\.getlist)?[\(\[]\"([a-z_-]+)\"")
LINK = re.compile(r'href="([^"]*\?[^"]+)"')
FILES = [
    b"",
    b"\x00",
    b"PK\x03\x04" + b"\xff" * 50,
    b"a,b\n1",
    "\ufeff=1+1;\u202e\n".encode(),
    b"\xff\xfe\x00\xd8" * 20,
]
FILE_NAMES = ["a.csv", "a.xlsx", "\u202e.json", "x" * 300]
seen: Counter[str] = Counter()


@pytest.fixture(scope="module")
def everywhere(shared_rows: None) -> Iterator[Everywhere]:
    """The site for all tests of this module; the changes of each request are rolled back."""
    yield make_everywhere()
    if seen["fields"] and seen["parameters"]:
        results.keep(f"fuzz-{connection.vendor}", **seen)


@dataclass
class Swept:
    """The forms and parameters of all pages."""

    forms: dict[str, list[tuple[str, Form]]] = field(default_factory=dict)  # address -> target and form
    parameters: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def swept(everywhere: Everywhere) -> Swept:
    """Open every page once. Parameters are the names found in the code, in forms sent by GET, and in links."""
    found = Swept()
    known: set[tuple[str, frozenset[str]]] = set()
    for app in ("ratings", "tournaments", "clubsite"):
        for path in (site_settings.BASE_DIR / app).rglob("*.py"):
            found.parameters |= set(READ.findall(path.read_text()))
    for address in everywhere.all_addresses():
        page = text_of(ask(everywhere.owner, "GET", address))
        for form in forms(page):
            if form.method == "get":
                found.parameters |= form.names()
            elif form.names() - {"csrfmiddlewaretoken"}:
                target = urlsplit(urljoin(address, form.action or address)).path
                if (target, frozenset(form.names())) not in known:  # a form that is on every page is fuzzed once
                    known.add((target, frozenset(form.names())))
                    found.forms.setdefault(address, []).append((target, form))
        for link in LINK.findall(page):
            found.parameters |= {name for name, _value in parse_qsl(link.partition("?")[2].replace("&amp;", "&"))}
    assert {"q", "page", "sort", "export", "asof", "since"} <= found.parameters
    seen["parameters"] = len(found.parameters)
    seen["forms"] = sum(map(len, found.forms.values()))
    seen["fields"] = sum(len(form.names()) for several in found.forms.values() for _target, form in several)
    return found


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Fail after LONGEST seconds: input that keeps a worker busy for ever is as bad as a crash."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"no answer within {LONGEST} s: {what[:500]}")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ask(client: Client, method: str, address: str, query: str = "", body: Any = b"", kind: str = FORM) -> HttpResponse:
    """Send one request and roll back its changes. An exception in a view is raised here, with its traceback."""
    with patience(f"{method} {address}?{query}"), transaction.atomic():
        answer = client.generic(method, address, body, kind, QUERY_STRING=query)
        if answer.streaming:
            b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        transaction.set_rollback(True)
    seen["requests"] += 1
    assert answer.status_code < 500, f"{method} {address}?{query[:300]}: {answer.status_code}"
    return answer  # type: ignore[return-value]


def text_of(answer: HttpResponse) -> str:
    return "" if answer.streaming else answer.content.decode(errors="replace")


def fuzzed(examples: int) -> settings:
    """Run so many examples per address in CI; elsewhere run one, which differs from run to run."""
    examples = examples if "CI" in os.environ else 1
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    return settings(max_examples=examples, suppress_health_check=slow)


@pytest.mark.parametrize("row", TABLE)
@fuzzed(2)
@given(data=st.data())
def test_no_parameter_of_an_address_breaks_it(
    row: str, data: st.DataObject, everywhere: Everywhere, swept: Swept
) -> None:
    """Try all parameters at once, then a few: a refused parameter may hide what another one would break."""
    few = st.lists(st.sampled_from(sorted(swept.parameters)), min_size=1, max_size=4, unique=True)
    for address in everywhere.addresses[row]:
        for names in (sorted(swept.parameters), data.draw(few)):
            query = encoded({name: data.draw(values) for name in names})
            ask(data.draw(st.sampled_from([everywhere.owner, everywhere.stranger])), "GET", address, query)


@pytest.mark.parametrize("row", TABLE)
@fuzzed(2)
@given(data=st.data())
def test_no_part_of_an_address_breaks_it(row: str, data: st.DataObject, everywhere: Everywhere) -> None:
    for address in everywhere.addresses[row]:
        route = taken_apart(address)
        if PARAMETER.search(route.pattern):
            names = data.draw(st.lists(st.sampled_from(sorted(route.values)), min_size=1, unique=True))
            path = route.filled({name: segment(data.draw(pieces)) for name in names})
            ask(everywhere.owner, data.draw(st.sampled_from(["GET", "POST"])), path)


@pytest.mark.parametrize("row", TABLE)
@fuzzed(3)
@given(data=st.data())
def test_no_field_of_a_form_breaks_it(row: str, data: st.DataObject, everywhere: Everywhere, swept: Swept) -> None:
    for address in everywhere.addresses[row]:
        for target, form in swept.forms.get(address, []):
            every = sorted(form.names() - {"csrfmiddlewaretoken"})
            few = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=4, unique=True))
            for names in (every, few):
                sent = nonsense_in(form, names, data)
                uploads = [each.name for each in form.fields if each.kind == "file"]
                if uploads:
                    upload(everywhere.owner, target, sent, uploads[0], data)
                else:
                    ask(everywhere.owner, "POST", target, body=encoded(sent))


def nonsense_in(form: Form, names: list[str], data: st.DataObject) -> dict[str, list[str]]:
    """The data of the form with nonsense in these fields; sometimes a field is left out or a button is pressed."""
    sent = form.data()
    for name in names:
        if data.draw(st.integers(0, 9)) == 0:
            sent.pop(name, None)
        else:
            sent[name] = data.draw(values)
    button = data.draw(st.sampled_from([*form.buttons, ("", "")]))
    return sent | ({button[0]: [button[1]]} if button[0] else {})


def upload(client: Client, target: str, sent: dict[str, list[str]], name: str, data: st.DataObject) -> None:
    content = data.draw(st.sampled_from(FILES) | st.binary(max_size=200))
    file = SimpleUploadedFile(data.draw(st.sampled_from(FILE_NAMES)), content)
    plain = {key: [value.encode(errors="replace").decode() for value in several] for key, several in sent.items()}
    body: dict[str, Any] = {**plain, name: file}
    ask(client, "POST", target, body=encode_multipart(BOUNDARY, body), kind=MULTIPART_CONTENT)
