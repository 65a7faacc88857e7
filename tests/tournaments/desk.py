"""Helpers for tests that use the organiser's pages and the phone page of a table."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client

from ratings.models import Club
from tests.cast import make_user


def client_of(club: Club, role: str = "admin") -> Client:
    client = Client()
    client.force_login(make_user(role, club, role))
    return client


def page(client: Client, path: str, slug: str = "open") -> str:
    response = client.get(f"/tournaments/{slug}/manage/{path}")
    assert response.status_code == 200
    return response.content.decode()


def points(*typed: str, **more: Any) -> dict[str, Any]:
    """What the form on a table's phone sends; `seat2__chombo` is the chombo of West."""
    fields = {name.replace("__", "-"): value for name, value in more.items()}
    return {**{f"seat{wind}-points": text for wind, text in enumerate(typed)}, "submit_key": uuid.uuid4(), **fields}
