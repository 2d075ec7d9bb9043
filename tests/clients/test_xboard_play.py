"""Two GUIs play through two adapters, and one against a scripted peer: negotiation, moves, the end."""

from __future__ import annotations

import pytest

from clients.xboard.game import Game, fen
from tests.clients.xboard_desk import BLOCK, Desk, Pair, playing
from tests.clients.xboard_process import unbroken


def test_a_user_who_starts_as_white_sends_no_go_and_the_adapter_does() -> None:
    """Sent whenever you start playing. Which is when you receive a 'go' command from your GUI, or when you receive
    the first move of a game from the GUI when you were set to play black by a 'new' command. In the latter case you
    send the 'go' after relaying the move. "You should not start playing merely because the user on your side orders
    it"."""
    desk = Desk()
    desk.types(*BLOCK)
    desk.take()
    desk.types("time 30000", "otim 30000", "usermove e2e4")
    assert desk.sent == ["time 30000", "otim 30000", "move e2e4", "go"]


def test_after_a_set_up_position_the_user_moves_and_the_gui_sends_go() -> None:
    """After a set-up position: `usermove`, then `go`."""
    desk = Desk()
    desk.types("new", "force", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    desk.take()
    desk.types("usermove e2e4", "go")
    assert desk.sent == ["move e2e4", "go"]


def test_two_users_begin_and_play_each_move_once() -> None:
    """Canonical start: A `new`, `level`, `move e2e4`, `go`; B's user is told; B `go`; A's state matches, A
    `accepted`; B releases e2e4 and echoes it. "When the user wants to start playing (e.g. by pressing Machine White
    or Machine Black), a 'go' message is sent to the peer." """
    pair = Pair()
    for desk in (pair.white, pair.black):
        desk.types(*BLOCK)
    pair.settle()
    pair.play("e2e4")
    assert pair.black.moves == []
    assert "telluser Boardgate: your opponent is here." not in pair.black.shown
    assert pair.black.shown[-1] == (
        "telluser alice wants to play White, 40 moves in 5 min. To agree, choose Machine White in the Mode menu."
    )
    pair.black.types("go")
    pair.settle()
    assert pair.black.moves == ["e2e4"]


def test_the_user_who_wants_black_may_start_first() -> None:
    pair = Pair()
    pair.begin("e2e4", "e7e5", "g1f3")
    assert pair.black.moves == ["e2e4", "g1f3"]
    assert pair.white.moves == ["e7e5"]


def test_our_own_users_moves_never_come_back() -> None:
    """With ping=1 XBoard plays any `move` we send, even for the user's side: only send the opponent's moves, once.
    "Upon reception, you forward the command to the GUI only if it was a move of the side the adapter is now
    playing"."""
    desk = playing()
    desk.types("usermove g1f3")
    assert desk.hears("move g1f3") == []
    assert desk.hears("move b8c6") == ["move b8c6"]
    assert desk.sent[-1] == "move b8c6"


def test_a_peer_that_sends_no_echoes_is_understood_too() -> None:
    desk = playing()
    desk.types("usermove g1f3")
    assert desk.hears("move b8c6") == ["move b8c6"]
    desk.types("usermove f1b5")
    assert desk.hears("move a7a6") == ["move a7a6"]


def test_force_does_not_mean_that_the_user_has_left() -> None:
    """python-chess sends `force usermove go ping` for every move: `force` does not mean "left"."""
    desk = playing()
    assert desk.types("force", "usermove g1f3", "go", "ping 9") == ["pong 9"]
    assert desk.sent == ["move g1f3"]
    assert desk.hears("move g1f3", "move b8c6") == ["move b8c6"]


def test_a_second_go_that_finds_another_state_is_a_counter_proposal() -> None:
    """If the states do not match, it can immediately interpret it as a counter proposal, present that to its user.
    "If you were not yet playing ... or the games are not compatible ... you request the user to start a compatible
    game"; "An already started game should be aborted"."""
    pair = Pair()
    pair.white.types("new", "level 40 5 0")
    pair.black.types("new", "level 0 3 2")
    pair.settle()
    pair.white.take()
    pair.play("e2e4")
    pair.black.types("go")
    pair.settle()
    assert pair.black.moves == []
    shown = pair.white.shown
    assert shown[0] == f"setboard {fen(Game())}"
    assert "bob wants to play Black, 3 min + 2 s. Here the time is 3 min + 2 s, not 40 moves in 5 min." in unbroken(
        shown[1]
    )
    pair.white.types("new", "level 0 3 2", "usermove d2d4")
    pair.settle()
    assert pair.black.moves == ["d2d4"]


def test_both_wanting_the_same_side_is_no_game() -> None:
    pair = Pair()
    pair.white.types(*BLOCK, "go")
    pair.black.types(*BLOCK, "go")
    pair.settle()
    assert "bob wants to play Black too" in pair.white.shown[-1]
    assert "alice wants to play Black too" in pair.black.shown[-1]
    assert not pair.white.adapter.play.playing


def test_accept_sets_the_board_up_as_the_peer_proposes() -> None:
    desk = Desk()
    desk.types(*BLOCK)
    start = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
    desk.hears("name bob", "new", f"setboard {start}", "level 0 60 1", "go")
    desk.take()
    shown = desk.types("option Accept")
    assert shown == [f"setboard {start}", "telluser " + shown[1].removeprefix("telluser ")]
    assert desk.sent == ["new", f"setboard {start}", "level 0 60 1"]
    desk.take()
    desk.types("usermove e2e4")
    assert desk.sent == ["move e2e4", "go"]
    assert desk.hears("accepted", "move e2e4", "move e7e5")[-1] == "move e7e5"


def test_an_illegal_move_is_refused_and_not_sent() -> None:
    desk = playing()
    assert desk.types("usermove e4e6") == ["Illegal move: e4e6"]
    assert desk.sent == []


def test_an_illegal_move_of_the_peer_never_reaches_the_gui() -> None:
    """ "The protocol is designed to not need direct control over the GUI at the other end": what cannot be shown is
    not sent to it."""
    desk = playing("e2e4", "e7e5")
    desk.types("usermove g1f3")
    desk.take()
    assert desk.hears("move g1f3", "move e5e3") == ["telluser bob played e5e3, which is illegal here."]
    assert desk.hears("move b8c6")[-1] == "move b8c6"


@pytest.mark.parametrize("words", ["b7a8q", "b7a8Q"])
def test_a_promotion_is_one_move_in_any_writing(words: str) -> None:
    desk = playing("e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7", "f6g8")
    desk.types(f"usermove {words}")
    assert desk.sent == ["move b7a8q"]


def test_castling_in_chess960_is_said_in_words() -> None:
    desk = Desk()
    start = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1"
    desk.types("new", "variant fischerandom", f"setboard {start}")
    desk.take()
    desk.types("usermove O-O-O")
    assert desk.sent == ["move O-O-O", "go"]


def test_a_drop_crosses_as_it_is() -> None:
    desk = Desk()
    desk.types("new", "variant crazyhouse", "force", "usermove e2e4", "usermove d7d5", "usermove e4d5", "usermove d8d5")
    desk.take()
    desk.types("usermove P@e4", "go")
    assert desk.sent == ["move P@e4", "go"]


def test_a_variant_without_rules_here_is_followed_by_its_moves() -> None:
    pair = Pair()
    for desk in (pair.white, pair.black):
        desk.types("new", "variant shatranj", "level 40 5 0")
    pair.black.types("go")
    pair.settle()
    pair.play("e2e3", "e7e6", "d2d3")
    assert pair.black.moves == ["e2e3", "d2d3"]
    assert pair.white.moves == ["e7e6"]


def test_a_resignation_crosses_as_a_result_and_ends_the_other_gui_by_resign() -> None:
    """A resignation arrives as `result 1-0 {Black resigns}`; end a game by the other side's `resign`."""
    pair = Pair()
    pair.begin("e2e4", "e7e5")
    pair.white.take()
    pair.black.types("result 1-0 {Black resigns}", "force", "ping 7")
    pair.settle()
    assert pair.white.shown == ["resign"]
    assert pair.white.types("result 1-0 {Black resigns}", "force", "ping 7") == ["pong 7"]
    assert pair.white.sent == []


def test_the_end_by_the_rules_is_stated_in_our_own_words() -> None:
    desk = playing()
    assert desk.hears("result 0-1 {resign Draw not found, mate! }") == ["0-1 {White resigns}"]
    other = playing()
    shown = other.hears("result 1/2-1/2 {whatever they say}")
    assert shown[0] == "1/2-1/2 {}"
    assert shown[1] == "telluser 1/2-1/2: whatever they say"


def test_where_two_programs_play_a_win_on_time_is_left_to_the_guis_clocks_first() -> None:
    """In two-machines mode a claim of one's own win is scored as a loss."""
    desk = playing()
    desk.types("computer")
    assert desk.hears("result 0-1 {White forfeits on time}") == []
    assert desk.waits(4) == ["0-1 {White forfeits on time}"]
    lost = playing()
    lost.types("computer")
    assert lost.hears("result 1-0 {Black forfeits on time}") == ["1-0 {Black forfeits on time}"]


def test_an_unfinished_end_is_shown_by_a_position_and_a_text() -> None:
    """An unfinished end (adjourned, aborted) can be shown only by `setboard` of the position plus `telluser`."""
    desk = playing("e2e4", "e7e5")
    shown = desk.hears("result * {the game is adjourned}")
    assert shown[0] == f"setboard {fen(Game(moves=('e2e4', 'e7e5')))}"
    assert shown[1] == "telluser the game is adjourned"
    assert desk.types("result * {Engine aborts game}", "force") == []
    assert desk.sent == []


def test_quit_is_the_last_line_and_ends_us() -> None:
    """Sent as last command before closing a connection, so that the peer knows the connection was terminated
    intentionally."""
    desk = playing()
    desk.types("quit")
    assert desk.adapter.over
    assert desk.sent == ["quit"]


def test_the_last_result_is_answered_before_we_go_but_not_for_long() -> None:
    """`quit`: then exit within a second."""
    desk = playing()
    desk.types("result 0-1 {White resigns}", "force", "quit")
    assert not desk.adapter.over
    desk.hears("result 0-1 {White resigns}")
    assert desk.adapter.over
    assert desk.sent == ["result 0-1 {White resigns}", "quit"]
    other = playing()
    other.types("result 0-1 {White resigns}", "force", "quit")
    other.waits(0.7)
    assert other.adapter.over


def test_the_user_is_told_when_the_peer_leaves_on_purpose() -> None:
    desk = playing()
    shown = desk.hears("quit")
    assert shown[0].startswith("setboard ")
    assert shown[-1] == "telluser bob has left, the game is not finished."
    assert desk.adapter.peer_left


def test_a_match_of_two_programs_begins_plays_and_ends_by_itself() -> None:
    """In match mode the starting block comes twice, then `computer name time otim go`."""
    pair = Pair()
    for desk in (pair.white, pair.black):
        desk.types("new", "random", "level 0 0:10 0", "post", "hard", "ping 1")
    pair.settle()
    for desk in (pair.white, pair.black):
        desk.types("new", "random", "level 0 0:10 0", "post", "hard", "ping 2", "force", "computer", "name x")
    pair.black.types("time 1000", "otim 1000", "go")
    pair.white.types("time 1000", "otim 1000", "usermove f2f3", "go")
    pair.settle()
    pair.black.types("usermove e7e5")
    pair.settle()
    pair.white.types("usermove g2g4")
    pair.settle()
    pair.black.types("usermove d8h4", "result 0-1 {Black mates}", "force", "ping 3")
    pair.settle()
    assert pair.black.moves == ["f2f3", "g2g4"]
    assert pair.white.moves == ["e7e5", "d8h4"]
    assert pair.white.shown[-1] == "0-1 {Black mates}"
    assert not any(line.startswith(("setboard", "telluser", "askuser")) for line in pair.white.shown[40:])


def test_in_match_mode_words_about_the_next_game_open_no_window_and_hold_nothing_up() -> None:
    desk = playing()
    desk.types("computer")
    words = "start another game with bob; in XBoard: choose New Game"
    assert desk.hears("result 1/2-1/2 {draw by agreement}", f"text {words}") == [
        "1/2-1/2 {draw agreed}",
        f"# bob: {words}",
    ]
    desk.take()
    desk.types("new", "level 40 5 0", "force", "computer", "usermove e2e4", "go")
    assert desk.sent[-2:] == ["move e2e4", "go"]


def test_what_the_peer_says_in_one_packet_with_the_beginning_is_shown() -> None:
    """ "Upon reception the MESSAGE would typically be displayed to the user"."""
    desk = Desk()
    desk.types("new", "level 0 5 0", "usermove e2e4", "go")
    desk.hears("text your game is proposed to whoever comes")
    shown = desk.hears("level 0 180 0", "text the time here is registered: 180 s", "accepted", "move e2e4")
    assert desk.adapter.play.playing
    assert [line for line in shown if line.startswith("tell")] == ["telluser the time here is registered: 180 s"]


def test_a_move_that_crosses_the_end_on_its_way_begins_no_new_game() -> None:
    desk = playing()
    desk.hears("result 0-1 {White forfeits on time}")
    desk.take()
    assert desk.types("usermove g1f3", "go", "result 0-1 {White forfeits on time}", "force") == []
    assert desk.sent == []
    desk.types("new", "usermove d2d4")
    assert desk.sent == ["new", "move d2d4", "go"]


def test_a_gui_that_plays_on_after_a_win_on_time_is_told_at_once() -> None:
    desk = playing()
    desk.types("computer")
    assert desk.hears("result 0-1 {White forfeits on time}") == []
    assert desk.types("usermove g1f3") == ["0-1 {White forfeits on time}"]


def test_a_move_is_not_shown_to_a_gui_whose_engine_plays_the_other_side() -> None:
    """XBoard lets its user play White after a `setboard`; a user with Black goes on with Machine White. "Otherwise
    (i.e. when in force mode or for a move of the wrong side) you just use it to update your state copy of the
    remote GUI." """
    pair = Pair()
    pair.begin("e2e4", "e7e5")
    pair.black.hears("result * {adjourned}", "new", "level 40 300 0", "move e2e4", "move e7e5")
    pair.black.types("result * {Engine aborts game}", "force")
    pair.black.take()
    assert "move g1f3" not in pair.black.hears("move g1f3", "go")
    assert pair.black.types("go")[-1] == "move g1f3"
