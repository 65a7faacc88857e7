"""The settings of a site whose work can be held in a phase (`tests.faults.gates`). Its emails become files."""

from __future__ import annotations

from clubsite.settings import *  # noqa: F403
from clubsite.settings import INSTALLED_APPS, VAR_DIR

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.gates.Gates"]
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "emails"
