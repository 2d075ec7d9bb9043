"""An engine that speaks GTP: what is said to it, what it may answer, and a real one."""

from __future__ import annotations

import pytest

from gateway.bots.conversation import Question, Unsuited
from gateway.bots.engines import Engine
from gateway.bots.gtp import NEEDED, Gtp
from gateway.bots.players import HousePlayers
from gateway.config import EngineBot
from gateway.games.go.rules import Go
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move
from tests import peers

GO = Go()
SMALL = GO.start(GO.settings(options={"size": "9", "komi": "5.5"}))
OPENED = GO.play(SMALL, GO.parse(SMALL, "E5"))


def ready(*commands: str) -> Gtp:
    """A conversation with an engine that lists these commands."""
    talk = Gtp({})
    talk.data_to_send()
    for line in ("=1 Scripted", "", "=2 " + (commands[0] if commands else ""), *commands[1:], ""):
        talk.receive_line(line)
    return talk


def asked() -> Gtp:
    talk = ready(*NEEDED)
    talk.ask(Question(GO, OPENED, 2, 0.5))
    return talk


def test_it_is_asked_who_it_is_and_what_it_knows() -> None:
    talk = Gtp({})
    assert talk.data_to_send() == b"1 name\n2 list_commands\n"
    assert not talk.ready
    talk = ready(*NEEDED)
    assert talk.ready
    assert talk.called == "Scripted"


def test_the_board_is_set_up_and_a_move_asked_for() -> None:
    talk = asked()
    assert talk.data_to_send().decode().splitlines() == [
        "3 boardsize 9",
        "4 clear_board",
        "5 komi 5.5",
        "6 play black E5",
        "7 genmove white",
    ]


def test_only_what_it_lists_is_sent() -> None:
    talk = ready(*NEEDED, "level")
    talk.ask(Question(GO, SMALL, 3, 0.5))
    assert talk.data_to_send().startswith(b"3 level 10\n")
    with pytest.raises(Unsuited):
        ready("boardsize", "genmove").ask(Question(GO, SMALL, 1, 0.5))


def test_its_answer_is_a_legal_move() -> None:
    talk = asked()
    for line in ("=3", "", "=4", "", "=5", "", "=6", "", "= 7 C3", ""):
        talk.receive_line(line)
    assert talk.answer == Move(None, 6 * 9 + 2, "white")
    assert talk.ready


def test_who_gives_up_passes() -> None:
    talk = asked()
    talk.receive_line("=7 resign")
    assert talk.answer == Move(None, None)


@pytest.mark.parametrize("line", ["=7 E5", "=7 Z99", "?7 no idea", "?6 illegal move"])
def test_an_answer_that_is_no_move_is_an_error(line: str) -> None:
    with pytest.raises(RemoteProtocolError):
        asked().receive_line(line)


def test_answers_to_nothing_and_rubbish_are_passed_over() -> None:
    talk = asked()
    for line in ("=99 D4", "hello", "", "=", "?"[:0]):
        talk.receive_line(line)
    assert talk.answer is None


async def test_a_real_engine_plays_for_the_house() -> None:
    words = (str(peers.program("gnugo", "usr/games")), "--mode", "gtp")
    engine = Engine(EngineBot(game="go", command=" ".join(words), move_time_s=5.0), "go", words, Gtp)
    async with HousePlayers.open(0, [engine]) as players:
        move = await players.choose("go", OPENED, 1)
    assert move.target is not None
    assert GO.play(OPENED, move) != OPENED
