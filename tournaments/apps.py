from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """What ratings, which knows nothing of events, has to call: for merged players, for imports, and for the demo.

        And what the site runs as long work."""
        from clubsite import jobs
        from ratings.demo import builders
        from ratings.imports import kinds
        from ratings.services import belongings
        from tournaments.imports import ENTRIES
        from tournaments.services import draw_job
        from tournaments.services.belongings import Entries

        belongings.register(Entries())
        kinds.register(ENTRIES)
        jobs.register(draw_job.KIND)
        builders.register("tournaments.demo.load")
