"""Addresses of events. Those of organisers, `manage_…`, stand in a block of their own."""

from django.urls import path

from tournaments.views import public, standings

app_name = "tournaments"

urlpatterns = [
    path("", public.index, name="index"),
    # what everybody may read
    path("<slug:slug>/", public.event, name="event"),
    path("<slug:slug>/rounds/", public.rounds, name="rounds"),
    path("<slug:slug>/standings/", standings.standings, name="standings"),
    path("<slug:slug>/teams/", public.teams, name="teams"),
    path("<slug:slug>/rulings/", public.rulings, name="rulings"),
]
