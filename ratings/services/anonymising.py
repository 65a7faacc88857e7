"""Anonymising a player, which cannot be undone: names, histories, log texts, and data that upper apps store.

The games stay as they were played. Files that wait for import and name the player are dropped, and so are the workbooks
that were generated for the player's seasons. Free texts were written by other people: they are listed, and in the
chosen ones the new name replaces the old.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubsite.erasing import empty_log
from ratings.imports.uploads import drop_holding
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Player
from ratings.queries.merges import merged_people
from ratings.queries.texts import FoundText, NamesInTexts, find_texts, names_of, pattern
from ratings.services.player_rows import KINDS, save_with_history, seasons_of
from ratings.services.players import refresh_search_text
from ratings.services.seasons import forget_books, touch

_ = gettext_noop

ERASED = ("latin_first", "latin_last", "nickname", "country", "ema_number", "remark")


def anonymous_name(player: Player) -> str:
    return f"Anonymous player {player.pk}"


def texts_naming(player: Player) -> list[FoundText]:
    """Return free texts that contain a name of the player, or of a player merged into this one."""
    return find_texts(names_of(merged_people(player)))


def objections(player: Player) -> list[Problem]:
    if player.anonymised_at:
        return [Problem(_("This player is anonymous already."), code="anonymised")]
    if player.merged_into_id:
        return [Problem(_("This player is merged into another. Anonymise that one."), code="merged")]
    return []


@transaction.atomic
def anonymise(player: Player, *, replace_in: Collection[str] = (), by: User | None = None) -> list[FoundText]:
    """Anonymise the player and everybody merged into this player. Return the free texts that still contain a name.

    `replace_in` are keys of texts (FoundText.key) in which the new name replaces the old.
    """
    seasons = seasons_of(player)
    touch(seasons)
    player = Player.objects.select_for_update().get(pk=player.pk)
    if problems := objections(player):
        raise Refused(*problems)
    if not seasons_of(player) <= seasons:
        raise Refused(Problem(_("A game of these players was entered just now. Try again."), code="try_again"))
    people = merged_people(player)
    names = names_of(people)
    drop_holding(pattern(names.full))
    found = find_texts(names)
    for text in found:
        if text.key in replace_in:
            _replace_in_text(text, names, anonymous_name(player))
    _forget_in_log(people, names, anonymous_name(player))
    for person in people:
        _forget(person, by)
    transaction.on_commit(lambda: forget_books(seasons))
    transaction.on_commit(empty_log)
    return [text for text in found if text.key not in replace_in]


def _forget(person: Player, by: User | None) -> None:
    blank = {"native_name": anonymous_name(person), **dict.fromkeys(ERASED, "")}
    for kind in KINDS:
        kind.erase(person)
    person.history.update(**blank)
    for name, value in blank.items():
        setattr(person, name, value)
    person.anonymised_at = timezone.now()
    save_with_history(person, by, "anonymised", *blank, "anonymised_at")
    refresh_search_text(person)


# --- texts ------------------------------------------------------------------------------------------------


def _replace_in_text(found: FoundText, names: NamesInTexts, new: str) -> None:
    """Replace the names without writing history: it must not store the old text again.

    Texts in history tables are found and listed on their own.
    """
    any_name = pattern((*names.full, *names.parts))
    rows = found.model._default_manager.filter(pk=found.pk)
    value = _replaced(rows.values_list(found.field, flat=True).get(), any_name, new)
    longest = getattr(found.model._meta.get_field(found.field), "max_length", None)
    rows.update(**{found.field: value[:longest] if isinstance(value, str) else value})


def _replaced(value: Any, names: re.Pattern[str], new: str) -> Any:
    if isinstance(value, str):
        return names.sub(lambda _match: new, value)
    if isinstance(value, dict):
        return {_replaced(key, names, new): _replaced(inner, names, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, names, new) for inner in value]
    return value


def _forget_in_log(people: list[Player], names: NamesInTexts, new: str) -> None:
    """Remove names from the admin log: clear the entries about the players, and replace full names in other entries."""
    players = ContentType.objects.get_for_model(Player)
    ids = [str(person.pk) for person in people]
    LogEntry.objects.filter(content_type=players, object_id__in=ids).update(object_repr=new, change_message="")
    holds = Q()
    for name in names.full:
        holds |= Q(object_repr__icontains=name) | Q(change_message__icontains=name)
        holds |= Q(change_message__icontains=json.dumps(name)[1:-1])
    anywhere, dumped = pattern(names.full), pattern(json.dumps(name)[1:-1] for name in names.full)
    for entry in LogEntry.objects.filter(holds).exclude(content_type=players) if names.full else ():
        entry.object_repr = anywhere.sub(new, entry.object_repr)[:200]
        entry.change_message = dumped.sub(new, anywhere.sub(new, entry.change_message))
        entry.save()
