"""Imports games of an old spreadsheet into a season. Every game is checked and scored as on the entry page.

Games that are in the season already are left out. Facts are never deleted: undoing an import voids each game with an
event and revokes the penalties; the players stay.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from clubsite import numbers
from ratings import rights
from ratings.imports.dry_run import DryRun
from ratings.imports.game_rows import FORMS, LONG, WIND_KEYS, FileGame, Reading, digest, read_games, settle_unit
from ratings.imports.kinds import Choices, ImportKind, Plan, Report, not_done, unknown_columns
from ratings.imports.names import NEW, Answers, Match, Matcher, Question, players_by_id
from ratings.imports.own_rows import FileAdjustment
from ratings.imports.sheets import Book, Place
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.standings import primary_metric
from ratings.models import Alias, Hanchan, ImportBatch, ImportedRow, Player, Season, Seat
from ratings.queries import previews
from ratings.queries.previews import Move
from ratings.services import adjustments
from ratings.services.hanchans import Conflict, Ready, make_ready, record_hanchans, void_hanchans
from ratings.services.holds import hold_players
from ratings.services.players import add_guest, refresh_search_text
from ratings.services.seasons import lock

_ = gettext_noop

LONG_PLAN = 1000  # games; a page should not wait for more
MOST_MOVES = 100
MOST_NAMES = 300
NOON = datetime.time(12)

Seated = frozenset[tuple[int, int]]  # player and points of each seat
GameKey = tuple[datetime.datetime, bool, Seated]  # when, whether void, who sat together
Tables = Mapping[tuple[datetime.datetime, bool], list[Seated]]


@dataclass(frozen=True)
class PlannedGame:
    game: FileGame
    ready: Ready
    digest: str


@dataclass(kw_only=True)
class GamesPlan(Plan):
    season: Season  # not yet stored when our own workbook brings it along
    reading: Reading
    people: dict[str, int] = field(default_factory=dict)  # key -> player; a negative number is a player to be made
    chosen: dict[str, int] = field(default_factory=dict)  # keys for which the user chose a player
    answered: frozenset[str] = frozenset()  # keys of names that were asked about and answered
    games: list[PlannedGame] = field(default_factory=list)
    adjustments: list[tuple[FileAdjustment, str]] = field(default_factory=list)  # with their digests
    already: int = 0  # games and penalties that are in the season already
    stored: dict[int, int] = field(default_factory=dict)  # filled by `store`: number in `people` -> player

    @property
    def new_people(self) -> dict[str, int]:
        return {key: person for key, person in self.people.items() if person < 0}

    @property
    def together(self) -> Mapping[int, list[int]]:
        return self.reading.together

    @property
    def has_something(self) -> bool:
        return bool(self.games or self.adjustments)

    def ask(self, key: str, candidates: list[int], *, ambiguous: bool) -> None:
        name, place = self.reading.names[key], self.reading.first_seen[key]
        self.questions.append(Question(key, name, place, candidates, ambiguous))


G = TypeVar("G", bound=GamesPlan)


class SeasonImport(ImportKind[G]):
    """An import of games into a season, from any kind of file."""

    key = "games"
    label = gettext_lazy("games")
    forms = FORMS
    has_points = may_be_large = True
    asks_about_new_names = True  # also about names that are not similar to any known name
    newcomer = gettext_lazy("a new guest")
    templates = {
        "dry_run": "ratings/imports/dry_run.html",
        "done": "ratings/imports/done.html",
        "refused": "ratings/imports/refused.html",
    }

    # --- the plan ---------------------------------------------------------------------------------------------

    def plan(
        self,
        batch: ImportBatch,
        book: Book,
        choices: Choices,
        *,
        by: User | None = None,
        report: Report | None = None,
    ) -> G:
        plan = self.read(batch, book, choices)
        self.settle_people(plan, choices.names, by)
        self._plan_games(plan, by, report)
        return plan

    def read(self, batch: ImportBatch, book: Book, choices: Choices) -> G:
        """A plan that holds what was read from the file; what the import would do is added later."""
        raise NotImplementedError

    def settle_people(self, plan: G, answers: Answers, by: User | None) -> None:
        """Find the player of each name. An uncertain name becomes a question, and a new player until it is answered."""
        matcher = Matcher(by)
        for number, (key, name) in enumerate(plan.reading.names.items(), 1):
            answer = answers.get(key)
            match = self.match(plan, matcher, key, name)
            if answer == NEW:
                plan.people[key] = -number
            elif isinstance(answer, int):
                plan.people[key] = plan.chosen[key] = answer
            elif len(match.exact) == 1:
                plan.people[key] = match.exact[0]
            else:
                plan.people[key] = -number
                if match.exact or match.near or self.asks_about_new_names:
                    plan.ask(key, match.exact or match.near, ambiguous=bool(match.exact))

    def match(self, plan: G, matcher: Matcher, key: str, name: str) -> Match:
        return matcher.match(name)

    def _plan_games(self, plan: G, by: User | None, report: Report | None) -> None:
        sheets = [(game, game.sheet.map(plan.people.__getitem__)) for game in plan.reading.games]
        sheets.sort(key=lambda pair: pair[1].played_at)  # ties stay in the order of the file
        known = digests(plan.season)
        present = game_keys(plan.season, (sheet.played_at for _game, sheet in sheets))
        tables: dict[tuple[datetime.datetime, bool], list[Seated]] = defaultdict(list)
        for moment, is_void, table in present:
            tables[moment, is_void].append(table)
        seen: Counter[str] = Counter()
        for done, (game, sheet) in enumerate(sheets, 1):
            found = nth_digest(digest(game, plan.reading.names), seen)
            is_void = game.state == Hanchan.Status.VOID
            key = (sheet.played_at, is_void, frozenset((seat.player, seat.played.points) for seat in sheet.seats))
            if found in known or key in present:
                plan.already += 1
            elif not self.asks_about_game(plan, key, tables):
                self._plan_game(plan, game, sheet, found, by)
            if report and (done % 100 == 0 or done == len(sheets)):
                report(done, len(sheets))

    def asks_about_game(self, plan: G, key: GameKey, tables: Tables) -> bool:
        """Whether the user must say who played before it is known if the game is in the season already."""
        return False

    def _plan_game(self, plan: G, game: FileGame, sheet: Sheet[int], digest: str, by: User | None) -> None:
        try:
            ready = self.make_ready(plan, game, sheet, by)
        except Refused as refused:
            for problem in refused.problems:
                plan.findings.refuse(self._place(plan, game, problem), problem)
            return
        plan.games.append(PlannedGame(game, ready, digest))

    def make_ready(self, plan: G, game: FileGame, sheet: Sheet[int], by: User | None) -> Ready:
        """The game, checked and scored; refuses a game that cannot be recorded."""
        raise NotImplementedError

    def _place(self, plan: G, game: FileGame, problem: Problem) -> Place:
        """The cell that causes the problem: a seat's player or points, or the date; otherwise the whole row."""
        what = "player" if problem.code in ("player_twice", "played_by_without_substitute") else "points"
        if problem.code in ("outside_season", "future"):
            column = self.column(plan, "date")
        elif problem.seat is not None:
            column = self.column(plan, what, problem.seat)
        else:
            column = None
        return game.place._replace(column=column)

    def column(self, plan: G, key: str, seat: int | None = None) -> int | None:
        raise NotImplementedError

    def is_long(self, plan: G) -> bool:
        return len(plan.games) > LONG_PLAN

    # --- the pages --------------------------------------------------------------------------------------------

    def summary(self, plan: G) -> DryRun:
        findings = plan.findings
        moves = [] if findings.wrong_count else _moves(plan)
        new = {number: plan.reading.names[key] for key, number in plan.new_people.items()}
        shown = {move.player_id for move in moves[:MOST_MOVES]}
        return DryRun(
            season=plan.season.name,
            formula=plan.season.formula,
            unit=plan.layout.unit if plan.layout else "",
            games=len(plan.games),
            adjustments=len(plan.adjustments),
            already=plan.already,
            new_count=len(new),
            new_names=list(new.values())[:MOST_NAMES],
            wrong=[problem.sentence(gettext) for problem in findings.wrong],
            left_out=findings.rows_left_out,
            to_correct=plan.rows_to_correct,
            wrong_count=findings.wrong_count,
            notes=[note.sentence(gettext) for note in findings.notes],
            note_count=findings.note_count,
            questions=plan.questions,
            moves=moves[:MOST_MOVES],
            more_moves=max(0, len(moves) - MOST_MOVES),
            names={number: name for number, name in new.items() if number in shown},
            may_be_written=plan.may_be_written,
            has_something=plan.has_something,
        )

    def context(self, summary: DryRun, user: rights.Person) -> dict[str, Any]:
        people = players_by_id([move.player_id for move in summary.moves if move.player_id > 0], user)
        people |= {number: Player(native_name=name) for number, name in summary.names.items()}
        return {"run": summary, "people": people, "metric": primary_metric(summary.formula)}

    # --- writing ----------------------------------------------------------------------------------------------

    def lock(self, plan: G, batch: ImportBatch) -> None:
        if not plan.may_be_written:
            message = _("The file cannot be imported as it is. Look at the dry run again.")
            raise Refused(Problem(message, code="not_ready"))
        if not plan.season._state.adding:
            lock(plan.season.pk)

    def refuse_changed(self, plan: G) -> None:
        hold_players(number for number in plan.people.values() if number > 0)
        planned = {game.digest for game in plan.games} | {digest for _row, digest in plan.adjustments}
        if planned & digests(plan.season):
            message = _("Another user has imported some of these games meanwhile. Look at the dry run again.")
            raise Refused(Problem(message, code="meanwhile"))

    def store(
        self, plan: G, batch: ImportBatch, *, by: User | None, reason: str, report: Report | None
    ) -> list[ImportedRow]:
        for key, number in plan.people.items():
            plan.stored[number] = self.store_player(plan, key, number, by)
        for key, player in plan.chosen.items():
            _remember_name(player, plan.reading.names[key], by)
        games = [
            replace(planned.ready, sheet=planned.ready.sheet.map(lambda person: plan.stored.get(person, person)))
            for planned in plan.games
        ]
        made = record_hanchans(plan.season, games, by=by, reason=reason[:500], report=report)
        batch.season, batch.games = plan.season, len(made)
        return [
            ImportedRow(batch=batch, digest=planned.digest, hanchan=hanchan)
            for planned, hanchan in zip(plan.games, made, strict=True)
        ]

    def store_player(self, plan: G, key: str, number: int, by: User | None) -> int:
        return number if number > 0 else add_guest(plan.club, plan.reading.names[key]).pk

    def result(self, batch: ImportBatch) -> str:
        words = ngettext("%(count)s game was imported.", "%(count)s games were imported.", batch.games)
        return words % {"count": numbers.points(batch.games)}

    # --- taking back ------------------------------------------------------------------------------------------

    def lock_to_undo(self, batch: ImportBatch) -> None:
        if batch.season_id is None:
            raise Refused(not_done())
        lock(batch.season_id)

    def touched(self, batch: ImportBatch) -> list[Problem]:
        edited = Hanchan.objects.filter(imported_as__batch=batch, version__gt=1).order_by("pk")[:20]
        if not edited:
            return []
        message = _("Games of this import were changed since, so it cannot be undone as a whole: %(games)s.")
        return [Problem(message, {"games": ", ".join(str(game.pk) for game in edited)}, code="edited")]

    def take_back(self, batch: ImportBatch, *, by: User | None, reason: str) -> None:
        assert batch.season is not None
        games = Hanchan.objects.filter(imported_as__batch=batch).exclude(status=Hanchan.Status.VOID)
        try:
            void_hanchans(batch.season, dict(games.values_list("pk", "version")), by=by, reason=reason[:500])
        except Conflict as conflict:
            raise Refused(*self.touched(batch)) from conflict
        given = batch.rows.filter(adjustment__revoked_at=None).exclude(adjustment=None)
        for row in given.select_related("adjustment"):
            assert row.adjustment is not None
            adjustments.revoke(row.adjustment, by=by, reason=reason[:300])

    def undone(self) -> str:
        return gettext("The import is undone: its games are void and count nowhere.")


class GamesImport(SeasonImport[GamesPlan]):
    """A spreadsheet of any club, with people by name. A row is a game or a seat."""

    def read(self, batch: ImportBatch, book: Book, choices: Choices) -> GamesPlan:
        club, season, book = batch.club, batch.season, choices.corrections.apply(book)
        layout = choices.layout or self.find_layout(club, book)
        if season is None:
            raise Refused(Problem(_("Choose a season: only our own workbook can bring one along."), code="no_season"))
        if layout is None:
            raise unknown_columns()
        if choices.unit:
            layout = replace(layout, unit=choices.unit, unit_said=True)
        elif not layout.unit_said:
            layout = settle_unit(layout.sheet_of(book), layout, season.rule_set.rules.full_sum)
        sheet = layout.sheet_of(book)
        reading = read_games(sheet, layout, partial(_moment, club.zone), choices.day)
        return GamesPlan(
            club=club,
            layout=layout,
            findings=reading.findings,
            season=season,
            reading=reading,
            answered=frozenset(choices.names),
            sheet=sheet,
        )

    def make_ready(self, plan: GamesPlan, game: FileGame, sheet: Sheet[int], by: User | None) -> Ready:
        return make_ready(plan.season, sheet, rule_set=plan.season.rule_set, status=Hanchan.Status.FINAL, by=by)

    def column(self, plan: GamesPlan, key: str, seat: int | None = None) -> int | None:
        assert plan.layout is not None
        in_row = key if seat is None or plan.layout.form == LONG.key else f"{WIND_KEYS[seat]}_{key}"
        return plan.layout.columns.get(in_row)


def _moment(zone: datetime.tzinfo, day: datetime.date, at: datetime.time | None) -> datetime.datetime:
    """When a game was played. Without a time it is noon, or midnight if the day is today and it is not yet noon."""
    if at:
        return datetime.datetime.combine(day, at, zone).astimezone(datetime.UTC)
    noon = datetime.datetime.combine(day, NOON, zone).astimezone(datetime.UTC)
    if day == timezone.localdate(timezone=zone) and noon > timezone.now():
        return datetime.datetime.combine(day, datetime.time(), zone).astimezone(datetime.UTC)
    return noon


def _moves(plan: GamesPlan) -> list[Move]:
    """How the leaderboard would change, including penalties of our own workbook."""
    games = [
        (planned.ready.sheet, [result for result in planned.ready.results if result])
        for planned in plan.games
        if planned.ready.status == "final"
    ]
    given = [(plan.people[row.who], row.kind, row.points) for row, _digest in plan.adjustments if row.revoked is None]
    return previews.moves_of_many(plan.season, games, given)


def nth_digest(digest: str, seen: Counter[str]) -> str:
    """A digest for each of several equal rows of one file.

    Two equal games in one file are two games, and are recognised as the same two when the file is imported again.
    """
    seen[digest] += 1
    return sha256(f"{digest} {seen[digest]}".encode()).hexdigest()


def _remember_name(player: int, name: str, by: User | None) -> None:
    """Store an answered name as an alias of the player, so that later imports know it.

    Nothing is added if `by` may not edit the player; an anonymised player gets no name back.
    """
    row = Player.objects.get(pk=player)
    if row.anonymised_at or (by is not None and not rights.may_edit_player(by, row)):
        return
    alias, made = Alias.objects.select_related("player").get_or_create(player_id=player, name=name)
    if made:
        refresh_search_text(alias.player)


# --- what is in the season already ------------------------------------------------------------------------


def digests(season: Season) -> set[str]:
    """The digests of everything that was imported into the season and not undone."""
    if season._state.adding:
        return set()
    rows = ImportedRow.objects.filter(batch__season=season, batch__state=ImportBatch.State.DONE)
    return set(rows.values_list("digest", flat=True))


def game_keys(season: Season, moments: Iterable[datetime.datetime]) -> set[GameKey]:
    """The keys of the games between the first and the last of the moments."""
    between = sorted(moments)
    if season._state.adding or not between:
        return set()
    seats = Seat.objects.filter(season=season, played_at__gte=between[0], played_at__lte=between[-1])
    tables: dict[int, set[tuple[int, int]]] = defaultdict(set)
    frames: dict[int, tuple[datetime.datetime, bool]] = {}
    rows = seats.values_list("hanchan_id", "played_at", "hanchan__status", "player_id", "points")
    for hanchan, at, status, player, points in rows:
        tables[hanchan].add((player, points))
        frames[hanchan] = at, status == Hanchan.Status.VOID
    return {(*frames[hanchan], frozenset(table)) for hanchan, table in tables.items()}


GAMES = GamesImport()
