"""A client whose GUI shows a game proposes it by Go over the peer-to-peer protocol."""

from __future__ import annotations

import pytest

from gateway import registry
from protocols.chess_p2p.dialect import ChessP2P
from protocols.chess_p2p.table import JUDGED, OTHERS
from protocols.core.commands import Decline, Join, Leave, PlayMove, Propose
from protocols.core.errors import Why
from protocols.core.events import Agreed, GameStarted, Proposed, SeatsTurned, SeatTaken, TurnStarted
from protocols.core.model import Move, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Start
from tests.protocols.chess_p2p_peers import CHESS
from tests.protocols.talk import ask, heard, opened, tell

FIVE = TimeControl(TimeKind.ABSOLUTE, main_s=300.0)
FEN = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"


def asked(*lines: str) -> list[object]:
    """Return the commands of a client that sits alone as White, and sends these lines."""
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice")))
    return [*ask(peer, *lines)]


def wanted(settings: Settings | None, side: int | None) -> list[object]:
    return [Propose(Start(settings, side))]


def chess(variant: str = "normal", time: TimeControl | None = None, start: str = "") -> Settings:
    return Settings("chess", variant, 0, 0, 0, time, start)


def test_who_says_go_plays_the_side_that_is_not_on_move() -> None:
    """ "Upon reception, you know the remote GUI has started a game, and is now expecting a move from you." """
    assert asked("new", "go") == wanted(chess(), 1)


def test_a_move_before_go_is_the_first_of_the_game() -> None:
    """ "... or when you receive the first move of a game from the GUI ... In the latter case you send the 'go' after
    relaying the move." """
    assert asked("new", "move e2e4", "go") == wanted(chess(), 0)


def test_moves_before_the_last_are_forced() -> None:
    assert asked("new", "move e2e4", "move e7e5", "move g1f3", "go") == wanted(chess(start="moves e2e4 e7e5"), 0)


@pytest.mark.parametrize(
    ("lines", "settings"),
    [
        (("level 40 300 0",), chess(time=TimeControl(TimeKind.MOVES, main_s=300.0, moves=40))),
        (("level 0 120 2.5",), chess(time=TimeControl(TimeKind.FISCHER, main_s=120.0, increment_s=2.5))),
        (("level -1 10 0",), chess(time=TimeControl(TimeKind.PER_MOVE, period_s=10.0))),
        (("level 0 300 0", "level 0 0 0"), chess()),
        (("variant crazyhouse",), chess("crazyhouse")),
        (("variant atomic", "new"), chess()),
        (("move e2e4", "undo"), chess()),
        (("move e2e4", "move e7e5", "remove"), chess()),
    ],
)
def test_the_copy_of_the_gui_follows_what_is_sent(lines: tuple[str, ...], settings: Settings) -> None:
    """ "any state change (move, takeback, start of a new game, setting up of a position, time control setting) is
    immediately relayed to the peer" """
    assert asked("new", *lines, "go") == wanted(settings, 1)


def test_a_position_that_was_set_up_says_who_is_on_move() -> None:
    """ "setboard FEN: Sent after 'new' or 'variant' to update the state-copy of the remote GUI." """
    assert asked("new", f"setboard {FEN}", "go") == wanted(chess(start=FEN), 0)
    assert asked("new", f"setboard {FEN}", "move e7e5", "go") == wanted(chess(start=FEN), 1)
    assert asked("new", f"setboard {FEN}", "move e7e5", "move e2e4", "go") == wanted(
        chess(start=f"{FEN} moves e7e5"), 0
    )


def test_a_time_that_is_none_is_refused_in_words() -> None:
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice")))
    assert ask(peer, "level -5 300 0", "go") == []
    assert heard(peer) == ["text no time control: level -5 300 0"]
    assert ask(peer, "level 0 99999999 0.5", "go") == []
    assert heard(peer) == ["text no time control: level 0 99999999 0.5"]


def test_a_time_that_was_never_told_is_the_table_s() -> None:
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(Settings("chess", "normal", 8, 8, 2, FIVE), "alice")))
    assert ask(peer, "go") == wanted(chess(time=FIVE), 1)


def test_a_variant_without_rules_here_is_played_at_an_open_table() -> None:
    assert asked("new", "variant xiangqi", "go") == [
        Leave(),
        Join("open", wishes=(("variant", "xiangqi"),), ready=False),
        Propose(Start(Settings("open", "xiangqi", 0, 0, 0), 1)),
    ]


def test_a_variant_that_nobody_knows_costs_no_seat() -> None:
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice")))
    assert ask(peer, "new", "variant nosuchthing", "go") == []
    assert heard(peer) == ["text the variant nosuchthing is not known here: set up another one"]
    assert ask(peer, "new", "go") == wanted(chess(), 1)


def test_a_variant_that_nobody_knows_chooses_no_table_before_the_seat() -> None:
    peer = ChessP2P()
    assert ask(peer, "variant nosuchthing", "go") == [Join("chess", ready=False)]
    assert heard(peer) == ["text the variant nosuchthing is not known here: set up another one"]


def test_the_variants_known_are_those_that_the_house_has_tables_for() -> None:
    """ "Other XBoard variants: a table without rules (`open`)"."""
    assert {variant.name for variant in registry.game("chess").variants} == JUDGED
    assert {variant.name for variant in registry.game("open").variants} == OTHERS


def test_a_variant_is_known_before_the_seat_is_given() -> None:
    """All that a program sends at once is read before it is told of its seat."""
    peer = ChessP2P()
    asked = ask(peer, "new", "variant xiangqi", "go")
    assert [type(command) for command in asked] == [Join, Leave, Join, Propose]
    assert ask(peer, "new", "go")[:3] == [
        Decline("Start"),
        Leave(),
        Join("chess", wishes=(("variant", "normal"),), ready=False),
    ]


def test_a_game_that_needs_no_answer_of_this_dialect_begins_in_one_step() -> None:
    """Told by any other table in the same order: proposal, agreement, exchange of seats, start, turn."""
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice", "bob")))
    ask(peer, "new", "level 0 300 0", "go")
    five = Settings("chess", "normal", 8, 8, 2, FIVE)
    assert tell(peer, Proposed(0, Start(five, 1)), Proposed(1, Start(five, 0))) == ["text your game is proposed to bob"]
    started = GameStarted(five, 1, (), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert tell(peer, Agreed(Start(five)), SeatsTurned(1), started, TurnStarted(0)) == [
        "text the game with bob begins, you play Black",
        "new",
        "level 0 300 0",
        "name bob",
    ]


def agreed_on_another_time(*lines: str) -> tuple[ChessP2P, list[str]]:
    """A peer of seat 0 that has said these, at a table that was registered with five minutes; and what it hears."""
    peer = ChessP2P()
    ask(peer, "hallo")
    five = Settings("chess", "normal", 8, 8, 2, FIVE)
    tell(peer, Seated(1, 0, opened(five, "alice", "bob")))
    assert [type(command) for command in ask(peer, *lines)] == [Propose]
    started = GameStarted(five, 1, (), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    tell(peer, Proposed(0, Start(five, 0)))  # the table names its own time
    return peer, tell(peer, Agreed(Start(five)), started, TurnStarted(0))


def test_where_another_time_is_registered_the_first_move_is_played_with_it() -> None:
    """The registered time is played: a GUI cannot but name one, and has made its move already."""
    peer, lines = agreed_on_another_time("new", "level 40 300 0", "move e2e4", "go")
    assert lines == [
        "level 0 300 0",
        "text the time here is registered: 300 s",
        "text the game with bob begins, you play White",
        "accepted",
    ]
    assert peer.prompted() == [PlayMove(Move(52, 36), ply=0)]
    assert peer.prompted() == []


def test_a_refused_trial_move_is_not_spoken_of() -> None:
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice", "bob")), Proposed(1, Start(CHESS, 1)))
    assert ask(peer, "level 0 60 0", "move e2e4", "go")[-1] == PlayMove(Move(52, 36), ply=0)
    mine = Settings("chess", "normal", 8, 8, 2, TimeControl(TimeKind.ABSOLUTE, main_s=60.0))
    heard(peer)
    tell(peer, Proposed(0, Start(mine, 0)))
    assert tell(peer, Rejected(Why.NOT_PLAYING, "no game is being played")) == []


def test_a_name_is_told_whenever_somebody_sits_down() -> None:
    """ "name OPPONENTNAME: Sent to inform the peer of the name of his opponent." """
    peer = ChessP2P()
    ask(peer, "hallo")
    tell(peer, Seated(1, 0, opened(CHESS, "alice")))
    assert tell(peer, SeatTaken(1, SeatKind.PLAYER, "b\x07ob")) == ["name b?ob", "text b?ob is here"]
