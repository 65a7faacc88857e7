"""The shape of what people type; every write goes on to a service."""
