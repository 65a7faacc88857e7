"""Events of the demo's clubs: one finished, one being played, one open for registration.

Nearly everything is made by the services that the pages use, so the demo holds nothing that an organiser could not
make.
"""

from tournaments.demo.events import load
from tournaments.demo.removing import remove

__all__ = ["load", "remove"]
