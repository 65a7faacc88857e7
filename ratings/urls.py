"""Addresses of clubs, players, games and rules."""

from django.urls import path

from ratings.views import club_players, clubs, games, ledger, seasons

app_name = "ratings"

urlpatterns = [
    path("", clubs.home, name="home"),
    # the tabs of a club and the pages of its seasons
    path("clubs/<slug:slug>/seasons/", seasons.tab, {"tab": "season"}, name="club_season"),
    path("clubs/<slug:slug>/games/", seasons.tab, {"tab": "games"}, name="club_games"),
    path("clubs/<slug:slug>/penalties/", seasons.tab, {"tab": "penalties"}, name="club_penalties"),
    path("clubs/<slug:slug>/players/", club_players.players, name="club_players"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/", seasons.leaderboard, name="season"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/games/", games.season_games, name="season_games"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/penalties/", ledger.season_penalties, name="season_penalties"),
    # until their pages come from their own branches
    path("clubs/<slug:slug>/", clubs.home, name="club"),
    path("clubs/<slug:slug>/rules/<slug:rule_slug>/<int:version>/", clubs.home, name="rule_set"),
    path("hanchans/<int:pk>/", clubs.home, name="hanchan"),
    path("players/<int:pk>-<str:slug>/", clubs.home, name="player"),
]
