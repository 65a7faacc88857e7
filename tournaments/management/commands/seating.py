"""`manage.py seating`: make a seat schedule with its certificate, as JSON, text or CSV. Needs no database."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from tournaments.seating.budget import Progress
from tournaments.seating.errors import NOTES, SeatingError
from tournaments.seating.files import read_forbidden, read_history, read_players, read_teams
from tournaments.seating.plan import make
from tournaments.seating.request import DEFAULT_MOVES, Note, Odd, Request, Schedule, notes
from tournaments.seating.verify import Certificate, certify

IMPOSSIBLE = 2
BAR = 30


class Command(BaseCommand):
    help = "Make a seat schedule for tables of four, and a certificate that says how good it is."
    requires_system_checks = []
    _shown = ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", required=True, help="how many players, or which: 52 or 1-44,47")
        parser.add_argument("--rounds", required=True, type=int, help="rounds to make, those of --history not counted")
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same schedule (default: 0)")
        parser.add_argument(
            "--moves", type=int, default=DEFAULT_MOVES, help="how long to search (default: %(default)s)"
        )
        parser.add_argument("--seconds", type=float, help="stop early and keep the best so far")
        parser.add_argument("--teams", metavar="FILE", help="JSON: a list of lists of players who never meet")
        parser.add_argument("--forbid", metavar="FILE", help="JSON: a list of pairs who never meet")
        parser.add_argument("--history", metavar="FILE", help="JSON: the rounds already played")
        parser.add_argument("--byes", action="store_true", help="players left over sit out in turn")
        parser.add_argument("--substitutes", action="store_true", help="substitutes fill up the last tables")
        parser.add_argument("--format", choices=("json", "text", "csv"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            request = self._request(options)
            watched = self.stderr.isatty()
            schedule = make(request, self._bar if watched else None, _stop(options["seconds"]))
            if watched:
                self.stderr.write(" " * (BAR + 24), str, ending="\r")
        except SeatingError as error:
            raise CommandError(_(error.template) % error.params, returncode=IMPOSSIBLE) from error
        certificate = certify(request, schedule)
        self._notes(request, certificate)
        if options["format"] == "json":
            self.stdout.write(_json(request, schedule, certificate))
        elif options["format"] == "csv":
            self._csv(schedule)
        else:
            self._text(schedule, certificate)

    def _request(self, options: dict[str, Any]) -> Request:
        if options["byes"] and options["substitutes"]:
            raise SeatingError("byes_and_substitutes")
        odd = Odd.BYES if options["byes"] else Odd.SUBSTITUTES if options["substitutes"] else Odd.REFUSE
        files = {
            name: (options[name], _read(options[name]) if options[name] else "[]")
            for name in ("teams", "forbid", "history")
        }
        return Request(
            players=read_players(options["players"]),
            rounds=options["rounds"],
            seed=options["seed"],
            moves=max(0, options["moves"]),
            teams=read_teams(*files["teams"]),
            forbidden=read_forbidden(*files["forbid"]),
            history=read_history(*files["history"]),
            odd=odd,
        )

    def _notes(self, request: Request, certificate: Certificate) -> None:
        """Write notes for the organiser to stderr, so that the output holds only the schedule."""
        found = notes(request)
        forbidden = certificate["forbidden"]
        if not forbidden.optimal:
            found.append(Note("forbidden_left", {"count": forbidden.value or 0, "bound": forbidden.bound or 0}))
        for note in found:
            self.stderr.write(_(NOTES[note.code]) % note.params, self.style.WARNING)

    def _bar(self, progress: Progress) -> None:
        share = progress.made / max(1, progress.allowed)
        shown = f"{'█' * int(share * BAR):·<{BAR}} {share:4.0%} {progress.stage:<18}"
        if shown != self._shown:
            self._shown = shown
            self.stderr.write(shown, str, ending="\r")

    def _csv(self, schedule: Schedule) -> None:
        rows = csv.writer(self.stdout, lineterminator="\n")
        rows.writerow(["round", "table", "east", "south", "west", "north"])
        for number, (games, byes) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
            rows.writerows([number, table, *game] for table, game in enumerate(games, 1))
            rows.writerows([number, "bye", player, "", "", ""] for player in byes)

    def _text(self, schedule: Schedule, certificate: Certificate) -> None:
        for number, (games, byes) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
            self.stdout.write(_("Round %(number)d") % {"number": number})
            heads = (_("table"), _("east"), _("south"), _("west"), _("north"))
            self.stdout.write("".join(f"{head:>7}" for head in heads))
            for table, game in enumerate(games, 1):
                self.stdout.write(f"{table:>7}" + "".join(f"{player:>7}" for player in game))
            if byes:
                self.stdout.write(_("sitting out: %(players)s") % {"players": ", ".join(map(str, byes))})
            self.stdout.write("")
        for name, figure in certificate.figures.items():
            verdict = _("cannot be better") if figure.optimal else _("bound %(bound)s") % {"bound": figure.bound}
            value = "–" if figure.value is None else figure.value
            self.stdout.write(f"{name:<17}{value:>6}  {verdict}")
        if certificate.moves is not None:
            self.stdout.write(_("stopped early after %(moves)d moves") % {"moves": certificate.moves})


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else _("it is not UTF-8 text")
        raise SeatingError("file_unreadable", file=path, reason=reason) from error


def _stop(seconds: float | None) -> Any:
    if seconds is None:
        return None
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def _json(request: Request, schedule: Schedule, certificate: Certificate) -> str:
    return json.dumps(
        {
            "players": len(request.players),
            "rounds": schedule.rounds,
            "byes": schedule.byes,
            "certificate": certificate.as_dict(),
        }
    )
