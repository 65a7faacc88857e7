"""Adding a member by user name, e-mail and role."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Membership
from ratings.services.members import check_leaving, check_new_member


class NewMemberForm(forms.ModelForm):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        help_text=_(
            "An existing account is invited and joins when its holder accepts. For a new name, an account is created."
        ),
    )
    email = forms.EmailField(label=_("Email"), required=False)

    class Meta:
        model = Membership
        fields = ["club", "role"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "club" in data and "username" in data:
            for problem in check_new_member(data["club"], data["username"], data.get("email", "")):
                self.add_error("username", problem.sentence(gettext))
        return data


class RoleForm(forms.ModelForm):
    by: User  # the user who changes the role; set by the model admin

    class Meta:
        model = Membership
        fields = ["role"]

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if role != Membership.Role.ADMIN and self.initial.get("role") == Membership.Role.ADMIN:
            for problem in check_leaving(self.instance, self.by):
                raise forms.ValidationError(problem.sentence(gettext), code=problem.code)
        return role
