"""Starts engine processes and pools of them for tests, and checks that a process has ended."""

from __future__ import annotations

import os
import select
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from gateway.bots.engine_pool import EnginePool
from gateway.bots.engines import Engine
from gateway.bots.gtp import Gtp
from gateway.bots.uci import Uci
from gateway.config import EngineBot
from gateway.games.chess.rules import Chess
from tests import peers

GAME = Chess()
FIRST = GAME.start(GAME.settings())
E2E4 = GAME.parse(FIRST, "e2e4")

SCRIPT = Path(__file__).with_name("scripted_uci.py")
PATIENCE_S = 50.0
"""A test that hangs fails after this long; no test waits for it."""


def scripted(mode: str, log: Path | None = None, **settings: Any) -> Engine:
    """The engine of scripted_uci.py that does ``mode`` at "go"."""
    words = (sys.executable, str(SCRIPT), mode, *([str(log)] if log else []))
    return Engine(EngineBot(game="chess", command=shlex.join(words), **settings), "chess", words, (Uci,))


def stockfish(**settings: Any) -> Engine:
    path = str(peers.program("stockfish", "usr/games"))
    return Engine(EngineBot(game="chess", command=path, **settings), "chess", (path,), (Uci,))


def gnugo(*words: str, **settings: Any) -> Engine:
    """With one seed: the same game every time."""
    command = (str(peers.program("gnugo", "usr/games")), "--mode", "gtp", "--seed", "1", *words)
    return Engine(EngineBot(game="go", command=shlex.join(command), **settings), "go", command, (Gtp,))


@asynccontextmanager
async def crew_of(
    engine: Engine, silence_s: float = PATIENCE_S, start_s: float = PATIENCE_S
) -> AsyncIterator[EnginePool]:
    """An engine pool for tests that end within PATIENCE_S and leave no process."""
    engine_pool = EnginePool(engine, silence_s, start_s)
    with trio.fail_after(PATIENCE_S):
        try:
            yield engine_pool
        finally:
            pids = engine_pool.pids()
            await engine_pool.close()
            assert all(ended(pid) for pid in pids)
            assert engine_pool.pids() == ()


def ended(pid: int, within_s: float = 0.0) -> bool:
    """Return whether the process has ended, reaped or not; waits for at most ``within_s``."""
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(file, select.POLLIN)
        return bool(poll.poll(within_s * 1000))
    finally:
        os.close(file)
