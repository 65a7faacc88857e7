"""Whatever is asked for, the verifier must find a whole schedule, honest bounds, and the promises kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournaments.seating.plan import make
from tournaments.seating.request import Apart, Odd, Request
from tournaments.seating.swiss import Score, pair
from tournaments.seating.verify import Certificate, certify
from tournaments.seating.ways import BY_RANK, INTERVAL, RANDOM, SWISS, ChosenWay

slow = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@st.composite
def requests(draw: st.DrawFn, odd: Odd = Odd.REFUSE) -> Request:
    size = draw(st.integers(4, 44))
    if odd is Odd.REFUSE:
        size = max(4, size // 4 * 4)
    players = tuple(draw(st.permutations(range(1, size + draw(st.integers(0, 3)) + 1)))[:size])
    shuffled = draw(st.permutations(players))
    team = draw(st.integers(2, 5))
    teams = tuple(Apart(tuple(shuffled[at : at + team])) for at in range(0, draw(st.integers(0, size // 2)), team))
    pairs = draw(st.lists(st.sampled_from(list(combinations(players, 2))), max_size=3, unique=True))
    return Request(
        players=players,
        rounds=draw(st.integers(1, 7)),
        seed=draw(st.integers(0, 3)),
        moves=draw(st.sampled_from([0, 4_000])),
        teams=teams if size >= 8 else (),
        forbidden=tuple(Apart(pair, draw(st.booleans())) for pair in pairs) if size >= 12 else (),
        odd=odd,
    )


def assert_honest(certificate: Certificate) -> None:
    """No figure may be better than its bound."""
    for name, figure in certificate.figures.items():
        if name == "min_indirect":
            assert figure.value is None or (figure.bound is not None and figure.value <= figure.bound)
        else:
            assert figure.value is not None
            assert figure.bound is not None
            assert figure.value >= figure.bound, name


@slow
@given(requests())
def test_every_request_gets_a_whole_schedule_with_even_winds_and_honest_bounds(request: Request) -> None:
    certificate = certify(request, make(request))
    assert certificate["wind_range"].value == 1
    assert_honest(certificate)


@slow
@given(requests(Odd.BYES))
def test_byes_are_fair_and_leave_the_winds_even(request: Request) -> None:
    certificate = certify(request, make(request))
    assert_honest(certificate)
    assert certificate["wind_range"].value == 1
    if len(request.players) % 4:
        assert certificate["byes"].optimal


@slow
@given(requests(Odd.SUBSTITUTES))
def test_substitutes_never_share_a_table_while_that_is_avoidable(request: Request) -> None:
    request = replace(request, moves=30_000)
    certificate = certify(request, make(request))
    assert_honest(certificate)
    assert certificate["wind_range"].value == 1
    if request.substitutes and len(request.players) >= 12 and not request.apart:
        assert certificate["substitute_pairs"].optimal


@slow
@given(requests(Odd.BYES), st.data())
def test_the_rest_of_a_tournament_counts_what_was_really_played(request: Request, data: st.DataObject) -> None:
    played = make(request)
    gone = data.draw(st.sets(st.sampled_from(request.players), max_size=len(request.players) - 4))
    late = tuple(range(100, 100 + data.draw(st.integers(0, 3))))
    players = tuple(player for player in request.players if player not in gone) + late
    rest = replace(request, players=players, rounds=data.draw(st.integers(1, 3)), forbidden=(), history=played.rounds)
    schedule = make(rest)
    certificate = certify(rest, schedule)
    assert_honest(certificate)
    met = Counter(
        frozenset(two) for r in played.rounds + schedule.rounds for game in r for two in combinations(game, 2)
    )
    assert certificate["excess"].value == sum(n - 1 for two, n in met.items() if n > 1 and two <= set(players))
    if "byes" in certificate.figures:
        assert certificate["byes"].optimal


def test_a_bound_asks_for_no_game_that_a_bye_rightly_took() -> None:
    """Byes before count too, so one of the six gets two of the next three byes and plays one game only."""
    first = Request(players=tuple(range(1, 8)), rounds=2, seed=2, odd=Odd.BYES, moves=0)
    rest = replace(first, players=(4, 5, 6, 7, 100, 101), rounds=3, history=make(first).rounds)
    assert_honest(certify(rest, make(rest)))


@slow
@given(requests())
def test_a_seed_always_gives_the_same_schedule(request: Request) -> None:
    assert make(request) == make(request)


WAYS = st.one_of(
    st.just(RANDOM.chosen()),
    st.builds(SWISS.chosen, max_fall=st.integers(0, 9)),
    st.builds(INTERVAL.chosen, step=st.just(1), max_fall=st.integers(0, 5)),
    st.just(BY_RANK.chosen()),
)


@slow
@given(requests(Odd.BYES), st.lists(WAYS, min_size=1, max_size=4), st.data())
def test_round_after_round_can_be_paired(request: Request, ways: list[ChosenWay], data: st.DataObject) -> None:
    for way in ways:
        points = data.draw(
            st.lists(st.integers(-900, 900), min_size=len(request.players), max_size=len(request.players))
        )
        scores = [Score(player, total) for player, total in zip(request.players, points, strict=True)]
        schedule = pair(request, way, scores)
        certificate = certify(replace(request, rounds=1), schedule)
        assert_honest(certificate)
        if "byes" in certificate.figures:
            assert certificate["byes"].optimal
        request = replace(request, history=request.history + schedule.rounds)
