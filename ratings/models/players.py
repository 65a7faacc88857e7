"""People who play. Clubs share them: each person is one row, whatever the script of the name."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from ratings.models.clubs import Club, country_code, valid_name

ema_number = RegexValidator(r"^[0-9]{8}$", _("An EMA number has eight digits, leading zeros included."))


class Player(models.Model):
    class Visibility(models.TextChoices):
        FULL = "full", _("full name")
        NICKNAME = "nickname", _("nickname only")
        HIDDEN = "hidden", _("hidden")

    native_name = models.CharField(
        _("name"), max_length=120, validators=[valid_name], help_text=_("As the player writes it, in any script.")
    )
    latin_first = models.CharField(_("first name in Latin letters"), max_length=80, blank=True, validators=[valid_name])
    latin_last = models.CharField(_("last name in Latin letters"), max_length=80, blank=True, validators=[valid_name])
    nickname = models.CharField(_("nickname"), max_length=60, blank=True, validators=[valid_name])
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[country_code])
    ema_number = models.CharField(_("EMA number"), max_length=8, blank=True, validators=[ema_number])
    visibility = models.CharField(_("shown as"), max_length=8, choices=Visibility, default=Visibility.FULL)
    remark = models.CharField(
        _("remark"),
        max_length=60,
        blank=True,
        validators=[valid_name],
        help_text=_("Tells two people of one name apart, such as “from Gdynia”. Only staff of the club see it."),
    )
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        verbose_name=_("merged into"),
        related_name="merged_players",
    )
    anonymised_at = models.DateTimeField(_("anonymised"), null=True, blank=True, editable=False)
    # Derived by `services.players`: all names folded, because SQLite ignores case for ASCII only.
    search_text = models.TextField(editable=False, default="", blank=True)
    # Derived as well: the words of all names and how they sound, so that a name is found however it is spelled.
    search_words = models.TextField(editable=False, default="", blank=True)
    clubs = models.ManyToManyField(Club, through="Affiliation", related_name="players", verbose_name=_("clubs"))

    history = HistoricalRecords(excluded_fields=["search_text", "search_words"])

    class Meta:
        ordering = ["native_name", "pk"]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.native_name

    def get_absolute_url(self) -> str:
        return reverse("ratings:player", args=[self.pk, self.slug])

    @property
    def slug(self) -> str:
        """The readable part of the address; it shows only what a stranger may read."""
        return ("" if self.is_hidden else slugify(self.public_name, allow_unicode=True)) or "player"

    @property
    def latin_name(self) -> str:
        return f"{self.latin_first} {self.latin_last}".strip()

    @property
    def public_name(self) -> str:
        """The name a stranger may read."""
        if self.is_hidden:
            return gettext("Hidden player")
        return self.nickname if self.visibility == self.Visibility.NICKNAME else self.native_name

    @property
    def public_latin(self) -> str:
        """The Latin form shown beside the name; empty if it may not be shown or equals the name."""
        if self.is_hidden or self.visibility != self.Visibility.FULL or self.latin_name == self.native_name:
            return ""
        return self.latin_name

    @property
    def goes_by_nickname(self) -> bool:
        return self.visibility == self.Visibility.NICKNAME

    @property
    def is_hidden(self) -> bool:
        """Whether strangers see neither name nor page: by the player's wish, for lack of a nickname, or anonymised."""
        nameless = self.visibility == self.Visibility.NICKNAME and not self.nickname
        return self.visibility == self.Visibility.HIDDEN or nameless or self.anonymised_at is not None


class Alias(models.Model):
    """Another spelling of a player's name; used by search and import, never shown."""

    player = models.ForeignKey(Player, models.CASCADE, verbose_name=_("player"), related_name="aliases")
    name = models.CharField(_("name"), max_length=120, validators=[valid_name])

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="one_alias_once")]

    def __str__(self) -> str:
        return self.name


class Affiliation(models.Model):
    class Kind(models.TextChoices):
        REGULAR = "regular", _("regular")
        GUEST = "guest", _("guest")

    player = models.ForeignKey(Player, models.CASCADE, verbose_name=_("player"), related_name="affiliations")
    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="affiliations")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.GUEST)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("player of the club")
        verbose_name_plural = _("players of the club")
        constraints = [models.UniqueConstraint(fields=["player", "club"], name="one_affiliation_per_club")]

    def __str__(self) -> str:
        return f"{self.player} – {self.club}"

    @property
    def is_regular(self) -> bool:
        return self.kind == self.Kind.REGULAR

    @property
    def is_guest(self) -> bool:
        return self.kind == self.Kind.GUEST


class PlayerMerge(models.Model):
    """The merge of two players who are one person: what was moved, so that exactly this can be moved back."""

    merged = models.ForeignKey(Player, models.PROTECT, verbose_name=_("merged player"), related_name="merges_away")
    survivor = models.ForeignKey(Player, models.PROTECT, verbose_name=_("merged into"), related_name="merges_here")
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"), related_name="+"
    )
    # By kind of player rows (`ratings.services.player_rows`): the ids that this kind needs to move them back.
    moved = models.JSONField(_("moved rows"), default=dict)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("undone by"), related_name="+"
    )

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")

    def __str__(self) -> str:
        return f"{self.merged_id} → {self.survivor_id}"
