"""Contestants and their scores, as the ranking takes them."""

from __future__ import annotations

from tournaments.standings.ranking import Contestant, Departure, SeatScore


def seat(entry: int, round_number: int, result: int, place: int = 1, table: int = 1, own: bool = True) -> SeatScore:
    return SeatScore(entry, round_number, table, result, place, 2 * place, own)


def people(count: int, **left: Departure) -> list[Contestant]:
    return [Contestant(number, left=left.get(f"n{number}")) for number in range(1, count + 1)]
