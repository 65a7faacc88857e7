"""The members of a club: the list, adding, changing the role, removing, and a new password for one of them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from clubsite import mails, passwords
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.members import NewMemberForm, RoleForm
from ratings.mahjong.problems import Refused
from ratings.models import Club, Membership
from ratings.queries.invitations import invitations_by
from ratings.services.members import (
    add_member,
    change_role,
    check_leaving,
    check_password_reset,
    remove_member,
    reset_password,
)
from ratings.views.settings_pages import asked_club
from ratings.views.staff_players import say_and_return


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    user = user_of(request)
    if not rights.may_manage(user, club.pk):
        raise Http404
    context = {
        "club": club,
        "members": club.memberships.select_related("user").order_by("user__username"),
        "invitations": invitations_by(user).filter(club=club),
    }
    return render(request, "desk/members/list.html", context)


def _member_or_404(request: HttpRequest, pk: int) -> Membership:
    """A member of one of the clubs that the user manages."""
    found = Membership.objects.select_related("user", "club").filter(pk=pk).first()
    if found is None or not rights.may_manage(user_of(request), found.club_id):
        raise Http404
    return found


def _list_of(club: Club) -> str:
    return reverse("desk:members", args=[club.slug])


# --- adding -------------------------------------------------------------------------------------------------


@sensitive_variables()
def add(request: HttpRequest) -> HttpResponse:
    """A new account is created with a password that is shown once; an existing account is invited."""
    heading = gettext("Add a member")
    club = asked_club(request, heading)
    if isinstance(club, HttpResponse):
        return club
    form = NewMemberForm(club, request.POST if request.method == "POST" else None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            new = add_member(club, data["username"], data["email"], data["role"], by=user_of(request))
        except Refused as refused:
            form.add_error("username", refused.sentences(gettext))
        else:
            if new.membership and new.password:
                return _show_password(request, new.membership, new.password, gettext("The account is created"))
            said = gettext("An invitation to %(club)s is waiting for %(name)s, who joins after accepting it.")
            messages.success(request, said % {"name": data["username"], "club": club.name})
            return redirect(_list_of(club))
    context = {
        "heading": heading,
        "club": club,
        "form": form,
        "submit": gettext("Add member"),
        "cancel_url": _list_of(club),
    }
    return render(request, "desk/members/form.html", context, status=422 if form.errors else 200)


def _show_password(request: HttpRequest, membership: Membership, password: str, heading: str) -> HttpResponse:
    """The answer to the form itself: no message and no session holds the password."""
    context = {"heading": heading, "club": membership.club, "membership": membership, "password": password}
    return render(request, "desk/members/password_shown.html", context)


# --- one member -------------------------------------------------------------------------------------------


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The role, and the ways to a new password and out of the club."""
    member, user = _member_or_404(request, pk), user_of(request)
    form = RoleForm(member, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            change_role(member, form.cleaned_data["role"], by=user)
        except Refused as refused:
            form.add_error("role", refused.sentences(gettext))
        else:
            named = {"name": member.user.get_username(), "role": member.get_role_display()}
            messages.success(request, gettext("%(name)s is now %(role)s.") % named)
            return redirect(_list_of(member.club))
    context = {
        "heading": member.user.get_username(),
        "club": member.club,
        "membership": member,
        "form": form,
        "submit": gettext("Save role"),
        "cancel_url": _list_of(member.club),
        "no_reset": check_password_reset(member.user, user),
    }
    return render(request, "desk/members/member.html", context, status=422 if form.errors else 200)


def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a member after a question. The account stays."""
    member, user = _member_or_404(request, pk), user_of(request)
    here = reverse("desk:member", args=[pk])
    if request.method == "POST":
        try:
            remove_member(member, by=user)
        except Refused as refused:
            return say_and_return(request, refused, here)
        named = {"name": member.user.get_username(), "club": member.club.name}
        messages.success(request, gettext("%(name)s no longer works for %(club)s.") % named)
        return redirect(_list_of(member.club) if rights.may_manage(_again(user), member.club_id) else "desk:desk")
    context = {
        "heading": gettext("Remove %(name)s") % {"name": member.user.get_username()},
        "club": member.club,
        "membership": member,
        "objections": check_leaving(member, user),
        "submit": gettext("Remove member"),
        "cancel_url": here,
    }
    return render(request, "desk/members/remove.html", context)


def _again(user: User) -> User:
    """The user with the rights as they are now: an admin may have removed the own membership."""
    return User.objects.get(pk=user.pk)


# --- a new password -----------------------------------------------------------------------------------------


@sensitive_variables()
def password(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a link to the address of the account, or show a new password once. For other accounts, say who can."""
    member, user = _member_or_404(request, pk), user_of(request)
    objections = check_password_reset(member.user, user)
    may_send = bool(member.user.email) and mails.are_possible() and passwords.links_are_safe()
    how = request.POST.get("how") if request.method == "POST" else None
    if not objections and (how == "show" or (how == "email" and may_send)):
        try:
            new = reset_password(member, by=user)
        except Refused as refused:
            objections = list(refused.problems)
        else:
            if how == "show":
                return _show_password(request, member, new, gettext("The password is replaced"))
            return _send_link(request, member)
    context = {
        "heading": gettext("New password for %(name)s") % {"name": member.user.get_username()},
        "club": member.club,
        "membership": member,
        "objections": objections,
        "may_send": may_send,
    }
    refused_status = 403 if objections else 422
    status = 200 if request.method != "POST" else refused_status
    return render(request, "desk/members/password.html", context, status=status)


def _send_link(request: HttpRequest, member: Membership) -> HttpResponse:
    domain, https = passwords.site_of_links(request)
    passwords.send_link(member.user, domain, https=https)
    said = gettext("A link to a new password is on its way to %(name)s.")
    messages.success(request, said % {"name": member.user.get_username()})
    return redirect("desk:member", member.pk)
