"""The forms on the pages of an event."""
