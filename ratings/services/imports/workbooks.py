"""What only our own workbook brings along: rule sets, the season itself, players in full, results without a game."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q

from ratings import scoring
from ratings.imports.own import FileAdjustment, FilePlayer, FileRules, OwnReading
from ratings.imports.places import Place
from ratings.models import Adjustment, Affiliation, Alias, Club, Player, RuleSet, Season
from ratings.problems import Problem, Refused, gettext_noop
from ratings.rulesets.files import read_file
from ratings.services.players import kind_allowed, refresh_search_text, welcome
from ratings.services.rulesets import as_file

_ = gettext_noop

SEASON_FIELDS = (
    "name",
    "slug",
    "kind",
    "formula",
    "initial_rating",
    "elo_k",
    "minimum_games",
    "metrics",
    "tie_breaks",
    "results_public",
)


# --- rules ------------------------------------------------------------------------------------------------


def rule_sets(club: Club, reading: OwnReading) -> dict[str, RuleSet]:
    """The club's versions of the same content, else new ones, not yet stored; what cannot be is a finding."""
    found = {}
    for code, rules in reading.rules.items():
        try:
            found[code] = _rule_set(club, rules)
        except Refused as refused:
            for problem in refused.problems:
                reading.findings.refuse(rules.place, problem)
    return found


def _rule_set(club: Club, rules: FileRules) -> RuleSet:
    content = read_file(rules.content)
    present = club.rule_sets.filter(slug=rules.slug, version=rules.version).first()
    if present is None:
        columns = content.write()
        made = RuleSet(club=club, slug=rules.slug, version=rules.version, **columns)
        _clean(made, exclude=["club", "parent"])
        return made
    if as_file(present).write() != content.write():
        raise Refused(
            Problem(
                _("The club has other rules under “%(code)s”. Import into another club, or rename its rules."),
                {"code": rules.code},
                code="other_rules",
            )
        )
    return present


def _clean(row: Any, exclude: list[str]) -> None:
    try:
        row.full_clean(exclude=exclude, validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        raise Refused(*(Problem("%(what)s", {"what": text}, code="invalid") for text in error.messages)) from error


# --- the season -------------------------------------------------------------------------------------------


def new_season(club: Club, reading: OwnReading, sets: dict[str, RuleSet]) -> Season:
    """The season the workbook describes, not yet stored."""
    data = reading.season
    rule_set = sets.get(str(data.get("rule_set")))
    try:
        days = {
            "starts_on": datetime.date.fromisoformat(str(data.get("starts_on"))),
            "ends_on": datetime.date.fromisoformat(str(data["ends_on"])) if data.get("ends_on") else None,
        }
    except ValueError as error:
        raise _no_season() from error
    if rule_set is None and reading.findings.wrong:
        raise Refused(*reading.findings.wrong)  # its rules are there, and cannot be used
    if rule_set is None:
        raise _no_season()
    season = Season(club=club, rule_set=rule_set, **{key: data[key] for key in SEASON_FIELDS if key in data}, **days)
    if season.is_competition:
        raise _no_season()
    if club.seasons.filter(slug=season.slug).exists():
        message = _("The club has a season “%(slug)s” already. Choose it to import into it.")
        raise Refused(Problem(message, {"slug": season.slug}, code="season_exists"))
    _clean(season, exclude=["club", "rule_set"])
    return season


def _no_season() -> Refused:
    return Refused(
        Problem(_("The workbook does not say all of its season. Make the season first, and choose it."), code="season")
    )


# --- players ----------------------------------------------------------------------------------------------


def _as_player(found: FilePlayer) -> Player:
    return Player(
        native_name=found.name,
        latin_first=found.latin_first,
        latin_last=found.latin_last,
        nickname=found.nickname,
        country=found.country,
        ema_number=found.ema_number,
        visibility=found.visibility or Player.Visibility.FULL,
    )


def make_player(found: FilePlayer) -> Player:
    """A player as the workbook describes them, with aliases."""
    player = _as_player(found)
    player.save()
    Alias.objects.bulk_create([Alias(player=player, name=name[:120]) for name in dict.fromkeys(found.aliases)])
    refresh_search_text(player)
    return player


def check_players(reading: OwnReading) -> None:
    """Findings for players that could not be stored as they are."""
    for key, found in reading.players.items():
        try:
            _clean(_as_player(found), exclude=["merged_into"])
        except Refused as refused:
            for problem in refused.problems:
                reading.findings.refuse(reading.first_seen.get(key, Place("")), problem)


def welcome_as_filed(club: Club, player_id: int, found: FilePlayer, *, is_new: bool, by: User | None) -> None:
    """Regulars of the file are regulars here, unless the club knows them already or other clubs keep them."""
    kind = found.kind if found.kind in Affiliation.Kind.values else Affiliation.Kind.GUEST
    if not is_new:
        kind = kind_allowed(Player.objects.get(pk=player_id), kind, by)
    welcome(club.pk, [player_id], kind=kind, by=by)


# --- results without a game -------------------------------------------------------------------------------


def check_adjustment(row: FileAdjustment) -> Problem | None:
    if row.kind not in Adjustment.Kind.values:
        return Problem(_("“%(kind)s” is no kind of penalty."), {"kind": row.kind[:40]}, code="kind")
    if not row.reason or len(row.reason) > 300:
        return Problem(_("The reason is missing or longer than 300 letters."), code="reason")
    if abs(row.points) > scoring.LARGEST:
        return Problem(_("%(points)s is more than a penalty can be."), {"points": row.points}, code="too_large")
    return None


def as_adjustment(season: Season, player_id: int, row: FileAdjustment, by: User | None) -> Adjustment:
    zone = season.club.zone
    return Adjustment(
        season=season,
        player_id=player_id,
        kind=row.kind,
        points=row.points,
        round=row.round,
        reason=row.reason,
        given_on=row.given_on,
        by=_member(season.club, row.by, by),
        revoked_at=row.revoked.replace(tzinfo=zone) if row.revoked else None,
        revoked_by=_member(season.club, row.revoked_by, by),
        revoked_reason=row.revoked_reason[:300],
    )


def _member(club: Club, name: str, by: User | None) -> User | None:
    """A file may name only whoever works for the club, or the one who brings it."""
    people = User.objects.filter(Q(memberships__club=club) | Q(pk=by.pk if by else None)).distinct()
    found = [user for user in people if name and name in (user.get_full_name(), user.get_username())]
    return found[0] if len(found) == 1 else None
