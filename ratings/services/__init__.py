"""Every write of several rows, one module for each kind. Only services write derived columns."""
