"""The adapter reconnects after a lost connection: no move is lost and none is made twice."""

from __future__ import annotations

from itertools import product

import pytest

from clients.xboard.game import Game, fen
from protocols.core.notifications import DISPLACED
from tests.clients.xboard_desk import BLOCK, Desk, Pair, playing

GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6")


@pytest.mark.parametrize(("made", "delivered"), [(n, d) for n, d in product(range(2, 7), (True, False))])
def test_a_move_made_as_the_line_breaks_is_played_once(made: int, delivered: bool) -> None:
    """Reconnects by itself with its ticket when the network drops, tells the user, and loses no move."""
    pair = Pair()
    pair.begin(*GAME[:made])
    mover, other = (pair.white, pair.black) if made % 2 == 0 else (pair.black, pair.white)
    mover.types(f"usermove {GAME[made]}")
    if delivered:
        lines, mover.sent = mover.sent, []
        other.hears(*lines)
        other.sent.clear()
    pair.cut()
    pair.connect()
    for number in range(made + 1, len(GAME)):
        (pair.white, pair.black)[number % 2].types(f"usermove {GAME[number]}")
        pair.settle()
    assert pair.white.moves == list(GAME[1::2])
    assert pair.black.moves == list(GAME[::2])


def test_a_move_made_while_there_was_no_connection_is_sent_when_there_is_one() -> None:
    pair = Pair()
    pair.begin("e2e4", "e7e5")
    pair.cut()
    pair.white.types("usermove g1f3")
    pair.connect()
    assert pair.black.moves == ["e2e4", "g1f3"]
    assert pair.white.adapter.play.playing
    pair.black.types("usermove b8c6")
    pair.settle()
    assert pair.white.moves == ["e7e5", "b8c6"]


def test_a_resignation_while_there_was_no_connection_arrives() -> None:
    pair = Pair()
    pair.begin("e2e4", "e7e5")
    pair.cut()
    pair.white.types("result 0-1 {White resigns}", "force")
    pair.connect()
    assert pair.black.shown[-1] == "resign"


def test_the_user_is_told() -> None:
    desk = playing()
    desk.loses_the_line()
    assert desk.shown == ["telluser The connection is lost."]


def test_a_seat_that_another_client_took_is_taken_back_by_the_connect_button_alone() -> None:
    desk = playing()
    assert desk.hears(f"text {DISPLACED}", "quit") == [
        "telluser Another client has taken your seat. Connect, in Engine > Engine #1 Settings, takes it back."
    ]
    assert desk.adapter.peer_left  # the shell calls again when there is a call only
    assert desk.adapter.call is None
    assert not desk.adapter.over
    desk.adapter.link_down(desk.now, "")
    desk.types("option Connect")
    assert desk.adapter.call == "example.org"
    desk.connects()
    desk.take()
    state = ("new", "level 40 300 0", "move e2e4", "move e7e5", "move g1f3", "move b8c6", "name bob", "go")
    desk.hears("text your game with bob goes on", *state)
    assert desk.shown[0].startswith("setboard")
    assert desk.sent == ["accepted"]


def test_two_programs_do_not_fight_for_a_seat_the_displaced_one_exits_with_a_line() -> None:
    desk = playing()
    desk.types("computer")
    assert desk.hears(f"text {DISPLACED}", "quit") == ["tellusererror Another client has taken your seat"]
    assert desk.adapter.over


def test_coming_back_the_ticket_is_the_first_line() -> None:
    desk = playing()
    desk.loses_the_line()
    desk.take()
    desk.connects()
    ticket = f"ticket {'T' * 22}"
    assert desk.sent[:2] == [ticket, "myname alice"]
    assert desk.sent[3:] == ["new", "level 40 300 0", "move e2e4", "move e7e5"]


def test_the_gateway_tells_the_whole_game_and_only_what_is_missing_is_shown() -> None:
    """On coming back the gateway sends the whole game state: only the missing moves are sent to the GUI."""
    desk = playing()
    desk.types("usermove g1f3")
    desk.loses_the_line()
    desk.connects()
    desk.take()
    state = ("new", "level 40 300 0", "move e2e4", "move e7e5", "move g1f3", "move b8c6", "name bob", "go")
    assert desk.hears("text your game with bob goes on", *state) == ["move b8c6", desk.shown[-1]]
    assert desk.sent == ["move b8c6", "accepted"]


def test_a_move_that_the_gateway_has_not_got_is_in_the_state_we_tell() -> None:
    desk = playing()
    desk.loses_the_line()
    desk.types("usermove g1f3")
    desk.take()
    desk.connects()
    assert desk.sent[3:] == ["new", "level 40 300 0", "move e2e4", "move e7e5", "move g1f3", "go"]
    desk.take()
    assert desk.hears("new", "level 40 300 0", "move e2e4", "move e7e5", "go") == []
    assert desk.sent == ["accepted"]
    assert desk.hears("move g1f3", "move b8c6") == ["move b8c6"]


def test_a_game_that_is_gone_is_given_up_after_a_while() -> None:
    desk = playing()
    desk.loses_the_line()
    desk.connects()
    desk.take()
    assert desk.waits(19) == []
    assert desk.waits(2) == ["telluser The game is not there any more: the other end has turned to another."]
    assert not desk.adapter.play.playing


def test_a_gui_started_anew_can_take_its_game_up_again() -> None:
    """The gateway sends the whole game; Accept shows it."""
    desk = Desk()
    desk.types(*BLOCK)
    game = ("e2e4", "e7e5", "g1f3", "b8c6")
    desk.hears("name bob", "new", "level 40 300 0", *(f"move {move}" for move in game), "go")
    desk.take()
    assert desk.types("option Accept")[0] == f"setboard {fen(Game(moves=game))}"
    desk.take()
    desk.types("usermove f1b5")
    assert desk.sent == ["move f1b5", "go"]
    assert desk.hears("accepted", "move f1b5", "move a7a6") == ["move a7a6"]


def test_a_result_that_the_table_does_not_accept_puts_the_game_back() -> None:
    desk = playing()
    desk.types("result 1-0 {Black forfeits on time}", "force")
    shown = desk.hears("text the game goes on", "new", "level 40 300 0", "move e2e4", "move e7e5", "name bob", "go")
    assert f"setboard {fen(Game(moves=('e2e4', 'e7e5')))}" in shown
    desk.take()
    desk.types("usermove g1f3")
    assert desk.sent == ["move g1f3"]


def test_what_the_peer_has_started_before_the_gui_sets_itself_up_can_still_be_accepted() -> None:
    """A GUI that is started anew in the midst of a game may be slower than the opponent's next move."""
    desk = Desk()
    desk.hears("name bob", "new", "level 0 300 0", "move e2e4", "move e7e5", "go")
    desk.types(*BLOCK)
    desk.take()
    assert desk.types("option Accept")[0].startswith("setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")


def test_a_server_is_told_the_password_first_and_nobody_else_is() -> None:
    for greeting, login in (("hallo Boardgate 1.0: set up", ['text /login "alice" secret word']), ("hallo Bob's", [])):
        desk = Desk(connected=False, secret="secret word")
        desk.connects()
        assert desk.sent == []
        desk.hears(greeting)
        assert desk.sent == [*login, f"ticket {'T' * 22}", "myname alice", "name alice", "new"]


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("heard", [True, False])
def test_a_takeback_that_was_asked_before_the_line_broke_is_asked_again_and_answered(heard: bool, answer: str) -> None:
    pair = Pair()
    pair.begin(*GAME[:4])
    pair.white.types("remove")
    if heard:
        pair.settle()
    pair.white.sent.clear()
    pair.cut()
    pair.black.take()
    pair.connect()
    assert any(line.startswith("askuser TAKEBACK") for line in pair.black.shown)
    pair.black.types(f"TAKEBACK {answer}")
    pair.settle()
    assert len(pair.white.adapter.play.board.game.moves) == (2 if answer == "yes" else 4)
    pair.white.types("usermove f1c4")
    pair.settle()
    if answer == "yes":
        pair.black.types("go")
        pair.settle()
    assert pair.black.moves[-1] == "f1c4"


def test_an_answer_to_a_takeback_that_was_lost_with_the_line_is_given_again() -> None:
    pair = Pair()
    pair.begin(*GAME[:4])
    pair.white.types("remove")
    pair.settle()
    pair.black.types("TAKEBACK yes")
    pair.black.sent.clear()
    pair.cut()
    pair.connect()
    assert len(pair.white.adapter.play.board.game.moves) == 2


@pytest.mark.parametrize("offer", ["draw", "option Offer adjourn", "option Offer abort"])
@pytest.mark.parametrize("heard", [True, False])
def test_an_offer_that_was_made_before_the_line_broke_is_made_again_and_answered(heard: bool, offer: str) -> None:
    pair = Pair()
    pair.begin(*GAME[:4])
    pair.white.types(offer)
    if heard:
        pair.settle()
    pair.white.sent.clear()
    pair.cut()
    pair.black.take()
    pair.connect()
    assert any(line.startswith(("offer draw", "askuser A")) for line in pair.black.shown)
    pair.black.types("draw" if offer == "draw" else f"{offer.split()[-1].upper()} yes")
    pair.settle()
    assert not pair.white.adapter.play.playing
    assert not pair.black.adapter.play.playing


def test_a_server_is_not_asked_again_for_what_it_keeps_and_its_undo_is_followed() -> None:
    desk = playing(*GAME[:4])
    desk.hears("hallo Boardgate 1: welcome")
    desk.types("remove")
    desk.loses_the_line()
    desk.take()
    desk.connects()
    assert "remove" not in desk.sent
    state = ("new", "level 40 300 0", *(f"move {move}" for move in GAME[:4]), "name bob", "go")
    shown = desk.hears("hallo Boardgate 1: welcome", *state)
    assert f"setboard {fen(Game(moves=GAME[:4]))}" in shown
    desk.take()
    shown = desk.hears("undo", "undo", "go")
    assert shown[0] == f"setboard {fen(Game(moves=GAME[:2]))}"
    assert desk.sent[-1] == "accepted"
    desk.take()
    desk.types("usermove f1c4")
    assert desk.sent == ["move f1c4"]


def test_a_takeback_that_a_server_tells_again_is_asked_and_answered() -> None:
    desk = playing(*GAME[:3])
    desk.hears("hallo Boardgate 1: welcome", "remove")
    desk.loses_the_line()
    desk.connects()
    desk.take()
    state = ("new", "level 40 300 0", *(f"move {move}" for move in GAME[:3]), "name bob")
    shown = desk.hears("hallo Boardgate 1: welcome", *state, "accepted", "remove")
    assert any(line.startswith("askuser TAKEBACK") for line in shown)
    desk.types("TAKEBACK yes")
    assert desk.sent[-2:] == ["undo", "undo"]
