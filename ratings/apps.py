from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Clubs and ratings")

    def ready(self) -> None:
        from clubsite import jobs, navigation, second_factor
        from ratings import rights
        from ratings.imports import kinds, large
        from ratings.imports.games import GAMES
        from ratings.imports.own_workbook import WORKBOOK
        from ratings.imports.players import PLAYERS
        from ratings.services import replay_job
        from ratings.workbooks import job as workbook_job

        clubs = ("/clubs/", "/hanchans/", "/players/")
        navigation.register(
            navigation.NavLink(10, "ratings:home", _("Clubs"), under=clubs),
            navigation.NavLink(30, "ratings:rules", _("Rules")),
        )
        second_factor.register_rule(rights.needs_second_factor)
        jobs.register(replay_job.KIND)
        jobs.register(large.READING)
        jobs.register(large.WRITING)
        jobs.register(workbook_job.KIND)
        kinds.register(WORKBOOK, GAMES, PLAYERS)


class ClubAdminConfig(admin_apps.AdminConfig):
    """Django's admin with our site as the default one: who may enter it is decided by `ratings.rights`."""

    default = False  # of the two in this module it is the other one that "ratings" stands for
    default_site = "ratings.admin.site.ClubAdminSite"

    def ready(self) -> None:
        """The package registers with the site it defines, so it must be the first to ask for that site: asked by
        Django, the site would import the package, which would fill another one than the one that is kept."""
        import_module("ratings.admin")
        super().ready()
