"""Events of the demo's clubs: one finished, one being played, one open for registration.

Everything goes through the services the pages use, so the demo holds nothing that an organiser could not make.
"""

from tournaments.demo.events import load

__all__ = ["load"]
