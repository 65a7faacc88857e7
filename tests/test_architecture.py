"""The project keeps its import rules; small made-up trees show that every rule can really fail."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture import APPS, LAYERS, PURE, SITE, modules, violations

ROOT = Path(__file__).resolve().parents[1]
# Django finds commands by the name. Seat and Table are rows and what scoring needs of them; a Tally is also a counter.
NAMED_TWICE = {"Command", "Seat", "Table", "Tally"}


def build(root: Path, files: dict[str, str]) -> Path:
    for place, source in files.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return root


def test_the_house_keeps_its_import_rules() -> None:
    assert violations(ROOT) == []


def test_the_whole_house_was_read() -> None:
    read = {module.path for module in modules(ROOT)}

    assert {Path(SITE, "settings.py"), *(Path(app, "apps.py") for app in APPS)} <= read


def test_the_pure_modules_are_the_ones_mypy_reads_strictly() -> None:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    strict = next(each["module"] for each in overrides if each.get("disallow_any_generics"))

    assert sorted(strict) == sorted(f"{app}.{name}.*" for app, names in PURE.items() for name in names)


def test_the_name_of_a_class_is_used_once() -> None:
    product = [module for module in modules(ROOT) if "migrations" not in module.parts]
    names = Counter(node.name for module in product for node in module.tree.body if isinstance(node, ast.ClassDef))

    assert {name for name, count in names.items() if count > 1} == NAMED_TWICE


def test_no_name_has_two_layers() -> None:
    names = [name for names in LAYERS for name in names] + [name for names in PURE.values() for name in names]

    assert len(names) == len(set(names))


def test_a_house_built_by_the_rules_has_no_violation(tmp_path: Path) -> None:
    build(
        tmp_path,
        {
            "clubsite/urls.py": "from ratings import views\n",
            "clubsite/export.py": "import csv\nimport openpyxl\n",
            "ratings/__init__.py": "",
            "ratings/mahjong/rulesets/__init__.py": "from .presets import PRESETS\n",
            "ratings/mahjong/rulesets/presets.py": "from ratings.mahjong import problems\n",
            "ratings/mahjong/scoring.py": "import random\nfrom . import rulesets\nrandom.Random(3)\n",
            "ratings/models.py": "from django.db import models\nfrom ratings.mahjong import scoring\n",
            "ratings/migrations/0001_initial.py": "import ratings.models\n",
            "ratings/rights.py": "from ratings.models import Club\n",
            "ratings/queries.py": "from . import models, rights\n",
            "ratings/services/__init__.py": "",
            "ratings/services/hanchans.py": "from . import seasons\nfrom ..queries import leaderboard\n",
            "ratings/services/seasons.py": "from ratings.services.hanchans import record\n",
            "ratings/imports/xlsx.py": "import openpyxl\nfrom ratings.imports import limits\n",
            "ratings/imports/games.py": "from ratings.imports import xlsx\nfrom ratings.services import hanchans\n",
            "ratings/services/anonymising.py": "from ratings.imports.uploads import drop_holding\n",
            "tournaments/imports.py": "from ratings.imports.people import PeopleImport\n",
            "ratings/forms.py": "class Sheet:\n    def save(self): ...\n",
            "ratings/views.py": "from clubsite import export\nfrom ratings import forms, queries, services\n",
            "ratings/management/commands/demo.py": "from ratings.services import hanchans\n",
            "tournaments/seating/swiss.py": "from ratings.mahjong.standings import rank\nfrom random import Random\n",
            "tournaments/models.py": "from ratings.models import Season\n",
            "tournaments/services.py": "from ratings.services import hanchans\n",
            "tournaments/admin.py": "from ratings.admin import ClubAdmin\n",
            "tournaments/apps.py": "def ready():\n    from ratings import services\n",
        },
    )

    assert violations(tmp_path) == []


BREACHES = {
    "a pure module knows Django": ("ratings/mahjong/scoring.py", "from django.db import models", "standard library"),
    "a pure module knows a third party": ("tournaments/standings/mers.py", "import numpy as np", "standard library"),
    "a pure module knows Django inside a function": (
        "ratings/mahjong/formulas.py",
        "def elo():\n    from django.conf import settings",
        "standard library",
    ),
    "a pure package knows Django": ("ratings/mahjong/rulesets/presets.py", "import django", "standard library"),
    "a pure module knows the site": ("ratings/mahjong/standings.py", "from clubsite import charts", "standard library"),
    "a pure module knows models": ("ratings/mahjong/payments.py", "from ratings.models import Club", "not below it"),
    "a pure module knows models for its types": (
        "ratings/mahjong/payments.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .. import models",
        "not below it",
    ),
    "a pure module of seating knows models": (
        "tournaments/seating/swiss.py",
        "from ratings.models import Season",
        "not below it",
    ),
    "a pure module reads the clock": ("tournaments/seating/anneal.py", "import time", "clock and dice"),
    "a pure module asks for today": (
        "ratings/mahjong/formulas.py",
        "from datetime import date\nday = date.today()",
        "clock and dice",
    ),
    "a pure module throws everybody's dice": (
        "tournaments/seating/anneal.py",
        "import random\nrandom.shuffle([])",
        "clock and dice",
    ),
    "a pure module takes everybody's dice home": (
        "ratings/mahjong/scoring.py",
        "from random import choice",
        "clock and dice",
    ),
    "models know services": ("ratings/models.py", "from ratings import services", "not below it"),
    "models know queries by a relative import": ("ratings/models/games.py", "from ..queries import board", "not below"),
    "queries know services": ("ratings/queries.py", "from ratings.services.hanchans import record", "not below it"),
    "services know forms": ("ratings/services/hanchans.py", "from ratings.forms import Sheet", "not below it"),
    "reading a file knows models": ("ratings/imports/xlsx.py", "from ratings.models import Club", "not below it"),
    "reading a file knows what becomes of it": (
        "ratings/imports/columns.py",
        "from ratings.imports import games",
        "not below it",
    ),
    "reading a file knows by name what becomes of it": (
        "ratings/imports/columns.py",
        "import ratings.imports.kinds",
        "not below it",
    ),
    "models know an import": ("ratings/models.py", "from ratings.imports.kinds import register", "not below it"),
    "an import knows forms": ("ratings/imports/games.py", "from ratings.forms import SheetForm", "not below it"),
    "forms know tables": ("ratings/forms.py", "from ratings import tables", "not below it"),
    "views know the admin": ("ratings/views.py", "from ratings import admin", "not below it"),
    "a command knows views": ("ratings/management/commands/demo.py", "from ratings import views", "not below it"),
    "a migration knows services": ("ratings/migrations/0002_more.py", "from ratings import services", "not below it"),
    "tournament models know rating services": (
        "tournaments/models.py",
        "from ratings.services import record_hanchan",
        "not below it",
    ),
    "the lower app knows the upper": ("ratings/services.py", "from tournaments.models import Round", "stands above"),
    "the lower app's pure module knows the upper's": (
        "ratings/mahjong/standings.py",
        "from tournaments import mers",
        "stands above",
    ),
    "the lower app finds the upper by name": (
        "ratings/services.py",
        "from django.apps import apps\napps.get_model('tournaments.Round')",
        "stands above",
    ),
    "the lower app imports the upper by name": (
        "ratings/apps.py",
        "from importlib import import_module\nimport_module('tournaments.services')",
        "stands above",
    ),
    "the lower app names the upper in a variable": (
        "ratings/services.py",
        "from django.apps import apps\nfor name in ('ratings.Club', 'tournaments.Round'):\n    apps.get_model(name)",
        "names tournaments.Round",
    ),
    "the lower app links to a page of the upper": (
        "ratings/views.py",
        "from django.shortcuts import redirect\nredirect('tournaments:event', 'open')",
        "names tournaments:event",
    ),
    "the site names a model in a variable": (
        "clubsite/moving.py",
        "for label in ('auth.User', 'ratings.Club'):\n    print(label)",
        "names ratings.Club",
    ),
    "the site links to a page of an app": (
        "clubsite/templatetags/frame.py",
        "HOME = 'ratings:home'",
        "names ratings:home",
    ),
    "an app's root knows its models": ("ratings/__init__.py", "from ratings.models import Club", "not below it"),
    "an app is imported without saying what": ("ratings/views.py", "import ratings", "names no module"),
    "an app is imported with everything": ("ratings/views.py", "from ratings import *", "names no module"),
    "an app reads the settings file": ("ratings/views.py", "from clubsite import settings", "site's own affair"),
    "an app knows the tests": ("ratings/services.py", "from tests.factories import club", "knows no tests"),
    "export knows an app": ("clubsite/export.py", "from ratings.models import Season", "the site knows no app"),
    "charts know an app": ("clubsite/charts.py", "from ratings import standings", "the site knows no app"),
    "jobs know an app": ("clubsite/jobs.py", "def work():\n    import tournaments.services", "the site knows no app"),
    "jobs find an app by name": (
        "clubsite/jobs.py",
        "from django.apps import apps\napps.get_model('ratings', 'Season')",
        "the site knows no app",
    ),
    "models send signals": ("ratings/models.py", "from django.db.models.signals import post_save", "no signals"),
    "models send signals by attribute": (
        "ratings/models.py",
        "from django.db import models\nmodels.signals.post_save.connect(print)",
        "no signals",
    ),
    "an app config listens": ("ratings/apps.py", "from django.dispatch import receiver", "no signals"),
    "the history's signals are used": ("ratings/services.py", "from simple_history import signals", "no signals"),
    "a model computes when saved": (
        "ratings/models.py",
        "class Seat:\n    def save(self, **options): ...",
        "written by services",
    ),
    "a module is in no layer": ("ratings/scoresheets.py", "", "is in no layer"),
    "a package is in no layer": ("tournaments/screens/clock.py", "", "is in no layer"),
}


@pytest.mark.parametrize(("place", "source", "sentence"), BREACHES.values(), ids=BREACHES)
def test_a_breach_is_found_and_named(tmp_path: Path, place: str, source: str, sentence: str) -> None:
    found = violations(build(tmp_path, {place: source + "\n"}))

    assert len(found) == 1, found
    assert found[0].startswith(place)
    assert sentence in found[0]


@pytest.mark.parametrize(
    "place",
    ["ratings/utils.py", "ratings/services/helpers.py", "clubsite/common.py", "tests/ratings/mixins.py"],
)
def test_a_name_that_says_nothing_is_refused(tmp_path: Path, place: str) -> None:
    assert any(
        found.startswith(f"{place}: a name like") for found in violations(build(tmp_path, {place: "", "x.py": ""}))
    )


def test_a_package_whose_name_says_nothing_is_refused(tmp_path: Path) -> None:
    assert any("'helpers'" in found for found in violations(build(tmp_path, {"ratings/helpers/words.py": ""})))


@pytest.mark.parametrize(
    ("place", "text", "sentence"),
    [
        ("templates/ratings/home.html", "{% load i18n events %}", "loads events"),
        ("templates/ratings/home.html", "{% load event_days from events %}", "loads events"),
        ("templates/ratings/home.html", '{% url "tournaments:index" %}', "names tournaments:index"),
        ("templates/partials/tabs.html", '{% include "tournaments/event.html" %}', "names tournaments/event.html"),
    ],
)
def test_a_template_that_knows_an_app_above_is_found(tmp_path: Path, place: str, text: str, sentence: str) -> None:
    found = violations(build(tmp_path, {"tournaments/templatetags/events.py": "", place: text}))

    assert [one for one in found if one.startswith(place) and sentence in one] == found
    assert len(found) == 1


def test_a_template_may_know_its_own_app_and_those_below(tmp_path: Path) -> None:
    files = {
        "ratings/templatetags/people.py": "",
        "tournaments/templatetags/events.py": "",
        "templates/tournaments/event.html": '{% load events people %}{% url "ratings:home" %}',
        "templates/ratings/home.html": '{% load people %}{% include "ratings/card.html" %}',
    }
    assert violations(build(tmp_path, files)) == []
