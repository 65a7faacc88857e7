"""Every write of an event; games and adjustments go through the doors of ratings."""
