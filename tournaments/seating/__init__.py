"""Seat schedules and their certificates: pure Python, no Django, no clock, no global randomness."""
