"""Engines and games: a process for each game, how games share where there are more, and what players are told."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.bots import engine_pool as crew_module
from gateway.bots.engine_pool import GONE, LOST_MAX, STANDS_IN, EnginePool
from gateway.table import clock as clocks
from gateway.table.bot_context import BotContext
from protocols.core.model import Move, TimeControl, TimeKind
from tests import peers
from tests.bots.running_engines import E2E4, FIRST, GAME, PATIENCE_S, crew_of, ended, gnugo, scripted
from tests.bots.test_gtp import GO, SMALL

MINUTE = TimeControl(TimeKind.ABSOLUTE, main_s=60.0)


async def asked(engine_pool: EnginePool, table: int, number: int = 1, heard: list[str] | None = None) -> Move | None:
    """Return the engine's move at ``table``; ``heard`` collects the lines told to its players."""
    return await engine_pool.choose(
        GAME, FIRST, 2, BotContext(table, number, tell=(heard if heard is not None else []).append)
    )


def holders(engine_pool: EnginePool, *tables: int) -> list[int | None]:
    return [engine_pool.pid(table) for table in tables]


async def test_each_game_has_a_process_of_its_own_and_keeps_it() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        for table in (1, 2, 1, 2):
            assert await asked(engine_pool, table) == E2E4
        assert sorted(engine_pool.pids()) == sorted({engine_pool.pid(1) or 0, engine_pool.pid(2) or 0})
        before = holders(engine_pool, 1, 2)
        await asked(engine_pool, 1)
        assert holders(engine_pool, 1, 2) == before


async def test_a_killed_process_is_started_again_for_its_game_and_no_other_notices() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool, 1)
        await asked(engine_pool, 2)
        killed, other = holders(engine_pool, 1, 2)
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        heard: list[str] = []
        assert await asked(engine_pool, 2, heard=heard) == E2E4
        assert await asked(engine_pool, 1, heard=heard) == E2E4
        assert engine_pool.pid(2) == other
        assert engine_pool.pid(1) not in (killed, other, None)
        assert heard == []


async def test_a_process_is_given_back_at_the_end_of_its_game_and_the_next_game_has_it() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool, 1)
        pid = engine_pool.pid(1)
        engine_pool.release(1)
        assert engine_pool.pid(1) is None
        await asked(engine_pool, 2)
        assert engine_pool.pid(2) == pid
        assert len(engine_pool.pids()) == 1


async def test_a_rematch_is_another_game_to_the_engine(tmp_path: Path) -> None:
    log = tmp_path / "heard"
    async with crew_of(scripted("plays", log)) as engine_pool:
        for number in (1, 1, 2, 2):
            await asked(engine_pool, 1, number)
        assert len(engine_pool.pids()) == 1
    assert log.read_text().count("ucinewgame\n") == 2


async def test_more_games_than_processes_share_the_one_with_the_fewest_games_used_longest_ago() -> None:
    async with crew_of(scripted("plays", processes=2)) as engine_pool:
        for table in (1, 2, 1, 3, 4):
            assert await asked(engine_pool, table) == E2E4
        first, second = holders(engine_pool, 1, 2)
        assert holders(engine_pool, 3, 4) == [second, first]
        assert len(engine_pool.pids()) == 2


async def test_a_game_that_shares_has_a_process_of_its_own_as_soon_as_one_is_free() -> None:
    async with crew_of(scripted("plays", processes=2)) as engine_pool:
        for table in (1, 2, 1, 3):
            await asked(engine_pool, table)
        free, shared = holders(engine_pool, 1, 2)
        assert engine_pool.pid(3) == shared
        engine_pool.release(1)
        assert await asked(engine_pool, 3) == E2E4
        assert holders(engine_pool, 2, 3) == [shared, free]


async def test_a_held_process_that_nobody_asks_is_ended_and_the_game_goes_on_with_another() -> None:
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool, 1)
        pid = engine_pool.pid(1)
        assert pid is not None
        await engine_pool.dismiss_idle(60.0)
        assert engine_pool.pid(1) == pid
        await engine_pool.dismiss_idle(0.0)
        assert ended(pid)
        assert engine_pool.pids() == ()
        assert await asked(engine_pool, 1) == E2E4


async def test_rules_that_an_engine_does_not_have_take_no_process_from_other_games() -> None:
    heard: list[str] = []
    async with crew_of(scripted("plays", processes=1)) as engine_pool:
        atomic = GAME.start(GAME.settings("atomic"))
        for _ in range(2):
            assert await engine_pool.choose(GAME, atomic, 2, BotContext(1, 1, tell=heard.append)) is None
        assert engine_pool.pid(1) is None
        assert await asked(engine_pool, 2) == E2E4
    assert heard == []


async def test_players_are_told_who_moves_instead_and_when_the_engine_is_gone_for_good(tmp_path: Path) -> None:
    log, heard = tmp_path / "heard", list[str]()
    async with crew_of(scripted("dies", log)) as engine_pool:
        for _ in range(LOST_MAX):
            assert await asked(engine_pool, 1, heard=heard) is None
    assert heard == [STANDS_IN, GONE]
    assert log.read_text().count("uci\n") == LOST_MAX


async def test_an_engine_that_is_left_alone_goes_on_with_the_games_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    async with crew_of(scripted("plays")) as engine_pool:
        await asked(engine_pool, 1)
        monkeypatch.setattr(engine_pool, "_alone_until", trio.current_time() + 60.0)
        assert await asked(engine_pool, 1, heard=heard) == E2E4
        assert heard == []
        assert await asked(engine_pool, 2, heard=heard) is None
        assert heard == [STANDS_IN]
        monkeypatch.setattr(engine_pool, "_alone_until", trio.current_time())
        assert await asked(engine_pool, 2, heard=heard) == E2E4


async def test_a_game_that_ends_while_its_engine_thinks_is_not_asked_about_again(tmp_path: Path) -> None:
    log, heard, answers = tmp_path / "heard", list[str](), list[Move | None]()

    async def ask(engine_pool: EnginePool) -> None:
        answers.append(await asked(engine_pool, 1, heard=heard))

    async with crew_of(scripted("silent", log, move_time_s=0.1), 1.0) as engine_pool, trio.open_nursery() as nursery:
        nursery.start_soon(ask, engine_pool)
        while engine_pool.pid(1) is None:
            await wait_all_tasks_blocked()
        engine_pool.release(1)
    assert answers == [None]
    assert heard == []
    assert log.read_text().count("uci\n") == 1


async def test_the_clock_is_told_as_it_is_when_the_question_is_put(tmp_path: Path) -> None:
    log = tmp_path / "heard"
    async with crew_of(scripted("plays", log)) as engine_pool:
        clock = clocks.start(clocks.fresh(MINUTE, 2), 0, trio.current_time() - 50.0)
        await engine_pool.choose(GAME, FIRST, 2, BotContext(1, 1, MINUTE, clock))
    (go,) = [line.split() for line in log.read_text().splitlines() if line.startswith("go ")]
    assert 5_000 < int(go[go.index("wtime") + 1]) <= 10_000
    assert go[go.index("btime") + 1] == "60000"
    assert 100 < int(go[go.index("movetime") + 1]) <= 250


async def test_an_engine_that_thinks_on_is_told_to_stop_and_is_not_lost() -> None:
    async with crew_of(scripted("waits", move_time_s=0.1)) as engine_pool:
        assert await asked(engine_pool, 1) == E2E4
        assert len(engine_pool.pids()) == 1


async def test_no_more_think_at_once_than_there_are_processors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(crew_module, "processors", lambda: 1)
    log = tmp_path / "heard"
    async with crew_of(scripted("silent", log, processes=2)) as engine_pool, trio.open_nursery() as nursery:
        nursery.start_soon(asked, engine_pool, 1)
        nursery.start_soon(asked, engine_pool, 2)
        await wait_all_tasks_blocked()
        assert len(engine_pool.pids()) == 1
        nursery.cancel_scope.cancel()


@peers.needed
async def test_gnugo_plays_two_games_at_once_and_one_of_them_on_after_its_death() -> None:
    games = {1: SMALL, 2: SMALL}
    engine = gnugo(move_time_s=5.0)
    with trio.fail_after(PATIENCE_S):
        async with crew_of(engine) as engine_pool:
            for turn in range(24):
                if turn == 12:
                    killed, other = holders(engine_pool, 1, 2)
                    assert killed is not None
                    os.kill(killed, signal.SIGKILL)
                for table, position in games.items():
                    move = await engine_pool.choose(GO, position, 1, BotContext(table, 1))
                    assert move is not None
                    games[table] = GO.play(position, move)
            assert engine_pool.pid(2) == other
            assert engine_pool.pid(1) not in (killed, other)
    assert [len(position.moves) // 2 for position in games.values()] == [24, 24]
