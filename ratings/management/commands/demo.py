"""`manage.py demo`: fills the database with three invented clubs to try the site."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ratings.demo.clubs import CLUBS
from ratings.demo.load import SEED, load_all
from ratings.models import Club, Hanchan, Player


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise ValueError
    return share


class Command(BaseCommand):
    help = (
        "Loads the demo: three invented clubs with people, rules, a past and a running season each. "
        "The same seed on the same day (UTC) gives the same data."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="Do nothing when there is any club already.")
        parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="Another number, other games.")
        parser.add_argument(
            "--share", type=_share, default=1.0, metavar="X", help="Play this part of the games only: 0.1 is a tenth."
        )

    def handle(self, *args: Any, if_empty: bool = False, seed: int = SEED, share: float = 1.0, **options: Any) -> None:
        if if_empty and Club.objects.exists():
            self.stdout.write("There are clubs already; the demo is not loaded.")
            return
        taken = Club.objects.filter(slug__in=[plan.slug for plan in CLUBS]).first()
        if taken:
            raise CommandError(
                f"There is a club with the address “{taken.slug}” already. The demo loads only where none of its "
                "clubs is: use another database, or --if-empty to leave this one as it is."
            )
        load_all(timezone.now().date(), seed, share=share, progress=self._show)
        self.stdout.write(
            f"Demo loaded: {Club.objects.count()} clubs, {Player.objects.count()} players, "
            f"{Hanchan.objects.count()} hanchans."
        )
        self.stdout.write(
            "Its scorers, referees and admins (furiten-scorer …) have no password; "
            "`manage.py changepassword furiten-scorer` gives one."
        )

    def _show(self, what: str, done: int, of: int) -> None:
        """Show progress: on a terminal one line that is updated, elsewhere one line when a season is done."""
        if self.stdout.isatty():
            self.stdout.write(f"\r\033[K{what}: game {done} of {of}", ending="\n" if done == of else "")
            self.stdout.flush()
        elif done == of:
            self.stdout.write(f"{what}: {of} games")
