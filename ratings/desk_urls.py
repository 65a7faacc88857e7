"""Addresses of the pages for staff, below `/admin/`. Each page decides for itself what the user may do there."""

from functools import partial

from django.contrib.auth.views import LogoutView, PasswordChangeDoneView
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_protect

from clubsite.staff import staff_page
from clubsite.views import own_email, second_factor, signing_in
from ratings.views import (
    accounts,
    anonymising,
    club_settings,
    corrections,
    desk,
    entry,
    imports,
    invitations,
    leaving,
    members,
    merging,
    penalties,
    player_edits,
    rule_settings,
    season_settings,
    whatif,
)

app_name = "desk"

signing_in_urls = [
    path("login/", accounts.sign_in, name="login"),
    path("login/code/", signing_in.second_step, name="second_step"),
    path("login/set-up/", signing_in.first_set_up, name="first_set_up"),
    # Every signed-in user can sign out and answer invitations, also without working for a club.
    path("logout/", csrf_protect(LogoutView.as_view()), name="logout"),
    path("invitations/", invitations.own, name="invitations"),
    path("account/", staff_page(second_factor.account), name="account"),
    path("account/email/", staff_page(own_email.change), name="email"),
    path("account/second-step/", staff_page(second_factor.turn_on), name="second_step_on"),
    path("account/second-step/off/", staff_page(second_factor.turn_off), name="second_step_off"),
    path("account/recovery-codes/", staff_page(second_factor.new_recovery_codes), name="recovery_codes"),
    path("password_change/", staff_page(accounts.OwnPassword.as_view()), name="password_change"),
    path("password_change/done/", staff_page(PasswordChangeDoneView.as_view()), name="password_change_done"),
]

void, restore = (partial(corrections.set_status, void=is_void) for is_void in (True, False))

game_urls = [
    path("ratings/hanchan/add/", staff_page(entry.add), name="enter"),
    path("ratings/hanchan/preview/", staff_page(entry.preview), name="entry_preview"),
    path("ratings/hanchan/players/", staff_page(entry.suggestions), name="entry_suggestions"),
    path("ratings/hanchan/<int:pk>/change/", staff_page(corrections.change), name="correct"),
    path("ratings/hanchan/<int:pk>/void/", staff_page(void), name="void"),
    path("ratings/hanchan/<int:pk>/restore/", staff_page(restore), name="restore"),
    path("ratings/adjustment/add/", staff_page(penalties.add), name="penalty_add"),
    path("ratings/adjustment/<int:pk>/revoke/", staff_page(penalties.revoke), name="penalty_revoke"),
]

import_urls = [
    path("clubs/<slug:slug>/imports/", staff_page(imports.listing), name="imports"),
    path("ratings/importbatch/add/", staff_page(imports.upload), name="import_add"),
    path("ratings/importbatch/<int:pk>/change/", staff_page(imports.show), name="import"),
    path("ratings/importbatch/<int:pk>/mapping/", staff_page(imports.mapping), name="import_mapping"),
    path("ratings/importbatch/<int:pk>/undo/", staff_page(imports.undo), name="import_undo"),
]

season_urls = [
    path("ratings/season/add/", staff_page(season_settings.add), name="season_add"),
    path("ratings/season/add/preview/", staff_page(season_settings.add_preview), name="season_add_preview"),
    path("ratings/season/<int:pk>/change/", staff_page(season_settings.change), name="season"),
    path("ratings/season/<int:pk>/preview/", staff_page(season_settings.preview), name="season_preview"),
    path("ratings/season/<int:pk>/history/", staff_page(season_settings.history), name="season_history"),
    path("ratings/season/<int:pk>/what-if/", staff_page(whatif.what_if), name="what_if"),
    path("ratings/ruleset/add/", staff_page(rule_settings.add), name="rule_set_add"),
    path("ratings/ruleset/<int:pk>/change/", staff_page(rule_settings.change), name="rule_set"),
    path("ratings/ruleset/<int:pk>/example/", staff_page(rule_settings.example), name="rule_set_example"),
    path("ratings/ruleset/<int:pk>/history/", staff_page(rule_settings.history), name="rule_set_history"),
    path("ratings/club/add/", staff_page(club_settings.add), name="club_add"),
    path("ratings/club/zones/", staff_page(club_settings.zones), name="club_zones"),
    path("ratings/club/<int:pk>/change/", staff_page(club_settings.change), name="club_settings"),
    path("ratings/club/<int:pk>/history/", staff_page(club_settings.history), name="club_history"),
]

people_urls = [
    path("ratings/player/add/", staff_page(player_edits.add), name="player_add"),
    path("ratings/player/<int:pk>/change/", staff_page(player_edits.change), name="player"),
    path("ratings/player/<int:pk>/history/", staff_page(player_edits.history), name="player_history"),
    path("ratings/player/<int:pk>/merge/", staff_page(merging.merge), name="player_merge"),
    path("ratings/player/<int:pk>/unmerge/<int:merge_id>/", staff_page(merging.unmerge), name="player_unmerge"),
    path("ratings/player/<int:pk>/leave/<int:club_id>/", staff_page(leaving.leave), name="player_leave"),
    path("ratings/player/<int:pk>/anonymise/", staff_page(anonymising.anonymise), name="player_anonymise"),
    path("clubs/<slug:slug>/members/", staff_page(members.members), name="members"),
    path("ratings/membership/add/", staff_page(members.add), name="member_add"),
    path("ratings/membership/<int:pk>/change/", staff_page(members.change), name="member"),
    path("ratings/membership/<int:pk>/delete/", staff_page(members.remove), name="member_remove"),
    path("ratings/membership/<int:pk>/password/", staff_page(members.password), name="member_password"),
    path(
        "ratings/membership/invitations/<int:pk>/withdraw/",
        staff_page(invitations.withdraw),
        name="invitation_withdraw",
    ),
]

urlpatterns = [
    path("", staff_page(desk.desk), name="desk"),
    path("clubs/<slug:slug>/", staff_page(desk.club), name="club"),
    *signing_in_urls,
    *game_urls,
    *import_urls,
    *season_urls,
    *people_urls,
    # Last: what Django's admin had here until it moved to /admin/data/.
    re_path(r"^(?P<old>(?:auth|ratings|tournaments)/.*)$", staff_page(desk.moved), name="moved"),
]
