"""An engine pool with real processes gives a move or none whatever its engines do, and leaves no process behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.bots import engine_pool as crew_module
from gateway.bots.engine_pool import FAILURES_MAX, EnginePool, version_of
from gateway.bots.engines import Engine
from protocols.core.model import Move
from tests import peers
from tests.bots.running_engines import E2E4, FIRST, GAME, PATIENCE_S, crew_of, ended, scripted, stockfish


async def asked(engine_pool: EnginePool, level: int = 2) -> Move | None:
    return await engine_pool.choose(GAME, FIRST, level)


async def test_nothing_is_started_before_somebody_asks() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        assert engine_pool.pids() == ()


async def test_an_engine_s_move_is_the_answer_and_one_process_answers_one_after_the_other() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        assert await asked(engine_pool) == E2E4
        (pid,) = engine_pool.pids()
        assert await asked(engine_pool) == E2E4
        assert engine_pool.pids() == (pid,)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


@peers.needed
async def test_stockfish_sees_a_mate_in_one_at_its_best_level() -> None:
    position = GAME.start(GAME.settings(start="6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"))
    async with crew_of(stockfish(move_time_s=0.1)) as engine_pool:
        assert await engine_pool.choose(GAME, position, 3) == GAME.parse(position, "a1a8")


async def test_an_engine_is_asked_for_as_long_as_the_settings_say(tmp_path: Path) -> None:
    log = tmp_path / "heard"
    async with crew_of(scripted("plays", log, move_time_s=0.25, options={"Skill Level": "3"})) as engine_pool:
        await asked(engine_pool)
    heard = log.read_text().splitlines()
    assert "go movetime 250" in heard
    assert "setoption name Skill Level value 3" in heard
    assert heard[-1] == "quit"


async def test_no_more_processes_run_than_the_settings_allow() -> None:
    async with crew_of(scripted("plays", processes=2)) as engine_pool:
        async with trio.open_nursery() as nursery:
            for _ in range(6):
                nursery.start_soon(asked, engine_pool)
        assert len(engine_pool.pids()) == 2


async def test_one_that_dies_is_replaced_and_the_answer_comes(tmp_path: Path) -> None:
    async with crew_of(scripted("dies-once", tmp_path / "heard")) as engine_pool:
        assert await asked(engine_pool) == E2E4
        assert len(engine_pool.pids()) == 1


async def test_one_that_was_killed_while_idle_is_replaced() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool)
        (pid,) = engine_pool.pids()
        os.kill(pid, signal.SIGKILL)
        assert await asked(engine_pool) == E2E4
        assert pid not in engine_pool.pids()


async def test_one_that_is_stopped_is_killed_and_replaced() -> None:
    async with crew_of(scripted("plays"), silence_s=1.0) as engine_pool:
        await asked(engine_pool)
        (pid,) = engine_pool.pids()
        os.kill(pid, signal.SIGSTOP)
        assert await asked(engine_pool) == E2E4
        assert ended(pid)


@pytest.mark.parametrize("mode", ["dies", "illegal", "nonsense", "none", "long", "floods", "gone"])
async def test_after_a_second_failure_there_is_no_answer_and_no_process(mode: str) -> None:
    async with crew_of(scripted(mode)) as engine_pool:
        assert await asked(engine_pool) is None
        assert engine_pool.pids() == ()


@pytest.mark.parametrize(("mode", "silence_s", "start_s"), [("silent", 0.2, PATIENCE_S), ("mute", PATIENCE_S, 0.3)])
async def test_silence_has_an_end(mode: str, silence_s: float, start_s: float) -> None:
    async with crew_of(scripted(mode, move_time_s=0.1), silence_s, start_s) as engine_pool:
        begun = trio.current_time()
        assert await asked(engine_pool) is None
        assert trio.current_time() - begun < 10
        assert engine_pool.pids() == ()


async def test_an_executable_that_is_none_gives_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "engine"
    file.write_bytes(b"\x00\x01\x02")
    engine = scripted("plays")
    async with crew_of(Engine(engine.settings, "chess", (str(file),), engine.conversations)) as engine_pool:
        assert await asked(engine_pool) is None


async def test_what_comes_too_late_is_not_taken_for_the_answer_to_the_next_question() -> None:
    async with crew_of(scripted("late")) as engine_pool:
        assert [await asked(engine_pool) for _ in range(3)] == [E2E4] * 3


async def test_an_engine_that_fails_again_and_again_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "heard"
    async with crew_of(scripted("dies", log)) as engine_pool:
        for _ in range(FAILURES_MAX + 3):
            assert await asked(engine_pool) is None
        assert log.read_text().count("uci\n") == 2 * FAILURES_MAX
        monkeypatch.setattr(engine_pool, "_alone_until", trio.current_time())
        assert await asked(engine_pool) is None
        assert log.read_text().count("uci\n") == 2 * FAILURES_MAX + 2


async def test_one_that_does_not_even_start_is_left_alone_at_once(tmp_path: Path) -> None:
    log = tmp_path / "heard"
    async with crew_of(scripted("gone", log)) as engine_pool:
        assert await asked(engine_pool) is None
        assert log.read_text() == "gone\n" * 2
        assert await asked(engine_pool) is None
        assert log.read_text() == "gone\n" * 2


async def test_rules_that_it_does_not_have_leave_it_well() -> None:
    atomic = GAME.start(GAME.settings("atomic"))
    async with crew_of(scripted("plays")) as engine_pool:
        for _ in range(FAILURES_MAX + 1):
            assert await engine_pool.choose(GAME, atomic, 2) is None
        (pid,) = engine_pool.pids()
        assert await asked(engine_pool) == E2E4
        assert engine_pool.pids() == (pid,)


async def test_idle_processes_are_ended_after_a_while_and_started_again() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool)
        (pid,) = engine_pool.pids()
        await engine_pool.dismiss_idle(60.0)
        assert engine_pool.pids() == (pid,)
        await engine_pool.dismiss_idle(0.0)
        assert engine_pool.pids() == ()
        assert ended(pid)
        assert await asked(engine_pool) == E2E4


async def test_one_that_refuses_to_quit_is_gone_all_the_same() -> None:
    async with crew_of(scripted("stays")) as engine_pool:
        assert await asked(engine_pool) == E2E4
        (pid,) = engine_pool.pids()
        begun = trio.current_time()
    assert ended(pid)
    assert trio.current_time() - begun < 3


async def test_what_an_engine_has_started_is_gone_with_it(tmp_path: Path) -> None:
    async with crew_of(scripted("child", tmp_path / "heard")) as engine_pool:
        assert await asked(engine_pool) == E2E4
        child = int((tmp_path / "heard.child").read_text())
        assert not ended(child)
    assert ended(child, within_s=5)


async def test_cancelling_a_thought_ends_the_process_and_the_next_one_is_answered(tmp_path: Path) -> None:
    async with crew_of(scripted("silent", tmp_path / "heard")) as engine_pool:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asked, engine_pool)
            while not engine_pool.pids():
                await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert engine_pool.pids() == ()


async def test_those_who_wait_when_the_crew_is_closed_are_told_so() -> None:
    refused: list[Exception] = []

    async def ask(engine_pool: EnginePool) -> None:
        try:
            await asked(engine_pool)
        except trio.ClosedResourceError as error:
            refused.append(error)

    async with trio.open_nursery() as nursery, crew_of(scripted("silent")) as engine_pool:
        nursery.start_soon(ask, engine_pool)
        nursery.start_soon(ask, engine_pool)
        while not engine_pool.pids():
            await wait_all_tasks_blocked()
    assert len(refused) == 2
    with pytest.raises(trio.ClosedResourceError):
        await asked(engine_pool)


async def test_too_long_a_queue_has_no_answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew_module, "QUEUE_MAX", 1)
    async with crew_of(scripted("silent", processes=1)) as engine_pool, trio.open_nursery() as nursery:
        nursery.start_soon(asked, engine_pool)
        nursery.start_soon(asked, engine_pool)
        await wait_all_tasks_blocked()
        assert await asked(engine_pool) is None
        nursery.cancel_scope.cancel()


async def test_neither_stream_of_an_engine_reaches_the_server_s(capfd: pytest.CaptureFixture[str]) -> None:
    async with crew_of(scripted("complains")) as engine_pool:
        assert await asked(engine_pool) == E2E4
    shown = "".join(capfd.readouterr())
    assert "a word on standard error" not in shown
    assert "bestmove" not in shown


@pytest.mark.parametrize(
    ("name", "called", "version"),
    [
        ("stockfish", "Stockfish 15.1", "15.1"),
        ("gnugo", "GNU Go 3.8", "3.8"),
        ("easy", "Stockfish 15.1", "Stockfish 15.1"),
        ("fairy-stockfish", "Fairy-Stockfish 14 LB", "14 LB"),
        ("crafty", "Crafty", "Crafty"),
        ("stockfish", "", ""),
    ],
)
def test_an_engine_s_version_is_what_it_calls_itself_without_its_name(name: str, called: str, version: str) -> None:
    assert version_of(name, called) == version
