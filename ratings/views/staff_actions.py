"""What staff may do with a club, season, rule set, player or game, for the row of buttons beside the page's heading."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext

from clubsite.staff_actions import StaffAction
from ratings import rights
from ratings.models import Club, Hanchan, Player, RuleSet, Season


def of_club(club: Club, user: rights.Person) -> Iterator[StaffAction]:
    if not rights.may_manage(user, club.pk):
        return
    here = f"?club={club.slug}"
    yield StaffAction(10, gettext("New season"), reverse("desk:season_add") + here, creates=True)
    yield StaffAction(20, gettext("New rule set"), reverse("desk:rule_set_add") + here, creates=True)
    yield StaffAction(40, gettext("Import"), reverse("desk:import_add") + here)
    yield StaffAction(50, gettext("Members"), reverse("desk:members", args=[club.slug]))
    yield StaffAction(60, gettext("Edit club"), reverse("desk:club_settings", args=[club.pk]))


def of_season(season: Season, user: rights.Person) -> Iterator[StaffAction]:
    if rights.may_enter(user, season.club_id):
        yield StaffAction(10, gettext("Enter a table"), f"{reverse('desk:enter')}?season={season.pk}")
    if rights.may_rule(user, season.club_id):
        yield StaffAction(20, gettext("Add a penalty"), f"{reverse('desk:penalty_add')}?season={season.pk}")
    if rights.may_manage(user, season.club_id):
        yield StaffAction(30, gettext("What if…"), reverse("desk:what_if", args=[season.pk]))
        yield StaffAction(40, gettext("Import"), f"{reverse('desk:import_add')}?into={season.pk}")
        yield StaffAction(50, gettext("Edit season"), reverse("desk:season", args=[season.pk]))


def of_player(player: Player, user: rights.Person) -> Iterator[StaffAction]:
    if player.anonymised_at or player.merged_into_id:
        return
    if rights.may_edit_player(user, player):
        yield StaffAction(10, gettext("Edit player"), reverse("desk:player", args=[player.pk]))
    if rights.may_merge_or_anonymise(user, player):
        yield StaffAction(20, gettext("Merge…"), reverse("desk:player_merge", args=[player.pk]))


def of_rule_set(rule_set: RuleSet, user: rights.Person) -> Iterator[StaffAction]:
    if not rights.may_manage(user, rule_set.club_id):
        return
    label = gettext("Create the next version") if rule_set.is_frozen else gettext("Change these rules")
    yield StaffAction(10, label, reverse("desk:rule_set", args=[rule_set.pk]), is_main=True)
    copy = f"{reverse('desk:rule_set_add')}?club={rule_set.club.slug}&own={rule_set.pk}"
    yield StaffAction(20, gettext("Copy rules"), copy)


def of_game(game: Hanchan, user: rights.Person) -> Iterator[StaffAction]:
    may_rule = rights.may_rule(user, game.season.club_id)
    if game.is_void:
        if may_rule:
            yield StaffAction(10, gettext("Restore"), reverse("desk:restore", args=[game.pk]))
        return
    if rights.may_enter(user, game.season.club_id) and rights.may_change(user, game):
        label = gettext("Finish the draft") if game.is_draft else gettext("Correct this game")
        yield StaffAction(10, label, reverse("desk:correct", args=[game.pk]))
    if may_rule:
        yield StaffAction(20, gettext("Void"), reverse("desk:void", args=[game.pk]))


def of_players(club: Club, user: rights.Person) -> Iterator[StaffAction]:
    """For the list of a club's players."""
    if rights.may_manage(user, club.pk):
        here = f"?club={club.slug}"
        yield StaffAction(10, gettext("Add a player"), reverse("desk:player_add") + here)
        yield StaffAction(20, gettext("Import a list"), f"{reverse('desk:import_add')}{here}&into=players")
