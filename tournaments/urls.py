"""URLs of events: the public pages, and the organiser's pages, `manage_…`, in a separate block."""

from django.urls import path

from tournaments.views import (
    cancelling,
    checkin,
    clock,
    entries,
    entry_imports,
    european,
    events,
    files,
    incidents,
    phone,
    printing,
    public,
    registrations,
    results,
    rounds,
    rulings,
    schedule,
    screen,
    stages,
    standings,
)

app_name = "tournaments"

# the organiser's pages
manage = [
    path("manage/new/", events.new, name="manage_new"),
    path("<slug:slug>/manage/", events.home, name="manage_home"),
    path("<slug:slug>/manage/settings/", events.settings, name="manage_settings"),
    path("<slug:slug>/manage/results-shown/", events.show_results, name="manage_show_results"),
    path("<slug:slug>/manage/finish/", events.finish, name="manage_finish"),
    path("<slug:slug>/manage/entries/", entries.entries, name="manage_entries"),
    path("<slug:slug>/manage/entries/add/", entries.add, name="manage_entry_add"),
    path("<slug:slug>/manage/entries/paste/", entries.paste, name="manage_entry_paste"),
    path("<slug:slug>/manage/entries/import/", entry_imports.upload, name="manage_entry_import_upload"),
    path("<slug:slug>/manage/entries/import/<int:pk>/", entry_imports.show, name="manage_entry_import"),
    path(
        "<slug:slug>/manage/entries/import/<int:pk>/mapping/",
        entry_imports.mapping,
        name="manage_entry_import_mapping",
    ),
    path("<slug:slug>/manage/entries/import/<int:pk>/undo/", entry_imports.undo, name="manage_entry_import_undo"),
    path("<slug:slug>/manage/entries/players/", entries.suggestions, name="manage_players"),
    path("<slug:slug>/manage/entries/admit/", entries.admit, name="manage_admit"),
    path("<slug:slug>/manage/entries/selected/", registrations.selected, name="manage_selected"),
    path("<slug:slug>/manage/entries/fill/", entries.fill, name="manage_fill"),
    path("<slug:slug>/manage/entries/<int:number>/", entries.entry, name="manage_entry"),
    path("<slug:slug>/manage/entries/<int:number>/status/", entries.set_status, name="manage_entry_status"),
    path("<slug:slug>/manage/entries/<int:number>/cancel/", cancelling.cancel, name="manage_entry_cancel"),
    path("<slug:slug>/manage/entries/<int:number>/restore/", cancelling.restore, name="manage_entry_restore"),
    path("<slug:slug>/manage/check-in/", checkin.checkin, name="manage_checkin"),
    path("<slug:slug>/manage/schedule/", schedule.schedule, name="manage_schedule"),
    path("<slug:slug>/manage/schedule/<int:stage>/<int:number>/", schedule.seating, name="manage_seating"),
    path("<slug:slug>/manage/schedule/<int:stage>/<int:number>/publish/", schedule.publish, name="manage_publish"),
    path("<slug:slug>/manage/schedule/<int:stage>/<int:number>/unseat/", schedule.unseat, name="manage_unseat"),
    path("<slug:slug>/manage/rounds/", rounds.rounds, name="manage_rounds"),
    path("<slug:slug>/manage/rounds/times/", rounds.times, name="manage_times"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/", rounds.round_page, name="manage_round"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/seat/", incidents.incident, name="manage_incident"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/stamps/", rounds.stamps, name="manage_stamps"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/check/", rounds.check, name="manage_check"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/confirm/", rounds.confirm, name="manage_confirm"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/unconfirm/", rounds.unconfirm, name="manage_unconfirm"),
    path("<slug:slug>/manage/rounds/<int:stage>/<int:number>/<int:table_number>/", results.table, name="manage_table"),
    path(
        "<slug:slug>/manage/rounds/<int:stage>/<int:number>/<int:table_number>/preview/",
        results.preview,
        name="manage_table_preview",
    ),
    path(
        "<slug:slug>/manage/rounds/<int:stage>/<int:number>/<int:table_number>/void/",
        results.void,
        name="manage_table_void",
    ),
    path("<slug:slug>/hanchans/<int:pk>/", results.of_hanchan, name="of_hanchan"),  # ratings links to this page
    path("<slug:slug>/manage/rulings/", rulings.rulings, name="manage_rulings"),
    path("<slug:slug>/manage/rulings/penalty/", rulings.penalty, name="manage_penalty"),
    path("<slug:slug>/manage/rulings/absent/", rulings.absent, name="manage_absent"),
    path("<slug:slug>/manage/rulings/withdraw/", rulings.withdraw, name="manage_withdraw"),
    path("<slug:slug>/manage/rulings/disqualify/", rulings.disqualify, name="manage_disqualify"),
    path("<slug:slug>/manage/rulings/revoke/<int:pk>/", rulings.revoke, name="manage_revoke"),
    path("<slug:slug>/manage/rulings/reinstate/<int:number>/", rulings.reinstate, name="manage_reinstate"),
    path("<slug:slug>/manage/stages/", stages.stages, name="manage_stages"),
    path("<slug:slug>/manage/stages/<int:number>/", stages.stage, name="manage_stage"),
    path("<slug:slug>/manage/stages/<int:number>/cut/", stages.cut, name="manage_cut"),
    path("<slug:slug>/manage/workbook.xlsx", files.workbook, name="manage_workbook"),
    path("<slug:slug>/manage/ema/", files.results, name="manage_ema"),
    path("<slug:slug>/register/", registrations.register, name="register"),
]

# public pages
public_pages = [
    path("", public.index, name="index"),
    path("european-ranking/", european.european_ranking, name="european_ranking"),
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

urlpatterns = [*manage, *public_pages]
