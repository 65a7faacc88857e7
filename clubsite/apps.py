from django.apps import AppConfig


class ClubsiteConfig(AppConfig):
    name = "clubsite"

    def ready(self) -> None:
        """Register the site's own work and what it stores for some time."""
        from clubsite import jobs, passwords, pruning

        jobs.register(pruning.KIND)
        jobs.register(passwords.FORGOTTEN)
        pruning.register(*pruning.SITE)
