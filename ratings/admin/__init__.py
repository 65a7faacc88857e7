"""The admin of clubs, members, players and seasons. Importing a module of this package registers what it holds."""

from ratings.admin import clubs, players, seasons, users

__all__ = ["clubs", "players", "seasons", "users"]
