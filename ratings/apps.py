from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Clubs and ratings")

    def ready(self) -> None:
        from clubsite import jobs, navigation, pruning, second_factor, staff
        from clubsite.staff_actions import register as offer
        from ratings import rights, waiting
        from ratings.imports import kinds, large, uploads
        from ratings.imports.games import GAMES
        from ratings.imports.own_workbook import WORKBOOK
        from ratings.imports.players import PLAYERS
        from ratings.models import Club, Hanchan, Player, RuleSet, Season
        from ratings.services import replay_job
        from ratings.views import staff_actions
        from ratings.views import waiting as may_wait
        from ratings.workbooks import job as workbook_job

        clubs = ("/clubs/", "/hanchans/", "/players/")
        navigation.register(
            navigation.NavLink(10, "ratings:home", _("Clubs"), under=clubs),
            navigation.NavLink(30, "ratings:rules", _("Rules")),
        )
        second_factor.register_rule(rights.needs_second_factor)
        staff.register_rule(rights.is_member)
        pruning.register(
            pruning.Period(
                _("Files uploaded for an import and not confirmed"),
                uploads.FORGOTTEN_AFTER,
                _("after the upload"),
                uploads.forget_uploads,
            )
        )
        jobs.register(replay_job.KIND)
        jobs.register(large.READING)
        jobs.register(large.WRITING)
        jobs.register(workbook_job.KIND)
        kinds.register(WORKBOOK, GAMES, PLAYERS)
        waiting.register(may_wait.unfinished_games, may_wait.files_to_import, may_wait.long_work)
        offer(Club, staff_actions.of_club)
        offer(Club, staff_actions.of_players, "players")
        offer(Season, staff_actions.of_season)
        offer(Player, staff_actions.of_player)
        offer(RuleSet, staff_actions.of_rule_set)
        offer(Hanchan, staff_actions.of_game)


class ClubAdminConfig(admin_apps.AdminConfig):
    """Django's admin with our site as its default site."""

    default = False  # the default of the two configs in this module is RatingsConfig
    default_site = "ratings.admin.site.AllDataSite"

    def ready(self) -> None:
        """Import `ratings.admin` before Django asks for the default site.

        The package defines that site and registers its models with it. If Django asked first, creating the site would
        import the package, and the models would be registered with another site than the one Django keeps.
        """
        import_module("ratings.admin")
        super().ready()
