"""The CECP adapter speaks to engines and accepts only valid answers; real engines play by it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from gateway.bots.cecp import Cecp, session_words
from gateway.bots.conversation import Question, Resigned, Unsuited
from gateway.bots.engine_process import EngineProcess
from gateway.bots.engines import AUTO, engine_of
from gateway.config import EngineBot
from gateway.games.chess.position import Position
from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.model import Reading, TimeControl, TimeKind
from tests import peers
from tests.bots.test_uci import FIRST, GAME, after

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FEATURES = 'feature ping=1 setboard=1 usermove=1 myname="Some Engine 3" variants="normal,atomic,3check" memory=1 done=1'


def said(talk: Cecp) -> list[str]:
    return talk.data_to_send().decode().splitlines()


def told(talk: Cecp, *lines: str) -> list[str]:
    for line in lines:
        talk.receive_line(line)
    return said(talk)


def ready(features: str = FEATURES, **options: str) -> Cecp:
    talk = Cecp(options)
    told(talk, features)
    assert talk.ready
    return talk


def question(position: Position = FIRST, level: int = 3, budget_s: float = 0.5) -> Question:
    return Question(GAME, position, level, budget_s)


def asked(talk: Cecp, put: Question) -> list[str]:
    talk.ask(put)
    return said(talk)


def test_a_whole_conversation() -> None:
    """ "protover N: [...] Beginning in protocol version 2 [...] you should respond with the feature command" """
    talk = Cecp({})
    assert said(talk) == ["xboard", "protover 2"]
    assert told(talk, "# a remark", 'feature ping=1 setboard=1 myname="Some Engine 3" done=0') == [
        "accepted ping",
        "accepted setboard",
        "accepted myname",
        "accepted done",
    ]
    assert not talk.ready
    assert told(talk, "feature usermove=1 smp=1 done=1")[-1:] == ["cores 1"]
    assert talk.ready
    assert talk.called == "Some Engine 3"
    lines = asked(talk, question(after("e2e4", "e7e5", "g1f3")))
    assert lines[:3] == ["new", "easy", "nopost"]
    assert lines[3:] == [
        "force",
        "setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "usermove g1f3",
        "st 1",
        "ping 1",
    ]
    assert told(talk, "pong 7", "move e2e4") == []
    assert told(talk, "pong 1") == ["go"]
    assert told(talk, "tellics say hello", "1 23 4 567 Nc6", "move b8c6") == ["force"]
    assert talk.answer == GAME.parse(after("e2e4", "e7e5", "g1f3"), "b8c6")
    assert talk.ready


def test_an_engine_of_the_first_version_says_nothing_of_itself() -> None:
    """ "If the engine does not respond to the protover command [...] xboard assumes protocol version 1." """
    talk = Cecp({})
    talk.hurry()
    assert talk.ready
    said(talk)
    assert asked(talk, question()) == ["new", "easy", "nopost", "force", "st 1", "go"]
    assert told(talk, "My move is: e2e4") == ["force"]


def test_an_engine_without_setboard_is_told_the_move_since_its_last_one() -> None:
    """ "setboard" is a feature; without it an engine follows the game, or its board is edited piece by piece."""
    talk, game = ready("feature ping=0 setboard=0 done=1"), (7, 1)
    assert asked(talk, replace(question(after("e2e4")), bot_context=game))[-4:] == ["force", "e2e4", "st 1", "go"]
    told(talk, "move d7d5")
    taken = after("e2e4", "d7d5", "e4d5")
    assert asked(talk, replace(question(taken), bot_context=game)) == ["force", "e4d5", "st 1", "go"]
    told(talk, "move d8d5")
    lines = asked(
        talk, replace(question(after("d2d4", "d7d5", "c2c4")), bot_context=game)
    )  # not from there in one move
    assert lines[:6] == ["force", "new", "easy", "nopost", "force", "a2a3"]
    assert {"Pd4", "Pd5", "Ke8", "Ke1", "Pc4"} <= set(lines)
    assert lines[lines.index("c") + 1] == "Ra8"
    assert lines[-3:] == [".", "st 1", "go"]


def test_a_promotion_of_the_opponent_is_told_by_its_letter() -> None:
    """ "If the move is a pawn promotion, [...] a lowercase letter is appended" """
    talk = ready("feature ping=0 setboard=0 done=1")
    before = after(start="8/P6k/8/8/8/8/7K/8 b - - 0 1")
    lines = asked(talk, replace(question(before), bot_context=(7, 1)))
    assert lines[-9:] == ["edit", "#", "Pa7", "Kh2", "c", "Kh7", ".", "st 1", "go"]
    told(talk, "move h7g7")
    now = after("Kg7", "a8=N", start="8/P6k/8/8/8/8/7K/8 b - - 0 1")
    assert asked(talk, replace(question(now), bot_context=(7, 1)))[:2] == ["force", "a7a8n"]


@pytest.mark.parametrize("line", ["Unknown command: 'xboard'. Type help.", "Error (unknown command): protover"])
def test_an_engine_that_speaks_something_else_says_so(line: str) -> None:
    with pytest.raises(RemoteProtocolError, match="does not speak CECP"):
        Cecp({}).receive_line(line)


def test_a_game_is_new_once_and_rules_are_named_as_the_engine_has_them() -> None:
    """ "variant VARNAME" """
    talk = ready()
    first = replace(question(after(variant="atomic")), bot_context=(7, 1))
    assert asked(talk, first)[:2] == ["new", "variant atomic"]
    told(talk, "pong 1", "move e2e4")
    assert asked(talk, first)[:2] == ["force", f"setboard {START}"]
    told(talk, "pong 2", "move e2e4")
    with pytest.raises(Unsuited, match="does not play crazyhouse"):
        talk.ask(question(after(variant="crazyhouse")))


def test_levels_are_depths_and_the_highest_has_none() -> None:
    """ "sd DEPTH: The engine should limit its thinking to DEPTH ply." """
    lines = [asked(ready(), question(level=level)) for level in (1, 2, 3)]
    assert [[line for line in part if line.startswith("sd")] for part in lines] == [["sd 1"], ["sd 4"], []]


def test_a_short_clock_is_told_as_it_is() -> None:
    """ "level MPS BASE INC"; "time N, otim N: [...] in centiseconds" """
    fischer = TimeControl(TimeKind.FISCHER, main_s=300.0, increment_s=2.0)
    put = replace(question(after("e2e4"), budget_s=30.0), time=fischer, readings=(Reading(200.0), Reading(61.25)))
    lines = asked(ready(), put)
    assert lines[-4:-1] == ["level 0 5:00 2", "time 6125", "otim 20000"]
    assert session_words(TimeControl(TimeKind.MOVES, main_s=5400.0, moves=40)) == "40 90:00 0"
    assert session_words(TimeControl(TimeKind.BYOYOMI, period_s=30.0, periods=3)) is None


def test_when_its_time_is_over_it_is_told_to_move() -> None:
    """ "?: Move now." """
    talk = ready()
    asked(talk, question())
    talk.hurry()
    assert said(talk) == []
    told(talk, "pong 1")
    talk.hurry()
    assert said(talk) == ["?"]


@pytest.mark.parametrize("line", ["move e2e5", "move", "Illegal move: e2e4", "Illegal position"])
def test_what_cannot_be_is_no_answer(line: str) -> None:
    talk = ready()
    asked(talk, question())
    told(talk, "pong 1")
    if line == "move":
        assert told(talk, line) == []
        assert talk.answer is None
        return
    with pytest.raises(RemoteProtocolError):
        talk.receive_line(line)


def test_it_may_resign_and_can_be_asked_again() -> None:
    """ "resign: If your engine wants to resign" """
    talk = ready()
    asked(talk, question())
    told(talk, "pong 1")
    with pytest.raises(Resigned):
        talk.receive_line("resign")
    assert talk.ready


def test_it_is_asked_one_thing_at_a_time() -> None:
    talk = ready()
    talk.ask(question())
    with pytest.raises(LocalProtocolError):
        talk.ask(question())


def test_options_are_set_where_the_engine_has_them() -> None:
    """ "option NAME=VALUE" """
    talk = Cecp({"resign": "0", "Wisdom": "3"})
    lines = told(talk, 'feature option="Resign -check 0" option="Resign Threshold -spin 800 200 1200" done=1')
    assert "option Resign=0" in lines
    assert talk.remarks == ["there is no option 'Wisdom'"]


@peers.needed
@pytest.mark.parametrize("name", ["fairymax", "hoichess", "stockfish"])
async def test_what_a_real_engine_speaks_is_found_out(name: str) -> None:
    """ "auto": the first protocol that has words for the game and that the engine answers."""
    path = str(peers.program(name, "usr/games"))
    process = EngineProcess(engine_of(EngineBot("chess", path, AUTO, options={}), "test:"))
    with trio.fail_after(60):
        try:
            await process.start(30.0)
            for position in (FIRST, after("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1")):
                move = await process.ask(question(position, level=1), 30.0)
                assert GAME.play(position, move) != position
        finally:
            await process.leave()
