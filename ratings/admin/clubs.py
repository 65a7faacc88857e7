"""Clubs and their members."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.translation import gettext

from clubsite.signing_in import user_of
from ratings import rights
from ratings.admin.base import ClubModelAdmin, OwnClubFilter
from ratings.forms.members import NewMemberForm, RoleForm
from ratings.models import Club, Invitation, Membership
from ratings.queries.history import Happening, happenings
from ratings.rights import Level
from ratings.services.clubs import save_club
from ratings.services.members import add_member, change_role, remove_member


@admin.register(Club)
class ClubAdmin(ClubModelAdmin):
    club_lookup = "pk"
    to_add = Level.OWNER
    fields = ["name", "slug", "city", "country", "time_zone", "about"]
    prepopulated_fields = {"slug": ["name"]}
    list_display = ["name", "city", "country", "time_zone"]
    search_fields = ["name", "city"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The slug is part of many addresses, so only the owner of the site may change it."""
        return [] if rights.is_owner(request.user) else ["slug"]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else {"slug": ["name"]}

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        save_club(obj)

    def happenings(self, request: HttpRequest, row: Club) -> list[Happening]:
        """Also the history of memberships and invitations: the row of a former member is gone with its page."""
        told = super().happenings(request, row)
        if rights.may_manage(request.user, row.pk):
            told += happenings(Membership.history.filter(club_id=row.pk))
            told += happenings(Invitation.history.filter(club_id=row.pk))
        return sorted(told, key=lambda happening: happening.at, reverse=True)


@admin.register(Membership)
class MembershipAdmin(ClubModelAdmin):
    to_view = Level.ADMIN
    to_delete = Level.ADMIN
    list_display = ["user", "role", "club"]
    list_filter = [OwnClubFilter, "role"]
    list_select_related = ["user", "club"]
    search_fields = ["user__username", "user__email"]
    ordering = ["club", "user__username"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["user", "club", "role"] if obj else ["club", "username", "email", "role"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["user", "club"] if obj else []

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **{"form": RoleForm if obj else NewMemberForm, **kwargs})
        form.by = request.user
        return form

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        if change:
            change_role(obj, form.cleaned_data["role"], by=user_of(request))
            return
        data = form.cleaned_data
        new = add_member(data["club"], data["username"], data["email"], data["role"], by=user_of(request))
        if new.invitation:
            self._tell_invited(request, new.invitation)
        elif new.membership and new.password:
            obj.pk, obj.user = new.membership.pk, new.membership.user
            self._tell_password(request, obj.user, new.password)

    def _tell_invited(self, request: HttpRequest, invitation: Invitation) -> None:
        sentence = gettext("An invitation to %(club)s is waiting for %(name)s, who joins after accepting it.")
        named = {"name": invitation.user.get_username(), "club": invitation.club.name}
        self.message_user(request, sentence % named, messages.SUCCESS)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log nothing for an invitation: it is not a row of this list yet, and has a history of its own."""
        return super().log_addition(request, obj, message) if obj.pk else None

    def response_add(self, request: HttpRequest, obj: Membership, post_url_continue: str | None = None) -> HttpResponse:
        return redirect("desk:members", obj.club.slug)

    def _tell_password(self, request: HttpRequest, user: User, password: str) -> None:
        sentence = gettext("The account {name} was created. Its password is {password} and is shown only this once.")
        told = format_html(sentence, name=user.get_username(), password=format_html("<code>{}</code>", password))
        self.message_user(request, told, messages.WARNING)

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        remove_member(obj, by=user_of(request))
