"""The confirmation page between a form and storing its data.

The page shows what changes and who moves, asks for a reason where one is wanted, and carries every field that was
typed. From this page the user confirms or goes back to the form. `partials/confirm.html` renders its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import HttpRequest

# Fields of the confirmation page and the button that was pressed; the user did not type them.
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "confirm", "edit", "action"})


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the user saw the confirmation page and confirmed."""
    return "confirm" in request.POST and not wants_edit(request)


def wants_edit(request: HttpRequest) -> bool:
    """Whether the user wants to go back to the form with the values typed."""
    return "edit" in request.POST


@dataclass(frozen=True)
class Reason:
    """The question for a reason. A reason is required if there is a `refusal`, the sentence for a missing answer."""

    label: str
    refusal: str = ""
    longest: int = 300

    @property
    def is_needed(self) -> bool:
        return bool(self.refusal)

    def given(self, request: HttpRequest) -> str:
        return request.POST.get("reason", "").strip()[: self.longest]

    def is_missing(self, request: HttpRequest) -> bool:
        return self.is_needed and not self.given(request)


@dataclass(frozen=True)
class ConfirmStep:
    """What the form of the confirmation page shows.

    `changed` are fields that are sent on with another value than was typed. `cancel_url` is for a page without a form
    before it. `refused` says that the reason was missing. `changes_nothing` makes the button quiet.
    """

    request: HttpRequest
    submit: str
    back: str
    reason: Reason | None = None
    action: str = ""
    cancel_url: str = ""
    changed: Mapping[str, str] = field(default_factory=dict)
    refused: bool = False
    changes_nothing: bool = False

    @property
    def carried(self) -> list[tuple[str, str]]:
        """Every field that was typed, by name."""
        left_out = {*_NOT_TYPED, *self.changed, *(["reason"] if self.reason else [])}
        typed = [(name, value) for name, values in self.request.POST.lists() for value in values]
        return [*((name, value) for name, value in typed if name not in left_out), *self.changed.items()]

    @property
    def typed_reason(self) -> str:
        return self.reason.given(self.request) if self.reason else ""

    @property
    def status(self) -> int:
        return 422 if self.refused else 200
