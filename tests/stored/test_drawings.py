"""How a drawing is stored: in the round, in the certificate of its stage, and in the job that searches for seats.

There is one file for each way of seating in `drawings`, written in November 2026 before the ways were declared in one
place. It holds what the organiser typed, what was stored of it, and the sentences that the page showed. A way declared
later may bring an option of its own, which is stored with every drawing; nothing else may change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from clubsite.models import Job
from tests.cast import make_user
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.forms.schedule import DrawForm
from tournaments.models import Round
from tournaments.queries.schedules import Drawing, draw, read_drawing, seating_of, seating_request
from tournaments.seating.ways import OPTIONS
from tournaments.services.draw_job import start_drawing
from tournaments.services.schedules import store_drawing

pytestmark = pytest.mark.django_db
LATER_OPTIONS = OPTIONS.keys() - {"max_fall", "step"}
FILES = sorted((Path(__file__).parent / "drawings").glob("*.json"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    return stored


@pytest.fixture
def hall() -> Hall:
    hall = Hall(8)
    hall.play(1, (1, 5, 2, 6), (3, 7, 4, 8))
    return hall


def as_then(value: Any) -> Any:
    """Without the options that were declared since."""
    if isinstance(value, dict):
        return {name: as_then(each) for name, each in value.items() if name not in LATER_OPTIONS}
    return [as_then(each) for each in value] if isinstance(value, list | tuple) else value


def written(drawing: Drawing) -> str:
    return json.dumps(as_then(drawing.write()))


def drawn_rounds(hall: Hall) -> list[dict[str, Any]]:
    numbers = {entry.pk: entry.number for entry in hall.entries}
    seats = seating_of(hall.stage())
    return [
        {
            "number": round_.number,
            "drawn": round_.drawn,
            "tables": [[numbers[entry] for entry in table] for table in seats[round_.number]],
        }
        for round_ in Round.objects.exclude(drawn={}).order_by("number")
    ]


def test_the_form_writes_what_it_wrote(hall: Hall, golden: dict[str, Any]) -> None:
    posted = QueryDict(golden["typed"])
    form = DrawForm(hall.stage(), posted)
    assert form.is_valid(), form.errors
    assert written(form.drawing()) == json.dumps(golden["drawing"])


def test_a_stored_drawing_is_read_and_written_again(golden: dict[str, Any]) -> None:
    assert written(read_drawing(golden["drawing"])) == json.dumps(golden["drawing"])
    for round_ in golden["rounds"]:
        assert written(read_drawing(round_["drawn"])) == json.dumps(golden["drawing"])


def test_rounds_and_certificate_are_stored_as_they_were(hall: Hall, golden: dict[str, Any]) -> None:
    store_drawing(draw(seating_request(hall.stage(), read_drawing(golden["drawing"]))))
    assert as_then(drawn_rounds(hall)) == golden["rounds"]
    assert as_then(hall.stage().certificate) == golden["certificate"]


def test_the_job_holds_what_it_held(hall: Hall, golden: dict[str, Any]) -> None:
    stage = hall.stage()
    start_drawing(stage, read_drawing(golden["drawing"]), 10, by=make_user(), back_url="/")
    assert as_then(Job.objects.get().params) == {"stage": stage.pk, "drawing": golden["drawing"], "seconds": 10}


def test_the_page_of_a_stored_round_says_what_it_said(hall: Hall, golden: dict[str, Any]) -> None:
    desk = client_of(hall.tournament.club)
    store_drawing(draw(seating_request(hall.stage(), read_drawing(golden["drawing"]))))
    for stored in golden["rounds"]:
        Round.objects.filter(number=stored["number"]).update(drawn=stored["drawn"])
        assert golden["sentences"] in page(desk, f"schedule/1/{stored['number']}/")
