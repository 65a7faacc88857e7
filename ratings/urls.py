"""Addresses of clubs, players, games and rules."""

from django.urls import path

from ratings.views import clubs, hanchans, players, rules

app_name = "ratings"

urlpatterns = [
    path("", clubs.home, name="home"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/rules/", rules.club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/<slug:rule_slug>/", rules.newest_rule_set, name="newest_rule_set"),
    path("clubs/<slug:slug>/rules/<slug:rule_slug>/<int:version>/", rules.rule_set, name="rule_set"),
    path(
        "clubs/<slug:slug>/rules/<slug:rule_slug>/<int:version>/rules.json", rules.rule_set_json, name="rule_set_json"
    ),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:key>/", rules.preset, name="preset"),
    path("rules/<slug:key>/rules.json", rules.preset_json, name="preset_json"),
    # people and games
    path("hanchans/<int:pk>/", hanchans.hanchan, name="hanchan"),
    path("players/", players.search, name="player_search"),
    path("players/<int:pk>/", players.player, name="player_by_number"),
    path("players/<int:pk>-<str:slug>/", players.player, name="player"),
]
