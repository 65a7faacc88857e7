"""Accounts, for the owner of the site only: Django's own page without what is not used here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin  # the import registers User and Group, which are unregistered below
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.admin import StaticDevice  # the import registers it, as the next one does
from django_otp.plugins.otp_totp.admin import TOTPDevice

from clubsite import second_factor
from clubsite.signing_in import user_of
from ratings.admin.base import DataAdmin
from ratings.models.clubs import valid_name

# Their pages would show secrets and codes; the account page of each user does what is needed.
for _device in (StaticDevice, TOTPDevice):
    admin.site.unregister(_device)
admin.site.unregister(Group)
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(DataAdmin, UserAdmin):
    """Rights come from memberships, so there are no groups, no permissions and no staff flag to set.

    Accounts are not deleted but made inactive, so that what a user entered still shows who entered it.
    """

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
                    "The owner of the site is a superuser. Other users’ permissions come from their club role."
                ),
            },
        ),
        (_("Two-factor authentication"), {"fields": ["second_step"]}),
        (_("Important dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined", "second_step"]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Add our check of names, which Django's own columns cannot declare; the user name has Django's check."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and db_field.name in ("first_name", "last_name"):
            field.validators.append(valid_name)
        return field

    @admin.display(description=_("state"))
    def second_step(self, account: User) -> str:
        if not second_factor.is_on(account):
            return gettext("off")
        address = reverse("admin:auth_user_second_step", args=[account.pk])
        return format_html('{} – <a href="{}">{}</a>', gettext("on"), address, gettext("turn off for this account"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.turn_second_step_off)
        return [path("<path:object_id>/second-step/", view, name="auth_user_second_step"), *super().get_urls()]

    def turn_second_step_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """For a user who lost phone and recovery codes. The owner does it, and the account's history says so."""
        account = self.get_object(request, object_id)
        if account == request.user:
            return redirect("desk:account")
        if request.method != "POST":
            context = {"title": gettext("Turn off two-factor authentication"), "account": account, "opts": self.opts}
            context |= self.admin_site.each_context(request)
            return TemplateResponse(request, "admin/auth/user/second_step.html", context)
        second_factor.turn_off(account, by=user_of(request))
        sentence = gettext("%(name)s can now sign in with the password alone.") % {"name": account.get_username()}
        self.message_user(request, sentence, messages.SUCCESS)
        return redirect("admin:auth_user_change", account.pk)
