"""A game over the peer-to-peer protocol ends by results, resignations, draws and adjournments."""

from __future__ import annotations

import pytest

from protocols.chess_p2p.dialect import ChessP2P
from protocols.core.commands import ClaimEnd, Forfeit, Propose, Resign
from protocols.core.errors import Why
from protocols.core.events import GameAdjourned, GameResumed, GameStarted, MoveMade, TurnStarted
from protocols.core.model import Move, Settings
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Abort, Adjourn, Draw
from tests.protocols.chess_p2p_peers import NEXT, RESUMES, Client, GameServer, at_open_table, play, playing
from tests.protocols.talk import ask, heard, opened, tell

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def again(rival: str) -> str:
    """The line to a player behind the result."""
    return f"text start another game with {rival}{NEXT}"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("result 0-1 {White resigns}", Resign()),
        ("result 0-1 {White forfeits on time}", Forfeit(late=True)),
        ("result 0-1 {Xboard adjudication: Checkmate}", ClaimEnd(1)),
        ("result 1/2-1/2 {Draw by repetition}", Propose(Draw())),
        ("result 1-0 {Black forfeits on time}", ClaimEnd(0)),
        ("result * {adjourned}", Propose(Adjourn())),
        ("result * {Game aborted}", Propose(Abort())),
    ],
)
def test_a_result_says_what_its_side_may_say(line: str, command: object) -> None:
    """ "A 'result' command makes both sides drop out of playing mode." """
    assert ask(at_open_table(), "move h9g7", line) == [command]


def test_a_resignation_ends_the_game_for_both() -> None:
    server = GameServer()
    white, black = playing(server)
    assert server.say(black, "result 1-0 {Black resigns}") == ["result 1-0 {Black resigns}", again("alice")]
    assert server.hear(white) == ["result 1-0 {Black resigns}", again("bob")]
    assert server.say(white, "result 1-0 {Black resigns}") == []


def test_a_player_who_has_moved_asks_to_abort_the_game_and_one_who_has_not_does() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(white, "move e2e4")
    assert server.say(white, "abort") == []
    assert server.hear(black)[-1] == "abort"
    assert server.say(black, "abort") == ["result * {aborted}", again("alice")]
    assert server.hear(white) == ["result * {aborted}", again("bob")]


def test_a_flag_that_falls_in_a_gui_is_a_loss_on_time_for_both() -> None:
    server = GameServer()
    white, black = playing(server)
    late = "result 1-0 {Black forfeits on time}"
    assert server.say(black, late) == [late, again("alice")]
    assert server.hear(white) == [late, again("bob")]


def test_a_mate_is_told_by_the_table_and_claims_of_it_are_consumed() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(white, "undo")
    for mover, other, move in ((black, white, "f7f6"), (white, black, "d2d4"), (black, white, "g7g5")):
        play(server, mover, other, move)
    assert server.say(white, "move d1h5") == ["move d1h5", "result 1-0 {White mates}", again("bob")]
    assert server.hear(black)[-3:] == ["move d1h5", "result 1-0 {White mates}", again("alice")]
    assert server.say(black, "move d1h5", "result 1-0 {White mates}") == []
    assert server.say(white, "result 1-0 {White mates}", "result *") == []


def test_a_win_that_the_rules_do_not_give_is_refused_and_the_game_goes_on() -> None:
    server = GameServer()
    white, black = playing(server)
    told = server.say(black, "result 0-1 {White forfeits on time}")
    assert told[0] == "text the game is not over: the game goes on"
    assert told[-1] == "go"
    assert server.say(black, "accepted", "move e7e5") == ["move e7e5"]
    assert server.hear(white)[-1] == "move e7e5"


def test_a_flag_that_a_gui_sees_fall_a_moment_early_ends_the_game_when_the_table_s_falls() -> None:
    server = GameServer()
    white, black = playing(server)
    server.now += 299.9
    white.dialect.heard = server.now
    late = "result 1-0 {Black forfeits on time}"
    assert server.say(white, late) == []
    server.wait(0.2)
    assert server.hear(white) == [late, again("bob")]
    assert server.hear(black) == [late, again("alice")]


def test_a_player_who_moves_a_moment_before_the_flag_plays_on() -> None:
    server = GameServer()
    white, black = playing(server)
    server.now += 299.9
    white.dialect.heard = server.now
    server.say(white, "result 1-0 {Black forfeits on time}")
    server.say(black, "move e7e5")
    told = server.hear(white)
    assert (told[0], told[-2:]) == ("text bob has moved in time: the game goes on", ["otim 10", "go"])
    assert server.say(white, "accepted", "move g1f3") == ["move g1f3"]


def moved_both(server: GameServer) -> tuple[Client, Client]:
    """White and Black, after 1. e4 e5 2. Nf3."""
    white, black = playing(server)
    play(server, black, white, "e7e5")
    play(server, white, black, "g1f3")
    return white, black


def test_a_draw_by_result_is_an_offer_and_a_refusal_brings_its_game_back() -> None:
    server = GameServer()
    white, black = moved_both(server)
    server.say(black, "result 1/2-1/2 {agreed}")
    assert server.hear(white) == ["draw"]
    server.say(white, "text no")
    told = server.hear(black)
    assert told[0] == "text alice declines the draw"
    assert told[-1] == "go"
    assert server.say(black, "accepted", "move b8c6") == ["move b8c6"]


def test_a_draw_is_not_agreed_before_both_have_moved() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(black, "result 1/2-1/2 {agreed}")
    assert server.hear(white) == ["draw"]
    too_early = "text a draw can be agreed once each side has moved"
    assert server.say(white, "draw") == [too_early]
    told = server.say(white, "result 1/2-1/2 {agreed}")
    assert told[0] == f"{too_early}: the game goes on"
    assert told[1:4] == ["new", "level 0 300 0", "move e2e4"]


@pytest.mark.parametrize("before", ["a takeback", "a refused claim", "a refused draw", "a new position"])
def test_a_draw_by_result_is_an_offer_whatever_its_gui_shows(before: str) -> None:
    server = GameServer()
    white, black = moved_both(server)
    out_of_the_game(server, white, black, before)
    told = server.say(black, "result 1/2-1/2 {Draw agreed}")
    assert (server.hear(white), told) == (["draw"], [])
    assert server.say(white, "draw")[0] == "result 1/2-1/2 {draw by agreement}"


def out_of_the_game(server: GameServer, white: Client, black: Client, before: str) -> None:
    """Black's GUI is not in the game that it has with White: ``before`` says why."""
    match before:
        case "a takeback":
            server.say(white, "takeback 1")
            server.say(black, "accept")
        case "a refused claim":
            server.say(black, "result 0-1 {White forfeits on time}")
        case "a refused draw":
            server.say(black, "result 1/2-1/2 {}")
            server.say(white, "decline")
        case "a new position":
            server.say(black, "new", "setboard 8/8/8/8/8/8/8/k1K5 w - - 0 1")
    server.hear(white)
    server.hear(black)


def test_a_draw_by_result_out_of_the_game_claims_what_the_rules_give() -> None:
    server = GameServer()
    white, black = playing(server)
    play(server, black, white, "e7e5")
    for moves in 2 * (("g1f3", "g8f6"), ("f3g1", "f6g8")):
        play(server, white, black, moves[0])
        play(server, black, white, moves[1])
    server.say(white, "result 1-0 {Black forfeits on time}")
    told = server.say(white, "result 1/2-1/2 {Draw by repetition}")
    assert told[0] == "result 1/2-1/2 {threefold repetition}"


def test_an_end_without_a_result_is_asked_for_out_of_the_game_too() -> None:
    server = GameServer()
    white, black = playing(server)
    out_of_the_game(server, white, black, "a takeback")
    server.say(black, "result * {}")
    assert server.hear(white) == ["adjourn"]


def test_a_draw_that_is_agreed_ends_the_game() -> None:
    server = GameServer()
    white, black = moved_both(server)
    server.say(white, "draw")
    assert server.say(black, "accept")[-2:] == ["result 1/2-1/2 {draw by agreement}", again("alice")]
    assert server.hear(white) == ["result 1/2-1/2 {draw by agreement}", again("bob")]


def test_a_flag_falls_at_the_table() -> None:
    server = GameServer()
    white, black = playing(server)
    server.wait(301.0)
    assert server.hear(white) == ["result 1-0 {Black forfeits on time}", again("bob")]
    assert server.hear(black) == ["result 1-0 {Black forfeits on time}", again("alice")]


def test_an_adjourned_game_is_resumed_by_go_of_both() -> None:
    server = GameServer()
    white, black = playing(server)
    server.say(black, "adjourn")
    server.say(white, "text accept")
    ended = ["result * {adjourned}", "text the game is adjourned: start it again to go on" + RESUMES]
    assert server.hear(black) == ended
    server.say(black, "go")
    assert server.hear(white)[-1] == "resume"
    server.say(white, "new", "level 0 300 0", "move e2e4", "go")
    assert server.hear(black) == ["new", "level 0 300 0", "move e2e4", "name alice", "time 30000", "otim 30000", "go"]
    assert server.say(black, "move e2e4", "accepted", "move e7e5")[-1] == "move e7e5"
    assert server.hear(white)[-2:] == ["move e7e5", "go"]
    assert server.say(white, "accepted", "move e7e5", "move g1f3") == ["move g1f3"]


def test_who_comes_to_an_adjourned_game_is_told_it_and_how_to_go_on() -> None:
    peer = ChessP2P()
    ask(peer, "hallo")
    chess = Settings("chess", "normal", 8, 8, 2)
    e4 = MoveMade(0, Move(52, 36), 1, "e4", (), AFTER_E4)
    past = (*opened(chess, "alice", "bob"), GameStarted(chess, 1, (), ""), TurnStarted(0), e4, GameAdjourned())
    assert tell(peer, Seated(1, 1, past)) == [
        "new",
        "level 0 0 0",
        "move e2e4",
        "name alice",
        "text your game with alice is adjourned: start it again to go on"
        + "; in XBoard: make your move, or let the other side move by Machine White or Machine Black in the Mode menu",
    ]
    tell(peer, GameResumed())
    assert tell(peer, TurnStarted(1))[-1] == "go"


def test_a_refusal_for_another_reason_is_told_as_it_is() -> None:
    peer = at_open_table()
    ask(peer, "move h9g7", "draw")
    assert tell(peer, Rejected(Why.NOT_NOW, "could not be stored, try again")) == [
        "text could not be stored, try again"
    ]
    assert heard(peer) == []
