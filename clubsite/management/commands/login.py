"""`manage.py login`: give the owner a new password for the admin and show it once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandParser

from clubsite import second_factor
from clubsite.passwords import new_password

NAME = "admin"


class Command(BaseCommand):
    help = "Gives the owner of the site a fresh password and prints it. The old one stops working."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--if-none", action="store_true", help="Do nothing when the site already has an owner (a superuser)."
        )

    def handle(self, *args: Any, if_none: bool = False, **options: Any) -> None:
        users = get_user_model()._default_manager
        if if_none and users.filter(is_superuser=True).exists():
            return
        user, _ = users.get_or_create(username=NAME)
        password = new_password()
        user.is_active = user.is_staff = user.is_superuser = True
        user.set_password(password)
        user.save()
        if second_factor.is_on(user):
            # A person who can run this command has the database anyway. A lost phone must not lock the owner out.
            second_factor.turn_off(user, by=user)
            self.stdout.write("Two-factor authentication was turned off; turn it on again on the account page.")
        self.stdout.write(f"Sign in at /admin/ as {NAME} with the password {password}")
        self.stdout.write("It is shown only this once; `make login` creates a new one.")
