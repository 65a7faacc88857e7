"""Workbooks as a spreadsheet program computes them: `make test-office`."""
