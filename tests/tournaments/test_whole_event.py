"""A whole tournament through the web forms, against figures worked out by the test's own ledger.

22 players and seven rounds under EMA rules: two substitutes fill up, one player is late, one falls ill in mid-game,
one is disqualified, one withdraws so that the tables shrink; a sheet of round 2 is corrected, a penalty given and
revoked, and eight go on into a final with halved totals. The ledger knows nothing of the product: it adds, sorts and
halves.
"""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clubsite import jobs
from clubsite.models import Job
from ratings.models import Adjustment
from tests.cast import make_club, make_user
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.queries.standings import final_ranking, view_event

pytestmark = pytest.mark.django_db

UMA = (30_000, 10_000, -10_000, -30_000)
MISSED = -30_000
SHEETS = (
    (45_200, 31_100, 25_700, 18_000),
    (52_300, 38_400, 20_100, 9_200),
    (36_900, 33_000, 28_400, 21_700),
    (61_000, 30_500, 24_000, 4_500),
    (41_800, 35_600, 30_900, 11_700),
)
LATE, ILL, CHEAT, LEAVES, FINED, FINED_AT_TABLE = 3, 8, 13, 17, 5, 20
HELPER = 25  # the occasional substitute
PENALTY, TABLE_PENALTY, MINUTES = 12_000, 8_000, 7


@dataclass
class Fact:
    """One seat as the test says it was played."""

    entry: int
    points: int
    late: int = 0
    fine: int = 0
    substitute: str = "none"
    played_by: int | None = None


@dataclass
class Ledger:
    """Everything that happened, and the arithmetic of RULES written down once more."""

    tables: dict[tuple[int, int, int], list[Fact]] = field(default_factory=dict)  # stage, round, table
    missed: set[tuple[int, int, int]] = field(default_factory=set)  # stage, round, entry
    fines: list[tuple[int, int, int, int]] = field(default_factory=list)  # stage, after round, entry, points
    carried: dict[int, int] = field(default_factory=dict)

    def results(self, facts: list[Fact]) -> list[tuple[int, int]]:
        """Place and result of each seat."""
        net = [f.points - (0 if f.substitute != "none" else 1000 * f.late) - f.fine for f in facts]
        order = sorted(range(4), key=lambda i: (facts[i].substitute == "mid_game", -net[i]))
        assert len({(facts[i].substitute == "mid_game", net[i]) for i in range(4)}) == 4, "the test avoids ties"
        found = []
        for i in range(4):
            place = order.index(i) + 1
            own = facts[i].substitute == "none"
            found.append((place, net[i] - 30_000 + UMA[place - 1] if own else MISSED))
        return found

    def standings(self, stage: int, after: int, players: list[int], last: set[int]) -> list[tuple[int, int, int]]:
        """Rank, entry, total; `last` are the disqualified."""
        total: dict[int, int] = dict.fromkeys(players, 0)
        places: dict[int, list[int]] = defaultdict(list)
        best: dict[int, int] = {}
        for (of_stage, number, _table), facts in self.tables.items():
            if of_stage != stage or number > after:
                continue
            for fact, (place, result) in zip(facts, self.results(facts), strict=True):
                if fact.entry not in total:
                    continue
                total[fact.entry] += result
                if fact.substitute == "none":
                    places[fact.entry].append(place)
                    best[fact.entry] = max(result, best.get(fact.entry, result))
        for of_stage, number, entry in self.missed:
            if of_stage == stage and number <= after and entry in total:
                total[entry] += MISSED
        for of_stage, number, entry, points in self.fines:
            if of_stage == stage and number <= after and entry in total:
                total[entry] -= points
        if stage == 2:
            for entry in total:
                total[entry] += self.carried[entry]

        def key(entry: int) -> tuple[bool, int, Fraction, int]:
            own = places[entry]
            mean = Fraction(sum(own), len(own)) if own else Fraction(9)
            return entry in last, -total[entry], mean, -best.get(entry, -(10**9))

        rows: list[tuple[int, int, int]] = []
        ordered = sorted(players, key=lambda entry: (key(entry), entry))
        for index, entry in enumerate(ordered):
            same = index and key(ordered[index - 1]) == key(entry)
            rows.append((rows[-1][0] if same else index + 1, entry, total[entry]))
        return rows


def halved(total: int) -> int:
    """To whole hundreds, half away from zero."""
    size = (abs(total) + 100) // 200 * 100
    return size if total > 0 else -size


class Organiser:
    """A user at the desk who knows the addresses and fills in forms."""

    def __init__(self, user: User) -> None:
        self.client = Client()
        self.client.force_login(user)
        self.slug = ""

    def address(self, path: str) -> str:
        return f"/tournaments/{self.slug}/manage/{path}"

    def post(self, path: str, data: Mapping[str, object] | None = None) -> None:
        """Post a form that must be accepted; a refusal fails the test with the text of the page."""
        response = self.client.post(self.address(path), data or {})
        assert response.status_code == 302, _complaints(response.content)

    def say(self, path: str) -> str:
        response = self.client.get(self.address(path))
        assert response.status_code == 200, path
        return response.content.decode()

    def rule(self, path: str, data: Mapping[str, object]) -> str:
        """Show the effect of a ruling, then make the ruling; return what was shown."""
        shown = self.client.post(self.address(path), data)
        assert shown.status_code == 200, _complaints(shown.content)
        assert "Who moves in the standings" in shown.content.decode()
        self.post(path, {**data, "confirm": "1"})
        return shown.content.decode()


def _complaints(page: bytes) -> str:
    body = page.decode()
    return " | ".join(re.findall(r'class="(?:error|message bad)[^>]*>(.*?)</(?:small|div)', body, re.S))


def sheet(table: Table, facts: list[Fact], **more: object) -> dict[str, object]:
    data: dict[str, object] = {f"t{table.number}-sticks_left": "", **more}
    for wind, fact in enumerate(facts):
        prefix = f"t{table.number}-seat{wind}"
        data[f"{prefix}-points"] = str(fact.points)
        data[f"{prefix}-late_minutes"] = str(fact.late or "")
        data[f"{prefix}-penalty"] = str(fact.fine or "")
        data[f"{prefix}-substitute"] = fact.substitute
        data[f"{prefix}-played_by"] = str(fact.played_by or "")
    return data


class Hall:
    """Plays rounds: invents points, types them, writes them into the ledger."""

    def __init__(self, desk: Organiser, ledger: Ledger) -> None:
        self.desk, self.ledger = desk, ledger

    def tables(self, stage: int, number: int) -> list[Table]:
        found = Table.objects.filter(round__stage__tournament__slug=self.desk.slug, round__stage__number=stage)
        return list(found.filter(round__number=number).order_by("number").prefetch_related("seats__entry"))

    def facts(self, stage: int, number: int, table: Table) -> list[Fact]:
        points = SHEETS[(3 * number + table.number + stage) % len(SHEETS)]
        turn = (number + 2 * table.number) % 4
        facts = []
        for wind, seat in enumerate(table.seats.order_by("wind")):
            fact = Fact(seat.entry.number, points[(wind + turn) % 4])
            if seat.entry.is_substitute:
                fact.substitute = "from_start"
            if stage == 1:
                self._special(number, fact)
            facts.append(fact)
        return facts

    def _special(self, number: int, fact: Fact) -> None:
        if (number, fact.entry) == (1, LATE):
            fact.late = MINUTES
        if (number, fact.entry) == (3, ILL):
            fact.substitute, fact.played_by = "mid_game", HELPER
        if (number, fact.entry) == (4, ILL):  # in the next round the substitute plays from the start
            fact.substitute, fact.played_by = "from_start", HELPER

    def play(self, stage: int, number: int) -> None:
        self.desk.post(f"schedule/{stage}/{number}/publish/")
        for table in self.tables(stage, number):
            facts = self.facts(stage, number, table)
            self.desk.post(f"rounds/{stage}/{number}/{table.number}/", sheet(table, facts))
            self.ledger.tables[stage, number, table.number] = facts
        assert "0</b> tables missing" in self.desk.say(f"rounds/{stage}/{number}/")
        self.desk.post(f"rounds/{stage}/{number}/check/", {"table": "all"})
        self.desk.post(f"rounds/{stage}/{number}/confirm/")


def draw(desk: Organiser, way: str, seconds: int = 1) -> None:
    data = {
        "way": way,
        "seed": "4",
        "seconds": str(seconds),
        "teams_apart": "on",
        "pairs": "",
        "step": "",
        "max_fall": "",
    }
    desk.post("schedule/", data)
    for job in Job.objects.filter(state=Job.State.WAITING):
        jobs.run(job.pk)  # on a real site a separate process does this
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.result


def make_event(desk: Organiser, club_pk: int) -> Tournament:
    today = timezone.localdate()
    data = {
        "club": club_pk,
        "name": "Весенний кубок",
        "slug": "spring-cup",
        "starts_on": today.isoformat(),
        "ends_on": (today + datetime.timedelta(days=1)).isoformat(),
        "odd": "substitutes",
        "is_public": "on",
        "rules": "preset:ema-2012",
        "rounds": "7",
        "final_rounds": "2",
        "final_players": "8",
        "final_totals": "halve",
        "tie_break_1": "average_place",
        "tie_break_2": "best_game",
    }
    response = desk.client.post("/tournaments/manage/new/", data)
    assert response.status_code == 302, _complaints(response.content)
    desk.slug = "spring-cup"
    return Tournament.objects.get(slug="spring-cup")


def enter_everybody(desk: Organiser) -> None:
    lines = "\n".join(f"Игрок {chr(0x0410 + n)}{n};{'PL' if n % 2 else 'UA'};{10_000_000 + n};" for n in range(1, 23))
    preview = desk.client.post(desk.address("entries/paste/"), {"text": lines})
    assert "22 lines were read" in preview.content.decode()
    desk.post("entries/paste/", {"text": lines, "save": "1", **{f"line{n}": "new" for n in range(1, 23)}})
    for name, kind in (("Замена Один", "permanent"), ("Замена Два", "permanent"), ("Подмога", "occasional")):
        desk.post("entries/add/", {"player": name, "new_player": "on", "substitute_kind": kind, "done": "1"})
    for number in range(1, 23):
        desk.post("check-in/", {"number": number})


def correct_round_two(desk: Organiser, ledger: Ledger) -> None:
    """The scores of East and South at table 1 were entered in each other's rows."""
    table = Hall(desk, ledger).tables(1, 2)[0]
    facts = ledger.tables[1, 2, 1]
    facts[0].points, facts[1].points = facts[1].points, facts[0].points
    data = sheet(table, facts, **{"t1-version": "1"})
    shown = desk.client.post(desk.address("rounds/1/2/1/"), data)
    assert shown.status_code == 200
    assert "What changes" in shown.content.decode()
    assert "Who moves in the standings" in shown.content.decode()
    desk.post("rounds/1/2/1/", {**data, "confirm": "1", "reason": "two rows were swapped"})


def expect(tournament: Tournament, ledger: Ledger, stage: int, after: int, players: list[int], last: set[int]) -> None:
    view = view_event(tournament)[stage - 1]
    table = [(row.rank, row.entry, row.total) for row in view.after(after).rows]
    assert table == ledger.standings(stage, after, players, last)


def test_a_whole_tournament_through_the_web_forms() -> None:
    club = make_club()
    desk, ledger = Organiser(make_user("admin", club, "admin")), Ledger()
    hall = Hall(desk, ledger)
    tournament = make_event(desk, club.pk)
    everybody = list(range(1, 23))

    enter_everybody(desk)
    assert "every table is full" in desk.say("entries/fill/")
    draw(desk, "whole")
    assert Round.objects.filter(stage__number=1, tables__isnull=False).distinct().count() == 7
    for number in (1, 2, 3, 4):
        hall.play(1, number)
        expect(tournament, ledger, 1, number, everybody, set())
    assert len(hall.tables(1, 4)) == 6

    # between rounds 4 and 5: a cheat, a player who goes home, a fine, and a wrong sheet is found
    desk.rule("rulings/disqualify/", {"entry": CHEAT, "moment": "1.4", "reason": "marked tiles"})
    desk.rule("rulings/withdraw/", {"entry": LEAVES, "moment": "1.4", "results": "keep", "reason": "train"})
    desk.rule(
        "rulings/penalty/",
        {"entry": FINED, "moment": "1.4", "points": str(PENALTY), "where": "total", "reason": "phone"},
    )
    ledger.fines.append((1, 4, FINED, PENALTY))
    correct_round_two(desk, ledger)
    for number in (1, 2, 3):
        expect(tournament, ledger, 1, number, everybody, set())
    expect(tournament, ledger, 1, 4, everybody, {CHEAT})

    assert "drawn for other players" in desk.say("schedule/")
    draw(desk, "whole")
    assert "Before" in desk.say("schedule/")
    assert "drawn for other players" not in desk.say("schedule/")
    for number in (5, 6, 7):
        hall.play(1, number)
        ledger.missed |= {(1, number, CHEAT), (1, number, LEAVES)}
        if number == 5:
            table = next(t for t in hall.tables(1, 5) if FINED_AT_TABLE in {s.entry.number for s in t.seats.all()})
            facts = ledger.tables[1, 5, table.number]
            desk.rule(
                "rulings/penalty/",
                {"entry": FINED_AT_TABLE, "moment": "1.5", "points": "8000", "where": "table", "reason": "rude"},
            )
            next(fact for fact in facts if fact.entry == FINED_AT_TABLE).fine = TABLE_PENALTY
        if number == 6:
            given = Adjustment.objects.get(kind=Adjustment.Kind.PENALTY)
            desk.rule(f"rulings/revoke/{given.pk}/", {"reason": "it was an alarm call"})
            ledger.fines.clear()
        expect(tournament, ledger, 1, number, everybody, {CHEAT})
        assert len(hall.tables(1, number)) == 5  # twenty players fill five tables without substitutes

    # the cut: eight go on with half of what they have
    ranks = ledger.standings(1, 7, everybody, {CHEAT})
    finalists = [entry for _rank, entry, _total in ranks if entry not in (CHEAT, LEAVES)][:8]
    ledger.carried = {entry: halved(total) for _rank, entry, total in ranks}
    desk.post("stages/1/cut/")
    assert set(Stage.objects.get(number=2).season.adjustments.values_list("points", flat=True)) <= set(
        ledger.carried.values()
    )
    for number in (1, 2):
        draw(desk, "rank")
        hall.play(2, number)
        expect(tournament, ledger, 2, number, finalists, set())
    desk.post("finish/")

    final = ledger.standings(2, 2, finalists, set())
    rest = [row for row in ranks if row[1] not in finalists and row[1] != CHEAT]
    below = [(entry, total) for _rank, entry, total in rest]
    cheat = next((entry, total) for _rank, entry, total in ranks if entry == CHEAT)
    expected = [(entry, total) for _rank, entry, total in final] + below + [cheat]
    found = final_ranking(view_event(tournament))
    assert [(row.entry, row.total) for row in found] == expected
    assert [row.rank for row in found][:8] == [rank for rank, _entry, _total in final]
    assert found[-1].rank == 22

    # the log tells the whole story, and substitutes are in no ranking
    log = desk.say("rulings/")
    for word in ("marked tiles", "train", "rude", "it was an alarm call", "two rows were swapped", "minutes late"):
        assert word in log
    outside = {tally.entry for tally in view_event(tournament)[0].at_end().outside}
    assert outside == set(Entry.objects.filter(substitute_kind="permanent").values_list("number", flat=True))
