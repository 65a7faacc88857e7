"""How far a new club is: the steps until its first game, read from what exists."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.models import Affiliation, Club, Hanchan, Membership, RuleSet, Season

FOUR = 4  # players at a table
# The steps in their order; a club exists before anything is asked about it.
CLUB, RULES, SEASON, PEOPLE, GAME = "club", "rules", "season", "people", "game"
STEPS = (CLUB, RULES, SEASON, PEOPLE, GAME)


@dataclass(frozen=True)
class FirstSteps:
    """What a club has of what its first game needs."""

    club: Club
    rule_set: RuleSet | None  # of the season, else the newest one
    season: Season | None  # the club's newest season without competitions
    people: int
    members: int
    has_game: bool

    @property
    def done(self) -> list[str]:
        """The steps that are done. Fewer players than a table needs are no list of players yet."""
        facts = {
            CLUB: True,
            RULES: self.rule_set is not None,
            SEASON: self.season is not None,
            PEOPLE: self.people >= FOUR,
            GAME: self.has_game,
        }
        return [step for step in STEPS if facts[step]]

    @property
    def next(self) -> str:
        """The first step that is not done; empty if there is none."""
        return next((step for step in STEPS if step not in self.done), "")

    @property
    def count(self) -> int:
        return len(self.done)

    @property
    def total(self) -> int:
        return len(STEPS)

    @property
    def percent(self) -> int:
        return 100 * self.count // self.total

    @property
    def dot(self) -> int:
        """Where the dot of the score stick is, in percent of the whole."""
        return self.percent // 2


def has_game(club: Club) -> bool:
    """Whether a game of the club was ever finished, in a competition too. Its first steps are then over."""
    return Hanchan.objects.filter(season__club=club, status=Hanchan.Status.FINAL).exists()


def first_steps(club: Club) -> FirstSteps:
    season = Season.objects.of_clubs().filter(club=club).select_related("rule_set").order_by("-pk").first()
    newest = RuleSet.objects.filter(club=club).order_by("-pk").first() if season is None else None
    return FirstSteps(
        club=club,
        rule_set=season.rule_set if season else newest,
        season=season,
        people=Affiliation.objects.filter(club=club, player__merged_into=None, player__anonymised_at=None).count(),
        members=Membership.objects.filter(club=club).count(),
        has_game=has_game(club),
    )
