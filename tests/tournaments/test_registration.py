"""Players register themselves: while it is open, once a form, unseen until the organiser confirms."""

from __future__ import annotations

import dataclasses
import datetime
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubsite import limits
from clubsite.models import Tally
from clubsite.pruning import prune
from ratings.models import Affiliation, Player
from ratings.services.merging import merge_players
from ratings.services.players import add_guest, save_player
from tests.cast import make_club
from tests.tournaments.desk import client_of, page, points
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Registration, Tournament
from tournaments.queries import tokens
from tournaments.queries.registration import Closed, door, door_of
from tournaments.services.events import StagePlan, change_event
from tournaments.services.registration import Newcomer, register_oneself
from tournaments.services.rounds import unseat_round
from tournaments.services.stages import finish_event

pytestmark = pytest.mark.django_db
EVENT = "/tournaments/open/"
ADDRESS = "/tournaments/open/register/"
SELECTED = "/tournaments/open/manage/entries/selected/"
DAY = datetime.timedelta(days=1)


def open_hall(players: int = 8, **facts: Any) -> Hall:
    """An event of these days that takes registrations."""
    today = timezone.localdate()
    days = {"starts_on": today, "ends_on": today + 2 * DAY}
    return Hall(players, **{"registration_open": True, **days, **facts})


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    return open_hall()


def change(hall: Hall, **facts: object) -> None:
    tournament = Tournament.objects.get()
    for name, value in facts.items():
        setattr(tournament, name, value)
    change_event(tournament)


def register(client: Client, name: str, **typed: str) -> str:
    """The page after the form was sent."""
    answer = client.post(ADDRESS, {"name": name, "submit_key": str(uuid.uuid4()), **typed}, follow=True)
    return answer.content.decode()


def confirm(desk: Client) -> None:
    desk.post(SELECTED, {"action": "confirm_all"})


class TestTheDoor:
    """One function decides; pages only repeat it."""

    NOW = datetime.datetime(2026, 4, 17, 12, 0, tzinfo=datetime.UTC)

    def closed(self, published_at: datetime.datetime | None = None, **facts: Any) -> Closed | None:
        days: dict[str, Any] = {"starts_on": self.NOW.date() + DAY, "ends_on": self.NOW.date() + 2 * DAY}
        event = Hall(0, **{"registration_open": True, **days, **facts}).tournament
        return door_of(event, published_at, self.NOW).closed

    def test_it_is_open_when_the_organiser_opened_it(self) -> None:
        assert self.closed() is None

    def test_it_is_closed_until_then(self) -> None:
        assert self.closed(registration_open=False) == Closed.NOT_OPENED

    def test_the_first_published_round_closes_it(self) -> None:
        assert self.closed(self.NOW - DAY) == Closed.PUBLISHED

    def test_a_time_of_the_organiser_closes_it(self) -> None:
        assert self.closed(registration_closes_at=self.NOW) == Closed.TIME

    def test_a_later_time_keeps_it_open_for_late_places(self) -> None:
        assert self.closed(self.NOW - DAY, registration_closes_at=self.NOW + DAY) is None

    def test_nothing_keeps_it_open_after_the_finish(self) -> None:
        assert self.closed(registration_closes_at=self.NOW + DAY, finished_at=self.NOW) == Closed.FINISHED

    def test_nor_after_the_last_day(self) -> None:
        past = self.NOW.date() - DAY
        assert self.closed(registration_closes_at=self.NOW + DAY, starts_on=past, ends_on=past) == Closed.OVER


class TestPagesOfTheDoor:
    def test_before_it_is_opened(self, client: Client) -> None:
        open_hall(registration_open=False)
        assert "Registration is closed" in client.get(ADDRESS).content.decode()
        assert client.post(ADDRESS, {"name": "Jan Kot"}).status_code == 200
        assert not Registration.objects.exists()

    def test_the_first_published_round_ends_it_everywhere(self, hall: Hall, client: Client, desk: Client) -> None:
        assert "Registration is open" in client.get(EVENT).content.decode()
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        assert "Registration is open" not in client.get(EVENT).content.decode()
        shown = client.get(ADDRESS).content.decode()
        assert "when the first round was published" in shown
        assert str(timezone.now().year) in shown
        assert "when the first round was published" in page(desk, "entries/")
        assert "Registration is closed" in register(client, "Too Late")
        assert not Registration.objects.exists()

    def test_a_round_taken_back_opens_it_again(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        unseat_round(hall.round(1), reason="drawn again")
        assert door(Tournament.objects.get()).is_open

    def test_it_closes_at_the_time_of_the_organiser_also_on_a_page_that_is_kept(
        self, hall: Hall, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        closes_at = timezone.now().replace(microsecond=0) + datetime.timedelta(hours=2)
        change(hall, registration_closes_at=closes_at)
        local = timezone.localtime(closes_at, hall.tournament.zone)
        assert f"open until {local.day} " in client.get(EVENT).content.decode()
        monkeypatch.setattr(timezone, "now", lambda: closes_at)
        assert "Registration is open" not in client.get(EVENT).content.decode()
        assert f"Registration closed on {local.day} " in client.get(ADDRESS).content.decode()

    def test_after_the_finish_it_is_refused_whatever_is_ticked(self, client: Client) -> None:
        hall = open_hall(registration_closes_at=timezone.now() + DAY, stages=(StagePlan("Main", 1),))
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        register(client, "In Time")
        assert Registration.objects.count() == 1
        finish_event(Tournament.objects.get())
        assert "The event ended on " in client.get(ADDRESS).content.decode()
        assert "Registration is open" not in client.get(EVENT).content.decode()
        register(client, "Too Late")
        assert Registration.objects.count() == 1

    def test_an_event_finished_weeks_later_ended_on_its_last_day(self, hall: Hall, client: Client) -> None:
        last = datetime.date(2026, 4, 19)
        change(hall, starts_on=last, ends_on=last, finished_at=timezone.now() + 30 * DAY)
        assert "The event ended on 19 April 2026." in client.get(ADDRESS).content.decode()

    def test_one_who_typed_while_it_closed_is_refused_by_the_service_too(self, hall: Hall, client: Client) -> None:
        stale = Tournament.objects.get()
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        with pytest.raises(Exception, match="Registration is closed"):
            register_oneself(stale, Newcomer("Too Late"), uuid.uuid4())

    def test_the_time_is_typed_and_shown_in_the_time_of_the_club(self, hall: Hall, desk: Client) -> None:
        hall.tournament.club.time_zone = "Asia/Tokyo"
        hall.tournament.club.save()
        shown = page(desk, "settings/")
        typed = dict(re.findall(r'name="(name|starts_on|ends_on|odd)"[^>]*value="([^"]*)"', shown))
        wanted = f"{hall.tournament.starts_on}T09:30"
        data = {**typed, "odd": "substitutes", "registration_open": "on", "registration_closes_at": wanted}
        assert desk.post("/tournaments/open/manage/settings/", data).status_code == 302
        closes_at = Tournament.objects.get().registration_closes_at
        assert closes_at is not None
        assert closes_at.astimezone(datetime.UTC).strftime("%H:%M") == "00:30"
        assert f'value="{wanted}"' in page(desk, "settings/")
        refused = desk.post("/tournaments/open/manage/settings/", {**data, "registration_closes_at": "tomorrow"})
        assert refused.status_code == 422
        assert 'value="tomorrow"' in refused.content.decode()
        late = f"{hall.tournament.ends_on + DAY}T09:30"
        refused = desk.post("/tournaments/open/manage/settings/", {**data, "registration_closes_at": late})
        assert "cannot close after the last day" in refused.content.decode()

    def test_a_hidden_event_has_no_form_for_visitors(self, hall: Hall, client: Client) -> None:
        change(hall, is_public=False)
        assert client.get(ADDRESS).status_code == 404


class TestRegistering:
    def test_it_waits_for_the_organiser_and_nobody_else_sees_it(self, hall: Hall, client: Client) -> None:
        shown = register(client, "Jan Kot", country="pl")
        assert "Jan Kot, your registration has arrived. It is waiting for the organiser." in shown
        assert "You are number 9 in the order of arrival." in shown
        assert Entry.objects.count() == 8
        assert not Player.objects.filter(native_name="Jan Kot").exists()
        for address in (EVENT, f"{EVENT}standings/", f"{EVENT}me/?q=Jan", "/players/?q=Kot", "/tournaments/"):
            assert "Jan Kot" not in Client().get(address).content.decode(), address

    def test_the_same_form_posted_twice_is_one_registration(self, hall: Hall, client: Client) -> None:
        key = re.search(r'name="submit_key" value="([^"]+)"', client.get(ADDRESS).content.decode())
        assert key is not None
        second = [register(client, "Jan Kot", submit_key=key[1]) for _each in range(2)][1]
        assert Registration.objects.count() == 1
        assert "It is waiting for the organiser" in second
        confirm(client_of(hall.tournament.club))
        assert "Your number is 9." in register(client, "Jan Kot", submit_key=key[1])
        assert (Registration.objects.count(), Entry.objects.count()) == (0, 9)

    def test_whoever_registered_sees_the_number_once_confirmed(self, hall: Hall, client: Client, desk: Client) -> None:
        answer = client.post(ADDRESS, {"name": "Jan Kot"})
        confirm(desk)
        assert "Jan Kot, the organiser has confirmed your registration. Your number is 9." in _text(
            client, answer["Location"]
        )
        desk.post(SELECTED, {"action": "removed", "number": "9"})
        assert "This registration is not on the list" in _text(client, answer["Location"])

    def test_beyond_the_places_one_waits_in_the_order_of_arrival(self, client: Client) -> None:
        hall = open_hall(capacity=9)
        desk = client_of(hall.tournament.club)
        assert "there are 9 places" in register(client, "Jan Kot")
        assert "All places are taken" in client.get(ADDRESS).content.decode()
        assert "you are on the waiting list" in " ".join(register(client, "Ola Sowa").split())
        second = Registration.objects.get(name="Ola Sowa")
        desk.post(SELECTED, {"action": "confirm", "registration": second.pk})
        assert Entry.objects.get(player__native_name="Ola Sowa").status == Entry.Status.WAITING
        confirm(desk)
        assert Entry.objects.get(player__native_name="Jan Kot").status == Entry.Status.CONFIRMED

    def test_a_place_held_by_spam_is_free_again_when_that_is_removed(self, client: Client) -> None:
        hall = open_hall(capacity=9)
        desk = client_of(hall.tournament.club)
        register(client, "Buy Now")
        register(client, "Jan Kot")
        desk.post(SELECTED, {"action": "removed", "registration": Registration.objects.get(name="Buy Now").pk})
        confirm(desk)
        assert Entry.objects.get(player__native_name="Jan Kot").status == Entry.Status.CONFIRMED

    def test_nobody_is_taken_for_somebody_known_by_name_alone(self, hall: Hall, client: Client, desk: Client) -> None:
        known = Player.objects.create(native_name="Jan Kot", ema_number="12345678", search_text="jan kot")
        register(client, "Jan Kot")
        confirm(desk)
        assert hall[9].player != known
        register(client, "Jan Kot", ema_number="12345678")
        confirm(desk)
        assert hall[10].player == known

    def test_one_who_is_entered_is_told_so_in_the_words_typed(self, hall: Hall, client: Client, desk: Client) -> None:
        save_player(Player(native_name="Jan Kotowski", nickname="Kot", ema_number="12345678"))
        desk.post("/tournaments/open/manage/entries/add/", {"player": "Jan Kotowski"})
        shown = register(client, "Kot", ema_number="12345678")
        assert "Kot is entered already." in shown
        assert "Kotowski" not in shown

    def test_a_nickname_and_an_ema_number_do_not_tell_the_name_behind_them(
        self, hall: Hall, client: Client, desk: Client
    ) -> None:
        player = Player(native_name="Jan Kotowski", nickname="Kot", ema_number="12345678", visibility="nickname")
        save_player(player)
        answer = client.post(ADDRESS, {"name": "Kot", "ema_number": "12345678"})
        assert "Kotowski" not in _text(client, answer["Location"])
        confirm(desk)
        assert hall[9].player == player
        shown = _text(client, answer["Location"])
        assert "Kot, the organiser has confirmed your registration." in shown
        assert "Kotowski" not in shown

    def test_a_program_that_fills_in_everything_registers_nobody(self, hall: Hall, client: Client) -> None:
        register(client, "Jan Kot", website="https://spam.example")
        assert not Registration.objects.exists()

    def test_names_never_confirmed_are_forgotten_some_time_after_the_event(self, hall: Hall, client: Client) -> None:
        old = _other_event(hall)
        Tournament.objects.filter(pk=old.pk).update(starts_on="2020-01-04", ends_on="2020-01-04")
        Registration.objects.create(tournament=old, name="Long Ago")
        register(client, "Jan Kot")
        prune()
        assert list(Registration.objects.values_list("name", flat=True)) == ["Jan Kot"]


class TestConfirming:
    def test_the_organiser_sees_them_first_and_is_told_on_the_home_page(
        self, hall: Hall, client: Client, desk: Client
    ) -> None:
        register(client, "Jan Kot")
        assert "1 registration is waiting for your confirmation." in page(desk, "")
        shown = page(desk, "entries/")
        assert shown.index("Jan Kot") < shown.index(hall[1].player.native_name)

    def test_a_confirmed_one_is_an_entry_like_any_other(self, hall: Hall, client: Client, desk: Client) -> None:
        register(client, "Jan Kot", country="pl", team="Koty")
        confirm(desk)
        entry = hall[9]
        assert (entry.status, entry.country, entry.team) == (Entry.Status.CONFIRMED, "PL", "Koty")
        assert "Jan Kot" in client.get(EVENT).content.decode()
        assert Affiliation.objects.filter(player=entry.player, club=hall.tournament.club).exists()

    def test_two_admins_who_confirm_at_once_make_one_entry(self, hall: Hall, client: Client, desk: Client) -> None:
        register(client, "Jan Kot")
        pk = Registration.objects.get().pk
        for _each in range(2):
            desk.post(SELECTED, {"action": "confirm", "registration": pk})
        assert Entry.objects.count() == 9

    def test_whoever_was_entered_meanwhile_stays_to_be_looked_at(
        self, hall: Hall, client: Client, desk: Client
    ) -> None:
        Player.objects.create(native_name="Jan Kot", ema_number="12345678", search_text="jan kot")
        register(client, "Jan Kot", ema_number="12345678")
        register(client, "Ola Sowa")
        desk.post("/tournaments/open/manage/entries/add/", {"player": "Jan Kot"})
        answer = desk.post(SELECTED, {"action": "confirm_all"}, follow=True).content.decode()
        assert "Jan Kot is entered already." in answer
        assert list(Registration.objects.values_list("name", flat=True)) == ["Jan Kot"]
        assert Entry.objects.filter(player__native_name="Ola Sowa").exists()

    def test_nothing_selected_is_said(self, hall: Hall, desk: Client) -> None:
        answer = desk.post(SELECTED, {"action": "confirm"}, follow=True).content.decode()
        assert "No one is selected" in answer

    def test_late_ones_can_be_confirmed_and_do_not_disturb_what_is_published(self, client: Client) -> None:
        hall = open_hall(registration_closes_at=timezone.now() + DAY)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        register(client, "Late Place")
        assert Registration.objects.count() == 1
        confirm(client_of(hall.tournament.club))
        assert hall[9].status == Entry.Status.CONFIRMED

    def test_another_club_cannot_confirm_ours(self, hall: Hall, client: Client) -> None:
        register(client, "Jan Kot")
        foreign = client_of(make_club("Haneman"))
        assert foreign.post(SELECTED, {"action": "confirm_all"}).status_code == 404
        assert Registration.objects.count() == 1


class TestRemoving:
    def test_several_are_removed_after_being_asked(self, hall: Hall, client: Client, desk: Client) -> None:
        for n in range(5):
            register(client, f"Spam {n}")
        asked = desk.post(SELECTED, {"action": "remove_all"}).content.decode()
        assert "Spam 3" in asked
        assert Registration.objects.count() == 5
        ids = re.findall(r'name="registration" value="(\d+)"', asked)
        desk.post(SELECTED, {"action": "removed", "registration": ids})
        assert not Registration.objects.exists()

    def test_the_player_goes_with_an_entry_that_made_it(self, hall: Hall, client: Client, desk: Client) -> None:
        register(client, "Spam Name", team="Spam team", country="pl")
        confirm(desk)
        player = hall[9].player
        desk.post(SELECTED, {"action": "removed", "number": ["9"]})
        assert not Player.objects.filter(pk=player.pk).exists()
        assert not Player.history.filter(native_name="Spam Name").exists()
        assert not Entry.history.filter(team="Spam team").exists()
        assert "Spam Name" not in client.get("/players/?q=Spam").content.decode()

    def test_the_button_of_one_entry_does_the_same(self, hall: Hall, client: Client, desk: Client) -> None:
        register(client, "Spam Name")
        confirm(desk)
        desk.post("/tournaments/open/manage/entries/9/status/", {"status": "remove"})
        assert not Player.objects.filter(native_name="Spam Name").exists()

    @pytest.mark.parametrize("more", ["entry", "club", "regular", "edited", "merged"])
    def test_a_player_who_is_more_than_this_entry_stays(
        self, hall: Hall, client: Client, desk: Client, more: str
    ) -> None:
        register(client, "Jan Kot")
        confirm(desk)
        player = hall[9].player
        if more == "entry":
            Entry.objects.create(tournament=_other_event(hall), number=1, player=player)
        elif more == "club":
            Affiliation.objects.create(player=player, club=make_club("Haneman"))
        elif more == "regular":
            player.affiliations.update(kind=Affiliation.Kind.REGULAR)
        elif more == "edited":
            player.nickname = "Kot"
            player.save()
        else:
            merge_players(add_guest(hall.tournament.club, "J. Kot"), player)
        desk.post(SELECTED, {"action": "removed", "number": ["9"]})
        assert not Entry.objects.filter(tournament=hall.tournament, number=9).exists()
        assert Player.objects.filter(pk=player.pk).exists()

    def test_players_known_before_stay(self, hall: Hall, desk: Client) -> None:
        desk.post(SELECTED, {"action": "removed", "number": ["1", "2"]})
        assert Entry.objects.count() == 6
        assert Player.objects.filter(pk=hall.players[0].pk).exists()

    def test_one_with_a_published_seat_stays_and_the_others_go(self, hall: Hall, client: Client, desk: Client) -> None:
        register(client, "Jan Kot")
        confirm(desk)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8], absent=[9])
        desk.post("/tournaments/open/manage/entries/add/", {"player": "New One", "new_player": "on"})
        answer = desk.post(SELECTED, {"action": "removed", "number": ["1", "10"]}, follow=True).content.decode()
        assert "1 name is removed" in answer
        assert "has a part in the event" in answer


def _other_event(hall: Hall) -> Tournament:
    event = hall.tournament
    return Tournament.objects.create(
        club=event.club,
        name="Other",
        slug="other",
        rule_set=event.rule_set,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
    )


class TestLimits:
    def test_a_flood_for_one_event_is_refused_and_keeps_what_was_typed(
        self, hall: Hall, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        few = dataclasses.replace(limits.REGISTRATION_EVENT, times=3)
        monkeypatch.setattr(limits, "REGISTRATION_EVENT", few)
        for n in range(3):
            register(Client(REMOTE_ADDR=f"203.0.113.{n}"), f"Spam {n}")
        answer = client.post(ADDRESS, {"name": "森 花子", "team": "Kwiaty"})
        shown = answer.content.decode()
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= 3600
        assert "There were too many requests. Try again in 60 minutes." in shown
        assert 'value="森 花子"' in shown
        assert 'value="Kwiaty"' in shown
        assert Registration.objects.count() == 3

    def test_one_network_meets_its_own_limit_and_others_do_not(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        few = dataclasses.replace(limits.REGISTRATION_NET, times=2)
        monkeypatch.setattr(limits, "REGISTRATION_NET", few)
        clients = [Client(REMOTE_ADDR=f"2001:db8::{n}") for n in range(3)] + [Client(REMOTE_ADDR="2001:db8:0:1::1")]
        statuses = [client.post(ADDRESS, {"name": f"Guest {n}"}).status_code for n, client in enumerate(clients)]
        assert statuses == [302, 302, 429, 302]

    def test_wrong_input_is_not_counted(self, hall: Hall, client: Client) -> None:
        client.post(ADDRESS, {"name": ""})
        assert not Tally.objects.exists()

    def test_two_hundred_phones_behind_one_address_meet_no_limit(self) -> None:
        hall = open_hall(registration_closes_at=timezone.now() + DAY)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        tables = [f"{EVENT}table/{tokens.token_of(hall.table(number))}/" for number in (1, 2)]
        met = set()
        for n in range(200):
            phone = Client(REMOTE_ADDR="203.0.113.50")
            met.add(phone.post(ADDRESS, {"name": f"Guest {n}"}).status_code)
            if n % 10 == 0:
                met.add(phone.get(f"{EVENT}me/?q=Guest").status_code)
                met.add(phone.post(tables[n % 2], points("450", "350", "250", "150")).status_code)
        for _staff in range(5):
            desk = Client(REMOTE_ADDR="203.0.113.50")
            met.add(desk.post("/admin/login/", {"username": "scorer", "password": "mistyped"}).status_code)
        assert met == {200, 302}
        assert Registration.objects.count() == 200


def _text(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())
