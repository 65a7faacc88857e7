"""Every write of several rows, one door for each kind; the only writers of derived columns."""
