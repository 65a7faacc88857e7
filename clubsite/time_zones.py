"""Time zones by country, as the time zone database of the machine lists them (`zone.tab`).

A machine without that table offers all zones and proposes none.
"""

from __future__ import annotations

import zoneinfo
from functools import cache
from importlib import resources
from pathlib import Path

TABLE = "zone.tab"
UTC = "UTC"


@cache
def _lines() -> tuple[str, ...]:
    """The table of the operating system, or of the package `tzdata`, without its comments."""
    for folder in zoneinfo.TZPATH:
        table = Path(folder) / TABLE
        if table.is_file():
            return _rows(table.read_text(encoding="utf-8"))
    try:
        return _rows((resources.files("tzdata") / "zoneinfo" / TABLE).read_text(encoding="utf-8"))
    except (ModuleNotFoundError, FileNotFoundError):
        return ()


def _rows(table: str) -> tuple[str, ...]:
    return tuple(line for line in table.splitlines() if line and not line.startswith("#"))


@cache
def _by_country() -> dict[str, tuple[str, ...]]:
    """Zones of each country (two letters)."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _lines():
        country, _coordinates, name = line.split("\t")[:3]
        found[country] = (*found.get(country, ()), name)
    return found


def zones_of(country: str) -> tuple[str, ...]:
    """The time zones of a country; empty for an unknown one."""
    return _by_country().get(country, ())


@cache
def all_zones() -> tuple[str, ...]:
    """Every zone that names a place, and UTC."""
    named = {zone for zones in _by_country().values() for zone in zones}
    places = named or {zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc/")}
    return (UTC, *sorted(places))


# Where most people of a country with several zones live. The table does not say it.
_MAIN = {
    "CY": "Asia/Nicosia",
    "DE": "Europe/Berlin",
    "ES": "Europe/Madrid",
    "KZ": "Asia/Almaty",
    "NZ": "Pacific/Auckland",
    "PT": "Europe/Lisbon",
    "RU": "Europe/Moscow",
    "UA": "Europe/Kyiv",
    "UZ": "Asia/Tashkent",
}


def main_zone(country: str) -> str:
    """The zone to propose for a country; empty if it has several and none is the usual one."""
    own = zones_of(country)
    if len(own) == 1:
        return own[0]
    return _MAIN[country] if _MAIN.get(country) in own else ""
