"""The site under a mixed load, on loopback for a limited time: how much it serves, and that its memory stays flat."""
