from django.apps import AppConfig
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


def _event_page(slug: str) -> str:
    return reverse("tournaments:event", args=[slug])


def _game_page(slug: str, hanchan_id: int) -> str:
    return reverse("tournaments:of_hanchan", args=[slug, hanchan_id])


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """Register with ratings, which knows nothing of events: pages, player rows, imports and the demo.

        Also register navigation links, page sections and long jobs with the site."""
        from clubsite import jobs, navigation, pruning, sections, staff_actions
        from ratings import competitions, waiting
        from ratings.demo import builders
        from ratings.imports import kinds
        from ratings.models import Club
        from ratings.services import player_rows
        from tournaments.imports import ENTRIES
        from tournaments.sections import FIRST_STEPS, HOME, LIVE, PLAYER
        from tournaments.services import draw_job, registration
        from tournaments.services.player_rows import Entries
        from tournaments.views.waiting import new_event, next_steps

        navigation.register(
            navigation.NavLink(20, "tournaments:index", _("Tournaments")),
            navigation.NavLink(40, "tournaments:european_ranking", _("European ranking")),
        )
        competitions.register(competitions.Pages(_event_page, _game_page))
        sections.register("desk:first_steps", FIRST_STEPS)
        sections.register("ratings:home", HOME)
        sections.register("ratings:home_live", LIVE)
        sections.register("ratings:player", PLAYER)
        player_rows.register(Entries())
        kinds.register(ENTRIES)
        jobs.register(draw_job.KIND)
        pruning.register(
            pruning.Period(
                _("Registrations that were never confirmed"),
                registration.FORGOTTEN_AFTER,
                _("after the event"),
                registration.forget_registrations,
            )
        )
        builders.register("tournaments.demo.load", "tournaments.demo.remove")
        waiting.register(next_steps)
        staff_actions.register(Club, new_event)
