"""Seats of chess players while the server lives: tickets, connections that are lost, and those who leave for good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.conformance.chess_guests import LISTENERS, Room, room
from tests.conformance.servers import fast
from tests.running import RunningServer

OWN: Final = "a-secret-that-an-adapter-has-brought"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("seats"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def test_everybody_who_takes_a_seat_is_given_a_ticket_of_his_own(here: Room) -> None:
    """ "A ticket is a secret for one seat at one table: 128 random bits"."""
    sara, tom = here.miniature("Sara"), here.miniature("Tom")
    sara.seek("5 0 u w")
    tom.seek("10 0 u b")
    assert len({sara.ticket, tom.ticket}) == 2
    assert min(len(sara.ticket), len(tom.ticket)) >= 22


def test_a_ticket_takes_the_seat_back_and_nobody_lost_a_move(here: Room) -> None:
    """ "It takes the seat, and takes it back after a lost connection"."""
    sara, tom = here.two_miniatures("5 0 u b")
    sara.hang_up()
    tom.until(f"tell gateway {sara.name} has lost the connection")
    tom.say("e4")

    back = here.miniature("Stranger")
    back.say(f"tell gateway seat {sara.ticket}")
    assert "you are Black" in back.until(f"tell gateway {tom.name} (White) - {sara.name} (Black)")
    back.until("move e2-e4; fen ")
    tom.until(f"tell gateway {sara.name} is back")
    back.say("e5")
    tom.until("move e7-e5")


def test_who_comes_back_by_a_ticket_hangs_up_the_older_connection(here: Room) -> None:
    """ "the older connection of the seat is closed"."""
    sara, tom = here.two_miniatures()
    back = here.miniature("Stranger")
    back.say(f"tell gateway seat {sara.ticket}")
    back.until("tell gateway White to move")
    assert not any("lost" in line for line in sara.rest())
    back.say("e4")
    assert tom.hears("move ").startswith("move e2-e4")
    assert not any("lost" in line for line in tom.heard)


def test_an_adapter_may_bring_a_secret_of_its_own_and_return_with_it_to_its_part_of_the_game(here: Room) -> None:
    """ "a network drop: it continues, no move lost or doubled"."""
    mia, pia = here.miniature("Mia"), here.p2p("Pia", OWN)
    mia.seek("5 0 u b")
    pia.say("text hello")
    pia.until("go")
    pia.go("level 0 300 0", "move e2e4")
    pia.enter()
    pia.until("move e2e4")
    pia.hang_up()
    mia.hears("move e2-e4", f"tell gateway {pia.name} has lost the connection")
    mia.say("e5")

    back = here.p2p("Pia", OWN)
    back.say("text here again")
    back.hears("new", "level 0 300 0", "move e2e4", "move e7e5", "time ", "otim ", "go")
    back.say("accepted", "move g1f3")
    assert mia.hears("move ").startswith("move g1-f3; fen ")


@pytest.mark.parametrize("ticket", ["short", "x" * 21])
def test_a_short_word_is_no_ticket(here: Room, ticket: str) -> None:
    mia = here.miniature("Mia")
    mia.say(f"tell gateway seat {ticket}")
    assert mia.until("error ").startswith("error bad-ticket no seat is kept for this ticket")
    pia = here.p2p("Pia", ticket)
    pia.say("text hello")
    assert any("unknown ticket" in line for line in pia.rest())


def test_a_ticket_is_worth_nothing_once_the_table_is_closed(here: Room) -> None:
    sara, tom = here.two_miniatures()
    tom.say("resign")
    sara.until("result ")
    for guest in (sara, tom):
        guest.hang_up()
    late = here.miniature("Late")
    late.say(f"tell gateway seat {sara.ticket}")
    late.until("error bad-ticket no seat is kept for this ticket")


SEEKS: Final = ("seek 3 0 u b", "seek 5 0 u w", "play")


@pytest.mark.parametrize("line", SEEKS)
def test_a_seek_never_resumes_a_game_that_nameless_players_of_this_address_have_left(here: Room, line: str) -> None:
    """ "Who asks for a game gets a new seat: only a ticket takes a seat back" (docs/wire.md)."""
    first, second = here.miniature("First"), here.miniature("Second")
    for guest in (first, second):
        guest.say("tell gateway name")
        guest.until("tell gateway you are here as guest-")
    first.say("seek 5 0 u w")
    first.until("tell gateway nobody else is here yet")
    second.say("play")
    second.until("tell gateway game 1:")
    for guest in (first, second):
        guest.vanish()
    stranger = here.miniature("Third")
    stranger.say("tell gateway name", line)
    stranger.until("tell gateway nobody else is here yet")
    stranger.say("tell gateway leave", line)
    stranger.hears("tell gateway you have left the table", "tell gateway nobody else is here yet")


def test_a_go_never_resumes_a_game_that_nameless_players_of_this_address_have_left(here: Room) -> None:
    """The same in chess-p2p, where a nameless peer is told its ticket in words."""
    first, second = here.nameless(), here.nameless()
    first.go("level 0 300 0", "move e2e4")
    second.go("level 0 300 0")
    first.enter()
    second.enter()
    for guest in (first, second):
        guest.vanish()
    stranger = here.nameless()
    stranger.go("level 0 300 0", "move d2d4")
    stranger.hears("text nobody else is here yet", "text your game is proposed to whoever comes")

    back = here.nameless()
    back.say(f"ticket {first.told_ticket}", "new")
    back.hears("text your game with guest-", "move e2e4")


@pytest.mark.parametrize("words", ["tell gateway name {name}", "tell gateway name {name}\nplay"])
def test_a_name_takes_no_seat_back_but_its_player_is_told_which_ticket_does(here: Room, words: str) -> None:
    """ "on reconnect each is told" (the draft's adjournment): the name alone is no proof, the ticket is."""
    sara, tom = here.two_miniatures()
    sara.hang_up()
    tom.until(f"tell gateway {sara.name} has lost the connection")
    back = here.miniature("Stranger")
    back.say(*words.format(name=sara.name).split("\n"))
    told = back.until(f"tell gateway a seat is kept for {sara.name} at table ")
    assert told.endswith(
        f"(playing): Chess normal, 5:00, unrated against {tom.name}; its ticket takes it back: tell gateway seat TICKET"
    )
    if "play" in words:
        back.until("tell gateway nobody else is here yet")
    else:
        back.say(f"tell gateway seat {sara.ticket}")
        back.until(f"tell gateway {sara.name} (White) - {tom.name} (Black)")


def test_who_says_a_name_in_chess_p2p_is_told_of_the_seat_that_is_kept(here: Room) -> None:
    sara, tom = here.two_miniatures()
    sara.hang_up()
    tom.until(f"tell gateway {sara.name} has lost the connection")
    back = here.nameless()
    back.say(f"name {sara.name}")
    assert f"against {tom.name}; its ticket takes it back: " in back.until("text a seat is kept for ")


def test_leave_between_two_halves_of_a_game_gives_nothing_to_the_next_from_this_address(here: Room) -> None:
    sara, tom = here.two_miniatures()
    for guest in (sara, tom):
        guest.say("adjourn")
    for guest in (sara, tom):
        guest.until("tell gateway the game is adjourned")
    sara.say("tell gateway leave", "seek 3 0 u w")
    sara.hears("tell gateway you have left the table", "tell gateway nobody else is here yet")
    sara.say("tell gateway leave", f"tell gateway seat {sara.ticket}", "play")
    sara.hears("tell gateway the game is adjourned")
    tom.until(f"tell gateway {sara.name} is back")


def test_quit_is_a_farewell_and_a_lost_connection_is_none(here: Room) -> None:
    """ "`quit` is the last line before an intended close. A close without it is a lost connection: the seat is kept."""
    pia, mia = here.mixed()
    pia.hang_up()
    mia.until(f"tell gateway {pia.name} has lost the connection; the seat is kept")
    back = here.p2p("Back")
    back.say(f"name {pia.name}#{pia.told_ticket}", "text here again")
    back.hears("text your game with", "move e2e4")
    back.say("quit")
    back.rest()
    mia.until(f"tell gateway {pia.name} is back")
    assert mia.until("result ").startswith("result 0-1 ")


def test_a_seat_can_be_left_between_games_and_another_be_taken(here: Room) -> None:
    """ "tell gateway leave": the connection stays, and is nobody's until the next seek."""
    sara, tom = here.two_miniatures()
    sara.say("tell gateway leave")
    assert sara.until("error ") == "error not-now no leave now: a game is being played"
    sara.say("resign")
    sara.until("result ")
    sara.say("tell gateway leave")
    sara.until("tell gateway you have left the table")
    tom.hears("result ", f"tell gateway {sara.name} has left")
    sara.seek("5 0 u w")
    assert sara.until("tell gateway ", "seek ") == "tell gateway nobody else is here yet"


def test_who_is_left_alone_after_a_game_finds_the_next_opponent(here: Room) -> None:
    """Nobody comes to a table whose game is over: the next seek goes to another one by itself."""
    sara, tom = here.two_miniatures()
    tom.say("resign")
    sara.until("result ")
    tom.hang_up()
    sara.until(f"tell gateway {tom.name} has left")
    sara.seek("3 0 u w")
    late = here.miniature("Late")
    late.say("play")
    assert f"{sara.name} (White) - {late.name} (Black): chess, 3:00" in late.until("tell gateway game 1:")
    sara.until("tell gateway game 1:")
