"""Pages of events, one module a subject."""
