"""Standings and other lists of an event as cells and columns."""
