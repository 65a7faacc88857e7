"""What can be wrong with a request, as codes with parameters. The page that shows a sentence translates it.

Every sentence says what is not possible, where, and what is the nearest thing that is possible.
"""

from __future__ import annotations


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation. The pages translate it; this package never does."""
    return message


SENTENCES = {
    "players_unreadable": gettext_noop(
        "“%(given)s” is not a list of players: enter a number of players such as 44, or numbers such as 1-44,47."
    ),
    "player_twice": gettext_noop("Player %(player)d is listed twice: name every player once."),
    "player_not_positive": gettext_noop("%(player)d is not a player number: numbers start at 1."),
    "too_few_players": gettext_noop(
        "A table needs four players, but there are only %(players)d: find %(missing)d more."
    ),
    "tables_not_full": gettext_noop(
        "%(players)d players do not fill tables of four: allow byes (--byes) or substitutes (--substitutes), "
        "or play with %(fewer)d or %(more)d players."
    ),
    "byes_and_substitutes": gettext_noop("Byes and substitutes exclude each other: choose one of them."),
    "no_rounds": gettext_noop("%(rounds)d rounds cannot be drawn: ask for at least 1."),
    "too_many_rounds": gettext_noop("%(rounds)d rounds are more than can be drawn: ask for at most %(most)d."),
    "unknown_player": gettext_noop(
        "Player %(player)d in %(where)s is not among the players: correct the number, or leave the player out."
    ),
    "group_player_twice": gettext_noop("Player %(player)d is twice in one group of %(where)s: name the player once."),
    "group_too_small": gettext_noop("Group %(number)d of %(where)s names one player: a meeting needs at least two."),
    "player_in_two_teams": gettext_noop("Player %(player)d is in two teams: leave the player in one of them."),
    "too_few_opponents": gettext_noop(
        "Opponents left to player %(player)d: %(allowed)d, but a table needs three; "
        "drop at least %(drop)d of the forbidden meetings of player %(player)d."
    ),
    "history_table": gettext_noop(
        "Round %(round)d, table %(table)d of the history does not hold four different players."
    ),
    "history_twice": gettext_noop("Player %(player)d sits at two tables in round %(round)d of the history."),
    "stationary_unknown": gettext_noop(
        "Player %(player)d cannot stay at a table: the player is not among the players."
    ),
    "stationary_table": gettext_noop(
        "There is no table %(table)d for player %(player)d: the tables are 1 to %(tables)d."
    ),
    "stationary_taken": gettext_noop(
        "Players %(player)d and %(other)d cannot both stay at table %(table)d without meeting in every round: "
        "give one of them another table."
    ),
    "stationary_bye": gettext_noop(
        "Player %(player)d cannot stay at a table and have byes: use substitutes, or let the player move."
    ),
    "file_unreadable": gettext_noop("%(file)s cannot be read: %(reason)s."),
    "file_not_json": gettext_noop("%(file)s is not JSON: line %(line)d, column %(column)d cannot be read."),
    "file_shape": gettext_noop("%(file)s, entry %(number)d is not %(expected)s."),
    "file_list": gettext_noop("%(file)s must hold a list: %(expected)s."),
    "unknown_rank": gettext_noop("The standing names player %(player)d, who is not among the players."),
    "missing_rank": gettext_noop("The standing leaves out player %(player)d: rank every player once."),
    "interval_step": gettext_noop(
        "A step of %(step)d leaves no four players for a table: steps go from 1 to %(most)d."
    ),
    "fall_negative": gettext_noop("A player cannot fall by %(fall)d places: enter 0 or more."),
}

NOTES = {
    "team_too_large": gettext_noop(
        "%(size)d players cannot be kept apart at %(tables)d tables; a group of at most %(tables)d can. "
        "They are kept apart as far as possible; meetings in every round: %(meetings)d."
    ),
    "repeats_needed": gettext_noop(
        "So many rounds (%(rounds)d) need repeated meetings, at least %(excess)d of them; "
        "without repeats there can be %(most)d rounds at most."
    ),
    "forbidden_left": gettext_noop(
        "Forbidden meetings left: %(count)d, of which %(bound)d are proved necessary. "
        "Drop some of the forbidden meetings, or search longer (--moves)."
    ),
}


class SeatingError(ValueError):
    """A request that cannot be met: a code, its parameters, and the English sentence."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        self.template = SENTENCES[code]
        super().__init__(self.template % params)
