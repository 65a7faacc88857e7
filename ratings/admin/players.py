"""Players of the member's clubs: names, aliases, clubs."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings import rights
from ratings.admin.base import ClubModelAdmin, OwnClubFilter, PartInline
from ratings.forms.players import FIELDS, AffiliationForm, NewPlayerForm, PlayerForm
from ratings.models import Affiliation, Alias, Club, Player
from ratings.queries.history import Happening, happenings
from ratings.queries.players import matching
from ratings.rights import Level
from ratings.services.players import refresh_search_text, save_player


class AliasInline(PartInline):
    model = Alias


class AffiliationInline(PartInline):
    """The clubs of a player, limited to the member's own. Leaving a club has its own page, which says what stays."""

    model = Affiliation
    form = AffiliationForm
    verbose_name, verbose_name_plural = _("club"), _("clubs")
    can_delete = False

    def get_max_num(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return rights.clubs_of(request.user, Level.ADMIN).count()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Affiliation]:
        return super().get_queryset(request).filter(club__in=rights.clubs_of(request.user, Level.ADMIN))


@admin.register(Player)
class PlayerAdmin(ClubModelAdmin):
    club_lookup = "affiliations__club"
    list_display = ["native_name", "latin_name", "nickname", "country", "ema_number", "visibility", "own_clubs"]
    list_filter = [OwnClubFilter, "visibility"]
    search_fields = ["search_text"]
    search_help_text = _("Any name, nickname or alias")
    change_form_template = "admin/ratings/player/change_form.html"

    # --- lists and forms --------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Without merged players, who are shown on the page of the player they were merged into."""
        return super().get_queryset(request).filter(merged_into=None).prefetch_related("affiliations__club")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return queryset.filter(matching(search_term)), False

    @admin.display(description=_("clubs"))
    def own_clubs(self, player: Player) -> str:
        return ", ".join(affiliation.club.name for affiliation in player.affiliations.all())

    @admin.display(description=_("in Latin letters"), ordering="latin_last")
    def latin_name(self, player: Player) -> str:
        return player.latin_name

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Admins of a club that decides about the player may change the player; the club of a guest may only look."""
        if obj is None:
            return super().has_change_permission(request)
        return not obj.anonymised_at and rights.may_edit_player(request.user, obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return FIELDS if obj else [*FIELDS, "club"]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, **{"form": PlayerForm if obj else NewPlayerForm, **kwargs})

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [AliasInline, AffiliationInline] if obj else [AliasInline]

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        save_player(obj, club=form.cleaned_data.get("club"))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        refresh_search_text(form.instance)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        player = kwargs.get("obj")
        context["may_merge"] = player is not None and not player.anonymised_at and self._may_merge(request, player)
        context["may_leave"] = self._clubs_to_leave(request, player) if player is not None else []
        return super().render_change_form(request, context, *args, **kwargs)

    def happenings(self, request: HttpRequest, row: Player) -> list[Happening]:
        """Also the history of the player's clubs: who added the player, and who removed the player."""
        clubs = happenings(Affiliation.history.filter(player_id=row.pk))
        return sorted([*super().happenings(request, row), *clubs], key=lambda told: told.at, reverse=True)

    def _clubs_to_leave(self, request: HttpRequest, player: Player) -> list[Club]:
        """The clubs from which the user may remove the player.

        The admins of a club decide who is on its list, also if other clubs decide about the player.
        """
        return [row.club for row in player.affiliations.all() if rights.may_manage(request.user, row.club_id)]

    def _may_merge(self, request: HttpRequest, player: Player) -> bool:
        return rights.may_merge_or_anonymise(request.user, player)
