"""What is true of the game whatever stores it: rules, scoring, ratings, rankings. Standard library only."""
