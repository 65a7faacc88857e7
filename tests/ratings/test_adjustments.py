"""The penalty ledger: in the totals, revocable, one entry per form."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from ratings.mahjong.problems import Refused
from ratings.mahjong.standings import METRICS
from ratings.models import Adjustment, Player, Season, Standing
from ratings.services.adjustments import give, give_many, revoke
from ratings.services.hanchans import record_hanchan
from tests.cast import make_club, make_players, make_sheet, make_user
from tests.forms import forms

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/adjustment/add/"
Kind = Adjustment.Kind


@pytest.fixture
def players(season: Season) -> list[Player]:
    players = make_players(4)
    record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))
    return players


def kept(season: Season, player: Player) -> Standing:
    return Standing.objects.get(season=season, player=player)


def test_a_penalty_is_in_the_total_and_listed_apart(season: Season, players: list[Player]) -> None:
    give(season, players[0], Kind.PENALTY, -8_000, "shouting")
    standing = kept(season, players[0])
    assert METRICS["total"].value(standing) == 16_200
    assert (standing.games, standing.penalties) == (1, 8_000)


def test_a_revoked_penalty_never_counts(season: Season, players: list[Player]) -> None:
    given = give(season, players[0], Kind.PENALTY, -8_000, "shouting")
    revoked = revoke(given, reason="it was the neighbour")
    assert METRICS["total"].value(kept(season, players[0])) == 24_200
    assert revoked.revoked_reason == "it was the neighbour"
    with pytest.raises(Refused):
        revoke(given, reason="again")


def test_nobody_who_was_merged_away_gets_a_penalty(season: Season, players: list[Player]) -> None:
    Player.objects.filter(pk=players[0].pk).update(merged_into=players[1])

    with pytest.raises(Refused, match="was merged into another player"):
        give(season, players[0], Kind.PENALTY, -1_000, "late")
    with pytest.raises(Refused, match="was merged into another player"):
        give_many(season, [Adjustment(season=season, player=players[0], points=-1, given_on=season.starts_on)])

    assert not Adjustment.objects.exists()


def test_an_absence_counts_as_a_game_and_a_bye_does_not(season: Season, players: list[Player]) -> None:
    give(season, players[0], Kind.ABSENCE, -30_000, "ill", round_number=2)
    give(season, players[0], Kind.BYE, 0, "bye", round_number=3)
    standing = kept(season, players[0])
    assert (standing.games, standing.placed) == (2, 1)
    assert METRICS["total"].value(standing) == -5_800


def test_somebody_with_a_penalty_only_has_a_standing(season: Season, players: list[Player]) -> None:
    stranger = make_players(5)[4]
    given = give(season, stranger, Kind.PENALTY, -1_000, "x")
    assert kept(season, stranger).adjustments == -1_000
    revoke(given, reason="y")
    assert not Standing.objects.filter(player=stranger).exists()


def test_the_same_form_twice_is_one_entry(season: Season, players: list[Player]) -> None:
    key = uuid.uuid4()
    first = give(season, players[0], Kind.PENALTY, -8_000, "shouting", submit_key=key)
    assert give(season, players[0], Kind.PENALTY, -8_000, "shouting", submit_key=key) == first
    assert Adjustment.objects.count() == 1


class TestPages:
    def data(self, player: Player, /, **changed: str) -> dict[str, str]:
        return {
            "player": str(player.pk),
            "kind": "penalty",
            "points": "8000",
            "reason": "shouting",
            "given_on": "2026-04-16",
            **changed,
        }

    def test_a_referee_gives_and_revokes(self, client: Client, season: Season, players: list[Player]) -> None:
        client.force_login(make_user("referee", season.club, "referee"))
        client.post(f"{ADD}?season={season.pk}", self.data(players[0]))
        given = Adjustment.objects.get()
        assert (given.points, given.by and given.by.username) == (-8_000, "referee")
        url = reverse("desk:penalty_revoke", args=[given.pk])
        assert client.post(url, {"reason": ""}).status_code == 422
        client.post(url, {"reason": "mistaken"})
        assert kept(season, players[0]).adjustments == 0

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"points": ""}, "Enter the number of points"),
            ({"kind": "warning"}, "A warning has no points"),
            ({"points": "80.05"}, "whole hundreds"),
            ({"reason": ""}, "required"),
            ({"player": "999999"}, "not one of the available choices"),
            ({"kind": "carried"}, "not one of the available choices"),
        ],
    )
    def test_wrong_input_is_answered_in_words(
        self, client: Client, season: Season, players: list[Player], changed: dict[str, str], sentence: str
    ) -> None:
        client.force_login(make_user("referee", season.club, "referee"))
        response = client.post(f"{ADD}?season={season.pk}", self.data(players[0], **changed))
        assert response.status_code == 422
        assert sentence in response.content.decode()

    def test_thousands_are_points_and_unlikely_ones_are_asked_about_once(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        client.force_login(make_user("referee", season.club, "referee"))
        address = f"{ADD}?season={season.pk}"
        client.post(address, self.data(players[0], points="10"))
        assert Adjustment.objects.get().points == -10_000

        sent = self.data(players[1], points="0,5")
        asked = client.post(address, sent)
        page = asked.content.decode()
        assert (asked.status_code, "Is this right?" in page, "Penalty: 500 points." in page) == (422, True, True)
        assert "→ 500 points" in page, "without JavaScript too"
        (sure,) = [field for form in forms(page) for field in form.fields if field.name == "sure"]
        client.post(address, {**sent, "sure": sure.options[0]})
        assert Adjustment.objects.get(player=players[1]).points == -500

    def test_the_ledger_offers_both_to_referees_only(
        self, client: Client, season: Season, players: list[Player]
    ) -> None:
        given = give(season, players[0], Kind.PENALTY, -8_000, "shouting")
        ledger = reverse("ratings:season_penalties", args=[season.club.slug, season.slug])
        revoke_url = reverse("desk:penalty_revoke", args=[given.pk])
        client.force_login(make_user("scorer", season.club))
        page = client.get(ledger).content.decode()
        assert "shouting" in page
        assert revoke_url not in page
        client.force_login(make_user("referee", season.club, "referee"))
        page = client.get(ledger).content.decode()
        assert revoke_url in page
        assert "Add a penalty" in page

    def test_scorers_and_other_clubs_find_nothing(self, client: Client, season: Season, players: list[Player]) -> None:
        given = give(season, players[0], Kind.PENALTY, -8_000, "shouting")
        for user in (make_user("scorer", season.club), make_user("foreign", make_club("Phoenix"), "admin")):
            client.force_login(user)
            assert client.get(f"{ADD}?season={season.pk}").status_code == 404
            assert client.get(reverse("desk:penalty_revoke", args=[given.pk])).status_code == 404
