"""The ways of seating: each is declared once, in `WAYS`.

The form that offers them and asks for their options, the page that explains them, the engine that uses them and the
drawing that stores them all read this declaration. Labels and sentences are translated where they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .errors import SeatingError, gettext_noop

_ = gettext_noop

Options = Mapping[str, int]
"""The values of a way's options, by the name of the option."""


@dataclass(frozen=True)
class Option:
    """A whole number that a way needs or takes. The form shows `missing` if a needed option is left empty."""

    name: str
    label: str
    default: int
    least: int
    most: int
    help: str = ""
    missing: str = ""


@dataclass(frozen=True)
class SeatingLayout:
    """Who would sit together if no two players had met, by rank from 0.

    `seats` holds the rank at every place, four places per table. `held` is the rank that each place counts as. The
    engine moves no player to a place more than `limit` ranks below the player's own rank. None means no limit.
    """

    seats: list[int]
    held: list[int]
    limit: int | None


@dataclass(frozen=True)
class Way:
    """One way of seating.

    `arrange` lays out a round for a number of players. A way without it draws all rounds at once, by `plan.make`.
    `sentence` explains the seats of a round. `gaps` gives its values from the options, by default under the names of
    the options. `help` is shown beside the choice.
    """

    key: str
    label: str
    sentence: str
    arrange: Callable[[int, Options], SeatingLayout] | None = None
    help: str = ""
    gaps: Callable[[Options], Mapping[str, int]] = dict
    needs: tuple[Option, ...] = ()
    takes: tuple[Option, ...] = ()
    by_standing: bool = True  # otherwise players are shuffled first
    avoids_meetings: bool = True  # otherwise players sit as arranged even if they have met

    @property
    def is_whole(self) -> bool:
        """Whether this way draws all rounds at once."""
        return self.arrange is None

    def chosen(self, **options: int) -> ChosenWay:
        """This way with its options. Options not given have their default."""
        return ChosenWay(self, {name: options.get(name, option.default) for name, option in OPTIONS.items()})


@dataclass(frozen=True)
class ChosenWay:
    """A way and the options with which a round is drawn."""

    way: Way
    options: Options

    @property
    def gaps(self) -> Mapping[str, int]:
        """The values for the way's sentence."""
        return self.way.gaps(self.options)

    def layout(self, players: int) -> SeatingLayout:
        assert self.way.arrange is not None, "a way that draws all rounds at once lays out no single round"
        return self.way.arrange(players, self.options)


MAX_FALL = Option(
    name="max_fall",
    label=_("Places a player may fall"),
    default=4,
    least=0,
    most=400,
    help=_("Rather than meet a player again; 4 by default."),
)
STEP = Option(
    name="step",
    label=_("Step of the interval, k"),
    default=1,
    least=1,
    most=200,
    missing=_("Enter the step: with 3 ranks 1, 4, 7 and 10 share a table."),
)


def _anywhere(players: int, options: Options) -> SeatingLayout:
    ranks = list(range(players))
    return SeatingLayout(ranks, ranks, limit=None)


def _as_ranked(players: int, options: Options) -> SeatingLayout:
    ranks = list(range(players))
    return SeatingLayout(ranks, ranks, limit=0)


def _neighbours(players: int, options: Options) -> SeatingLayout:
    """A place counts as the best rank of its table, so that a fall is measured from table to table."""
    return SeatingLayout(list(range(players)), [place & ~3 for place in range(players)], _checked_fall(options))


def _at_intervals(players: int, options: Options) -> SeatingLayout:
    limit, asked = _checked_fall(options), options["step"]
    if not 1 <= asked <= players // 4:
        raise SeatingError("interval_step", step=asked, most=players // 4)
    ranks = []
    for start in range(0, players, 4 * asked):
        # The last ranks may be too few for the step. Then they are spread as widely as possible.
        step = min(asked, (players - start) // 4)
        ranks += [start + first + step * at for first in range(step) for at in range(4)]
    return SeatingLayout(ranks, ranks, limit)


def _checked_fall(options: Options) -> int:
    fall = options["max_fall"]
    if fall < 0:
        raise SeatingError("fall_negative", fall=fall)
    return fall


def _interval_gaps(options: Options) -> Mapping[str, int]:
    step = options["step"]
    return {"fall": options["max_fall"], "second": 1 + step, "third": 1 + 2 * step, "fourth": 1 + 3 * step}


WHOLE = Way(
    key="whole",
    label=_("all rounds at once"),
    sentence=_("Drawn together with the other rounds of the schedule."),
    by_standing=False,
)
RANDOM = Way(
    key="random",
    label=_("the next round by lot"),
    sentence=_("Drawn by lot, with the fewest repeated meetings."),
    arrange=_anywhere,
    by_standing=False,
)
SWISS = Way(
    key="swiss",
    label=_("the next round, Swiss"),
    help=_("Swiss: neighbours in the standings."),
    sentence=_("Swiss: neighbours in the standings; rather than meet again, no one falls more than %(fall)s places."),
    gaps=lambda options: {"fall": options["max_fall"]},
    arrange=_neighbours,
    takes=(MAX_FALL,),
)
INTERVAL = Way(
    key="interval",
    label=_("the next round, at intervals"),
    help=_("Intervals: ranks 1, 1+k, 1+2k, 1+3k."),
    sentence=_(
        "At intervals: ranks 1, %(second)s, %(third)s and %(fourth)s share a table, and so on; no one "
        "falls more than %(fall)s places."
    ),
    gaps=_interval_gaps,
    arrange=_at_intervals,
    needs=(STEP,),
    takes=(MAX_FALL,),
)
BY_RANK = Way(
    key="rank",
    label=_("the next round, by rank"),
    help=_("By rank: 1 to 4 together."),
    sentence=_("By rank: 1 to 4 at one table, 5 to 8 at the next, even if they have met before."),
    arrange=_as_ranked,
    avoids_meetings=False,
)

WAYS = {way.key: way for way in (WHOLE, RANDOM, SWISS, INTERVAL, BY_RANK)}
_needed = [option for way in WAYS.values() for option in way.needs]
_taken = [option for way in WAYS.values() for option in way.takes]
OPTIONS = {option.name: option for option in (*_needed, *_taken)}
"""The options of all ways, as the form asks for them. All are stored with a drawing, whatever its way."""
