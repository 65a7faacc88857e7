"""The step between a form and what it stores: first what it changes, then the decision.

The page in between shows what changes and who moves, asks for a reason where one is wanted, and carries every field
that was typed. From it one goes on, or back to the form. `partials/confirm.html` draws its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import HttpRequest

# Fields of this step, and the button that was pressed: they are not part of what was typed.
_NOT_TYPED = frozenset({"csrfmiddlewaretoken", "confirm", "edit", "action"})


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the page in between was seen, and answered with "go on"."""
    return "confirm" in request.POST and not wants_edit(request)


def wants_edit(request: HttpRequest) -> bool:
    """Whether the form is asked for again, as it was typed."""
    return "edit" in request.POST


@dataclass(frozen=True)
class Reason:
    """The question for a reason. One that has a `refusal`, the sentence for a missing answer, must be answered."""

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
    """What the form of the page in between shows.

    `changed` are fields that go on with another value than they came with. `cancel_url` is for a page that no form
    comes before. `refused` says that the reason was missing, `changes_nothing` that there is nothing to urge to.
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
