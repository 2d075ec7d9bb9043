"""Registrations are checked, and two registered players find their game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gateway import registry
from gateway.lobby.lobby import Destination, Lobby
from gateway.lobby.registration import Registration, seats_for
from gateway.table import seating
from gateway.table.draft import Draft
from gateway.table.state import State, Status, opened
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Seat, SeatKind

GAME = registry.game("tic_tac_toe")


def seats(*names: str, game: str = "tic_tac_toe", bots: bool = True) -> tuple[Seat, ...]:
    settings = registry.game(game).settings(seats=len(names))
    return seats_for(Registration(settings, names), registry.game(game), bots=bots)


def table(number: int, *names: str) -> State:
    state = opened(number, GAME, GAME.settings(), HouseRules(waits_s=60.0), bytes(32))
    draft = Draft(state)
    seating.register(draft, seats(*names), 0.0)
    return draft.state


def test_each_word_is_a_seat_of_its_kind() -> None:
    assert seats("ann", "open") == (Seat(0, SeatKind.RESERVED, "ann"), Seat(1, SeatKind.OPEN))
    assert seats("bot", "ann") == (Seat(0, SeatKind.BOT, "bot-1"), Seat(1, SeatKind.RESERVED, "ann"))


def test_names_are_shown_without_blanks_around_them() -> None:
    assert seats(" ann  lee ", "bob")[0].name == "ann lee"


@pytest.mark.parametrize(
    ("names", "game", "bots", "said"),
    [
        (("ann", "ANN"), "tic_tac_toe", True, "'ann' has two seats"),
        (("bot", "bot"), "tic_tac_toe", True, "somebody has to play"),
        (("ann", "bot"), "tic_tac_toe", False, "no house bot can take a seat here"),
        (("ann", "bot"), "open", True, "no house bot can take a seat here"),
        (("ann", "\x07"), "tic_tac_toe", True, "no name"),
        (("ann", ""), "tic_tac_toe", True, "no name"),
    ],
)
def test_what_cannot_be_registered_is_refused(names: tuple[str, ...], game: str, bots: bool, said: str) -> None:
    with pytest.raises(Refused, match=said) as refusal:
        seats(*names, game=game, bots=bots)
    assert refusal.value.why is Why.BAD_OPTION


def test_a_name_of_a_house_bot_is_taken() -> None:
    with pytest.raises(Refused) as refusal:
        seats("ann", "bot-2")
    assert refusal.value.why is Why.NAME_TAKEN


def test_as_many_seats_as_the_game_has() -> None:
    with pytest.raises(Refused, match="Tic-Tac-Toe standard has 2 seats, not 3"):
        seats_for(Registration(GAME.settings(), ("a", "b", "c")), GAME, bots=True)


def test_two_registered_players_find_their_table_whoever_asks() -> None:
    lobby = Lobby()
    lobby.report(table(7, "ann", "bob"), None, ("", ""))
    assert lobby.registered_pair("ann", "bob") == Destination(7, 0)
    assert lobby.registered_pair("bob", "ann") == Destination(7, 1)


def test_names_of_a_pair_count_as_they_are_spelled() -> None:
    lobby = Lobby()
    lobby.report(table(7, "ann", "bob"), None, ("", ""))
    assert lobby.registered_pair("Ann", "bob") is None
    assert lobby.registered_pair("ann", "ann") is None


def test_the_newest_table_of_a_pair_is_theirs() -> None:
    lobby = Lobby()
    lobby.report(table(7, "ann", "bob"), None, ("", ""))
    lobby.report(table(8, "bob", "ann"), None, ("", ""))
    assert lobby.registered_pair("ann", "bob") == Destination(8, 1)


@pytest.mark.parametrize("status", [Status.OVER, Status.CLOSED])
def test_a_pair_ends_with_its_game(status: Status) -> None:
    lobby = Lobby()
    before = table(7, "ann", "bob")
    lobby.report(before, None, ("", ""))
    lobby.report(replace(before, status=status), before, ("", ""))
    assert lobby.registered_pair("ann", "bob") is None


def test_a_table_that_is_not_for_two_names_is_no_pair() -> None:
    lobby = Lobby()
    lobby.report(table(7, "ann", "open"), None, ("", ""))
    assert lobby.registered_pair("ann", "") is None


def test_a_guest_does_not_get_a_name_that_somebody_is_registered_under() -> None:
    lobby = Lobby()
    lobby.report(table(7, "ann", "bob"), None, ("", ""))
    assert lobby.names.choose("Ann") == "Ann-2"


def test_a_guest_does_not_get_a_name_that_an_account_owns() -> None:
    lobby = Lobby()
    lobby.names.own(["Ann", "ann-2"])
    assert lobby.names.choose("ANN") == "ANN-3"
    assert lobby.names.owned("aNN")
    assert not lobby.names.owned("bob")
