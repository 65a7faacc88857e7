"""Addresses of events. Those of organisers, `manage_…`, stand in a block of their own."""

from django.urls import path

from tournaments.views import clock, phone, printing, public, ranking, screen, standings

app_name = "tournaments"

urlpatterns = [
    path("", public.index, name="index"),
    path("european-ranking/", ranking.european_ranking, name="european_ranking"),
    # what everybody may read
    path("<slug:slug>/", public.event, name="event"),
    path("<slug:slug>/rounds/", public.rounds, name="rounds"),
    path("<slug:slug>/standings/", standings.standings, name="standings"),
    path("<slug:slug>/teams/", public.teams, name="teams"),
    path("<slug:slug>/rulings/", public.rulings, name="rulings"),
    # on the wall
    path("<slug:slug>/screen/", screen.screen, name="screen"),
    path("<slug:slug>/screen/slides/", screen.slides, name="slides"),
    path("<slug:slug>/clock/", clock.clock, name="clock"),
    path("<slug:slug>/clock/state/", clock.state, name="clock_state"),
    # on the phone
    path("<slug:slug>/me/", phone.find, name="me"),
    path("<slug:slug>/me/<int:number>/", phone.schedule, name="my_rounds"),
    path("<slug:slug>/table/<str:token>/", phone.draft, name="draft"),
    path("<slug:slug>/table/<str:token>/sum/", phone.draft_sum, name="draft_sum"),
    # on paper
    path("<slug:slug>/print/", printing.index, name="print"),
    path("<slug:slug>/print/seating/", printing.seating, name="print_seating"),
    path("<slug:slug>/print/names/", printing.names, name="print_names"),
    path("<slug:slug>/print/schedules/", printing.schedules, name="print_schedules"),
    path("<slug:slug>/print/sheets/", printing.sheets, name="print_sheets"),
    path("<slug:slug>/print/blank/", printing.blank, name="print_blank"),
    path("<slug:slug>/print/numbers/", printing.numbers, name="print_numbers"),
    path("<slug:slug>/print/standings/", printing.standings, name="print_standings"),
    path("<slug:slug>/print/log/", printing.log, name="print_log"),
]
