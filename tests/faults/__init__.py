"""What is done to the site on purpose: crowds, kills, full disks, restarts, nonsense and malice.

Tests of minutes carry the marker `faults` and run by `make test-faults`; those of seconds belong to every suite. What
was measured is kept under var/faults, from which `python -m tests.faults.report` makes docs/reliability.md.
"""
