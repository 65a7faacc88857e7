"""The demo: three invented clubs with a past and a running season each, played hand by hand with seeded random numbers.

Every game is recorded by the same service as a typed one (`services.hanchans`), so the demo contains nothing that
a club could not have. The same seed on the same day gives the same clubs, people and games. The day matters because
the running seasons must include today.
"""
