from __future__ import annotations

import os
import re
import sys
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import django

LANGUAGES = ("en", "ru", "uk", "pl")
OF_A_KIND = 3  # how many addresses with the same pattern and parameters are opened
ROLES = ("", "furiten-scorer", "furiten-admin", "lodz-referee", "admin")
LEFT_ALONE = re.compile(r"^/(admin/logout|admin/jsi18n|static|language|theme)|\.xlsx|export=")
LINK = re.compile(r'(?:href|hx-get|action)="([^"#]+)')


def main(folder: Path) -> None:
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    folder.mkdir(parents=True, exist_ok=True)
    for role in ROLES:
        client = Client(raise_request_exception=False)
        if role:
            client.force_login(User.objects.get(username=role))
        pages = 0
        print(role, flush=True)
        for name, text in _crawl(client):
            (folder / f"{role or 'visitor'} {name}.html").write_text(text)
            pages += 1
        print(f"{role or 'visitor'}: {pages} pages")


def _crawl(client: Any) -> Iterator[tuple[str, str]]:
    """Open addresses in the order of their links; the first of each kind in four languages and with its forms."""
    from django.urls import Resolver404, resolve

    seen: Counter[str] = Counter()
    known = {"/"}
    waiting = deque(["/", "/admin/", "/admin/data/", "/tournaments/", "/rules/", "/privacy/"])
    while waiting:
        address = waiting.popleft()
        parts = urlsplit(address)
        try:
            route = str(resolve(parts.path).route)
        except Resolver404:
            continue
        kind = " ".join([route, *sorted({name for name, _value in parse_qsl(parts.query)})])
        seen[kind] += 1
        if seen[kind] > OF_A_KIND:
            continue
        page = _get(client, address, "en")
        if page is None:
            continue
        name = f"{kind} {seen[kind]}".replace("/", "_")[:150]
        yield from _states(client, address, name, page, first=seen[kind] == 1)
        for link in sorted(set(LINK.findall(page))):
            there = urljoin(address, link.replace("&amp;", "&"))
            if there.startswith("/") and there not in known and not LEFT_ALONE.search(there):
                known.add(there)
                waiting.append(there)


def _states(client: Any, address: str, name: str, page: str, *, first: bool) -> Iterator[tuple[str, str]]:
    from tests.forms import forms
    from tests.net.normal import normalise

    yield f"{name} en", normalise(page)
    if not first:
        return
    for language in LANGUAGES[1:]:
        yield f"{name} {language}", normalise(_get(client, address, language) or "")
    for number, form in enumerate(forms(page)):
        target = urljoin(address, form.action)
        if form.method != "post" or LEFT_ALONE.search(target):
            continue
        as_it_is = form.data()
        for state, data in (("sent", as_it_is), ("empty", {key: [""] for key in as_it_is})):
            for button in form.buttons[:4] or [("", "")]:
                sent = data | ({button[0]: [button[1]]} if button[0] else {})
                answer = _rolled_back(client, "post", target, sent, "en")
                if answer is not None:
                    yield (
                        f"{name} form {number} {state} {button[0]}={button[1][:20]}".replace("/", "_"),
                        normalise(answer),
                    )


def _get(client: Any, address: str, language: str) -> str | None:
    return _rolled_back(client, "get", address, None, language)


def _rolled_back(client: Any, method: str, address: str, data: Any, language: str) -> str | None:
    from django.conf import settings
    from django.db import transaction

    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    kept = dict(client.cookies)
    with transaction.atomic():
        answer = getattr(client, method)(address, data or {}, follow=method == "post")
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(kept)
    if not answer.get("Content-Type", "").startswith("text/html"):
        return None
    return str(answer.content.decode())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    main(Path(sys.argv[1]))
