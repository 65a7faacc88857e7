"""Faults caused on purpose: many writers at once, kills, full disks, restarts, nonsense and malicious input.

Tests that take minutes have the marker `faults` and are run by `make test-faults`; those that take seconds are part of
every run. Measurements are stored under var/faults, and `python -m tests.faults.report` turns them into
docs/reliability.md.
"""
