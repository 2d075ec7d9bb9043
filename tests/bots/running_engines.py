"""What the tests of engines share: engines to run, and whether a process has ended."""

from __future__ import annotations

import os
import select
import shlex
import sys
from pathlib import Path
from typing import Any

from gateway.bots.engines import Engine
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
    return Engine(EngineBot(game="chess", command=shlex.join(words), **settings), "chess", words, Uci)


def stockfish(**settings: Any) -> Engine:
    path = str(peers.program("stockfish", "usr/games"))
    return Engine(EngineBot(game="chess", command=path, **settings), "chess", (path,), Uci)


def ended(pid: int, within_s: float = 0.0) -> bool:
    """Whether the process has ended, also where nobody has reaped it yet; waits for it at most so long."""
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
