"""The site under a mixed load, on loopback and for a bounded time: what it serves, and that its memory stays flat."""
