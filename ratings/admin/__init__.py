"""“All data” of clubs, members, players, seasons, rules and games. Importing a module registers its classes."""

from ratings.admin import clubs, games, imports, players, rules, seasons, users

__all__ = ["clubs", "games", "imports", "players", "rules", "seasons", "users"]
