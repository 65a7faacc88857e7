"""All reads of many rows of an event."""
