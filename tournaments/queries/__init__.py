"""Every read of many rows of an event."""
