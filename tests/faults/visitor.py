"""A visitor with a browser without JavaScript: cookies, forms, and redirects that are not followed automatically."""

from __future__ import annotations

import http.client
import time
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

from tests.forms import Form, forms

PATIENCE = 100  # seconds; longer than a writer waits for SQLite's lock


@dataclass(frozen=True)
class Answer:
    method: str
    path: str
    status: int
    text: str
    location: str
    seconds: float

    @property
    def is_redirect(self) -> bool:
        return self.status in (301, 302, 303)

    def form(self, *names: str) -> Form:
        """The form that has all these fields."""
        found = [form for form in forms(self.text) if form.names() >= set(names)]
        assert found, f"{self.method} {self.path} ({self.status}): no form with {', '.join(names)}"
        return found[0]


@dataclass
class Visitor:
    base: str
    cookies: dict[str, str] = field(default_factory=dict)
    seen: list[Answer] = field(default_factory=list)  # every answer, oldest first; the caller empties it

    def ask(self, method: str, path: str, data: dict[str, list[str]] | None = None) -> Answer:
        host = urlsplit(self.base).netloc
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        body = urlencode(data or {}, doseq=True) if method == "POST" else None
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded"}
        began = time.perf_counter()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or []:
            self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(line).items()})
        answer = Answer(
            method, path, response.status, text, response.headers.get("Location", ""), time.perf_counter() - began
        )
        self.seen.append(answer)
        return answer

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def send(self, page: Answer, form: Form, button: tuple[str, str] = ("", ""), **changed: str) -> Answer:
        """Press a button of a form on a page."""
        data = form.data(**changed)
        if button[0]:
            data[button[0]] = [button[1]]
        return self.ask("POST", urljoin(page.path, form.action), data)

    def follow(self, answer: Answer) -> Answer:
        return self.get(urljoin(answer.path, answer.location))

    def log_in(self, name: str, password: str) -> None:
        page = self.get("/admin/login/")
        answer = self.send(page, page.form("username", "password"), username=name, password=password)
        assert answer.is_redirect, f"{name} could not log in: {answer.status}"
