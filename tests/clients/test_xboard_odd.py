"""Anything a GUI and a peer may say, in any order: nothing breaks, and nothing of the peer's reaches the GUI bare."""

from __future__ import annotations

import re

import chess
from hypothesis import given
from hypothesis import strategies as st

from protocols.chess_p2p import messages as p2p
from tests.clients.xboard_desk import Desk, playing

FENS = (
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "not a position",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 0 1",
    "KKKKKKKK/8/8/8/8/8/8/8 w KQkq e3 -1 x",
)
MOVES = ("e2e4", "e7e5", "d2d4", "g1f3", "e1g1", "O-O", "P@e4", "e7e8q", "a9z9", "@@@@")
RESULTS = ("1-0 {White mates}", "0-1 {White resigns}", "1/2-1/2 {Draw}", "* {adjourned}", "9-9")
VARIANTS = ("normal", "crazyhouse", "fischerandom", "suicide", "shatranj", "horde")

COMMON = st.one_of(
    st.sampled_from(("new", "go", "undo", "remove", "draw", "quit", "level 0 60 1", "level 40 5 0", "level x")),
    st.sampled_from(FENS).map("setboard {}".format),
    st.sampled_from(RESULTS).map("result {}".format),
    st.sampled_from(VARIANTS).map("variant {}".format),
)
GUI = st.one_of(
    COMMON,
    st.sampled_from(("force", "playother", "computer", "ping 1", "st 5", "time 1", "otim -1", "protover 2", "name x")),
    st.sampled_from(MOVES).map("usermove {}".format),
    st.sampled_from(
        ("Connect", "Accept", "Decline", "Resume", "Offer adjourn", "Offer abort", "Send line=1-0", "Host=x")
    ).map("option {}".format),
    st.sampled_from(("TAKEBACK yes", "TAKEBACK no", "ADJOURN yes", "RESUME y", "result * {Engine aborts game}")),
    st.text(max_size=30),
)
PEER = st.one_of(
    COMMON,
    st.sampled_from(("accepted", "adjourn", "resume", "rematch", "accept", "decline", "takeback 1", "takeback 2")),
    st.sampled_from(("hallo 1-0", "name resign", "text Draw", "time 5", "otim 5", "ticket x", "myname y", "resign")),
    st.sampled_from(MOVES).map("move {}".format),
    st.text(max_size=30),
)
STEP = st.one_of(
    st.tuples(st.just("gui"), GUI),
    st.tuples(st.just("peer"), PEER),
    st.tuples(st.sampled_from(("up", "answer", "down", "wait")), st.just("")),
)

OURS = re.compile(
    r"""telluser\ .+|askuser\ [A-Z]+\ .+|\#\ .+|pong\ \d+|move\ [A-Za-z0-9@+=-]+|Illegal\ move:\ \S+|setboard\ .+
    |feature\ .+|offer\ draw|resign
    |(?:1-0|0-1|1/2-1/2)\ \{(?:(?:White|Black)\ (?:mates|resigns|forfeits\ on\ time|abandoned\ the\ game)
    |draw\ agreed|stalemate|repetition|(?:50|75)-move\ rule|insufficient\ material)?\}""",
    re.VERBOSE,
)
"""All that a GUI may ever be sent."""


@given(st.lists(STEP, max_size=40))
def test_no_conversation_breaks_the_adapter_or_reaches_the_gui_bare(steps: list[tuple[str, str]]) -> None:
    desk = Desk()
    for kind, line in steps:
        match kind:
            case "gui":
                desk.types(line)
            case "peer":
                desk.hears(line)
            case "down":
                desk.loses_the_line()
            case "wait":
                desk.waits(7)
            case _:
                desk.connects(answering=kind == "answer")
    assert [line for line in desk.shown if not OURS.fullmatch(line)] == []
    assert all(line.isprintable() for line in desk.shown)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 400), st.sampled_from(MOVES)), max_size=40))
def test_the_gui_is_sent_legal_moves_of_the_opponent_only(steps: list[tuple[bool, int, str]]) -> None:
    desk, board = Desk(), chess.Board()
    desk.types("new", "level 40 5 0")
    desk.hears("new", "level 40 300 0", "go")
    desk.types("usermove e2e4")
    desk.hears("accepted", "move e2e4")
    board.push_uci("e2e4")
    for odd, number, words in steps:
        moves = list(board.legal_moves)
        if not moves:
            return
        move = words if odd else moves[number % len(moves)].uci()
        if board.turn == chess.WHITE and not odd:
            desk.types(f"usermove {move}")
            board.push_uci(move)
        shown = desk.hears(f"move {move}")
        for line in [line for line in shown if line.startswith("move ")]:
            assert board.turn == chess.BLACK
            board.push_uci(line.removeprefix("move "))
    assert desk.adapter.play.board.straight
    assert list(desk.adapter.play.board.game.moves) == [move.uci() for move in board.move_stack]


def test_a_gui_that_takes_moves_only_is_shown_an_early_answer_when_it_says_go() -> None:
    """python-chess sends force, its move and go apart; the opponent may be quicker than the go."""
    desk = playing("e2e4", "e7e5")
    desk.types("rejected sigterm", "force", "usermove d2d4")
    assert desk.hears(p2p.Advanced("d2d4"), p2p.Advanced("d7d6")) == []
    assert desk.sent[-1] == "move d7d6", "the echo: it is played"
    assert desk.types("nopost", "easy", "go") == ["move d7d6"]
