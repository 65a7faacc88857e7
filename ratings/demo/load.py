"""Store the demo in the database, all of it or nothing, with the same services as for typed games."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from django.contrib.auth.models import User
from django.db import transaction

from ratings.demo import evenings, games
from ratings.demo.builders import Progress, builders
from ratings.demo.clubs import CLUBS, ClubPlan, Fine, SeasonPlan
from ratings.demo.games import Ground, Regular
from ratings.demo.people import DemoPerson
from ratings.mahjong import rulesets
from ratings.mahjong.gamesheet import Sheet
from ratings.models import Adjustment, Affiliation, Alias, Club, Hanchan, Membership, Player, RuleSet, Season, Seat
from ratings.services.adjustments import give, revoke
from ratings.services.hanchans import change_hanchan, record_hanchan, sheet_of, void_hanchan
from ratings.services.players import refresh_search_text, welcome
from ratings.services.rulesets import as_file, change_rule_set, copy_preset

SEED = 13  # orphans
GUESTS_COME = 0.12  # attendance of a guest, compared with that of a regular


def silent(_what: str, _done: int, _of: int) -> None:
    """Show no progress."""


@transaction.atomic
def load_all(today: datetime.date, seed: int = SEED, *, share: float = 1.0, progress: Progress = silent) -> None:
    """Store the clubs and everything that other apps add to them."""
    load(today, seed, share=share, progress=progress)
    for build in builders():
        build(today, seed, progress)


@transaction.atomic
def load(today: datetime.date, seed: int = SEED, *, share: float = 1.0, progress: Progress = silent) -> None:
    """Store the three clubs as of a day. `share` is the share of the games to play: tests need few."""
    players = _people(dict.fromkeys(person for plan in CLUBS for person in (*plan.people, *plan.guests)))
    for plan in CLUBS:
        club = _club(plan)
        rule_set = copy_preset(club, plan.preset, plan.rules_name)
        staff = _staff(club)
        regulars = _regulars(plan, players, seed)
        welcome(club.pk, [players[person].pk for person in plan.people], kind=Affiliation.Kind.REGULAR)
        for season_plan in plan.seasons:
            when = evenings.span(season_plan, today)
            rule_set = _next_rules(rule_set, plan, season_plan.rules)
            season = _season(club, season_plan, when, rule_set)
            ground = Ground(plan, season_plan, rule_set.rules, rule_set.allowed_ranges, when, regulars)
            die = Random(f"{seed} {club.slug} {season.slug}")
            sheets = games.sheets(die, ground, today, round(season_plan.games * share))
            _play(season, season_plan, sheets, staff, progress)
            _mend(die, season, season_plan, staff)
            _fine(die, season, season_plan.fines, staff[Membership.Role.REFEREE], min(when.last, today))


# --- people and clubs -------------------------------------------------------------------------------------


def _people(people: Iterable[DemoPerson]) -> dict[DemoPerson, Player]:
    players = {}
    for person in people:
        first, last = person.latin_names
        player = players[person] = Player.objects.create(
            native_name=person.native,
            latin_first=first,
            latin_last=last,
            nickname=person.nickname,
            country=person.country,
            ema_number=person.ema_number,
            visibility=person.visibility,
        )
        if person.alias:
            Alias.objects.create(player=player, name=person.alias)
        refresh_search_text(player)
    return players


def _regulars(plan: ClubPlan, players: Mapping[DemoPerson, Player], seed: int) -> list[Regular]:
    """Return a club's players. A player is equally strong in every club, but may come to one club more often."""
    regulars = []
    for person in (*plan.people, *plan.guests):
        skill, habit = Random(f"{seed} {person.native}"), Random(f"{seed} {person.native} {plan.slug}")
        attendance = habit.uniform(0.15, 1) if person in plan.people else GUESTS_COME
        regulars.append(Regular(players[person].pk, skill.gauss(0, 1), attendance))
    return regulars


def _club(plan: ClubPlan) -> Club:
    return Club.objects.create(
        name=plan.name,
        slug=plan.slug,
        city=plan.city,
        country=plan.country,
        time_zone=plan.time_zone,
        about=plan.about,
    )


def _staff(club: Club) -> dict[Membership.Role, User]:
    """Make one user for each role. They have no password: no one can log in as them until the owner sets one."""
    staff = {}
    for role in Membership.Role:
        user, made = User.objects.get_or_create(username=f"{club.slug}-{role}", defaults={"is_staff": True})
        if made:
            user.set_unusable_password()
            user.save()
        Membership.objects.create(user=user, club=club, role=role)
        staff[role] = user
    return staff


def _next_rules(rule_set: RuleSet, plan: ClubPlan, number: int) -> RuleSet:
    """Return the club's rules in the version that a season needs. If games used the old version, a new one is made."""
    rules = rulesets.change(rulesets.PRESETS[plan.preset].rules, plan.versions[number - 1])
    return change_rule_set(rule_set, replace(as_file(rule_set), rules=rules))


def _season(club: Club, plan: SeasonPlan, when: evenings.DemoSpan, rule_set: RuleSet) -> Season:
    return Season.objects.create(
        club=club,
        name=f"{plan.names[when.time_of_year]} {when.year}",
        slug=f"{plan.slug}-{when.time_of_year}-{when.year}",
        starts_on=when.first,
        ends_on=when.last,
        rule_set=rule_set,
        **plan.settings,
    )


# --- games ------------------------------------------------------------------------------------------------


def _play(
    season: Season,
    plan: SeasonPlan,
    sheets: list[Sheet[int]],
    staff: Mapping[Membership.Role, User],
    progress: Progress,
) -> None:
    """Record the games in order; the last game of a season with a draft is left unfinished."""
    scorer, referee = staff[Membership.Role.SCORER], staff[Membership.Role.REFEREE]
    what = f"{season.club}, {season}"
    for done, sheet in enumerate(sheets, 1):
        if plan.incidents.draft and done == len(sheets):
            record_hanchan(season, _unfinished(sheet), by=scorer, draft=True)
        else:
            record_hanchan(season, sheet, by=referee if sheet.override else scorer)
        progress(what, done, len(sheets))


def _unfinished(sheet: Sheet[int]) -> Sheet[int]:
    """Return the sheet before the last player has counted."""
    return replace(sheet, seats=(*sheet.seats[:3], sheet.seats[3].changed(points=0, chombo=0)))


def _mend(die: Random, season: Season, plan: SeasonPlan, staff: Mapping[Membership.Role, User]) -> None:
    """Correct games that were entered wrongly: two scores were swapped, or the game was entered twice."""
    plain = Hanchan.objects.filter(season=season, status=Hanchan.Status.FINAL, override="", winds_unknown=False)
    substituted = [Seat.Substitute.FROM_START, Seat.Substitute.MID_GAME]
    candidates = list(plain.exclude(seats__substitute__in=substituted).order_by("played_at", "pk"))
    referee = staff[Membership.Role.REFEREE]
    wrong = die.sample(candidates, min(plan.incidents.corrected + plan.incidents.void, len(candidates)))
    for hanchan in wrong[: plan.incidents.corrected]:
        reason = "The sheet was read from the wrong side: South and West had each other's points."
        change_hanchan(hanchan, _swapped(sheet_of(hanchan)), version=hanchan.version, by=referee, reason=reason)
    for hanchan in wrong[plan.incidents.corrected :]:
        void_hanchan(hanchan, version=hanchan.version, by=referee, reason="Entered from two phones; this is the copy.")


def _swapped(sheet: Sheet[int]) -> Sheet[int]:
    east, south, west, north = sheet.seats
    mended = (
        east,
        south.changed(points=west.played.points),
        west.changed(points=south.played.points),
        north,
    )
    return replace(sheet, seats=mended)


def _fine(die: Random, season: Season, fines: Iterable[Fine], by: User, until: datetime.date) -> None:
    """Write the penalty ledger, each row on the last day when its player played."""
    for fine in fines:
        played = season.standings.filter(games__gt=0).select_related("player")
        standing = die.choice(list(played.order_by("player__native_name")))
        day = min(standing.last_played_on or until, until)
        kind = Adjustment.Kind(fine.kind)
        adjustment = give(season, standing.player, kind, fine.points, fine.reason, by=by, on=day)
        if fine.revoked:
            revoke(adjustment, by=by, reason=fine.revoked)
