"""Every read of many rows."""
