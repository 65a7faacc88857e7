"""One of several writers: a club admin who enters, corrects, voids and restores games by the site's own forms.

`python -m tests.faults.writer BASE SCENE.json USER SECONDS JOURNAL`, in a separate process. The journal has a line for
every write before it is sent, and another when the site said that it is done. If a page shows something that no user
should ever see, the process ends, and `surprise` in the last line of the journal says what it was. With --restarts the
page that says that the database is away is a valid answer.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.visitor import Answer, Visitor
from tests.forms import Form

GAME = re.compile(r'href="/hanchans/(\d+)/"')
MESSAGE = re.compile(
    r'class="wrap says" role="status">\s*<div class="message (\w+)">'
)  # a message about the last action, not one that the page always has
FAIR = (200, 302, 409)
NEWEST = 6  # games that everybody works on at once
TRIES_AFTER_CONFLICT = 3


class Away(Exception):
    """The database does not answer; the page says so."""


class Surprise(Exception):
    """Something that no user should ever see."""


def body(answer: Answer) -> str:
    """The text of a page, to report a surprise."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2] or answer.text).split())[:2000]


class Writer:
    def __init__(self, base: str, scene: dict[str, Any], user: str, journal: Path, restarts: bool) -> None:
        self.visitor = Visitor(base)
        self.scene, self.user, self.restarts = scene, user, restarts
        self.dice = random.Random(user)
        self.journal = journal.open("w", encoding="utf-8")
        self.counts: Counter[str] = Counter()
        self.slowest = 0.0

    # --- asking -------------------------------------------------------------------------------------------

    def judge(self, answer: Answer) -> Answer:
        """Return the answer if it is a proper page for a user; otherwise raise Surprise."""
        self.slowest = max(self.slowest, answer.seconds)
        self.visitor.seen.clear()
        self.counts["requests"] += 1
        if answer.status == 503 and self.restarts and "does not answer" in answer.text:
            self.counts["away"] += 1
            raise Away
        if answer.status not in FAIR or "Traceback" in answer.text:
            raise Surprise(f"{answer.method} {answer.path}: {answer.status}\n{body(answer)}")
        return answer

    def get(self, path: str) -> Answer:
        return self.judge(self.visitor.get(path))

    def send(self, page: Answer, form: Form, button: tuple[str, str] = ("", ""), **changed: str) -> Answer:
        return self.judge(self.visitor.send(page, form, button, **changed))

    def said(self, answer: Answer) -> str:
        """The kind of message on the page a redirect leads to: ok, info, warn."""
        found = MESSAGE.search(self.judge(self.visitor.follow(answer)).text)
        return found[1] if found else "nothing"

    # --- the journal --------------------------------------------------------------------------------------

    def note(self, **line: Any) -> None:
        self.journal.write(json.dumps(line) + "\n")
        self.journal.flush()

    def token(self, kind: str, **facts: Any) -> str:
        self.counts["tried"] += 1
        token = f"{self.user}-{self.counts['tried']}"
        self.note(tried=token, kind=kind, **facts)
        return token

    def acknowledge(self, token: str, kind: str, game: int) -> None:
        self.counts[kind] += 1
        self.note(done=token, game=game)

    # --- what people do -----------------------------------------------------------------------------------

    def enter(self) -> None:
        page = self.get(f"/admin/ratings/hanchan/add/?season={self.scene['season']}")
        form = page.form("seat0-player", "submit_key")
        people = self.dice.sample(sorted(self.scene["people"].items()), 4)
        points = self.deal()
        seats = {str(pk): mine for (_name, pk), mine in zip(people, points, strict=True)}
        token = self.token("entered", seats=seats, seen=0)
        fields = {f"seat{wind}__player": name for wind, (name, _pk) in enumerate(people)}
        fields |= {f"seat{wind}__points": str(mine) for wind, mine in enumerate(points)}
        fields["comment"] = token
        saved = self.send(page, form, ("action", "save"), **fields)
        if self.dice.random() < 0.2:  # an impatient user presses twice
            again = self.send(page, form, ("action", "save"), **fields)
            if again.location != saved.location:
                raise Surprise(f"one form became two games: {saved.location} and {again.location}")
            self.counts["pressed twice"] += 1
        if not saved.is_redirect:
            raise Surprise(f"a right sheet was not saved: {body(saved)}")
        self.acknowledge(token, "entered", int(saved.location.strip("/").rsplit("/", 1)[-1]))
        if self.said(saved) not in ("ok", "info"):
            raise Surprise("nothing was said about a saved game")

    def deal(self) -> list[int]:
        """Four numbers with the right sum, large enough not to be read as shorthand."""
        three = [100 * self.dice.randint(100, 350) for _seat in range(3)]
        return [*three, self.scene["sum"] - sum(three)]

    def some_game(self) -> int | None:
        games = [int(number) for number in GAME.findall(self.get(self.scene["games"]).text)]
        newest = list(dict.fromkeys(games))[:NEWEST]
        return self.dice.choice(newest) if newest else None

    def correct(self) -> None:
        game = self.some_game()
        if game is None:
            return
        page = self.get(f"/admin/ratings/hanchan/{game}/change/")
        if page.is_redirect:  # it is void
            self.counts["too late"] += 1
            return
        form = page.form("seat0-player", "version")
        points = self.deal()
        fields = {f"seat{wind}__points": str(mine) for wind, mine in enumerate(points)}
        answer = self.send(page, form, ("action", "next"), **fields)
        people = [form.data()[f"seat{wind}-player_id"][0] for wind in range(4)]
        self.confirm(game, answer, dict(zip(people, points, strict=True)))

    def confirm(self, game: int, answer: Answer, seats: dict[str, int]) -> None:
        """Go through the page that shows who moves, and through conflicts, until it is saved or given up."""
        for _try in range(TRIES_AFTER_CONFLICT):
            if answer.is_redirect:
                self.counts["too late"] += 1
                return
            form = answer.form("reason", "version")
            token = self.token("corrected", game=game, seats=seats, seen=int(form.data()["version"][0]))
            saved = self.send(answer, form, ("confirm", "1"), reason=token)
            if saved.is_redirect:
                if self.said(saved) == "ok":
                    self.acknowledge(token, "corrected", game)
                else:
                    self.counts["too late"] += 1
                return
            if saved.status != 409:
                raise Surprise(f"a right correction was not saved: {body(saved)}")
            self.counts["conflicts"] += 1
            if self.dice.random() < 0.5:
                return  # keep what is saved
            answer = self.send(saved, saved.form("reason", "version"), ("action", "save"))  # use mine

    def void_or_restore(self) -> None:
        game = self.some_game()
        if game is None:
            return
        for action, kind in (("void", "voided"), ("restore", "restored")):
            page = self.get(f"/admin/ratings/hanchan/{game}/{action}/")
            if page.is_redirect:
                continue
            form = page.form("reason", "version")
            token = self.token(kind, game=game, seen=int(form.data()["version"][0]))
            answer = self.send(page, form, reason=token)
            if not answer.is_redirect:
                raise Surprise(f"a reason was given and not heard: {body(answer)}")
            said = self.said(answer)
            if said == "ok":
                self.acknowledge(token, kind, game)
            elif said == "warn":
                self.counts["conflicts"] += 1
            else:
                self.counts["too late"] += 1
            return

    def work(self, seconds: float) -> str:
        """Write until the time is over; return the surprise that ended it, if any."""
        end = time.monotonic() + seconds
        try:
            self.visitor.log_in(self.user, self.scene["password"])
            while time.monotonic() < end:
                act = self.dice.choices((self.enter, self.correct, self.void_or_restore), (4, 4, 2))[0]
                try:
                    act()
                except Away:
                    time.sleep(0.2)
        except (Surprise, AssertionError, OSError) as surprise:
            return f"{type(surprise).__name__}: {surprise}"
        return ""


def main(base: str, scene: str, user: str, seconds: str, journal: str, *options: str) -> None:
    writer = Writer(base, json.loads(Path(scene).read_text()), user, Path(journal), "--restarts" in options)
    surprise = writer.work(float(seconds))
    writer.note(ended=True, surprise=surprise, counts=dict(writer.counts), slowest=round(writer.slowest, 2))


if __name__ == "__main__":
    main(*sys.argv[1:])
