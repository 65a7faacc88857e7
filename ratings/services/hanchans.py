"""Recording, correcting, voiding and restoring a hanchan.

All ways of entering games (admin page, import, phone at the table, commands) use these functions. Each write is one
transaction that starts by locking the season, stores the whole sheet in the history, and leaves every derived number
correct. Writing many games at once (an import, or undoing it) works the same way, with one lock and one re-aggregation.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from clubsite.days import day
from ratings import rights
from ratings.mahjong import gamesheet, rulesets, scoring
from ratings.mahjong.gamesheet import GAME_FACTS, SeatSheet, Sheet
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, HanchanEvent, RuleSet, Season, Seat
from ratings.queries.ratings import Moment
from ratings.services.holds import held, hold_players
from ratings.services.players import welcome
from ratings.services.ratings import recompute_ratings
from ratings.services.seasons import lock
from ratings.services.standings import refresh_standings

_ = gettext_noop

Action = HanchanEvent.Action
Status = Hanchan.Status
ENTERED_AS = {Status.FINAL: Action.ENTERED, Status.DRAFT: Action.DRAFTED, Status.VOID: Action.VOIDED}

Report = Callable[[int, int], None]  # number done, number in all
Thing = TypeVar("Thing")
AT_ONCE = 500  # games in one statement

CLOCKS_DIFFER = datetime.timedelta(minutes=10)  # a phone's clock may be a little ahead of the server's


class Conflict(Exception):
    """Another user changed the game since it was opened."""

    def __init__(self, current: Hanchan) -> None:
        super().__init__(current.pk)
        self.current = current


class SubmittedBefore(Exception):
    """The same form was sent twice. `hanchan` is the game that the first one made."""

    def __init__(self, hanchan: Hanchan, same: bool) -> None:
        super().__init__(hanchan.pk)
        self.hanchan = hanchan
        self.same = same


# --- reading and checking ---------------------------------------------------------------------------------


def sheet_of(hanchan: Hanchan) -> Sheet[int]:
    """Return the current sheet of a stored game."""
    seats = [SeatSheet(seat.player_id, seat.as_played(), seat.played_by_id) for seat in hanchan.seats.all()]
    return Sheet(seats=tuple(seats), **{name: getattr(hanchan, name) for name in GAME_FACTS})


def rules_for(season: Season, rule_set: RuleSet, variation: Mapping[str, Any]) -> rulesets.Rules:
    """Return the rules of one game. Raise Refused for a variation that is not allowed."""
    if not variation:
        return rule_set.rules
    if not season.has_variations:
        raise Refused(
            Problem(_("Games of this season all follow one rule set; none may vary it."), code="no_variations")
        )
    return rulesets.vary(rule_set.rules, rule_set.allowed_ranges, variation)


def check_sheet(
    season: Season, rule_set: RuleSet, sheet: Sheet[int], *, by: User | None = None, draft: bool = False
) -> list[Problem]:
    """Return all problems that prevent recording the sheet in this season. Forms and previews use the same check."""
    try:
        rules = rules_for(season, rule_set, sheet.variation)
    except Refused as refused:
        return list(refused.problems)
    found = [*gamesheet.check(sheet, rules, draft=draft), *_check_dates(season, sheet)]
    wrong = scoring.difference(sheet.as_table(), rules) if len(sheet.seats) == 4 else 0
    if wrong and sheet.override and not draft and by and not rights.may_rule(by, season.club_id):
        found.append(
            Problem(
                _("Only a referee or a club admin may save a wrong sum. Save it as a draft and ask one."),
                code="override_not_allowed",
            )
        )
    return found


def _check_dates(season: Season, sheet: Sheet[int]) -> list[Problem]:
    if sheet.played_at > timezone.now() + CLOCKS_DIFFER:
        return [Problem(_("The game is in the future. Check date and time."), code="future")]
    if season.covers(sheet.played_on):
        return []
    if season.ends_on is None:
        message = _("%(day)s is before the season's first day, %(first)s.")
    else:
        message = _("%(day)s is outside the season, which runs from %(first)s to %(last)s.")
    params = {"day": day(sheet.played_on), "first": day(season.starts_on), "last": day(season.ends_on)}
    return [Problem(message, params, code="outside_season")]


def score_sheet(rules: rulesets.Rules, sheet: Sheet[int]) -> tuple[scoring.SeatResult, ...]:
    return scoring.score(sheet.as_table(), rules)


# --- writing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ready:
    """A game that is checked and scored and only has to be written."""

    sheet: Sheet[int]
    rule_set: RuleSet
    status: Hanchan.Status
    results: Sequence[scoring.SeatResult | None]


def make_ready(
    season: Season,
    sheet: Sheet[int],
    *,
    rule_set: RuleSet | None = None,
    status: Hanchan.Status = Status.FINAL,
    by: User | None = None,
) -> Ready:
    """Check and score a new game. This opens no transaction and may happen long before the game is written."""
    rule_set = rule_set or season.rule_set
    _refuse(check_sheet(season, rule_set, sheet, by=by, draft=status != Status.FINAL))
    return Ready(sheet, rule_set, status, _results(season, rule_set, status, sheet))


def record_hanchan(
    season: Season,
    sheet: Sheet[int],
    *,
    by: User | None = None,
    draft: bool = False,
    submit_key: uuid.UUID | None = None,
) -> Hanchan:
    """Enter a new game. If the same form is sent again, raise SubmittedBefore with the game of the first."""
    try:
        with transaction.atomic():
            season = lock(season.pk)
            _refuse_double(submit_key, sheet)
            ready = make_ready(season, sheet, status=Status.DRAFT if draft else Status.FINAL, by=by)
            return _enter(season, [ready], by=by, submit_key=submit_key)[0]
    except IntegrityError:
        _refuse_double(submit_key, sheet)  # the first request was for another season, which has its own lock
        raise


@transaction.atomic
def record_hanchans(
    season: Season, games: Sequence[Ready], *, by: User | None = None, reason: str = "", report: Report | None = None
) -> list[Hanchan]:
    """Enter many new games that were made ready for `season` as it was read then. Either all are entered or none."""
    current = lock(season.pk)
    _refuse(_check_unchanged(season, current))
    return _enter(current, games, by=by, reason=reason, report=report)


def _check_unchanged(season: Season, current: Season) -> list[Problem]:
    """Check that what the games were checked against has not changed since."""
    names = ("rule_set_id", "kind", "starts_on", "ends_on")
    return [] if all(getattr(season, name) == getattr(current, name) for name in names) else [_changed()]


def _hold_rules(games: Sequence[Ready]) -> None:
    """Lock the rules, and refuse games that were scored by other values than the current ones.

    Rules that no game uses yet can change.
    """
    used = {game.rule_set.pk: game.rule_set for game in games}
    for now in held(RuleSet.objects.filter(pk__in=used)):
        then = used[now.pk]
        if (now.rules, now.allowed_ranges) != (then.rules, then.allowed_ranges):
            raise Refused(_changed())


def _changed() -> Problem:
    message = _("The season's rules or days were changed meanwhile. Look again and repeat it.")
    return Problem(message, code="changed")


def _enter(
    season: Season,
    games: Sequence[Ready],
    *,
    by: User | None,
    reason: str = "",
    submit_key: uuid.UUID | None = None,
    report: Report | None = None,
) -> list[Hanchan]:
    """Write new games in their order. The season must be locked."""
    hold_players(person for game in games for person in _everybody(game.sheet))
    _hold_rules(games)
    made: list[Hanchan] = []
    for some in _batches(games):
        rows = [
            Hanchan(
                season=season,
                rule_set=game.rule_set,
                submit_key=submit_key,
                entered_by=by,
                **{**_facts(game.sheet, draft=False), "status": game.status},
            )
            for game in some
        ]
        made += Hanchan.objects.bulk_create(rows)
        pairs = list(zip(rows, some, strict=True))
        Seat.objects.bulk_create([seat for row, game in pairs for seat in _seats(row, game.sheet, game.results)])
        HanchanEvent.objects.bulk_create(
            [_event(row, game.sheet, ENTERED_AS[game.status], by, reason) for row, game in pairs]
        )
        if report:
            report(len(made), len(games))
    counting = [(row, game.sheet) for row, game in zip(made, games, strict=True) if game.status == Status.FINAL]
    if counting:
        welcome(season.club_id, _everybody(*(sheet for _row, sheet in counting)), by=by, reason=reason[:100])
        since = min(Moment(row.played_at, row.pk) for row, _sheet in counting)
        _rederive(season, since, {player for _row, sheet in counting for player in _people(sheet)})
    return made


@transaction.atomic
def change_hanchan(
    hanchan: Hanchan, sheet: Sheet[int], *, version: int, by: User | None = None, reason: str = "", draft: bool = False
) -> Hanchan:
    """Correct a final game or continue a draft. `version` is the version that the editor saw."""
    season = lock(hanchan.season_id)
    current = _claim(hanchan.pk, version)
    _refuse(_cannot_change(current, draft))
    _refuse(check_sheet(season, current.rule_set, sheet, by=by, draft=draft))
    hold_players(_everybody(sheet))
    was_final = current.status == Status.FINAL
    before, old = Moment(current.played_at, current.pk), sheet_of(current)
    for name, value in _facts(sheet, draft).items():
        setattr(current, name, value)
    current.corrections += was_final
    current.save()
    current.seats.all().delete()
    results = _results(season, current.rule_set, current.status, sheet)
    Seat.objects.bulk_create(_seats(current, sheet, results))
    finished = Action.DRAFTED if draft else Action.ENTERED
    _remember(current, sheet, Action.CORRECTED if was_final else finished, by, reason)
    if not draft:
        # Only people new in the game are welcomed: a player who was taken off the club's list meanwhile stays off it.
        welcome(season.club_id, _everybody(sheet) - (_everybody(old) if was_final else set()), by=by)
        moment = (
            min(before, Moment(current.played_at, current.pk)) if was_final else Moment(sheet.played_at, current.pk)
        )
        _rederive(season, moment, _people(old) | _people(sheet) if was_final else _people(sheet))
    return current


def void_hanchan(hanchan: Hanchan, *, version: int, by: User | None = None, reason: str) -> Hanchan:
    """Void a game: it counts nowhere, but stays visible and can be restored."""
    return _set_status(hanchan, version, Status.VOID, Action.VOIDED, by, reason)


@transaction.atomic
def void_hanchans(season: Season, versions: Mapping[int, int], *, by: User | None = None, reason: str) -> None:
    """Void all these games or none of them. `versions` maps each game to the version that the user saw.

    Each game gets its own event.
    """
    season = lock(season.pk)
    people: set[int] = set()
    moments: list[Moment] = []
    for some in _batches(sorted(versions)):
        games = list(Hanchan.objects.filter(pk__in=some, season=season).prefetch_related("seats"))
        events = []
        for game in games:
            if game.version != versions[game.pk]:
                raise Conflict(game)
            moments.append(Moment(game.played_at, game.pk))
            people |= {seat.player_id for seat in game.seats.all()}
            game.version += 1
            events.append(_event(game, sheet_of(game), Action.VOIDED, by, reason))
        Hanchan.objects.filter(pk__in=some, season=season).update(status=Status.VOID, version=F("version") + 1)
        Seat.objects.filter(hanchan__in=some, season=season).update(counts=False, rating_after=None)
        HanchanEvent.objects.bulk_create(events)
    if moments:
        _rederive(season, min(moments), people)


def restore_hanchan(hanchan: Hanchan, *, version: int, by: User | None = None, reason: str = "") -> Hanchan:
    """Undo voiding: the game counts again, or becomes a draft if its sheet still has problems."""
    return _set_status(hanchan, version, Status.FINAL, Action.RESTORED, by, reason)


@transaction.atomic
def _set_status(
    hanchan: Hanchan, version: int, status: Hanchan.Status, action: HanchanEvent.Action, by: User | None, reason: str
) -> Hanchan:
    season = lock(hanchan.season_id)
    current = _claim(hanchan.pk, version)
    sheet = sheet_of(current)
    if status == Status.FINAL and check_sheet(season, current.rule_set, sheet):
        status = Status.DRAFT
    current.status = status
    current.save()
    current.seats.all().delete()
    Seat.objects.bulk_create(_seats(current, sheet, _results(season, current.rule_set, status, sheet)))
    _remember(current, sheet, action, by, reason)
    if status == Status.FINAL:
        welcome(season.club_id, _everybody(sheet), by=by)
    _rederive(season, Moment(current.played_at, current.pk), _people(sheet))
    return current


def _claim(pk: int, version: int) -> Hanchan:
    """Increment the game's version and return the game; Conflict if it is no longer the one the editor saw."""
    claimed = Hanchan.objects.filter(pk=pk, version=version).update(version=version + 1)
    current = Hanchan.objects.select_related("rule_set", "season").get(pk=pk)
    if not claimed:
        raise Conflict(current)
    return current


def _cannot_change(current: Hanchan, draft: bool) -> list[Problem]:
    if current.status == Status.VOID:
        return [Problem(_("This game is void. Restore it before you correct it."), code="void")]
    if draft and current.status == Status.FINAL:
        return [Problem(_("A finished game cannot become a draft again."), code="final")]
    return []


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise Refused(*problems)


def _refuse_double(submit_key: uuid.UUID | None, sheet: Sheet[int]) -> None:
    """Raise SubmittedBefore if this form has already made a game.

    The season is locked, so the first of two requests for it has committed its game by now.
    """
    first = submit_key and Hanchan.objects.filter(submit_key=submit_key).first()
    if first:
        event = first.events.first()
        raise SubmittedBefore(first, same=event is not None and event.sheet == sheet.write())


def _facts(sheet: Sheet[int], draft: bool) -> dict[str, Any]:
    facts = {name: getattr(sheet, name) for name in GAME_FACTS}
    return {**facts, "variation": dict(sheet.variation), "status": Status.DRAFT if draft else Status.FINAL}


def _results(
    season: Season, rule_set: RuleSet, status: str, sheet: Sheet[int]
) -> tuple[scoring.SeatResult | None, ...]:
    """Return the results of the sheet. A draft has no results; a void game has them."""
    if status == Status.DRAFT:
        return (None,) * 4
    return score_sheet(rules_for(season, rule_set, sheet.variation), sheet)


def _seats(hanchan: Hanchan, sheet: Sheet[int], results: Sequence[scoring.SeatResult | None]) -> list[Seat]:
    """Return the four seats with their derived columns."""
    places = [result.place for result in results if result]
    twice: Sequence[int | None] = scoring.places_twice(places) or [None] * 4
    return [
        Seat(
            hanchan=hanchan,
            wind=wind,
            player_id=seat.player,
            played_by_id=seat.played_by,
            **seat.played._asdict(),
            place=result.place if result else None,
            place_twice=twice[wind],
            result=result.total if result else None,
            season_id=hanchan.season_id,
            played_at=hanchan.played_at,
            played_on=hanchan.played_on,
            counts=hanchan.status == Status.FINAL,
        )
        for wind, (seat, result) in enumerate(zip(sheet.seats, results, strict=True))
    ]


def _people(sheet: Sheet[int]) -> set[int]:
    return {seat.player for seat in sheet.seats}


def _everybody(*sheets: Sheet[int]) -> set[int]:
    """Return the players of the sheets and their substitutes. They become guests of the club once the game counts."""
    return {person for sheet in sheets for person in sheet.people}


def _rederive(season: Season, since: Moment, players: set[int]) -> None:
    refresh_standings(season.pk, players)
    recompute_ratings(season, since, players)


def _event(
    hanchan: Hanchan, sheet: Sheet[int], action: HanchanEvent.Action, by: User | None, reason: str
) -> HanchanEvent:
    return HanchanEvent(
        hanchan=hanchan, action=action, by=by, reason=reason, version=hanchan.version, sheet=sheet.write()
    )


def _remember(hanchan: Hanchan, sheet: Sheet[int], action: HanchanEvent.Action, by: User | None, reason: str) -> None:
    _event(hanchan, sheet, action, by, reason).save(force_insert=True)


def _batches(things: Collection[Thing]) -> Iterator[list[Thing]]:
    rest = iter(things)
    while some := list(islice(rest, AT_ONCE)):
        yield some
