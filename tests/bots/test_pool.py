"""The worker pool answers every request in turn and leaves no process behind."""

from __future__ import annotations

import os
import random
import signal
import sys
import time

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.bots import pool as pool_module
from gateway.bots.budget import DECIDED
from gateway.bots.pool import LEAST_S, BotPool, shared, usual_workers
from gateway.games.tic_tac_toe import Position, TicTacToe
from protocols.core.errors import Refused
from protocols.core.model import Move

GAME = TicTacToe()
PATIENCE_S = 50.0
"""A test that hangs fails after this long; no test waits for it."""

WIN_IN_ONE = Position("xx.oo....")
AN_EDGE_IS_LOST = Position("xo.......")
"""A corner answered with the edge beside it: the corner wins, seven moves away."""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def stopped_worker(pool: BotPool) -> int:
    """The pool's only worker, idle and stopped: what is asked of it next is never answered."""
    await pool.choose("tic_tac_toe", Position())
    (pid,) = pool.pids()
    os.kill(pid, signal.SIGSTOP)
    return pid


async def test_no_worker_is_started_before_the_first_request() -> None:
    async with BotPool.open(1) as pool:
        assert pool.pids() == ()


async def test_a_win_in_one_is_taken_by_a_worker_of_its_own() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE) == Move(None, 2, "x")
            assert len(pool.pids()) == 1
            assert os.getpid() not in pool.pids()


async def held_up(pool: BotPool) -> None:
    """Lets the only worker run for some 5 ms in 300: a machine that has better things to do."""
    (pid,) = pool.pids()
    while True:
        os.kill(pid, signal.SIGSTOP)
        await trio.sleep(0.3)
        os.kill(pid, signal.SIGCONT)
        await trio.sleep(0.005)


async def test_what_a_position_is_worth_does_not_depend_on_what_else_the_machine_does() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1, silence_s=PATIENCE_S) as pool, trio.open_nursery() as nursery:
            await pool.choose("tic_tac_toe", WIN_IN_ONE)
            nursery.start_soon(held_up, pool)
            chosen = await pool.weighed("tic_tac_toe", AN_EDGE_IS_LOST, 0.3)
            nursery.cancel_scope.cancel()
    assert chosen is not None
    assert chosen.value is not None
    assert chosen.value > DECIDED


async def test_one_worker_is_enough_for_one_request_after_the_other() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(3) as pool:
            for _ in range(4):
                await pool.choose("tic_tac_toe", WIN_IN_ONE)
            assert len(pool.pids()) == 1


async def test_requests_at_the_same_time_get_workers_up_to_the_limit() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(2) as pool:
            async with trio.open_nursery() as nursery:
                for _ in range(5):
                    nursery.start_soon(pool.choose, "tic_tac_toe", Position(), 1)
            assert len(pool.pids()) == 2


async def test_a_worker_killed_in_the_middle_of_a_thought_is_replaced_and_the_answer_comes() -> None:
    answers: list[Move] = []
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1, silence_s=PATIENCE_S) as pool:
            pid = await stopped_worker(pool)

            async def ask() -> None:
                answers.append(await pool.choose("tic_tac_toe", WIN_IN_ONE))

            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask)
                await wait_all_tasks_blocked()
                assert answers == []
                os.kill(pid, signal.SIGKILL)
            assert answers == [Move(None, 2, "x")]
            assert gone(pid)
            assert len(pool.pids()) == 1
            assert pid not in pool.pids()


async def test_a_worker_that_was_killed_while_idle_is_replaced() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            await pool.choose("tic_tac_toe", Position())
            (pid,) = pool.pids()
            os.kill(pid, signal.SIGKILL)
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE) == Move(None, 2, "x")
            assert pid not in pool.pids()


async def test_a_worker_that_keeps_silent_is_killed_and_replaced() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1, silence_s=3.0) as pool:
            pid = await stopped_worker(pool)
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE, 1) in GAME.legal_moves(WIN_IN_ONE)
            assert gone(pid)


async def test_without_any_worker_the_answer_is_still_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE) in GAME.legal_moves(WIN_IN_ONE)
            assert pool.pids() == ()


async def test_the_end_of_the_pool_leaves_no_process_and_takes_less_than_a_second() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(2) as pool:
            async with trio.open_nursery() as nursery:
                for _ in range(2):
                    nursery.start_soon(pool.choose, "tic_tac_toe", Position(), 1)
            pids = pool.pids()
            began = time.monotonic()
        assert time.monotonic() - began < 1
        assert len(pids) == 2
        assert all(gone(pid) for pid in pids)


async def test_cancelling_the_whole_server_in_the_middle_of_a_thought_leaves_no_process() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            pid = await stopped_worker(pool)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pool.choose, "tic_tac_toe", Position())
                await wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()
            assert gone(pid)
            assert pool.pids() == ()
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE) == Move(None, 2, "x")


async def test_a_closed_pool_says_so_also_to_those_who_were_waiting() -> None:
    refused: list[Exception] = []
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery, BotPool.open(1) as pool:
            await stopped_worker(pool)

            async def ask() -> None:
                try:
                    await pool.choose("tic_tac_toe", Position())
                except trio.ClosedResourceError as error:
                    refused.append(error)

            nursery.start_soon(ask)
            nursery.start_soon(ask)
            await wait_all_tasks_blocked()
        assert len(refused) == 2
        with pytest.raises(trio.ClosedResourceError):
            await pool.choose("tic_tac_toe", Position())


async def test_garbage_is_the_asker_s_own_trouble() -> None:
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            with pytest.raises(Refused, match="no game 'nonsense'"):
                await pool.choose("nonsense", Position())
            with pytest.raises(ValueError, match="no level 0"):
                await pool.choose("tic_tac_toe", Position(), 0)
            with pytest.raises(ValueError, match="nobody can move"):
                await pool.choose("tic_tac_toe", Position("xxxoo...."))
            with pytest.raises(AttributeError):
                await pool.choose("tic_tac_toe", "not a position")
            assert await pool.choose("tic_tac_toe", WIN_IN_ONE) == Move(None, 2, "x")


async def test_many_tables_share_one_worker_and_all_finish_their_games() -> None:
    tables, moves = 12, 0

    async def table(pool: BotPool, seed: int) -> None:
        nonlocal moves
        rng = random.Random(seed)
        position = Position()
        while isinstance(turn := GAME.to_move(position), int):
            move = rng.choice(GAME.legal_moves(position)) if turn else await pool.choose("tic_tac_toe", position, 1)
            moves += 1
            position = GAME.play(position, move)
        outcome = GAME.outcome(position)
        assert outcome is not None

    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1) as pool:
            await pool.choose("tic_tac_toe", Position())
            async with trio.open_nursery() as nursery:
                for seed in range(tables):
                    nursery.start_soon(table, pool, seed)
    assert moves >= tables * 5


async def test_too_long_a_queue_is_answered_without_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "QUEUE_MAX", 1)
    with trio.fail_after(PATIENCE_S):
        async with BotPool.open(1, silence_s=PATIENCE_S) as pool:
            await stopped_worker(pool)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pool.choose, "tic_tac_toe", Position())
                nursery.start_soon(pool.choose, "tic_tac_toe", Position())
                await wait_all_tasks_blocked()
                assert await pool.choose("tic_tac_toe", WIN_IN_ONE) in GAME.legal_moves(WIN_IN_ONE)
                nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("waiting", "workers", "expected_s"),
    [(0, 1, 0.3), (2, 1, 0.1), (2, 3, 0.3), (5, 3, 0.15), (1000, 1, LEAST_S)],
)
def test_the_more_wait_the_shorter_is_each_thought(waiting: int, workers: int, expected_s: float) -> None:
    assert shared(0.3, waiting, workers) == pytest.approx(expected_s)


def test_one_processor_is_left_to_the_server() -> None:
    assert 1 <= usual_workers() <= max(1, (os.cpu_count() or 1) - 1)
