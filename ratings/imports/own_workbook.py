"""Imports our own season workbook: games as in any file, and also rule sets, the season, full players and penalties."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q

from ratings.imports.game_rows import FileGame
from ratings.imports.games import GameKey, GamesPlan, SeasonImport, Seated, Tables, digests, nth_digest
from ratings.imports.kinds import Choices, Report
from ratings.imports.names import Answers, Match, Matcher
from ratings.imports.own_rows import GAME_COLUMNS, FileAdjustment, FileRules, OwnReading, read_own
from ratings.imports.person_rows import PERSON, FilePerson
from ratings.imports.sheets import Book
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets.files import read_file
from ratings.models import (
    Adjustment,
    Affiliation,
    Alias,
    Club,
    Hanchan,
    ImportBatch,
    ImportedRow,
    Player,
    RuleSet,
    Season,
)
from ratings.services.adjustments import give_many
from ratings.services.hanchans import Ready, make_ready
from ratings.services.players import kind_allowed, refresh_search_text, welcome
from ratings.services.rulesets import as_file
from ratings.services.seasons import save_season

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


@dataclass(kw_only=True)
class WorkbookPlan(GamesPlan):
    reading: OwnReading
    rule_sets: dict[str, RuleSet] = field(default_factory=dict)


class WorkbookImport(SeasonImport[WorkbookPlan]):
    asks_about_new_names = False  # the workbook describes its players in full

    def recognises(self, book: Book) -> bool:
        return book.is_our_season

    # --- the plan ---------------------------------------------------------------------------------------------

    def plan(
        self,
        batch: ImportBatch,
        book: Book,
        choices: Choices,
        *,
        by: User | None = None,
        report: Report | None = None,
    ) -> WorkbookPlan:
        plan = super().plan(batch, book, choices, by=by, report=report)
        _check_players(plan.reading)
        _plan_adjustments(plan)
        return plan

    def read(self, batch: ImportBatch, book: Book, choices: Choices) -> WorkbookPlan:
        reading = read_own(book)
        rule_sets = _rule_sets(batch.club, reading)
        return WorkbookPlan(
            club=batch.club,
            layout=None,
            findings=reading.findings,
            season=batch.season or _new_season(batch.club, reading, rule_sets),
            reading=reading,
            rule_sets=rule_sets,
            answered=frozenset(choices.names),
        )

    def match(self, plan: WorkbookPlan, matcher: Matcher, key: str, name: str) -> Match:
        return matcher.match(name, plan.reading.players[key].ema_number)

    def settle_people(self, plan: WorkbookPlan, answers: Answers, by: User | None) -> None:
        """Also ask about two players of the workbook who match one player here: they may only share a name."""
        super().settle_people(plan, answers, by)
        counted = Counter(person for person in plan.people.values() if person > 0)
        for key, person in plan.people.items():
            if counted[person] > 1 and key not in answers:
                plan.ask(key, [person], ambiguous=True)

    def asks_about_game(self, plan: WorkbookPlan, key: GameKey, tables: Tables) -> bool:
        """Whether the game is here, but with other players in the seats of people who would be new.

        Those people may have been renamed or anonymised since. The workbook stores the second of a game, so a game of
        the same moment is probably the same. The user is asked whether they are the same players; otherwise the game
        would count twice.
        """
        moment, is_void, seats = key
        for table in tables.get((moment, is_void), ()):
            strange, missing = _by_points(seats - table), _by_points(table - seats)
            same = [points for _player, points in strange] == [points for _player, points in missing]
            if same and len(strange) < len(seats) and all(player < 0 for player, _points in strange):
                pairs = zip(strange, missing, strict=True)
                asked = [_ask_who(plan, new, sat) for (new, _points), (sat, _same) in pairs]
                return any(asked)
        return False

    def make_ready(self, plan: WorkbookPlan, game: FileGame, sheet: Sheet[int], by: User | None) -> Ready:
        rule_set = plan.rule_sets.get(game.rules) if game.rules else plan.season.rule_set
        if rule_set is None:
            message = _("The rules “%(rules)s” of the game are not in the file.")
            raise Refused(Problem(message, {"rules": game.rules[:60]}, code="no_rules"))
        return make_ready(plan.season, sheet, rule_set=rule_set, status=Hanchan.Status(game.state), by=by)

    def column(self, plan: WorkbookPlan, key: str, seat: int | None = None) -> int | None:
        return GAME_COLUMNS.get(key if seat is None else f"{seat}_{key}")

    # --- writing ----------------------------------------------------------------------------------------------

    def store(
        self, plan: WorkbookPlan, batch: ImportBatch, *, by: User | None, reason: str, report: Report | None
    ) -> list[ImportedRow]:
        _store_rules(plan, by)
        games = super().store(plan, batch, by=by, reason=reason, report=report)
        given = [
            _as_adjustment(plan.season, plan.stored[plan.people[row.who]], row, by) for row, _digest in plan.adjustments
        ]
        if given:
            give_many(plan.season, given)
        batch.adjustments = len(given)
        rows = zip(given, plan.adjustments, strict=True)
        return [*games, *(ImportedRow(batch=batch, digest=digest, adjustment=each) for each, (_row, digest) in rows)]

    def store_player(self, plan: WorkbookPlan, key: str, number: int, by: User | None) -> int:
        found = plan.reading.players[key]
        player = number if number > 0 else _make_player(found).pk
        _welcome_as_filed(plan.club, player, found, is_new=number < 0, by=by)
        return player


def _by_points(seats: Seated) -> list[tuple[int, int]]:
    return sorted(seats, key=lambda seat: seat[1])


def _ask_who(plan: WorkbookPlan, player: int, candidate: int) -> bool:
    """Whether the user is asked, now or already in this plan; a question that was answered is not asked again."""
    key = next(key for key, person in plan.people.items() if person == player)
    if key in plan.answered:
        return False
    if not any(question.key == key for question in plan.questions):
        plan.ask(key, [candidate], ambiguous=False)
    return True


# --- rules ------------------------------------------------------------------------------------------------


def _rule_sets(club: Club, reading: OwnReading) -> dict[str, RuleSet]:
    """The club's versions with the same content, else new unstored ones. Rules that cannot be used are findings."""
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


def _store_rules(plan: WorkbookPlan, by: User | None) -> None:
    """Store the rule sets and the season of the workbook, except those that the club had before."""
    for rule_set in plan.rule_sets.values():
        if rule_set._state.adding:
            rule_set.save(force_insert=True)
    if plan.season._state.adding:
        plan.season.rule_set = plan.season.rule_set  # its id is known now
        save_season(plan.season, by=by)


# --- the season -------------------------------------------------------------------------------------------


def _new_season(club: Club, reading: OwnReading, sets: dict[str, RuleSet]) -> Season:
    """The season that the workbook describes, not yet stored."""
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
        raise Refused(*reading.findings.wrong)  # its rules are in the file but cannot be used
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
        Problem(
            _("The workbook does not describe its whole season. Create the season first, and choose it."), code="season"
        )
    )


# --- players ----------------------------------------------------------------------------------------------


def _as_player(found: FilePerson) -> Player:
    visibility = found["visibility"] or Player.Visibility.FULL
    return Player(native_name=found.name, visibility=visibility, remark=found["remark"], **found.filled(PERSON))


def _make_player(found: FilePerson) -> Player:
    """Store a new player as the workbook describes them, with aliases."""
    player = _as_player(found)
    player.save()
    Alias.objects.bulk_create([Alias(player=player, name=name[:120]) for name in dict.fromkeys(found["aliases"])])
    refresh_search_text(player)
    return player


def _check_players(reading: OwnReading) -> None:
    """Add findings for players who cannot be stored as they are."""
    for found in reading.players.values():
        try:
            _clean(_as_player(found), exclude=["merged_into"])
        except Refused as refused:
            for problem in refused.problems:
                reading.findings.refuse(found.place, problem)


def _welcome_as_filed(club: Club, player_id: int, found: FilePerson, *, is_new: bool, by: User | None) -> None:
    """Make a player of the file a regular or guest here, as in the file.

    A player of the club stays what they are. If `by` may not edit a known player, the player becomes a guest.
    """
    kind = found["kind"] if found["kind"] in Affiliation.Kind.values else Affiliation.Kind.GUEST
    if not is_new:
        kind = kind_allowed(Player.objects.get(pk=player_id), kind, by)
    welcome(club.pk, [player_id], kind=kind, by=by)


# --- results without a game -------------------------------------------------------------------------------


def _plan_adjustments(plan: WorkbookPlan) -> None:
    known, present = digests(plan.season), _adjustment_keys(plan.season)
    seen: Counter[str] = Counter()
    for row in plan.reading.adjustments:
        facts = (plan.reading.names[row.who], row.kind, row.points, row.round, row.reason, row.given_on.isoformat())
        digest = nth_digest(sha256(repr(("adjustment", *facts)).encode()).hexdigest(), seen)
        if digest in known or (plan.people[row.who], row.kind, row.points, row.given_on, row.reason) in present:
            plan.already += 1
        elif problem := _check_adjustment(row):
            plan.findings.refuse(row.place, problem)
        else:
            plan.adjustments.append((row, digest))


def _adjustment_keys(season: Season) -> set[tuple[int, str, int, datetime.date, str]]:
    if season._state.adding:
        return set()
    rows = Adjustment.objects.filter(season=season)
    return set(rows.values_list("player_id", "kind", "points", "given_on", "reason"))


def _check_adjustment(row: FileAdjustment) -> Problem | None:
    if row.kind not in Adjustment.Kind.values:
        return Problem(_("“%(kind)s” is not a kind of penalty."), {"kind": row.kind[:40]}, code="kind")
    if not row.reason or len(row.reason) > 300:
        return Problem(_("The reason is missing or longer than 300 characters."), code="reason")
    if abs(row.points) > scoring.LARGEST:
        return Problem(_("%(points)s is more than a penalty can be."), {"points": row.points}, code="too_large")
    return None


def _as_adjustment(season: Season, player_id: int, row: FileAdjustment, by: User | None) -> Adjustment:
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
    """The one user with this name among the members of the club and the user who imports; otherwise None."""
    people = User.objects.filter(Q(memberships__club=club) | Q(pk=by.pk if by else None)).distinct()
    found = [user for user in people if name and name in (user.get_full_name(), user.get_username())]
    return found[0] if len(found) == 1 else None


WORKBOOK = WorkbookImport()
