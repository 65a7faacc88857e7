"""Addresses of clubs, players, games and rules."""

from django.urls import path
from django.views.generic import TemplateView

from clubsite.pruning import periods
from ratings.views import (
    amounts,
    club_players,
    clubs,
    games,
    hanchans,
    help_pages,
    ledger,
    players,
    race,
    rules,
    seasons,
    workbooks,
)

app_name = "ratings"

urlpatterns = [
    # the pages of a season and the tabs of a club; first, because they are requested most
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/", seasons.leaderboard, name="season"),
    path("clubs/<slug:slug>/seasons/", seasons.tab, {"tab": "season"}, name="club_season"),
    path("clubs/<slug:slug>/games/", seasons.tab, {"tab": "games"}, name="club_games"),
    path("clubs/<slug:slug>/penalties/", seasons.tab, {"tab": "penalties"}, name="club_penalties"),
    path("clubs/<slug:slug>/players/", club_players.players, name="club_players"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/race/", race.season_race, name="season_race"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/games/", games.season_games, name="season_games"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/penalties/", ledger.season_penalties, name="season_penalties"),
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/workbook.xlsx", workbooks.season_workbook, name="season_workbook"
    ),
    # clubs and rules
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
    path("amounts/", amounts.reading, name="amounts"),
    path("help/", help_pages.roles, name="help"),
    path("help/<slug:role>/", help_pages.role, name="help_role"),
    path(
        "privacy/",
        TemplateView.as_view(template_name="privacy.html", extra_context={"periods": periods}),
        name="privacy",
    ),
]
