"""How an event is ranked, written to a file and valued: pure computation. Standard library and ratings.mahjong."""
