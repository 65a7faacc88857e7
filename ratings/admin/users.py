"""Accounts: the owner's alone, and Django's own page for them without what means nothing here."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin  # registers the two that are replaced below
from django.contrib.auth.models import Group, User
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import ClubModelAdmin

admin.site.unregister(Group)
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(ClubModelAdmin, UserAdmin):
    """Rights come from memberships, so there are no groups, no permissions and no staff flag to set.

    Accounts are not deleted but made inactive: what somebody entered keeps who it was.
    """

    club_lookup = None
    list_display = ["username", "email", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    filter_horizontal = ()
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Personal info"), {"fields": ["first_name", "last_name", "email"]}),
        (
            _("Rights"),
            {
                "fields": ["is_active", "is_superuser"],
                "description": _(
                    "The owner of the site is a superuser. What others may do, their membership of a club says."
                ),
            },
        ),
        (_("Important dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]
    object_history_template: ClassVar[Any] = None  # accounts have the admin's own log

    history_view = UserAdmin.history_view
