"""Addresses of clubs, players, games and rules."""

from django.urls import path

from ratings.views import clubs, hanchans, players

app_name = "ratings"

urlpatterns = [
    path("", clubs.home, name="home"),
    # people and games
    path("hanchans/<int:pk>/", hanchans.hanchan, name="hanchan"),
    path("players/", players.search, name="player_search"),
    path("players/<int:pk>/", players.player, name="player_by_number"),
    path("players/<int:pk>-<str:slug>/", players.player, name="player"),
]
