"""The question before the demo is removed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class RemoveDemoForm(forms.Form):
    """A tick, which is asked for only if people added something to the clubs of the demo."""

    added_too = forms.BooleanField(
        label=_("Remove what was added, too"),
        error_messages={"required": _("Tick this, or keep the demo: what was added is lost.")},
    )

    def __init__(self, *args: Any, was_used: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not was_used:
            del self.fields["added_too"]
