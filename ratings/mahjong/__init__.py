"""The game itself, independent of storage: rules, scoring, ratings, rankings. Uses the standard library only."""
