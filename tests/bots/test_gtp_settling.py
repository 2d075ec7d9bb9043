"""Engines that speak GTP where play has stopped: how they are asked what is dead, what they answer, and cleaning up."""

from __future__ import annotations

import os
import signal

import pytest
import trio

from gateway.bots import engine_pool as crew_module
from gateway.bots.conversation import Question, Unsuited
from gateway.bots.gtp import CLEANUP, NEEDED, Gtp
from gateway.bots.players import HousePlayers
from gateway.table import clock as clocks
from gateway.table.bot_context import BotContext
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import TimeControl, TimeKind
from tests import peers
from tests.bots.running_engines import FIRST, GAME, crew_of, gnugo, scripted
from tests.bots.test_gtp import GO, OPENED, play, question, ready, told

LISTS = (*NEEDED, "final_status_list")
STOPPED = play(OPENED, "C3", "pass", "pass")
E5, C3 = 4 * 9 + 4, 6 * 9 + 2


def asked(*commands: str) -> Gtp:
    """Asked what is dead by the tenth command: the board and four moves come first."""
    talk = ready(*commands)
    talk.settle(question(STOPPED))
    talk.data_to_send()
    return talk


def settles(talk: Gtp, put: Question, *answer: str) -> list[str]:
    """Return the commands sent for this question, without ids; the engine answers the last one so."""
    talk.settle(put)
    lines = talk.data_to_send().decode().splitlines()
    for line in lines:
        talk.receive_line("=" + line.partition(" ")[0] + (f" {answer[0]}" if line is lines[-1] and answer else ""))
        for further in answer[1:] if line is lines[-1] else ():
            talk.receive_line(further)
        talk.receive_line("")
    return [line.partition(" ")[2] for line in lines]


def test_the_board_is_told_and_what_is_dead_asked_for() -> None:
    """ "`query_dead` [...] when the engine lacks it: `final_status_list dead`" """
    moves = ["play black E5", "play white C3", "play black pass", "play white pass"]
    assert settles(ready(*LISTS), question(STOPPED))[3:] == [*moves, "final_status_list dead"]
    assert settles(ready(*LISTS, "query_dead"), question(STOPPED))[3:] == [*moves, "query_dead"]


def test_an_answer_may_have_several_lines_and_none() -> None:
    talk, heard = ready(*LISTS), []
    for answer in (("E5", "c3"), ("", "E5"), ()):
        settles(talk, question(STOPPED), *answer)
        assert talk.ready
        heard.append(talk.dead)
    assert heard == [(E5, C3), (E5,), ()]


def test_stones_that_are_none_are_left_out() -> None:
    talk = ready(*LISTS)
    settles(talk, question(STOPPED), "E5 A1 pass")
    assert talk.dead == (E5,)


def test_one_that_names_what_is_no_point_does_not_know_and_is_well() -> None:
    talk = ready(*LISTS)
    with pytest.raises(Unsuited, match="Z99"):
        settles(talk, question(STOPPED), "E5 Z99")
    assert talk.ready
    assert talk.dead is None


def test_one_that_refuses_does_not_know_and_is_well() -> None:
    """ "it answering with a not implemented error is OK" """
    talk = asked(*LISTS)
    with pytest.raises(Unsuited, match="cannot"):
        talk.receive_line("?10 cannot")
    talk.receive_line("")
    assert talk.ready
    played_on = play(GO.played_on(STOPPED), "D4")
    assert told(talk, question(played_on), "A1") == ["play black D4", "genmove white"]


@pytest.mark.parametrize("commands", [NEEDED, LISTS[1:]])
def test_one_without_the_commands_is_not_asked(commands: tuple[str, ...]) -> None:
    talk = ready(*commands)
    with pytest.raises(Unsuited):
        talk.settle(question(STOPPED))
    assert talk.data_to_send() == b""


def test_an_answer_without_end_is_an_error() -> None:
    talk = asked(*LISTS)
    talk.receive_line("=10 " + "E5 " * 80)
    talk.receive_line("E5")
    with pytest.raises(RemoteProtocolError, match="81 points"):
        talk.receive_line("E5")


def test_what_was_told_for_the_list_is_not_told_again_and_the_engine_cleans_up() -> None:
    """ "clean-up [...] (`kgs-genmove_cleanup` where listed, else `genmove`)" """
    talk = ready(*LISTS, CLEANUP)
    assert told(talk, question(OPENED)) == ["boardsize 9", "clear_board", "komi 5.5", "play black E5", "genmove white"]
    assert settles(talk, question(STOPPED))[-3:] == ["play black pass", "play white pass", "final_status_list dead"]
    played_on = play(GO.played_on(STOPPED), "D4")
    assert told(talk, question(played_on), "A1") == ["play black D4", f"{CLEANUP} white"]


def test_an_engine_that_was_asked_for_its_list_first_is_still_told_the_time() -> None:
    talk = ready(*LISTS, "time_settings")
    settles(talk, question(STOPPED))
    played_on = play(GO.played_on(STOPPED), "D4")
    control = TimeControl(TimeKind.ABSOLUTE, main_s=600.0)
    readings = clocks.shown(control, clocks.fresh(control, 2), 0.0)
    assert "time_settings 0 2 1" in told(talk, question(played_on, time=control, readings=readings), "A1")


SURROUNDED = play(GO.start(GO.settings(options={"size": "5", "komi": "0.5"})), "C3", "C4", "pass", "B3", "pass", "pass")


@peers.needed
async def test_gnugo_says_what_is_dead_with_the_clocks_standing() -> None:
    """Black has C3 on 5x5, White C4 and B3: there is no room for an eye."""
    control = TimeControl(TimeKind.ABSOLUTE, main_s=600.0)
    async with crew_of(gnugo("--level", "1")) as engine_pool:
        assert await engine_pool.settle(GO, SURROUNDED, 1, BotContext(1, 1, control, clocks.fresh(control, 2))) == (12,)
        assert engine_pool.pid(1) is not None


@peers.needed
async def test_one_that_is_killed_is_started_again_and_asked_the_same() -> None:
    async with crew_of(gnugo("--level", "1"), silence_s=5.0) as engine_pool:
        assert await engine_pool.settle(GO, SURROUNDED, 1, BotContext(1, 1)) == (12,)
        (pid,) = engine_pool.pids()
        os.kill(pid, signal.SIGKILL)
        assert await engine_pool.settle(GO, SURROUNDED, 1, BotContext(1, 1)) == (12,)
        assert pid not in engine_pool.pids()


async def test_an_engine_whose_protocol_has_no_word_for_it_has_no_list() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        assert await engine_pool.settle(GAME, FIRST, 1, BotContext(1, 1)) is None
        assert await engine_pool.choose(GAME, FIRST, 1, BotContext(1, 1)) is not None


@peers.needed
async def test_an_engine_that_cannot_be_started_has_no_list() -> None:
    async with HousePlayers.open(0, [gnugo("--no-such-option")]) as players:
        assert await players.settle("go", SURROUNDED, 1, BotContext(1, 1)) is None


async def test_the_house_s_own_bot_has_no_list() -> None:
    async with HousePlayers.open(0) as players:
        assert await players.settle("go", SURROUNDED, 1, BotContext(1, 1)) is None


@peers.needed
async def test_an_engine_that_keeps_silent_has_no_list_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "Each engine's dead list is a claim (30 s" """
    assert crew_module.SETTLING_S == 30.0
    async with crew_of(gnugo("--level", "1")) as engine_pool:
        assert await engine_pool.settle(GO, SURROUNDED, 1, BotContext(1, 1)) is not None
        (pid,) = engine_pool.pids()
        os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr(crew_module, "SETTLING_S", 0.3)
        begun = trio.current_time()
        assert await engine_pool.settle(GO, SURROUNDED, 1, BotContext(1, 1)) is None
        assert trio.current_time() - begun < 5.0
        assert engine_pool.pids() == ()
