"""Moves, echoes and clocks over the peer-to-peer protocol, at a real table."""

from __future__ import annotations

import pytest

from protocols.core.commands import Dispute, PlayMove
from protocols.core.model import Move
from tests.protocols.chess_p2p_peers import AS_BLACK, LETS_BLACK_MOVE, GameServer, at_open_table, play, playing
from tests.protocols.talk import ask

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_a_move_is_echoed_and_relayed_with_the_clocks_before_it() -> None:
    """ "Commands to relay the times left on the clock (in centi-sec) on the side of the sender to the peer." "After
    that, it is just a matter of relaying moves, playing moves entered by the remote during his turn also on our
    side, and vice versa." """
    server = GameServer()
    white, black = playing(server)
    server.now += 2.5
    assert server.say(black, "move e7e5") == ["move e7e5"]
    assert server.hear(white) == ["time 30000", "otim 29750", "move e7e5"]


def test_nobody_hears_of_clocks_where_nobody_keeps_time() -> None:
    server = GameServer()
    white, black = playing(server, "level 0 0 0")
    server.say(black, "move e7e5")
    assert server.hear(white) == ["move e7e5"]


def test_time_for_one_move_is_told_anew_each_time() -> None:
    server = GameServer()
    white, black = playing(server, "level -1 10 0")
    server.now += 4.0
    server.say(black, "move e7e5")
    assert server.hear(white) == ["time 1000", "otim 1000", "move e7e5"]


def test_an_echo_is_consumed_and_not_played() -> None:
    """ "Or because you sent a 'move MOVE' command to that GUI. In the latter case you would be echoing a move command
    received earlier from your peer." """
    server = GameServer()
    white, black = playing(server)
    server.say(black, "move e7e5")
    server.hear(white)
    assert server.say(white, "move e7e5") == []
    assert server.state.ply == 2


def test_an_echo_may_be_written_in_another_way() -> None:
    server = GameServer()
    white, black = playing(server)
    for move in ("e7e5", "g1f3", "b8c6", "f1c4", "f8c5"):
        mover, other = (black, white) if server.state.turn else (white, black)
        play(server, mover, other, move)
    assert server.say(white, "move O-O") == ["move e1g1"]
    assert server.hear(black)[-1] == "move e1g1"
    assert server.say(black, "move O-O") == []
    assert server.say(black, "move G8F6") == ["move g8f6"]


def test_a_program_that_never_echoes_plays_all_the_same() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(black, "move e7e5")
    server.say(white, "move g1f3")
    server.say(black, "move b8c6")
    server.say(white, "move f1b5")
    assert server.state.ply == 5


def test_an_illegal_move_is_answered_and_the_position_that_counts_is_told() -> None:
    server = GameServer()
    white, black = playing(server)
    assert server.say(black, "move e7e4") == [
        "text your move e7e4 is not played: a pawn cannot go from e7 to e4. Take it back",
        f"setboard {AFTER_E4}",
    ]
    assert server.hear(white) == []
    assert server.say(black, "undo", "move e7e5") == ["move e7e5"]


def test_a_program_that_obeys_the_position_needs_no_undo() -> None:
    server = GameServer()
    _, black = playing(server)
    server.say(black, "move e7e4")
    assert server.say(black, f"setboard {AFTER_E4}", "move e7e5") == ["move e7e5"]
    assert server.say(black, "undo") == []


@pytest.mark.parametrize("move", ["e4e5", "e9e9", "Nf6", "nonsense", "0000", "O-O-O"])
def test_moves_that_cannot_be_made_are_answered(move: str) -> None:
    server = GameServer()
    white, _ = playing(server)
    told = server.say(white, f"move {move}")
    assert told[0].startswith(f"text your move {move} is not played: ")
    assert told[1:] == [f"setboard {AFTER_E4}"]
    assert server.state.ply == 1


def test_an_answer_that_is_no_echo_is_called_so() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(black, "move e7e5")
    server.hear(white)
    told = server.say(white, "move d7d5")
    assert "and not the echo of e7e5. Take it back" in told[0]


def test_where_nobody_knows_the_rules_an_echo_that_differs_ends_the_agreement() -> None:
    peer = at_open_table()
    assert ask(peer, "move h9i7") == [Dispute("h9g7 was answered with h9i7")]


def test_where_nobody_knows_the_rules_moves_are_words() -> None:
    peer = at_open_table()
    assert ask(peer, "move h9g7", "move b0c2") == [PlayMove(Move(None, None, "b0c2"), ply=2)]


def test_promotion_castling_en_passant_and_drops_are_the_table_s_words() -> None:
    server = GameServer(variant="crazyhouse")
    white, black = server.connect("alice"), server.connect("bob")
    server.say(white, "new", "variant crazyhouse", "move e2e4", "go")
    server.say(black, "variant crazyhouse", "go")
    server.say(white, "accepted")
    server.say(black, "accepted", "move e2e4", "move d7d5")
    server.say(white, "move d7d5", "move e4d5")
    server.say(black, "move e4d5", "move d8d5")
    server.say(white, "move d8d5")
    assert server.say(white, "move p@d6") == ["move P@d6"]
    server.hear(black)
    server.say(black, "move P@d6", "move a7a6")
    server.say(white, "move a7a6", "move d6c7")
    server.say(black, "move d6c7", "move a6a5")
    server.say(white, "move a6a5")
    assert server.say(white, "move c7b8Q") == ["move c7b8q"]
    assert server.hear(black)[-1] == "move c7b8q"


def test_chess960_castling_is_words() -> None:
    server = GameServer(variant="fischerandom")
    white, black = server.connect("alice"), server.connect("bob")
    fen = "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"
    server.say(white, "new", "variant fischerandom", f"setboard {fen}", "move O-O", "go")
    server.say(black, "variant fischerandom", f"setboard {fen}", "go")
    assert server.say(white, "accepted")[-1] == "move O-O"
    assert server.hear(black)[-2:] == ["move O-O", "go"]
    assert server.say(black, "accepted", "move O-O", "move O-O-O") == ["move O-O-O"]


def test_a_new_game_on_the_board_does_not_end_the_one_at_the_table() -> None:
    """ "Whether the peer does anything with that information other than updating the state copy depends on whether
    it is in 'playing' or 'setup' mode." """
    server = GameServer()
    white, black = playing(server)
    told = server.say(black, "new")
    stands = "text your game with alice is not over: resign, adjourn, or start again from where it stands"
    assert told == [f"{stands}{AS_BLACK}, and you are told how your game stands"]
    assert server.say(black, "go") == ["accepted"]  # it may be one move behind: the one it is to release
    assert server.say(black, "move e2e4") == []
    assert play(server, black, white, "e7e5")[-1] == "move e7e5"


def test_go_for_the_wrong_side_is_answered() -> None:
    server = GameServer()
    white, _ = playing(server)
    server.drop(white)
    white = server.back(white)
    server.say(white, "new")
    told = server.say(white, "move e2e4", "move e7e5", "go")
    stands = "text the game with bob stands otherwise than yours: set it up as you are told now"
    assert told[0] == f"{stands}{LETS_BLACK_MOVE}"
