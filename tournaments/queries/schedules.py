"""Turn an event's entries and rounds into a request to the seating engine, and its answer into seats.

This module reads and computes but stores nothing, so a long drawing holds no locks. `services.schedules` stores it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Affiliation
from tournaments.models import Entry, PlannedSeat, Round, Stage, Tournament
from tournaments.queries.rounds import field_of
from tournaments.queries.standings import view_stage
from tournaments.seating import swiss
from tournaments.seating.budget import Report, Stop
from tournaments.seating.errors import SeatingError
from tournaments.seating.plan import make
from tournaments.seating.request import Apart, Game, Odd, Request, Schedule, check
from tournaments.seating.verify import Certificate, certify
from tournaments.seating.ways import OPTIONS, WAYS, WHOLE, ChosenWay, Options

_ = gettext_noop

NOT_APART, FIRST_ROUND, ALWAYS = "", "first", "always"  # when clubs and countries are kept apart


@dataclass(frozen=True)
class Drawing:
    """What an organiser asks for. `pairs` and `absent` are entry numbers; `options` are the options of the way.

    Clubs and countries are never kept apart, only in the first round, or always.
    """

    way: str = WHOLE.key
    seed: int = 0
    teams_apart: bool = True
    clubs_apart: str = NOT_APART
    countries_apart: str = NOT_APART
    pairs: tuple[tuple[int, int], ...] = ()
    absent: tuple[int, ...] = ()
    options: Options = field(default_factory=dict)

    @property
    def chosen_way(self) -> ChosenWay:
        """The way, with its options."""
        return WAYS[self.way].chosen(**self.options)

    @property
    def is_whole(self) -> bool:
        return self.chosen_way.way.is_whole

    def write(self) -> dict[str, Any]:
        """The drawing as it is stored: the options of all ways follow the other wishes, in the order of their names."""
        wishes = {name: value for name, value in asdict(self).items() if name != "options"}
        return wishes | dict(sorted(self.chosen_way.options.items()))


def read_drawing(data: dict[str, Any]) -> Drawing:
    known = {name: value for name, value in data.items() if name in Drawing.__dataclass_fields__}
    known["options"] = {name: data[name] for name in OPTIONS if name in data}
    for name in ("pairs", "absent"):
        known[name] = tuple(tuple(each) if isinstance(each, list) else each for each in known.get(name, ()))
    for name in ("clubs_apart", "countries_apart"):  # old stored drawings have True or False here
        if isinstance(known.get(name), bool):
            known[name] = FIRST_ROUND if known[name] else NOT_APART
    return Drawing(**known)


@dataclass(frozen=True)
class SeatingRequest:
    """The request to the engine, the rounds it is for, and the entries behind its numbers."""

    stage: Stage
    drawing: Drawing
    rounds: tuple[Round, ...]
    request: Request
    people: dict[int, Entry]


@dataclass(frozen=True)
class Drawn:
    """A finished drawing. `ranks` are the ranks by which a single round was drawn, by entry number; empty for lots."""

    seating: SeatingRequest
    schedule: Schedule
    certificate: Certificate
    ranks: dict[int, int] = field(default_factory=dict)

    def tables(self, index: int) -> list[list[Entry]]:
        """The entries of round `index` of the drawing, tables in order, East to North."""
        return [[self.seating.people[number] for number in game] for game in self.schedule.rounds[index]]


# --- asking -------------------------------------------------------------------------------------------------


def seating_request(stage: Stage, drawing: Drawing) -> SeatingRequest:
    """The request to the engine for this stage in its current state; refuses what no drawing could meet."""
    rounds = list(stage.rounds.order_by("number"))
    unpublished = [round_ for round_ in rounds if not round_.is_published]
    if not unpublished:
        raise Refused(Problem(_("Every round of this stage is published already."), code="all_published"))
    if not drawing.is_whole:
        unpublished = unpublished[:1]
    first_round = unpublished[0].number
    here = [entry for entry in field_of(stage) if not entry.has_left_before(stage, first_round)]
    players = [entry for entry in here if entry.number not in drawing.absent]
    people = {entry.number: entry for entry in players}
    substitutes = _substitutes(stage.tournament, len(players))
    first = max([len(players), *people]) + 1 if players else 1
    people |= {first + at: entry for at, entry in enumerate(substitutes)}
    numbers = {entry.pk: number for number, entry in people.items()}
    history = _history(stage, rounds, numbers, first + len(substitutes))
    request = Request(
        players=tuple(entry.number for entry in players),
        rounds=len(unpublished),
        seed=drawing.seed,
        teams=_teams(players) if drawing.teams_apart else (),
        forbidden=_forbidden(players, drawing),
        history=history,
        odd=Odd(stage.tournament.odd),
        stationary=tuple((e.number, e.stationary_table) for e in players if e.stationary_table),
    )
    _check(stage.tournament, request)
    return SeatingRequest(stage, drawing, tuple(unpublished), request, people)


def _substitutes(tournament: Tournament, players: int) -> list[Entry]:
    """The permanent substitutes who fill up the last table, no more than needed."""
    needed = -players % 4
    if tournament.odd != Tournament.Odd.SUBSTITUTES or not needed:
        return []
    kind = Entry.SubstituteKind.PERMANENT
    found = tournament.entries.filter(substitute_kind=kind, status=Entry.Status.SUBSTITUTE).select_related("player")
    there = list(found.order_by("number")[:needed])
    if len(there) < needed:
        message = _("To seat %(players)s players, permanent substitutes are needed: %(needed)s. Entered: %(there)s.")
        params = {"players": players, "needed": needed, "there": len(there)}
        raise Refused(Problem(message, params, code="too_few_substitutes"))
    return there


def _history(stage: Stage, rounds: Sequence[Round], numbers: dict[int, int], free: int) -> tuple[tuple[Game, ...], ...]:
    """Published rounds in the engine's numbers. Entries that are no longer seated get new numbers from `free` on."""
    numbers = dict(numbers)
    seats = seating_of(stage)
    history = []
    for round_ in rounds:
        if not round_.is_published:
            continue
        games: list[Game] = []
        for table in seats.get(round_.number, []):
            for entry in table:
                if entry not in numbers:
                    numbers[entry] = free
                    free += 1
            east, south, west, north = (numbers[entry] for entry in table)
            games.append((east, south, west, north))
        history.append(tuple(games))
    return tuple(history)


def seating_of(stage: Stage) -> dict[int, list[list[int]]]:
    """Primary keys of entries by round, table by table, East to North, of published and drawn rounds; one query."""
    rows = PlannedSeat.objects.filter(round__stage=stage).order_by("round__number", "table__number", "wind")
    rounds: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for round_, table, entry in rows.values_list("round__number", "table__number", "entry_id"):
        rounds[round_][table].append(entry)
    return {number: list(tables.values()) for number, tables in rounds.items()}


def _teams(players: Iterable[Entry]) -> tuple[Apart, ...]:
    groups: dict[str, list[int]] = defaultdict(list)
    for entry in players:
        if entry.team:
            groups[entry.team].append(entry.number)
    return tuple(Apart(tuple(numbers)) for numbers in groups.values() if len(numbers) > 1)


def _forbidden(players: Sequence[Entry], drawing: Drawing) -> tuple[Apart, ...]:
    """Groups that must not meet: the listed pairs, and clubs and countries if the drawing asks for it."""
    here = {entry.number for entry in players}
    found = [Apart(pair) for pair in drawing.pairs if set(pair) <= here]
    if drawing.countries_apart:
        found += _groups(((entry.country, entry.number) for entry in players), drawing.countries_apart)
    if drawing.clubs_apart:
        number = {entry.player_id: entry.number for entry in players}
        regular = Affiliation.objects.filter(player__in=number, kind=Affiliation.Kind.REGULAR)
        rows = regular.order_by("club", "player").values_list("club_id", "player_id")
        found += _groups(((club, number[player]) for club, player in rows), drawing.clubs_apart)
    return tuple(found)


def _groups(members: Iterable[tuple[object, int]], when: str) -> list[Apart]:
    """Groups of one club or country each. A player without a club or country is in no group."""
    groups: dict[object, list[int]] = defaultdict(list)
    for key, number in members:
        if key:
            groups[key].append(number)
    return [Apart(tuple(numbers), round1=when == FIRST_ROUND) for numbers in groups.values() if len(numbers) > 1]


def _check(tournament: Tournament, request: Request) -> None:
    count = len(request.players)
    if count % 4 and request.odd is Odd.REFUSE:
        message = _("%(players)s players do not fill tables of four. Fill up the tables first.")
        raise Refused(Problem(message, {"players": count}, code="tables_not_full"))
    try:
        check(request)
    except SeatingError as error:
        raise refusal(error) from error
    if tournament.tables is not None and request.tables > tournament.tables:
        message = _("%(needed)s tables are needed; the settings say that the hall has %(tables)s.")
        raise Refused(Problem(message, {"needed": request.tables, "tables": tournament.tables}, code="hall_too_small"))


def refusal(error: SeatingError) -> Refused:
    return Refused(Problem(error.template, error.params, code=error.code))


# --- drawing ------------------------------------------------------------------------------------------------


def draw(seating: SeatingRequest, report: Report | None = None, stop: Stop | None = None) -> Drawn:
    """Run the engine, and let the verifier certify its schedule."""
    request, chosen = seating.request, seating.drawing.chosen_way
    scores = _scores(seating) if chosen.way.by_standing else []
    try:
        if chosen.way.is_whole:
            schedule = make(request, report, stop)
        else:
            request = replace(request, rounds=1)
            schedule = swiss.pair(request, chosen, scores, report, stop)
    except SeatingError as error:
        raise refusal(error) from error
    ranks = {score.player: rank for rank, score in enumerate(scores, 1)}
    return Drawn(replace(seating, request=request), schedule, certify(request, schedule), ranks)


def _scores(seating: SeatingRequest) -> list[swiss.Score]:
    """Totals in the order of the standings, with the event's tie-breaks; players not in the standings come last."""
    here = set(seating.request.players)
    rows = [row for row in view_stage(seating.stage).at_end().rows if row.entry in here]
    placed = {row.entry for row in rows}
    lowest = min([0, *(row.total for row in rows)])
    last = [swiss.Score(number, lowest - 1) for number in sorted(here - placed)]
    # Among equal totals the engine prefers the earlier one in the list, which the tie-breaks put first.
    return [*(swiss.Score(row.entry, row.total) for row in rows), *last]


# --- what is drawn already ----------------------------------------------------------------------------------


def last_drawing(stage: Stage) -> Drawing | None:
    """The last drawing of this stage: that of the latest drawn round, otherwise that of the whole schedule."""
    for facts in stage.rounds.order_by("-number").values_list("drawn", flat=True):
        if facts.get("way"):
            return read_drawing(facts)
    kept: dict[str, Any] = stage.certificate or {}
    return read_drawing(kept["drawing"]) if "drawing" in kept else None


def certificate_of(stage: Stage) -> dict[str, Any] | None:
    """The certificate of the whole schedule, as long as all its rounds are still drawn as a whole schedule.

    For a schedule that was not drawn here only the figures are known.
    """
    kept: dict[str, Any] = stage.certificate or {}
    if "figures" not in kept:
        return {"figures": kept} if kept else None
    ways = {number: facts.get("way") for number, facts in stage.rounds.values_list("number", "drawn")}
    return kept if all(ways.get(number) == WHOLE.key for number in kept["rounds"]) else None


def outdated(stage: Stage) -> list[int]:
    """Unpublished rounds whose seats were drawn for other players than those who play now, or were deleted since."""
    everybody = field_of(stage)
    substitutes = set(stage.tournament.entries.exclude(substitute_kind="").values_list("pk", flat=True))
    byes = stage.tournament.odd == Tournament.Odd.BYES
    found = []
    drawn = dict(stage.rounds.filter(state=Round.State.PLANNED).values_list("number", "drawn"))
    absent_numbers = {entry.number: entry.pk for entry in everybody}
    seats = seating_of(stage)
    for number in sorted(number for number, facts in drawn.items() if number in seats or facts.get("way")):
        expected = {entry.pk for entry in everybody if not entry.has_left_before(stage, number)}
        seated = {entry for table in seats.get(number, []) for entry in table} - substitutes
        absent = {absent_numbers.get(one) for one in drawn[number].get("absent", [])}
        missing = expected - seated - absent
        if seated - expected or (missing and not (byes and len(missing) < 4)):
            found.append(number)
    return found


@dataclass(frozen=True)
class SwapCost:
    """What a swap of two players does to the figures of their round, judged together with all other rounds."""

    before: Certificate
    after: Certificate


def swap_cost(round_: Round, one: Entry, other: Entry) -> SwapCost:
    """The verifier's figures of the round before and after. Substitutes who fill up count as in the certificate."""
    seats = seating_of(round_.stage)
    tables = seats.get(round_.number, [])
    if not any(one.pk in table for each in seats.values() for table in each):
        raise Refused(Problem(_("%(name)s has no seat in this round."), {"name": one}, code="no_seat"))
    swapped = {one.pk: other.pk, other.pk: one.pk}
    after = [[swapped.get(entry, entry) for entry in table] for table in tables]
    others = [each for number, each in seats.items() if number != round_.number]
    return SwapCost(_figures(round_, tables, others), _figures(round_, after, others))


def _apart_in(round_: Round, drawing: Drawing, numbers: dict[int, int]) -> tuple[Apart, ...]:
    """The groups that should not meet in this round, in the numbers given to the verifier."""
    entries = list(round_.stage.tournament.entries.filter(pk__in=numbers))
    own = {entry.number: numbers[entry.pk] for entry in entries}
    players = [entry for entry in entries if not entry.is_substitute]
    groups = [*(_teams(players) if drawing.teams_apart else ()), *_forbidden(players, drawing)]
    binding = [group for group in groups if not group.round1 or round_.number == 1]
    return tuple(Apart(tuple(own[number] for number in group.players)) for group in binding)


def _games(tables: Iterable[Sequence[int]], numbers: dict[int, int]) -> tuple[Game, ...]:
    games: list[Game] = []
    for table in tables:
        east, south, west, north = (numbers[entry] for entry in table)
        games.append((east, south, west, north))
    return tuple(games)


def _figures(round_: Round, tables: list[list[int]], others: list[list[list[int]]]) -> Certificate:
    """The figures of one round, judged together with all others.

    Players are numbered first, then the substitutes who fill up its tables.
    """
    substitutes = set(round_.stage.tournament.entries.exclude(substitute_kind="").values_list("pk", flat=True))
    here = sorted(entry for table in tables for entry in table)
    players = [entry for entry in here if entry not in substitutes]
    if len(here) - len(players) != -len(players) % 4:  # not as many as needed to fill up: judge them as players
        players = here
    elsewhere = sorted({entry for each in others for table in each for entry in table} - set(here))
    filling = [entry for entry in here if entry not in players]
    numbers = {entry: at for at, entry in enumerate([*players, *filling, *elsewhere], 1)}
    request = Request(
        tuple(numbers[entry] for entry in players),
        1,
        forbidden=_apart_in(round_, read_drawing(round_.drawn), numbers),
        history=tuple(_games(each, numbers) for each in others),
        odd=Odd.SUBSTITUTES if filling else Odd.REFUSE,
    )
    return certify(request, Schedule((_games(tables, numbers),), ((),), 0))
