"""The sheets of rules and of the season: each version in words with its raw parameters, and the season's settings."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from clubsite import days
from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, fitting
from ratings.mahjong.rulesets import GROUPS, PARAMETERS, write
from ratings.mahjong.rulesets.words import words
from ratings.mahjong.standings import METRICS
from ratings.models import RuleSet, Season
from ratings.workbooks.games import rules_key

ALSO = ("preset", "notes", "paragraphs", "ranges")  # what a version has besides parameters


def as_json(value: Any) -> Cell:
    """Return a raw value: whole numbers stay numbers, everything else is JSON."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return json.dumps(value, ensure_ascii=False)


def sheet(rule_sets: Sequence[RuleSet]) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("Rules"), width=fitting(map(rules_key, rule_sets))),
        ExportColumn(gettext("Name"), width=fitting(rule_set.name for rule_set in rule_sets)),
        ExportColumn(gettext("Version"), Kind.COUNT, 9),
        ExportColumn(gettext("Group"), width=fitting(gettext(group) for group in GROUPS.values())),
        ExportColumn(gettext("Rule"), width=fitting(gettext(parameter.label) for parameter in PARAMETERS.values())),
        ExportColumn(gettext("In words"), width=44),
        ExportColumn(gettext("Parameter"), width=24),
        ExportColumn(gettext("Value"), width=32),
    ]
    rows = (row for rule_set in rule_sets for row in _rows(rule_set))
    return WorkbookSheet(gettext("Rules"), columns, rows, name="rules", frozen_columns=1, clipped=[7])


def _rows(rule_set: RuleSet) -> Iterator[list[Cell]]:
    which: list[Cell] = [rules_key(rule_set), rule_set.name, rule_set.version]
    raw: Mapping[str, Any] = write(rule_set.rules)
    for name, parameter in PARAMETERS.items():
        said = words(parameter, getattr(rule_set.rules, name)).sentence(gettext)
        group = gettext(GROUPS[parameter.group])
        yield [*which, group, gettext(parameter.label), said, name, as_json(raw.get(name))]
    labels = {
        "preset": gettext("The preset it was copied from"),
        "notes": gettext("Notes"),
        "paragraphs": gettext("Paragraphs of the source"),
        "ranges": gettext("What may vary from game to game"),
    }
    for name in ALSO:
        yield [*which, gettext("Rule set"), labels[name], None, name, as_json(getattr(rule_set, name))]


def season_sheet(season: Season, figures: Mapping[str, int], at: datetime.datetime) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("What"), width=30),
        ExportColumn(gettext("In words"), width=50),
        ExportColumn(gettext("Parameter"), width=20),
        ExportColumn(gettext("Value"), width=44),
    ]
    rows = _season_rows(season, figures, at)
    return WorkbookSheet(gettext("Season"), columns, rows, name="season", frozen_columns=1, filtered=False, clipped=[3])


def _season_rows(season: Season, figures: Mapping[str, int], at: datetime.datetime) -> Iterator[list[Cell]]:
    club, zone = season.club, season.club.zone
    open_end = gettext("open")
    facts: list[tuple[str, str, str, Any]] = [
        (gettext("Club"), club.name, "club", club.name),
        (gettext("Address of the club"), club.slug, "club_slug", club.slug),
        (gettext("Time zone"), club.time_zone, "time_zone", club.time_zone),
        (gettext("Season"), season.name, "name", season.name),
        (gettext("Address of the season"), season.slug, "slug", season.slug),
        (gettext("Kind"), season.get_kind_display(), "kind", season.kind),
        (gettext("First day"), days.day(season.starts_on), "starts_on", season.starts_on.isoformat()),
        (
            gettext("Last day"),
            days.day(season.ends_on) if season.ends_on else open_end,
            "ends_on",
            season.ends_on.isoformat() if season.ends_on else None,
        ),
        (gettext("Rule set"), str(season.rule_set), "rule_set", rules_key(season.rule_set)),
        (gettext("Rating"), season.get_formula_display(), "formula", season.formula),
        (gettext("Initial rating, in thousandths"), "", "initial_rating", season.initial_rating),
        (gettext("K of the Elo formula"), "", "elo_k", season.elo_k),
        (gettext("Games to be ranked"), "", "minimum_games", season.minimum_games),
        (gettext("Columns"), _labels(season.metrics), "metrics", season.metrics),
        (gettext("Tie-breaks"), _labels(season.tie_breaks), "tie_breaks", season.tie_breaks),
        (gettext("Results are public"), "", "results_public", season.results_public),
        (gettext("Games in this file"), "", "games", figures["games"]),
        (gettext("Players in this file"), "", "players", figures["players"]),
        (
            gettext("Exported"),
            days.long_moment(at, zone),
            "exported_at",
            at.replace(microsecond=0).isoformat(),
        ),
    ]
    for what, said, name, value in facts:
        yield [what, said, name, as_json(value)]


def _labels(keys: Sequence[str]) -> str:
    return ", ".join(gettext(METRICS[key].label) for key in keys if key in METRICS)
