"""What people type into the pages of an event."""
