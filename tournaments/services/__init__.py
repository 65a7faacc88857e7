"""All writes of an event; games and adjustments are written by the services of ratings."""
