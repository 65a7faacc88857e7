"""The admin of clubs, members, players, seasons, rules and games. Importing a module registers what it holds."""

from ratings.admin import games, rules

__all__ = ["games", "rules"]
