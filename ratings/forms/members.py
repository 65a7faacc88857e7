"""Adding a member of a club by user name, email and role, and changing the role."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Club, Membership
from ratings.services.members import check_leaving, check_new_member

Role = Membership.Role
MAY = {
    Role.SCORER: _("enters games and guests, and corrects their own games of the day"),
    Role.REFEREE: _("also gives penalties, and corrects and voids any game"),
    Role.ADMIN: _("also manages players, members, rules, seasons and imports"),
}


def _roles() -> list[tuple[str, str]]:
    words = gettext("%(role)s: %(may)s")
    return [(role.value, words % {"role": capfirst(role.label), "may": may}) for role, may in MAY.items()]


class RoleField(forms.ChoiceField):
    """A role, with what it may do."""

    widget = forms.RadioSelect

    def __init__(self, **more: Any) -> None:
        super().__init__(label=_("Role"), choices=_roles, **more)


class NewMemberForm(forms.Form):
    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        help_text=_(
            "An existing account is invited and joins when its holder accepts. For a new name, an account is created."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=_("Email address"),
        required=False,
        help_text=_("Optional. A link to a new password can be sent to it."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = RoleField(initial=Role.SCORER)

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        self.club = club

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "username" in data:
            for problem in check_new_member(self.club, data["username"], data.get("email", "")):
                self.add_error("username", problem.sentence(gettext))
        return data


class RoleForm(forms.Form):
    role = RoleField()

    def __init__(self, membership: Membership, by: User, data: Any = None) -> None:
        super().__init__(data, initial={"role": membership.role})
        self.membership, self.by = membership, by

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if role != Role.ADMIN and self.membership.role == Role.ADMIN:
            for problem in check_leaving(self.membership, self.by):
                raise forms.ValidationError(problem.sentence(gettext), code=problem.code)
        return role
