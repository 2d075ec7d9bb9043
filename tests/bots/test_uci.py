"""The UCI adapter, line by line without a process: commands sent, answers accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.bots.conversation import Question, Unsuited
from gateway.bots.uci import OPTIONS_MAX, Option, Uci, offered
from gateway.games.chess.position import Position
from gateway.games.chess.rules import Chess
from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.model import Move
from tests.bots.scripted_uci import OPTIONS

GAME = Chess()
FIRST = GAME.start(GAME.settings())
E2, E4 = 52, 36
"""Squares count from a8."""


def after(*moves: str, variant: str = "", start: str = "") -> Position:
    position = GAME.start(GAME.settings(variant, start=start))
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def question(position: Position = FIRST, level: int = 2, budget_s: float = 0.5) -> Question:
    return Question(GAME, position, level, budget_s)


def said(uci: Uci) -> list[str]:
    return uci.data_to_send().decode().splitlines()


def told(uci: Uci, *lines: str) -> list[str]:
    """Return the lines sent because of these."""
    for line in lines:
        uci.receive_line(line)
    return said(uci)


def ready(*options: str, **chosen: str) -> Uci:
    """A conversation that can ask; the engine offers ``options``, the host has chosen ``chosen``."""
    uci = Uci({name.replace("_", " "): value for name, value in chosen.items()})
    told(uci, *options, "uciok", "readyok")
    assert uci.ready
    return uci


def test_a_whole_conversation() -> None:
    """ "After that the engine should sent "uciok" to acknowledge the uci mode." """
    uci = Uci({})
    assert said(uci) == ["uci"]
    assert told(uci, "id name Some Engine 3", "id author Somebody", *OPTIONS) == []
    assert told(uci, "uciok") == ["setoption name Threads value 1", "setoption name Hash value 16", "isready"]
    assert not uci.ready
    assert told(uci, "readyok") == []
    assert uci.ready
    assert uci.called == "Some Engine 3"
    uci.ask(question())
    assert said(uci) == [
        "setoption name UCI_Variant value chess",
        "setoption name UCI_Chess960 value false",
        "setoption name Skill Level value 5",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "isready",
    ]
    assert told(uci, "readyok") == ["go movetime 500"]
    assert told(uci, "info depth 9 score cp 30", "bestmove e2e4 ponder e7e5") == []
    assert uci.answer == Move(E2, E4)
    uci.ask(question())
    assert uci.answer is None
    assert said(uci) == [
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "isready",
    ]


def test_what_is_said_before_the_engine_is_ready_answers_nothing() -> None:
    uci = ready()
    uci.ask(question())
    told(uci, "bestmove a2a3")
    assert uci.answer is None
    told(uci, "readyok", "bestmove e2e4")
    assert uci.answer == Move(E2, E4)


def test_the_moves_that_repetition_needs_are_told_and_no_others() -> None:
    uci = ready()
    uci.ask(question(after("e2e4", "e7e5", "g1f3", "g8f6")))
    assert said(uci)[0] == ("position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 moves g1f3 g8f6")


def test_another_game_is_said_to_be_one_and_the_same_is_not() -> None:
    """ "This is sent to the engine when the next search ... will be from a different game." """
    uci = ready()
    begun = []
    for bot_context in [(7, 1), (7, 1), (8, 1), (7, 1), (7, 2)]:
        uci.ask(replace(question(), bot_context=bot_context))
        begun.append(said(uci)[0] == "ucinewgame")
        told(uci, "readyok", "bestmove e2e4")
    assert begun == [True, False, True, True, True]


def test_who_takes_too_long_is_told_to_stop_once_it_thinks() -> None:
    """ "stop calculating as soon as possible" """
    uci = ready()
    uci.hurry()
    uci.ask(question())
    uci.hurry()
    assert "stop" not in said(uci)
    told(uci, "readyok")
    uci.hurry()
    assert said(uci) == ["stop"]


def test_a_set_up_position_is_told_as_it_is() -> None:
    uci = ready()
    uci.ask(question(after(start="8/P6k/8/8/8/8/7K/8 w - - 5 60")))
    assert said(uci)[0] == "position fen 8/P6k/8/8/8/8/7K/8 w - - 5 60"
    told(uci, "readyok", "bestmove a7a8n")
    assert uci.answer == Move(8, 0, "knight")


def test_in_chess960_the_engine_castles_onto_its_rook() -> None:
    """ "The king captures the rook" is how UCI_Chess960 castles."""
    uci = ready(*OPTIONS)
    position = after(variant="fischerandom", start="4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1")
    uci.ask(question(position))
    assert "setoption name UCI_Chess960 value true" in said(uci)
    told(uci, "readyok", "bestmove e1g1")
    assert uci.answer == Move(60, 62)
    assert GAME.board(GAME.play(position, uci.answer))[61] == "white rook"
    uci.ask(question())
    assert "setoption name UCI_Chess960 value false" in said(uci)


def test_a_variant_that_the_engine_lists_is_set_and_taken_back() -> None:
    uci = ready(*OPTIONS)
    uci.ask(question(after("e2e4", "d7d5", "e4d5", variant="crazyhouse")))
    assert "setoption name UCI_Variant value crazyhouse" in said(uci)
    told(uci, "readyok", "bestmove d8d5")
    uci.ask(question())
    assert "setoption name UCI_Variant value chess" in said(uci)


def test_a_drop_is_understood() -> None:
    uci = ready(*OPTIONS)
    uci.ask(question(after("e2e4", "d7d5", "e4d5", "d8d5", variant="crazyhouse")))
    told(uci, "readyok", "bestmove P@e4")
    assert uci.answer == Move(None, E4, "pawn")


@pytest.mark.parametrize(
    ("options", "variant"),
    [((), "crazyhouse"), ((), "fischerandom"), (OPTIONS, "atomic"), (OPTIONS[:4], "crazyhouse"), ((), "suicide")],
)
def test_rules_that_the_engine_does_not_list_are_not_asked_of_it(options: tuple[str, ...], variant: str) -> None:
    uci = ready(*options)
    with pytest.raises(Unsuited, match=variant):
        uci.ask(question(after(variant=variant)))
    assert said(uci) == []
    assert uci.ready
    uci.ask(question())
    assert said(uci)[-1] == "isready"


@pytest.mark.parametrize(("level", "skill"), [(1, "0"), (2, "5"), (3, "20")])
def test_the_level_is_a_share_of_the_engine_s_skill(level: int, skill: str) -> None:
    uci = ready(*OPTIONS)
    uci.ask(question(level=level))
    assert f"setoption name Skill Level value {skill}" in said(uci)


def test_what_the_host_chose_is_left_as_it_is() -> None:
    uci = Uci({"skill level": "3", "HASH": "64", "Style": "Very Risky"})
    said(uci)
    assert told(uci, *OPTIONS, "uciok") == [
        "setoption name Threads value 1",
        "setoption name Skill Level value 3",
        "setoption name Hash value 64",
        "setoption name Style value Very Risky",
        "isready",
    ]
    told(uci, "readyok")
    uci.ask(question(level=1))
    assert not any("Skill" in line or "Hash" in line for line in said(uci))
    assert uci.remarks == []


@pytest.mark.parametrize(
    ("name", "value", "remark"),
    [
        (
            "Skil Level",
            "3",
            "there is no option 'Skil Level'; there are Threads, Hash, Skill Level, Style, UCI_Chess960",
        ),
        ("Skill Level", "21", "Skill Level: '21' is not a number from 0 to 20"),
        ("Skill Level", "high", "Skill Level: 'high' is not a number from 0 to 20"),
        ("Style", "Wild", "Style: 'Wild' is none of Solid, Very Risky"),
        ("UCI_Chess960", "yes", "UCI_Chess960: 'yes' is neither true nor false"),
    ],
)
def test_what_cannot_be_set_is_remarked_on_and_not_said(name: str, value: str, remark: str) -> None:
    uci = Uci({name: value})
    said(uci)
    lines = told(uci, *OPTIONS, "uciok")
    assert [text.startswith(remark) for text in uci.remarks] == [True]
    assert [line for line in lines if value in line.split()] == []


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("name Hash type spin default 16 min 1 max 33554432", Option("Hash", "spin", 1, 33554432)),
        ("name Clear Hash type button", Option("Clear Hash", "button")),
        ("name Ponder type check default false", Option("Ponder", "check")),
        ("name File type string default", Option("File", "string")),
        ("name S type combo default A b var A b var C", Option("S", "combo", choices=("A b", "C"))),
        ("name N type spin default 0 min -100 max 100", Option("N", "spin", -100, 100)),
        ("type spin", None),
        ("", None),
    ],
)
def test_an_option_is_read_as_the_document_writes_it(line: str, option: Option | None) -> None:
    assert offered(line) == option


@pytest.mark.parametrize("answer", ["bestmove e2e5", "bestmove (none)", "bestmove", "bestmove 0000", "bestmove e9e4"])
def test_what_is_no_legal_move_is_refused(answer: str) -> None:
    uci = ready()
    uci.ask(question())
    told(uci, "readyok")
    with pytest.raises(RemoteProtocolError, match="bestmove '"):
        uci.receive_line(answer)
    assert uci.answer is None


def test_an_engine_that_is_thinking_is_not_asked() -> None:
    uci = ready()
    uci.ask(question())
    with pytest.raises(LocalProtocolError):
        uci.ask(question())


def test_options_without_end_are_too_many() -> None:
    uci = Uci({})
    with pytest.raises(RemoteProtocolError, match="more than 500 options"):
        told(uci, *(f"option name O{number} type button" for number in range(OPTIONS_MAX + 1)))


LINES = st.sampled_from(["uciok", "readyok", "bestmove e2e4", "bestmove a1", "id name", "option", *OPTIONS]) | st.text()


@given(st.lists(LINES, max_size=20))
def test_any_lines_in_any_order_are_taken_or_refused(lines: list[str]) -> None:
    uci = Uci({"Style": "Solid"})
    try:
        for line in lines:
            uci.receive_line(line)
            if uci.ready and uci.answer is None:
                uci.ask(question())
    except RemoteProtocolError:
        assert uci.answer is None
    assert uci.answer in (None, Move(E2, E4))
