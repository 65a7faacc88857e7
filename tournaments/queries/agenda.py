"""What the staff of an event have to do next, read from the state of entries, rounds and stages."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count, Q

from ratings.models import Hanchan
from tournaments.models import Round, Stage, Tournament
from tournaments.queries.events import Headcount, headcount
from tournaments.queries.schedules import outdated


@dataclass(frozen=True)
class RoundState:
    """The progress of a round. `drawn` means that its seats are planned, whether published or not."""

    round: Round
    tables: int
    entered: int
    drafts: int
    checked: int

    @property
    def drawn(self) -> bool:
        return self.tables > 0

    @property
    def begun(self) -> bool:
        return self.round.state in (Round.State.PLAYING, Round.State.CONFIRMED)

    @property
    def missing(self) -> int:
        return self.tables - self.entered

    @property
    def unchecked(self) -> int:
        return self.entered - self.checked


@dataclass(frozen=True)
class AgendaStep:
    """Something to do: a code, the round or stage it concerns, and a count."""

    code: str
    round: Round | None = None
    stage: Stage | None = None
    count: int = 0
    params: dict[str, object] = field(default_factory=dict)


def round_states(tournament: Tournament) -> list[RoundState]:
    """All rounds, with how many tables have a result, have a draft and are checked; one query."""
    final, draft = Q(tables__hanchan__status=Hanchan.Status.FINAL), Q(tables__hanchan__status=Hanchan.Status.DRAFT)
    rounds = (
        Round.objects.filter(stage__tournament=tournament)
        .select_related("stage", "confirmed_by")
        .annotate(
            table_count=Count("tables"),
            entered=Count("tables", filter=final),
            drafted=Count("tables", filter=draft),
            checked=Count("tables", filter=final & Q(tables__checked_at__isnull=False)),
        )
        .order_by("stage__number", "number")
    )
    return [RoundState(each, each.table_count, each.entered, each.drafted, each.checked) for each in rounds]


def agenda(tournament: Tournament, states: list[RoundState]) -> list[AgendaStep]:
    """What can be done now, the most urgent first. A finished event has one step at most: to show hidden results."""
    if tournament.finished_at is not None:
        return [AgendaStep("show_results")] if tournament.results_hidden else []
    registrations = tournament.registrations.count()
    waiting = [AgendaStep("registrations", count=registrations)] if registrations else []
    return [*waiting, *_until_the_end(tournament, states)]


def _until_the_end(tournament: Tournament, states: list[RoundState]) -> list[AgendaStep]:
    stages = list(tournament.stages.order_by("number"))
    open_stage = next((stage for stage in stages if stage.is_open), None)
    steps = _of_rounds(states)
    if not any(state.begun for state in states):
        published = any(state.round.is_published for state in states)
        steps = [*_of_entries(headcount(tournament), published), *steps]
    if open_stage is None:
        return [*steps, AgendaStep("finish")]
    of_stage = [state for state in states if state.round.stage_id == open_stage.pk]
    if of_stage and all(state.round.state == Round.State.CONFIRMED for state in of_stage):
        following = next((stage for stage in stages if stage.number == open_stage.number + 1), None)
        steps.append(AgendaStep("cut", stage=open_stage) if following else AgendaStep("finish"))
        return steps
    return [*steps, *_to_seat(of_stage, open_stage)]


def _of_entries(count: Headcount, published: bool) -> list[AgendaStep]:
    """Players who are not checked in; and until the seats are published, players missing to fill the tables."""
    steps = []
    if not count.playing:
        return [AgendaStep("enter_players")]
    if count.short and not published:
        steps.append(AgendaStep("fill_up", count=count.short, params={"players": count.seated}))
    absent = count.playing - count.checked_in
    if absent:
        steps.append(AgendaStep("check_in", count=absent, params={"players": count.playing}))
    return steps


def _of_rounds(states: list[RoundState]) -> list[AgendaStep]:
    """Steps of published, unconfirmed rounds; of those that have not begun, only the next to be played."""
    steps = []
    playing = False
    for state in states:
        if not state.round.is_published or state.round.state == Round.State.CONFIRMED:
            continue
        if playing and not state.begun:
            continue
        playing = playing or state.missing > 0
        if state.drafts:
            steps.append(AgendaStep("drafts", state.round, count=state.drafts))
        if state.missing:
            steps.append(AgendaStep("tables_missing", state.round, count=state.missing))
        elif state.unchecked:
            steps.append(AgendaStep("tables_unchecked", state.round, count=state.unchecked))
        else:
            steps.append(AgendaStep("confirm", state.round))
    return steps


def _to_seat(states: list[RoundState], stage: Stage) -> list[AgendaStep]:
    """The next unpublished round. It has to be drawn again if it was drawn for other players than those of now."""
    planned = next((state for state in states if not state.round.is_published), None)
    if planned is None:
        return []
    if not planned.drawn:
        return [AgendaStep("draw", planned.round)]
    return [AgendaStep("draw_again" if planned.round.number in outdated(stage) else "publish", planned.round)]
