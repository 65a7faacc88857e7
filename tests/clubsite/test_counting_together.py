"""Several processes share one count: when three ask at once, exactly as many are let through as the limit says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.databases import own_database

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "clubsite.settings"
import django
django.setup()
"""
MAKE_TABLE = """
from django.db import connection
from clubsite.models import Tally
with connection.schema_editor() as editor:
    editor.create_model(Tally)
"""
COUNT = """
from clubsite.counting import Claim, spend
from clubsite.limits import HOUR, Limit
print("ready", flush=True)
sys.stdin.readline()
limit = Limit("fifty", "test", 50, HOUR)
each = Limit("each", "test", 1, HOUR)
print(sum(spend(Claim(limit, "event"), Claim(each, f"{sys.argv[1]} {n}")) is None for n in range(40)))
"""


def test_three_processes_let_through_no_more_than_one_would(tmp_path: Path) -> None:
    with own_database(tmp_path) as url:
        environment = os.environ | {"UMAOKA_ENV": "local", "UMAOKA_VAR": str(tmp_path), "DATABASE_URL": url}
        environment |= {"SECRET_KEY": "the same for all", "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", BEGIN + MAKE_TABLE], env=environment, check=True)
        counters = [
            subprocess.Popen(
                [sys.executable, "-c", BEGIN + COUNT, name],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in "abc"
        ]
        for counter in counters:
            assert counter.stdout is not None
            assert counter.stdout.readline() == "ready\n"
        for counter in counters:
            assert counter.stdin is not None
            counter.stdin.write("go\n")
            counter.stdin.flush()
        passed = [int(counter.communicate()[0]) for counter in counters]
    assert sum(passed) == 50
