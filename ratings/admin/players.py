"""Players of the member's clubs: names, aliases, clubs; merging, undoing a merge, anonymising."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubsite.signing_in import user_of
from ratings import rights
from ratings.admin.base import ClubModelAdmin, OwnClubFilter, PartInline
from ratings.forms.players import FIELDS, AffiliationForm, AnonymiseForm, NewPlayerForm, PlayerForm
from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, Alias, Club, Player, PlayerMerge
from ratings.queries.history import Happening, happenings
from ratings.queries.players import matching
from ratings.queries.texts import FoundText
from ratings.rights import Level
from ratings.services import anonymising, merging
from ratings.services.players import leave_club, refresh_search_text, save_player

MOST_CANDIDATES = 20


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
    change_list_template = "admin/ratings/player/change_list.html"

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
        context["may_merge"] = player is not None and self._may_merge(request, player) and not player.anonymised_at
        context["may_leave"] = self._clubs_to_leave(request, player) if player is not None else []
        return super().render_change_form(request, context, *args, **kwargs)

    def happenings(self, request: HttpRequest, row: Player) -> list[Happening]:
        """Also the history of the player's clubs: who added the player, and who removed the player."""
        clubs = happenings(Affiliation.history.filter(player_id=row.pk))
        return sorted([*super().happenings(request, row), *clubs], key=lambda told: told.at, reverse=True)

    # --- leaving a club ---------------------------------------------------------------------------------------

    def _clubs_to_leave(self, request: HttpRequest, player: Player) -> list[Club]:
        """The clubs from which the user may remove the player.

        The admins of a club decide who is on its list, also if other clubs decide about the player.
        """
        return [row.club for row in player.affiliations.all() if rights.may_manage(request.user, row.club_id)]

    def leave_view(self, request: HttpRequest, object_id: str, club_id: int) -> HttpResponse:
        player: Player = self.get_object(request, unquote(object_id))
        row = player.affiliations.filter(club=club_id).select_related("club").first()
        if row is None:
            raise Http404(f"player {player.pk} is not of club {club_id}")
        if not rights.may_manage(request.user, club_id):
            raise PermissionDenied
        if request.method != "POST":
            title = gettext("Remove %(name)s from %(club)s") % {"name": player, "club": row.club}
            games = player.seats.filter(season__club=club_id).count()
            return self._page(request, "leave", player, title=title, affiliation=row, games=games)
        try:
            leave_club(player, row.club, by=user_of(request))
        except Refused as refused:
            return self.say_and_return(request, refused, reverse("admin:ratings_player_changelist"))
        said = gettext("%(name)s is no longer on the list of %(club)s.") % {"name": player, "club": row.club}
        self.message_user(request, said)
        return HttpResponseRedirect(reverse("admin:ratings_player_changelist"))

    # --- merging and anonymising ------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/merge/", view(self.merge_view), name="ratings_player_merge"),
            path("<path:object_id>/unmerge/<int:merge_id>/", view(self.unmerge_view), name="ratings_player_unmerge"),
            path("<path:object_id>/leave/<int:club_id>/", view(self.leave_view), name="ratings_player_leave"),
            path("<path:object_id>/anonymise/", view(self.anonymise_view), name="ratings_player_anonymise"),
            *super().get_urls(),
        ]

    def _may_merge(self, request: HttpRequest, *players: Player) -> bool:
        return rights.may_merge_or_anonymise(request.user, *players)

    def _player_to_merge(self, request: HttpRequest, object_id: str) -> Player:
        player: Player = self.get_object(request, unquote(object_id))
        if not self._may_merge(request, player):
            raise PermissionDenied
        return player

    def _page(self, request: HttpRequest, name: str, player: Player, **context: Any) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "player": player}
        return TemplateResponse(request, f"admin/ratings/player/{name}.html", {**shared, **context})

    def merge_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """First search for the other row of the same person, then show what would move, then merge."""
        player = self._player_to_merge(request, object_id)
        into = request.POST.get("into") or request.GET.get("into")
        survivor = self.get_object(request, into) if into else None
        if survivor and not self._may_merge(request, survivor):
            refusal = gettext("Only an admin of every club where the two players are regulars can merge them.")
            self.message_user(request, refusal, messages.ERROR)
            return HttpResponseRedirect(request.path)
        if survivor and request.method == "POST":
            return self._merge(request, player, survivor)
        typed = request.GET.get("q", "").strip()
        others = self.get_queryset(request).exclude(pk=player.pk).filter(anonymised_at=None)
        return self._page(
            request,
            "merge",
            player,
            title=gettext("Merge %(name)s") % {"name": player},
            typed=typed,
            candidates=others.filter(matching(typed))[:MOST_CANDIDATES] if typed else [],
            survivor=survivor,
            preview=merging.preview_merge(player, survivor) if survivor else None,
            merges=player.merges_here.filter(undone_at=None).select_related("merged", "by"),
        )

    def _merge(self, request: HttpRequest, player: Player, survivor: Player) -> HttpResponse:
        try:
            merging.merge_players(player, survivor, by=user_of(request))
        except Refused as refused:
            return self.say_and_return(request, refused, f"{request.path}?into={survivor.pk}")
        self.message_user(
            request,
            gettext("%(merged)s is merged into %(survivor)s. The page “Merge” of %(survivor)s undoes it.")
            % {"merged": player, "survivor": survivor},
        )
        return HttpResponseRedirect(reverse("admin:ratings_player_change", args=[survivor.pk]))

    def unmerge_view(self, request: HttpRequest, object_id: str, merge_id: int) -> HttpResponse:
        player = self._player_to_merge(request, object_id)
        merge = PlayerMerge.objects.filter(survivor=player, pk=merge_id).select_related("merged", "survivor").first()
        if merge is None:
            raise Http404(f"no merge {merge_id} into player {player.pk}")
        if request.method != "POST":
            objections = merging.undo_objections(merge)
            title = gettext("Undo the merge of %(name)s") % {"name": merge.merged}
            games = len(merge.moved.get("seats", []))
            return self._page(request, "unmerge", player, title=title, merge=merge, objections=objections, games=games)
        try:
            merging.undo_merge(merge, by=user_of(request))
        except Refused as refused:
            return self.say_and_return(request, refused, request.path)
        self.message_user(request, gettext("The merge is undone: %(name)s is back.") % {"name": merge.merged})
        return HttpResponseRedirect(reverse("admin:ratings_player_change", args=[merge.merged_id]))

    def anonymise_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = self._player_to_merge(request, object_id)
        objections = anonymising.objections(player)
        texts = [] if objections else anonymising.texts_naming(player)
        choices = [(text.key, _label(text, self.admin_site)) for text in texts]
        ticked = [text.key for text in texts if text.in_full]
        form = AnonymiseForm(player, choices, ticked, request.POST if request.method == "POST" else None)
        if request.method == "POST" and not objections and form.is_valid():
            return self._anonymise(request, player, form.cleaned_data.get("texts", []))
        title = gettext("Anonymise %(name)s") % {"name": player}
        new_name = anonymising.anonymous_name(player)
        return self._page(
            request, "anonymise", player, title=title, form=form, objections=objections, new_name=new_name
        )

    def _anonymise(self, request: HttpRequest, player: Player, texts: list[str]) -> HttpResponse:
        here = reverse("admin:ratings_player_change", args=[player.pk])
        try:
            left = anonymising.anonymise(player, replace_in=texts, by=user_of(request))
        except Refused as refused:
            return self.say_and_return(request, refused, here)
        self.message_user(request, gettext("The player is anonymous now."))
        if left:
            words = ngettext(
                "%(count)d text was left as it is: %(places)s",
                "%(count)d texts were left as they are: %(places)s",
                len(left),
            )
            places = "; ".join(text.place for text in left)
            self.message_user(request, words % {"count": len(left), "places": places}, messages.WARNING)
        return HttpResponseRedirect(here)


def _label(found: FoundText, site: admin.AdminSite) -> str:
    """A text with its place, linked to the page where it can be edited or read."""
    address = _address(found, site)
    place = format_html('<a href="{}">{}</a>', address, found.place) if address else found.place
    return format_html("{}: <q>{}</q>", place, found.text)


def _address(found: FoundText, site: admin.AdminSite) -> str:
    if site.is_registered(found.model):
        meta = found.model._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[found.pk])
    try:
        row: Any = found.row()
        return str(row.get_absolute_url())
    except (AttributeError, NoReverseMatch):
        return ""
