"""The demo: three invented clubs with a past and a running season each, played hand by hand by a seeded die.

Every game goes through the same door as a typed one (`services.hanchans`), so the demo can hold nothing that
a club could not. The same seed on the same day gives the same clubs, people and games: the running seasons
must hold today, so the day is part of the seed.
"""
