"""The dry run: everything an import would do, worked out and stored nowhere.

Reads the file, finds out who its names are, checks and scores every game with the same functions as the entry page,
and leaves out what is in the season already. The plan that comes out is what `writing` writes.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from django.contrib.auth.models import User

from ratings.gamesheet import Sheet
from ratings.imports import games as filed
from ratings.imports.books import Book
from ratings.imports.games import FileGame, Reading
from ratings.imports.layouts import LONG, WIND_KEYS, Layout
from ratings.imports.own import GAME_COLUMNS, FileAdjustment, OwnReading, is_own
from ratings.imports.places import Findings, Place
from ratings.models import Club, Hanchan, RuleSet, Season
from ratings.problems import Problem, Refused, gettext_noop
from ratings.queries import imports as reads
from ratings.queries.name_matches import Matcher
from ratings.services.hanchans import Ready, make_ready
from ratings.services.imports import files, workbooks
from ratings.services.imports.files import NEW, Choices
from ratings.services.imports.names import Question

_ = gettext_noop

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Planned:
    game: FileGame
    ready: Ready
    digest: str


@dataclass
class Plan:
    season: Season  # not yet stored when our own workbook brings it along
    club: Club
    reading: Reading
    layout: Layout | None = None
    people: dict[str, int] = field(default_factory=dict)  # key -> player; below zero: to be made
    chosen: dict[str, int] = field(default_factory=dict)  # names somebody said belong to this player
    questions: list[Question] = field(default_factory=list)
    games: list[Planned] = field(default_factory=list)
    adjustments: list[tuple[FileAdjustment, str]] = field(default_factory=list)
    rule_sets: dict[str, RuleSet] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()  # keys of names somebody answered for
    already: int = 0  # games and penalties that are in the season

    @property
    def findings(self) -> Findings:
        return self.reading.findings

    @property
    def new_people(self) -> dict[str, int]:
        return {key: person for key, person in self.people.items() if person < 0}

    @property
    def may_be_written(self) -> bool:
        return not self.findings.wrong_count and not self.questions and self.has_something

    @property
    def has_something(self) -> bool:
        return bool(self.games or self.adjustments)


def make_plan(
    club: Club,
    season: Season | None,
    book: Book,
    choices: Choices,
    *,
    by: User | None = None,
    report: Report | None = None,
) -> Plan:
    """What importing this file would do. Refuses only what cannot be read at all; all else is in the findings."""
    layout = None if is_own(book) else choices.layout or files.find_layout(club, book)
    if season is None and not is_own(book):
        raise Refused(Problem(_("Choose a season: only our own workbook can bring one along."), code="no_season"))
    if layout:
        layout = _with_unit(book, layout, choices, season)
    reading = files.read_file(book, layout, club, choices.day)
    rule_sets = workbooks.rule_sets(club, reading) if isinstance(reading, OwnReading) else {}
    if season is None:
        assert isinstance(reading, OwnReading)
        season = workbooks.new_season(club, reading, rule_sets)
    plan = Plan(season, club, reading, layout, rule_sets=rule_sets, answered=frozenset(choices.names))
    _find_people(plan, choices, by)
    _plan_games(plan, by, report)
    if isinstance(reading, OwnReading):
        workbooks.check_players(reading)
        _plan_adjustments(plan, reading)
    return plan


def _with_unit(book: Book, layout: Layout, choices: Choices, season: Season | None) -> Layout:
    if choices.unit:
        return replace(layout, unit=choices.unit, unit_said=True)
    if layout.unit_said or season is None:
        return layout
    return files.settle_unit(book, layout, season.rule_set.rules.full_sum)


# --- people -----------------------------------------------------------------------------------------------


def _find_people(plan: Plan, choices: Choices, by: User | None) -> None:
    """Each name once. Whoever is not certain is asked about, and stands in the plan as somebody new until then."""
    matcher = Matcher(by)
    own = plan.reading.players if isinstance(plan.reading, OwnReading) else {}
    for number, (key, name) in enumerate(plan.reading.names.items(), 1):
        chosen = choices.names.get(key)
        match = matcher.match(name, own[key].ema_number if key in own else "")
        if chosen == NEW:
            plan.people[key] = -number
        elif isinstance(chosen, int):
            plan.people[key] = plan.chosen[key] = chosen
        elif len(match.exact) == 1:
            plan.people[key] = match.exact[0]
        else:
            plan.people[key] = -number
            if match.exact or match.near or key not in own:
                place = plan.reading.first_seen[key]
                question = Question(key, name, place, match.exact or match.near, ambiguous=bool(match.exact))
                plan.questions.append(question)
    _ask_about_namesakes(plan, own, choices)


def _ask_about_namesakes(plan: Plan, own: object, choices: Choices) -> None:
    """Two players of our own workbook cannot be one here just because they share a name."""
    counted = Counter(person for person in plan.people.values() if person > 0) if own else Counter()
    for key, person in plan.people.items():
        if counted[person] > 1 and key not in choices.names:
            name, place = plan.reading.names[key], plan.reading.first_seen[key]
            plan.questions.append(Question(key, name, place, [person], ambiguous=True))


Tables = Mapping[tuple[datetime.datetime, bool], list[reads.Seated]]  # who sat together when, void or not


def _ask_about_other_names(plan: Plan, key: reads.GameKey, tables: Tables) -> bool:
    """Whether the game is here with others in the seats of people who would be new: renamed or anonymised since.

    Only our own workbook knows a game's second. Somebody says whether they are the same; unasked it would count twice.
    """
    if not isinstance(plan.reading, OwnReading):
        return False
    moment, is_void, seats = key
    for table in tables.get((moment, is_void), ()):
        strange, missing = _by_points(seats - table), _by_points(table - seats)
        same = [points for _player, points in strange] == [points for _player, points in missing]
        if same and len(strange) < len(seats) and all(player < 0 for player, _points in strange):
            pairs = zip(strange, missing, strict=True)
            asked = [_ask_who(plan, new, sat) for (new, _points), (sat, _same) in pairs]
            return any(asked)
    return False


def _by_points(seats: reads.Seated) -> list[tuple[int, int]]:
    return sorted(seats, key=lambda seat: seat[1])


def _ask_who(plan: Plan, player: int, candidate: int) -> bool:
    """Whether it is asked, or was already; an answer that it is somebody new stands."""
    key = next(key for key, person in plan.people.items() if person == player)
    if key in plan.answered:
        return False
    if not any(question.key == key for question in plan.questions):
        name, place = plan.reading.names[key], plan.reading.first_seen[key]
        plan.questions.append(Question(key, name, place, [candidate], ambiguous=False))
    return True


# --- games ------------------------------------------------------------------------------------------------


def _plan_games(plan: Plan, by: User | None, report: Report | None) -> None:
    sheets = [(game, game.sheet.map(plan.people.__getitem__)) for game in plan.reading.games]
    sheets.sort(key=lambda pair: pair[1].played_at)  # ties stay in the order of the file
    known = reads.digests(plan.season)
    present = reads.game_keys(plan.season, (sheet.played_at for _game, sheet in sheets))
    tables: dict[tuple[datetime.datetime, bool], list[reads.Seated]] = defaultdict(list)
    for moment, is_void, table in present:
        tables[moment, is_void].append(table)
    seen: Counter[str] = Counter()
    for done, (game, sheet) in enumerate(sheets, 1):
        digest = _numbered(filed.digest(game, plan.reading.names), seen)
        is_void = game.state == Hanchan.Status.VOID
        key = (sheet.played_at, is_void, frozenset((seat.player, seat.played.points) for seat in sheet.seats))
        if digest in known or key in present:
            plan.already += 1
        elif not _ask_about_other_names(plan, key, tables):
            _plan_game(plan, game, sheet, digest, by)
        if report and (done % 100 == 0 or done == len(sheets)):
            report(done, len(sheets))


def _numbered(digest: str, seen: Counter[str]) -> str:
    """Two equal games in one file are two games, and the same two when the file comes again."""
    seen[digest] += 1
    return sha256(f"{digest} {seen[digest]}".encode()).hexdigest()


def _plan_game(plan: Plan, game: FileGame, sheet: Sheet[int], digest: str, by: User | None) -> None:
    rule_set = plan.rule_sets.get(game.rules) if game.rules else plan.season.rule_set
    if rule_set is None:
        message = _("The rules “%(rules)s” of the game are not in the file.")
        plan.findings.refuse(game.place, Problem(message, {"rules": game.rules[:60]}, code="no_rules"))
        return
    try:
        ready = make_ready(plan.season, sheet, rule_set=rule_set, status=Hanchan.Status(game.state), by=by)
    except Refused as refused:
        for problem in refused.problems:
            plan.findings.refuse(_place(plan, game, problem), problem)
        return
    plan.games.append(Planned(game, ready, digest))


def _place(plan: Plan, game: FileGame, problem: Problem) -> Place:
    """The cell to blame: a seat's player or points, or the date."""
    what = "player" if problem.code in ("player_twice", "played_by_without_substitute") else "points"
    if plan.layout is None:
        column = GAME_COLUMNS.get(f"{problem.seat}_{what}") if problem.seat is not None else None
        column = GAME_COLUMNS["date"] if problem.code in ("outside_season", "future") else column
    elif problem.code in ("outside_season", "future"):
        column = plan.layout.columns.get("date")
    elif problem.seat is None:
        column = None
    else:
        key = what if plan.layout.form == LONG else f"{WIND_KEYS[problem.seat]}_{what}"
        column = plan.layout.columns.get(key)
    return game.place._replace(column=column)


# --- results without a game -------------------------------------------------------------------------------


def _plan_adjustments(plan: Plan, reading: OwnReading) -> None:
    known, present = reads.digests(plan.season), reads.adjustment_keys(plan.season)
    seen: Counter[str] = Counter()
    for row in reading.adjustments:
        facts = (reading.names[row.who], row.kind, row.points, row.round, row.reason, row.given_on.isoformat())
        digest = _numbered(sha256(repr(("adjustment", *facts)).encode()).hexdigest(), seen)
        if digest in known or (plan.people[row.who], row.kind, row.points, row.given_on, row.reason) in present:
            plan.already += 1
        elif problem := workbooks.check_adjustment(row):
            plan.findings.refuse(row.place, problem)
        else:
            plan.adjustments.append((row, digest))
