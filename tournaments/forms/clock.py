"""Extra time, for all tables or for one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from tournaments.models import Round, Table

MOST_MINUTES = 120


class ExtraTimeForm(forms.Form):
    minutes = WholeNumberField(
        label=_("Minutes"),
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        help_text=_("A minus takes time back."),
        initial=5,
    )

    def __init__(self, round_: Round, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"] = TableField(round_.tables.order_by("number"))

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if not minutes:
            raise forms.ValidationError(_("Enter the number of minutes; 0 changes nothing."))
        return minutes

    @property
    def seconds(self) -> int:
        return 60 * int(self.cleaned_data["minutes"])

    @property
    def sentence(self) -> str:
        """What was done, for the success message."""
        minutes, table = int(self.cleaned_data["minutes"]), self.cleaned_data["table"]
        amount = ngettext("%(count)s minute", "%(count)s minutes", abs(minutes)) % {"count": abs(minutes)}
        whom = gettext("table %(table)s") % {"table": table.number} if table else gettext("all tables")
        message = gettext("%(amount)s more for %(whom)s.") if minutes > 0 else gettext("%(amount)s less for %(whom)s.")
        return message % {"amount": amount, "whom": whom}


class TableField(forms.ModelChoiceField):
    def __init__(self, tables: Any) -> None:
        super().__init__(tables, label=_("For"), required=False, empty_label=_("all tables"))

    def label_from_instance(self, obj: Table) -> str:
        return gettext("table %(table)s") % {"table": obj.number}
