"""A chess peer-to-peer connection begins, says its name, is lost and returns; moves are tested elsewhere."""

from __future__ import annotations

import pytest

from protocols.chess_p2p.dialect import ChessP2P
from protocols.chess_p2p.wire import LONGEST_LINE
from protocols.core.commands import Inquire, Join, Leave, Say
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import Said, TableClosed
from protocols.core.notifications import Answered, Rejected, Seated
from protocols.core.release import VERSION
from tests.protocols.chess_p2p_peers import CHESS, EITHER, GameServer, called, play, playing, seated
from tests.protocols.talk import ask, heard, opened, tell


def test_the_call_is_answered_at_once() -> None:
    """ "hallo MESSAGE: Sent after answering an incoming call, to confirm your presence." "It uses a TCP/IP
    connection.", and this server is the one that "would act as a server, listening on a certain port"."""
    peer = ChessP2P()
    assert peer.connected() == []
    hallo = f"hallo Boardgate {VERSION}: set up a game and start it. What you text goes to your opponent."
    assert heard(peer) == [hallo]


@pytest.mark.parametrize("line", ["new", "level 0 300 0", "hallo I am bob", "accepted"])
def test_the_first_line_of_the_protocol_takes_a_seat_whatever_it_says(line: str) -> None:
    assert ask(called(), line) == [Join("chess", ready=False)]


def test_a_ticket_and_a_name_come_before_the_seat() -> None:
    secret = "A" * 22
    peer = called()
    assert ask(peer, f"ticket {secret}", "myname alice") == []
    assert ask(peer, "new") == [Join("chess", "alice", secret, ready=False)]
    assert ask(peer, "new") == []


def test_a_variant_named_before_the_seat_chooses_the_table() -> None:
    peer = called()
    assert ask(peer, "variant xiangqi") == []
    assert ask(peer, "new")[0] == Join("open", wishes=(("variant", "xiangqi"),), ready=False)
    peer = called()
    assert ask(peer, "variant atomic", "new")[0] == Join("chess", ready=False)


def test_a_client_that_tells_its_peer_s_opponent_s_name_tells_its_own() -> None:
    """ "name OPPONENTNAME: Sent to inform the peer of the name of his opponent." """
    inquiry, join = ask(called(), "name carol", "go")[:2]
    assert (inquiry, join) == (Inquire("kept", "carol"), Join("chess", "carol", ready=False))


def test_who_says_a_ticket_need_not_hear_that_a_seat_is_kept() -> None:
    secret = "a-secret-of-carol-s-own"
    assert ask(called(), f"ticket {secret}", "myname carol", "go")[0] == Join("chess", "carol", secret, ready=False)
    assert ask(called(), f"myname carol#{secret}", "go")[0] == Join("chess", "carol", secret, ready=False)


def test_the_port_s_time_is_a_wish() -> None:
    assert ask(ChessP2P({"time": "300+5"}), "new") == [Join("chess", wishes=(("time", "300+5"),), ready=False)]


def test_who_sits_there_is_told() -> None:
    peer = called()
    ask(peer, "new")
    assert tell(peer, Seated(1, 1, opened(CHESS, "alice", "bob"))) == [
        "name alice",
        f"text you sit with alice: set up a game and start it{EITHER}",
    ]


def test_a_ping_is_answered_at_once_and_takes_no_seat() -> None:
    peer = called()
    assert ask(peer, "ping 7") == []
    assert heard(peer) == ["pong 7"]
    assert ask(peer, "new") == [Join("chess", ready=False)]
    assert ask(peer, "ping 8", "pong 8") == []
    assert heard(peer) == ["pong 8"]


def test_without_a_seat_there_is_a_reason_and_the_end() -> None:
    peer = called()
    ask(peer, "new")
    assert tell(peer, Rejected(Why.OVERLOAD, "server overload")) == ["text server overload", "quit"]
    assert peer.closing


def test_quit_is_an_intended_end() -> None:
    """ "quit: Sent as last command before closing a connection, so that the peer knows the connection was terminated
    intentionally." """
    peer = seated()
    assert ask(peer, "quit", "new", "text bye") == [Leave()]
    assert peer.closing
    assert peer.receive_data(b"") == []


def test_a_close_without_quit_is_a_lost_connection() -> None:
    peer = seated()
    assert peer.receive_data(b"move e2") == []
    assert peer.receive_data(b"") == [Leave(lost=True)]
    assert peer.closing


def test_who_never_asked_for_a_seat_leaves_none() -> None:
    assert called().receive_data(b"") == []
    peer = called()
    assert ask(peer, "ticket X", "quit") == []
    assert peer.closing


def test_the_gateway_says_quit_before_it_closes() -> None:
    peer = seated()
    assert tell(peer, TableClosed()) == ["text this table is closed", "quit"]
    assert peer.closing
    assert tell(peer, Said(None, "all", "late")) == []


def test_a_line_that_is_too_long_is_answered_and_ends_the_connection() -> None:
    peer = seated()
    with pytest.raises(RemoteProtocolError, match="a line of more than 4096 bytes"):
        peer.receive_data(b"x" * 1_000_000)
    assert heard(peer) == ["text a line of more than 4096 bytes", "quit"]


def test_what_came_before_a_line_that_is_too_long_is_asked_first() -> None:
    peer = seated()
    assert peer.receive_data(b"text hi\n" + b"x" * (LONGEST_LINE + 1)) == [Say("players", "hi")]
    with pytest.raises(RemoteProtocolError, match="4096"):
        peer.resume()
    assert peer.closing


@pytest.mark.parametrize(
    "line", ["dance", "Move e2e4", "hex 6d 6f 00 0a", "time 100", "otim 100", "hallo again", "name x"]
)
def test_unknown_words_and_what_is_only_told_mean_nothing(line: str) -> None:
    peer = seated()
    assert ask(peer, line) == []
    assert heard(peer) == []


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("setboard", "setboard FEN"),
        ("level one two three", "level MPS TC INC"),
        ("move", "move MOVE"),
        ("result maybe", "result RESULT {COMMENT}"),
        ("variant", "variant NAME"),
        ("time soon", "time CENTISECONDS"),
        ("takeback", "takeback PLIES"),
    ],
)
def test_a_known_word_with_other_arguments_is_answered(line: str, form: str) -> None:
    peer = seated()
    assert ask(peer, line) == []
    assert heard(peer) == [f"text cannot read {line!r}: it is written {form}"]


def test_text_goes_to_the_opponent() -> None:
    """ "text MESSAGE: Sent when you want the MESSAGE displayed to the user" """
    server = GameServer()
    white, black = playing(server)
    server.say(white, "text good luck")
    assert server.hear(black) == ["text alice: good luck"]
    assert server.hear(white) == []


def test_a_long_text_goes_in_pieces() -> None:
    assert ask(seated(), f"text {'a' * 400}{'b' * 10}") == [Say("players", "a" * 400), Say("players", "b" * 10)]
    assert tell(seated(), Said(1, "players", "c" * 397, "bob")) == [f"text bob: {'c' * 395}", "text cc"]


def test_the_house_and_observers_are_heard() -> None:
    peer = seated()
    assert tell(peer, Said(None, "all", "the server is stopping")) == ["text the server is stopping"]
    assert tell(peer, Said(None, "all", "nice", "carol")) == ["text carol: nice"]
    assert tell(peer, Answered(("one", "two"))) == ["text one", "text two"]


def test_no_text_of_others_begins_a_line() -> None:
    peer = seated()
    assert tell(peer, Said(1, "players", "hi\nquit\r\nresult 1-0", "b\0b")) == ["text b?b: hi quit  result 1-0"]


def test_who_looks_on_is_told_and_breaks_nothing() -> None:
    peer = called()
    ask(peer, "new")
    assert tell(peer, Seated(1, None, opened(CHESS, "alice", "bob")))[0] == "name alice"
    ask(peer, "move e2e4", "go", "remove", "result 1-0 {}", "quit")
    assert peer.closing


def test_a_lost_connection_is_told_and_so_is_the_return() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(black)
    assert server.hear(white) == ["text bob has lost the connection, and may come back"]
    server.say(server.back(black), "new")
    assert server.hear(white) == ["name bob", "text bob is here"]


def test_who_comes_back_is_told_the_whole_game_and_goes_on_with_accepted() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(black)
    black = server.back(black)
    assert server.say(black, "new") == [
        "text your game with alice goes on; in XBoard: make your move",
        "new",
        "level 0 300 0",
        "move e2e4",
        "name alice",
        "time 30000",
        "otim 30000",
        "go",
    ]
    server.say(black, "move e2e4", "accepted")
    assert play(server, black, white, "e7e5")[-1] == "move e7e5"


def test_a_move_made_while_the_network_was_gone_is_played_when_it_is_back() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(black)
    black = server.back(black)
    server.hear(white)
    assert server.say(black, "new", "level 0 300 0", "move e2e4", "move e7e5", "go")[-2:] == ["accepted", "move e7e5"]
    assert server.hear(white)[-1] == "move e7e5"
    assert server.state.ply == 2


def test_a_move_that_was_missed_is_released_and_echoed_once() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(white)
    server.say(black, "move e7e5")
    white = server.back(white)
    assert server.say(white, "new", "level 0 300 0", "move e2e4")[-1] == "go"
    assert server.say(white, "accepted", "move e7e5") == []
    assert play(server, white, black, "g1f3")[-1] == "move g1f3"
    assert server.state.ply == 3


def test_who_comes_back_while_the_opponent_is_to_move_may_say_go() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(white)
    white = server.back(white)
    told = server.say(white, "new")
    assert "go" not in told
    assert server.say(white, "move e2e4", "level 0 300 0", "go") == ["accepted"]
    assert play(server, black, white, "e7e5") == ["move e7e5"]


def test_who_comes_back_and_says_nothing_gets_go_with_the_next_move() -> None:
    server = GameServer()
    white, black = playing(server)
    server.drop(white)
    white = server.back(white)
    server.say(white, "new")
    server.say(black, "move e7e5")
    assert server.hear(white)[-2:] == ["move e7e5", "go"]
    assert server.say(white, "accepted", "move e7e5") == []
    assert play(server, white, black, "g1f3")[-1] == "move g1f3"


def test_a_go_that_crossed_the_welcome_is_answered() -> None:
    """Lines that a program sends at once are handled one by one, the rest after it was told that its game runs."""
    server = GameServer()
    white, _ = playing(server)
    server.drop(white)
    white = server.back(white)
    assert server.pipeline(white, "new", "level 0 300 0", "move e2e4", "go")[-1] == "accepted"
