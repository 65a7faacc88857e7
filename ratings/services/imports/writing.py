"""A plan written, all or nothing, and an import taken back as a whole.

Facts are never deleted: taking back voids the games with an event each and revokes the penalties; players stay.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from ratings import rights
from ratings.imports.own import OwnReading
from ratings.models import Alias, Hanchan, ImportBatch, ImportedRow, Player, Season
from ratings.problems import Problem, Refused, gettext_noop
from ratings.queries import imports as reads
from ratings.services import adjustments
from ratings.services.hanchans import Conflict, Ready, Report, record_hanchans, void_hanchans
from ratings.services.holds import hold_players
from ratings.services.imports import files, workbooks
from ratings.services.imports.planning import Plan
from ratings.services.players import add_guest, refresh_search_text
from ratings.services.seasons import lock, save_season

_ = gettext_noop

State = ImportBatch.State
FINISHED = ("state", "done_at", "by", "content", "choices", "dry_run")


@transaction.atomic
def write_plan(plan: Plan, batch: ImportBatch, *, by: User | None = None, report: Report | None = None) -> ImportBatch:
    """Stores everything the plan holds in one transaction; whatever changed since the plan was made refuses it."""
    if not plan.may_be_written:
        raise Refused(Problem(_("The file cannot be imported as it is. Look at the dry run again."), code="not_ready"))
    if not plan.season._state.adding:
        lock(plan.season.pk)
    _claim(batch)
    hold_players(number for number in plan.people.values() if number > 0)
    _refuse_meanwhile(plan)
    _store_rules(plan, by)
    people = _store_people(plan, by)
    games = [_with_people(planned.ready, people) for planned in plan.games]
    reason = gettext("Imported from “%(file)s”") % {"file": batch.file_name}
    made = record_hanchans(plan.season, games, by=by, reason=reason[:500], report=report)
    given = _store_adjustments(plan, batch, people, by)
    rows = [
        ImportedRow(batch=batch, digest=planned.digest, hanchan=hanchan)
        for planned, hanchan in zip(plan.games, made, strict=True)
    ]
    ImportedRow.objects.bulk_create([*rows, *given], batch_size=2000)
    batch.season, batch.games, batch.adjustments = plan.season, len(made), len(given)
    batch.state, batch.done_at, batch.by = State.DONE, timezone.now(), by or batch.by
    batch.content, batch.choices, batch.dry_run = None, {}, None
    batch.save(update_fields=[*FINISHED, "season", "games", "adjustments"])
    if plan.layout:
        files.remember(plan.club, plan.layout)
    return batch


def _claim(batch: ImportBatch) -> None:
    """Of two who confirm the same file, one writes it."""
    if not ImportBatch.objects.filter(pk=batch.pk, state=State.DRAFT).update(state=State.DONE):
        raise Refused(Problem(_("This file was imported already."), code="imported"))


def _refuse_meanwhile(plan: Plan) -> None:
    planned = {game.digest for game in plan.games} | {digest for _row, digest in plan.adjustments}
    if planned & reads.digests(plan.season):
        message = _("Some of these games were imported by somebody else meanwhile. Look at the dry run again.")
        raise Refused(Problem(message, code="meanwhile"))


def _store_rules(plan: Plan, by: User | None) -> None:
    """Rule sets and the season that came along; those the club had are stored already."""
    for rule_set in plan.rule_sets.values():
        if rule_set._state.adding:
            rule_set.save(force_insert=True)
    if plan.season._state.adding:
        plan.season.rule_set = plan.season.rule_set  # its number is known now
        save_season(plan.season, by=by)


def _store_people(plan: Plan, by: User | None) -> dict[int, int]:
    """Makes the new players; number in the plan -> number in the database."""
    own = plan.reading.players if isinstance(plan.reading, OwnReading) else {}
    people: dict[int, int] = {}
    for key, number in plan.people.items():
        if number > 0:
            people[number] = number
        elif key in own:
            people[number] = workbooks.make_player(own[key]).pk
        else:
            people[number] = add_guest(plan.club, plan.reading.names[key]).pk
        if key in own:
            workbooks.welcome_as_filed(plan.club, people[number], own[key], is_new=number < 0, by=by)
    for key, player in plan.chosen.items():
        _remember_name(player, plan.reading.names[key], by)
    return people


def _remember_name(player: int, name: str, by: User | None) -> None:
    """What somebody said once is known from then on.

    Names of other clubs' players are theirs to add to; an anonymised player gets no name back.
    """
    row = Player.objects.get(pk=player)
    if row.anonymised_at or (by is not None and not rights.may_edit_player(by, row)):
        return
    alias, made = Alias.objects.select_related("player").get_or_create(player_id=player, name=name)
    if made:
        refresh_search_text(alias.player)


def _with_people(ready: Ready, people: dict[int, int]) -> Ready:
    return replace(ready, sheet=ready.sheet.map(lambda person: people.get(person, person)))


def _store_adjustments(plan: Plan, batch: ImportBatch, people: dict[int, int], by: User | None) -> list[ImportedRow]:
    rows = [
        workbooks.as_adjustment(plan.season, people[plan.people[row.who]], row, by) for row, _digest in plan.adjustments
    ]
    if rows:
        adjustments.give_many(plan.season, rows)
    return [
        ImportedRow(batch=batch, digest=digest, adjustment=given)
        for given, (_row, digest) in zip(rows, plan.adjustments, strict=True)
    ]


# --- taking back ------------------------------------------------------------------------------------------


def undo_objections(batch: ImportBatch) -> list[Problem]:
    if batch.state != State.DONE:
        return [Problem(_("Only an import that was done can be undone."), code="not_done")]
    edited = reads.edited_games(batch)
    if not edited:
        return []
    message = _("Games of this import were changed since, so it cannot be undone as a whole: %(games)s.")
    games = ", ".join(str(game.pk) for game in edited)
    return [Problem(message, {"games": games}, code="edited")]


@transaction.atomic
def undo(batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    """Voids every game of the import and revokes its penalties, while no game of it was edited."""
    season = _season(batch)
    lock(season.pk)
    batch = ImportBatch.objects.get(pk=batch.pk)
    if problems := undo_objections(batch):
        raise Refused(*problems)
    reason = gettext("The import of “%(file)s” was undone") % {"file": batch.file_name}
    games = Hanchan.objects.filter(imported_as__batch=batch).exclude(status=Hanchan.Status.VOID)
    try:
        void_hanchans(season, dict(games.values_list("pk", "version")), by=by, reason=reason[:500])
    except Conflict as conflict:
        raise Refused(*undo_objections(batch)) from conflict
    for row in batch.rows.filter(adjustment__revoked_at=None).exclude(adjustment=None).select_related("adjustment"):
        assert row.adjustment is not None
        adjustments.revoke(row.adjustment, by=by, reason=reason[:300])
    batch.state, batch.undone_at, batch.undone_by = State.UNDONE, timezone.now(), by
    batch.save()
    return batch


def _season(batch: ImportBatch) -> Season:
    if batch.season is None:
        raise Refused(Problem(_("Only an import that was done can be undone."), code="not_done"))
    return batch.season
