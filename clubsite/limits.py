"""How often something public may be requested: one declaration per limit. `clubsite.counting` does the counting.

Limits are mainly on what a visitor wants to reach: an account, an event, an email address, a file. The limits on the
network address are wide, because a hall with two hundred phones may share one address. Reading pages is not limited.
The settings import this module, so it imports nothing from this project.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

_MINUTES = datetime.timedelta(minutes=1)
HOUR = datetime.timedelta(hours=1)
LONGEST = datetime.timedelta(days=1)  # no limit counts for longer than this


@dataclass(frozen=True)
class Limit:
    """At most `times` within a time span, for each subject. Keep the name: with another one, the count restarts."""

    name: str
    subject: str  # what is counted, for readers of this list
    times: int
    within: datetime.timedelta


# Wrong passwords. This first limit is counted by django-axes; the settings give it the two numbers.
SIGN_IN_PAIR = Limit("sign-in pair", "user name and network address", 8, 15 * _MINUTES)
# Against guessing from many addresses. Browsers in which this user signed in before are counted by the next limit
# instead, so that no one can lock staff out by guessing.
SIGN_IN_NAME = Limit("sign-in name", "user name", 30, HOUR)
SIGN_IN_BROWSER = Limit("sign-in browser", "a browser in which this name signed in before", 15, 15 * _MINUTES)
# Against guessing with many names, each of which would cost the machine a password check.
SIGN_IN_NET = Limit("sign-in net", "network", 60, 15 * _MINUTES)

# Emails with a link that sets a new password.
PASSWORD_EMAIL = Limit("password email", "email address as typed", 5, HOUR)
PASSWORD_ACCOUNT = Limit("password account", "account", 5, HOUR)
PASSWORD_NET = Limit("password net", "network", 60, HOUR)

# Registrations for an event. The hour in which a large event opens is the busiest one.
REGISTRATION_EVENT = Limit("registration event", "event", 600, HOUR)
REGISTRATION_NET = Limit("registration net", "network", 400, HOUR)

# Lists and seasons as files. Signed-in users are counted by account only.
FILES_ACCOUNT = Limit("files account", "account", 120, 10 * _MINUTES)
FILES_FILE = Limit("files file", "file, all visitors together", 1200, 10 * _MINUTES)
FILES_NET = Limit("files net", "network", 400, 10 * _MINUTES)

ALL = (
    SIGN_IN_PAIR,
    SIGN_IN_NAME,
    SIGN_IN_BROWSER,
    SIGN_IN_NET,
    PASSWORD_EMAIL,
    PASSWORD_ACCOUNT,
    PASSWORD_NET,
    REGISTRATION_EVENT,
    REGISTRATION_NET,
    FILES_ACCOUNT,
    FILES_FILE,
    FILES_NET,
)
