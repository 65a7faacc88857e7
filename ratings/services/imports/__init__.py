"""Files into a season: a plan is made and looked at, then written as a whole, and can be taken back as a whole."""
