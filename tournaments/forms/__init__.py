"""What people type on the pages of events."""
