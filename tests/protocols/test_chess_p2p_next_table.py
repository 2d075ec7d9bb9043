"""Players join and leave over the peer-to-peer protocol, and the next game is proposed at the right table."""

from __future__ import annotations

import pytest

from protocols.chess_p2p.dialect import ChessP2P
from protocols.core.commands import Join, Leave, Propose, Resign
from protocols.core.events import Event, GameEnded, GameStarted, Proposed, Said, SeatLeft, SeatTaken, TurnStarted
from protocols.core.model import Outcome, Reason, SeatKind, Settings
from protocols.core.notifications import Seated
from protocols.core.proposals import Start
from tests.protocols.chess_p2p_peers import CHESS, EITHER, GameServer, called, play, playing
from tests.protocols.talk import ask, opened, tell

FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GAME = (GameStarted(CHESS, 1, (), FIRST), TurnStarted(0))
END = GameEnded(Outcome(0, Reason.RESIGNATION))
NEXT = Propose(Start(Settings("chess", "normal", 0, 0, 0), 1))
ANOTHER = [Leave(), Join("chess", wishes=(("variant", "normal"),), ready=False), NEXT]
NOBODY = "text nobody comes to this table any more: start your game again, and you are taken to another one" + EITHER
SEEK = Said(0, "players", "seek 5 0 r w manual")


def after(*events: Event, peer: ChessP2P | None = None) -> ChessP2P:
    """White, who was told a game with bob and then these events."""
    peer = peer or called()
    ask(peer, "new")
    tell(peer, Seated(1, 0, opened(CHESS, "alice", "bob")), *GAME, *events)
    return peer


@pytest.mark.parametrize(
    "events", [(END, SeatLeft(1, SeatKind.OPEN)), (SeatLeft(1, SeatKind.ABANDONED), END)], ids=["left", "abandoned"]
)
def test_go_at_a_finished_table_that_the_opponent_has_left_is_proposed_at_another_one(
    events: tuple[Event, ...],
) -> None:
    peer = after(*events)
    assert ask(peer, "new", "go") == ANOTHER
    tell(peer, Seated(2, 0, opened(CHESS, "alice")))
    assert tell(peer, Proposed(0, Start(CHESS, 1))) == ["text your game is proposed to whoever comes"]


@pytest.mark.parametrize("left", [(), (SeatLeft(1, SeatKind.RESERVED, 160.0),)], ids=["here", "lost"])
def test_go_proposes_the_next_game_here_while_the_opponent_may_answer(left: tuple[Event, ...]) -> None:
    """ "Initially (after connecting, or finishing a previous game) both sides are in setup mode" """
    assert ask(after(*left, END), "new", "go") == [NEXT]


def test_a_table_is_left_once() -> None:
    """A program that says Go twice before it is told of its new seat has one."""
    peer = after(END, SeatLeft(1, SeatKind.OPEN))
    assert ask(peer, "new", "go", "go") == [*ANOTHER, NEXT]


def test_another_table_is_asked_for_with_the_port_s_time() -> None:
    peer = after(END, SeatLeft(1, SeatKind.OPEN), peer=ChessP2P({"time": "300+5"}))
    wishes = (("time", "300+5"), ("variant", "normal"))
    assert ask(peer, "new", "go")[1] == Join("chess", wishes=wishes, ready=False)


def test_who_proposed_the_next_game_before_the_opponent_left_is_told_that_nobody_comes() -> None:
    peer = after(END)
    ask(peer, "new", "go")
    tell(peer, Proposed(0, Start(CHESS, 1)))
    assert tell(peer, SeatLeft(1, SeatKind.OPEN)) == ["text bob has left", NOBODY]
    assert ask(peer, "go") == ANOTHER


def test_a_go_that_came_back_to_a_finished_table_is_told_that_nobody_comes() -> None:
    """All that a program sends at once is read before it is told where it sits."""
    peer = called()
    assert ask(peer, "new", "go")[1:] == [NEXT]
    told = tell(peer, Seated(1, 0, (*opened(CHESS, "alice", "bob"), *GAME, END, SeatLeft(1, SeatKind.OPEN))))
    assert told == [
        "text nobody else is here yet: set up a game and start it, it will be proposed to whoever comes" + EITHER
    ]
    assert tell(peer, Proposed(0, Start(CHESS, 1))) == [NOBODY]
    assert ask(peer, "go") == ANOTHER


def test_the_next_game_is_played_at_the_same_table_after_the_opponent_s_go() -> None:
    server = GameServer()
    white, black = playing(server)
    server.ask(1, Resign())
    assert server.say(white, "new", "go")[-1] == "text your game is proposed to bob"
    assert server.say(black, "new", "move d2d4", "go")[-2:] == ["accepted", "move d2d4"]
    server.say(white, "accepted", "move d2d4")
    assert play(server, white, black, "d7d5") == ["move d7d5"]


def comes_to(*events: Event) -> list[str]:
    """Return the lines to bob, who joins alice's table after these events."""
    peer = called()
    ask(peer, "new")
    return tell(peer, Seated(1, 1, (*opened(CHESS, "alice"), *events, SeatTaken(1, SeatKind.PLAYER, "bob"))))


def test_what_the_opponent_said_last_to_whoever_comes_is_told() -> None:
    """Another dialect announces in words a game that begins only when its user confirms it."""
    assert comes_to(Said(0, "players", "hello"), SEEK) == [
        "name alice",
        f"text you sit with alice: set up a game and start it{EITHER}",
        "text alice: seek 5 0 r w manual",
    ]


@pytest.mark.parametrize(
    "events",
    [
        (Said(0, "observers", "hello"),),
        (Said(None, "players", "hello", "carol"),),
        (Said(1, "players", "hello"),),
        (SEEK, SeatLeft(0, SeatKind.OPEN), SeatTaken(0, SeatKind.PLAYER, "carol")),
        (SEEK, *GAME, END),
        (*GAME, SEEK, END),
    ],
)
def test_what_is_not_said_to_whoever_comes_now_is_not_told(events: tuple[Event, ...]) -> None:
    assert comes_to(*events)[2:] == []


def test_a_seek_is_told_though_somebody_else_came_and_went_before() -> None:
    told = comes_to(SEEK, SeatTaken(1, SeatKind.PLAYER, "carol"), SeatLeft(1, SeatKind.OPEN))
    assert told[-1] == "text alice: seek 5 0 r w manual"


def test_a_proposal_takes_the_place_of_what_was_said_before() -> None:
    told = comes_to(SEEK, Proposed(0, Start(CHESS, 0)))
    assert [line for line in told if "seek" in line] == []
    assert "text alice proposes a game, without clocks, you play Black" in told[1]


def test_a_reply_of_the_last_game_is_not_played_in_a_rematch_that_begins_alike() -> None:
    """Who accepts our Go has seen the new game, and has no move of the last one in hand."""
    server = GameServer()
    white, black = playing(server)
    play(server, black, white, "e7e5")
    server.say(white, "result 0-1 {White resigns}", "rematch")
    assert server.say(black, "rematch")[-1] == "go"
    white, black = black, white
    server.hear(black)
    server.say(white, "accepted", "move e2e4")
    assert "move e7e5" not in server.say(black, "accepted", "move e2e4")
    assert server.state.ply == 1
    play(server, black, white, "e7e5")
    assert server.state.ply == 2
