"""Writes that concern players: search texts, new guests, and changes of names."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model

from ratings import rights
from ratings.mahjong.names import folded, search_lines
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.sound_keys import indexed_words
from ratings.models import Affiliation, Alias, Club, ImportedRow, Player
from ratings.services.editing import refuse_if_changed
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import seasons_of, set_history, settings_of
from ratings.services.seasons import touch

_ = gettext_noop

Kind = Affiliation.Kind
SETTINGS = settings_of(Player)
# The columns of a player that pages show.
SHOWN = ("native_name", "latin_first", "latin_last", "nickname", "country", "visibility")


def search_text_for(player: Player) -> str:
    """Return the folded nickname on the first line, then all names of the player, plain and folded, one per line.

    Strangers find a player who is shown by nickname only through the first line, which may be empty.
    """
    names = [player.native_name, player.latin_name, f"{player.latin_last} {player.latin_first}", player.nickname]
    return f"{folded(player.nickname.strip())}\n{search_lines([*names, *_alias_names(player)])}"


def search_words_for(player: Player) -> str:
    """Return the words of the nickname on the first line, then those of all names: what visitors search, then staff."""
    names = [player.native_name, player.latin_name, player.nickname, *_alias_names(player)]
    return f"{indexed_words([player.nickname])}\n{indexed_words(names)}"


def _alias_names(player: Player) -> list[str]:
    return [alias.name for alias in player.aliases.all()] if player.pk else []


def index_names(player: Player) -> None:
    """Set what searches read, from the player's names and aliases. The caller saves it."""
    player.search_text, player.search_words = search_text_for(player), search_words_for(player)


def refresh_search_text(player: Player) -> None:
    """Store what searches read, after names or aliases changed.

    This writes no history row, because the columns follow from others that have a history.
    """
    index_names(player)
    stored = {"search_text": player.search_text, "search_words": player.search_words}
    Player.objects.filter(pk=player.pk).update(**stored)


def add_guest(club: Club, name: str) -> Player:
    """Create a player known by name only, as a guest of this club."""
    player = Player(native_name=name)
    refuse_bad_names(player)
    index_names(player)
    player.save()
    Affiliation.objects.create(player=player, club=club, kind=Kind.GUEST)
    return player


# --- players of a club ------------------------------------------------------------------------------------


def welcome(
    club_id: int, player_ids: Collection[int], *, kind: str = Kind.GUEST, by: User | None = None, reason: str = ""
) -> None:
    """Make players guests (or regulars) of a club if they are not its players yet. Others stay what they are.

    Another transaction may welcome the same player at the same moment, from another season of the club. The second
    one then inserts nothing, and the first one writes the history.
    """
    there = Affiliation.objects.filter(club_id=club_id, player__in=player_ids)
    new = set(player_ids) - set(there.values_list("player_id", flat=True))
    if not new:
        return
    rows = [Affiliation(player_id=player, club_id=club_id, kind=kind) for player in sorted(new)]
    Affiliation.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
    stored = {row.pk: row for row in there.filter(player__in=new).order_by("pk")}
    told = set(Affiliation.history.filter(id__in=stored).values_list("id", flat=True))
    fresh = [row for pk, row in stored.items() if pk not in told]
    Affiliation.history.bulk_history_create(fresh, batch_size=1000, default_user=by, default_change_reason=reason)


def kind_allowed(player: Player, wanted: str, by: User | None) -> str:
    """Return the kind that the user may give a player: the wanted one with the right to edit the player, else guest."""
    return wanted if by is None or rights.may_edit_player(by, player) else Kind.GUEST


@transaction.atomic
def leave_club(player: Player, club: Club, *, by: User, reason: str = "") -> None:
    """Take a player off the club's list. Games and results stay. A player who plays there again is a guest again."""
    row = Affiliation.objects.select_for_update().filter(player=player, club=club).first()
    if row is None:
        message = _("%(name)s is not a player of %(club)s any more.")
        raise Refused(Problem(message, {"name": player.native_name, "club": club.name}, code="left"))
    set_history(row, by, reason)
    row.delete()


def _refuse_anonymous(player: Player) -> None:
    """Refuse a form that was opened before the player was anonymised: it must not bring the name back."""
    rows = Player.objects.select_for_update(no_key=True)  # games can still be entered meanwhile
    if rows.get(pk=player.pk).anonymised_at and not player.anonymised_at:
        raise Refused(Problem(_("This player is anonymous already."), code="anonymised"))


@transaction.atomic
def save_player(player: Player, *, club: Club | None = None, seen: int | None = None) -> None:
    """Store a player, and outdate pages that show the player if a shown column changed.

    With `club`, a player who is not affiliated with it yet becomes its regular. `seen` is the newest change of the
    player that the user saw: a later one refuses.
    """
    refuse_bad_names(player)
    if player.pk:
        before = Player.objects.filter(pk=player.pk).values(*SHOWN).get()
        if any(before[name] != getattr(player, name) for name in SHOWN):
            touch(seasons_of(player))
        _refuse_anonymous(player)
        refuse_if_changed(player, seen)
    player.save(update_fields=SETTINGS if player.pk else None)
    if club is not None:
        welcome(club.pk, [player.pk], kind=Kind.REGULAR)
    refresh_search_text(player)


# --- players who came by mistake ---------------------------------------------------------------------------


def is_used(player: Player) -> bool:
    """Return whether any row refers to the player, besides affiliations, aliases, imported rows and own history.

    Rows of upper apps count too.
    """
    beside: tuple[type[Model], ...] = (Affiliation, Alias, ImportedRow)
    relations = [each for each in Player._meta.related_objects if each.related_model not in beside]
    own = Player.history.model
    return any(
        each.related_model._default_manager.filter(**{each.field.name: player}).exists()
        for each in relations
        if each.related_model is not own and not each.many_to_many
    )


def was_edited(player: Player) -> bool:
    """Return whether the player was changed since an import created it."""
    return player.history.count() > 1 or any(row.history.count() > 1 for row in player.affiliations.all())


def forget_player(player: Player) -> None:
    """Delete a player who was created by mistake and never played, with the name in all history rows."""
    pk = player.pk
    player.delete()
    Affiliation.history.filter(player_id=pk).delete()
    Player.history.filter(id=pk).delete()
