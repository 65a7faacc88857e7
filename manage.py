#!/usr/bin/env python
"""Umaoka's command line: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    try:
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import Error
    except ImportError as missing:
        raise SystemExit("Django is not installed here. Run `make run`, or see README.md.") from missing
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reading one setting reads them all
    except ImproperlyConfigured as wrong:
        raise SystemExit(f"The settings are wrong. {wrong}") from None
    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except Error as error:
        from clubsite.failures import sentence_for

        sentence = sentence_for(error)
        if sentence is None:
            raise
        raise SystemExit(sentence) from None
    except BrokenPipeError:  # whoever read our output has seen enough, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
