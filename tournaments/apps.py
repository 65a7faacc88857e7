from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """What ratings, which knows nothing of events, has to call: for merged players, and for the demo."""
        from ratings.demo import builders
        from ratings.services import belongings
        from tournaments.services.belongings import Entries

        belongings.register(Entries())
        builders.register("tournaments.demo.load")
