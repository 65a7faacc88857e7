"""Ranking, event file and value of an event. Pure: imports only the standard library and ratings.mahjong."""
