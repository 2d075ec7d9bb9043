"""BotPool: house bots think in worker processes, so that no table waits for another one's thought.

Requests are served first come, first served. When many wait, each is thought about for a shorter time. A worker that
dies or keeps silent is replaced and the request made once more; after that, and when too many wait, the answer is a
legal move without a thought. So every request is answered. Workers start at the first request that needs them.

Workers keep nothing: killing one loses nothing.
"""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
import trio

from gateway import registry
from gateway.bots import frames
from gateway.bots.chooser import DEFAULT_LEVEL, choose, seconds
from gateway.bots.worker import NICENESS
from gateway.games.base import Game, Position
from protocols.core.model import Move

START_S: Final = 20.0
"""Seconds for a worker to say it is ready: half a second on an idle machine, many times that on a crowded one."""

SILENCE_S: Final = 3.0
"""Seconds beyond its budget after which a worker counts as stuck. It runs at low priority: it may have to wait."""

ATTEMPTS: Final = 2
"""A second worker gets a request that one worker died of; a third would hardly fare better."""

QUEUE_MAX: Final = 1000
"""Requests that may wait for a worker. With more the machine is too slow to think at all."""

LEAST_S: Final = 0.01
"""Seconds of thought that are left to each when many wait: enough to see a capture."""

_log = structlog.get_logger()


class BotPool:
    """Made by ``open``; see the module. A pool belongs to the trio run that opened it."""

    def __init__(self, workers: int, silence_s: float, niceness: int = NICENESS) -> None:
        self._niceness = niceness
        self._seats = trio.CapacityLimiter(workers)
        self._silence_s = silence_s
        self._idle: list[_Worker] = []
        self._alive: set[_Worker] = set()
        self._closed = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls, workers: int | None = None, silence_s: float = SILENCE_S, niceness: int = NICENESS
    ) -> AsyncIterator[BotPool]:
        """A pool of at most ``workers`` processes (None: see ``usual_workers``); all are gone when the block ends."""
        pool = cls(usual_workers() if workers is None else workers, silence_s, niceness)
        try:
            yield pool
        finally:
            pool._closed = True
            for worker in list(pool._alive):
                await pool._dismiss(worker)

    def pids(self) -> tuple[int, ...]:
        """Process ids of the workers that are alive as far as is known, for tests and for metrics."""
        return tuple(sorted(worker.process.pid for worker in self._alive))

    async def choose(self, game_name: str, position: Any, level: int = DEFAULT_LEVEL, most_s: float = math.inf) -> Move:
        """A legal move for the seat to move in ``position``, after a thought of at most ``most_s`` seconds.

        Refused: no such game. ValueError: no such level, or no legal move. trio.ClosedResourceError: the pool is
        closed. A position of no such game raises the game's own errors. The pool outlives all of these.
        Cancelling ends the thought.
        """
        game = registry.game(game_name)
        full_s = min(seconds(level), max(LEAST_S, most_s))
        if self._seats.statistics().tasks_waiting >= QUEUE_MAX:
            return _unthinking(game, position)
        async with self._seats:
            waiting = self._seats.statistics().tasks_waiting
            budget_s = shared(full_s, waiting, int(self._seats.total_tokens))
            chosen = await self._thought(frames.MoveRequest(game.name, position, level, budget_s))
        return _unthinking(game, position) if chosen is None else chosen.move

    async def weighed(self, game_name: str, position: Any, budget_s: float) -> frames.Chosen | None:
        """The best move and its value; None where no worker could say. trio.ClosedResourceError: it is closed."""
        async with self._seats:
            return await self._thought(frames.MoveRequest(game_name, position, DEFAULT_LEVEL, budget_s, weigh=True))

    async def _thought(self, wanted: frames.MoveRequest) -> frames.Chosen | None:
        """The move a worker chose; None when it could not, or ATTEMPTS of them were lost over it."""
        request = frames.packed(wanted)
        for _ in range(ATTEMPTS):
            if self._closed:
                raise trio.ClosedResourceError("the pool of bots is closed")
            answer = await self._asked(request, wanted.budget_s + self._silence_s)
            if isinstance(answer, frames.Chosen):
                return answer
            if isinstance(answer, frames.Failed):
                _log.warning("a bot could not choose a move", game=wanted.game, error=answer.text)
                return None
            _log.warning("a worker was lost over a move", game=wanted.game)
        return None

    async def _asked(self, request: bytes, patience_s: float) -> frames.Answer | None:
        """A worker's answer; None when the worker was lost, and then it is gone for good."""
        worker: _Worker | None = None
        answer: frames.Answer | None = None
        try:
            worker = await self._ready()
            with trio.move_on_after(patience_s):
                await worker.send(request)
                answer = await worker.receive()
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError, ValueError) as error:
            _log.info("a worker broke off", error=str(error))
        finally:
            if worker is not None and answer is not None:
                self._idle.append(worker)
            elif worker is not None:
                await self._dismiss(worker)
        return answer

    async def _ready(self) -> _Worker:
        """An idle worker, the one used last before others, else a new one. OSError: it could not be started."""
        if self._idle:
            return self._idle.pop()
        worker = await _Worker.started(self._niceness)
        self._alive.add(worker)
        ready = None
        try:
            if not self._closed:  # it may have been while the process started
                with trio.move_on_after(START_S):
                    ready = await worker.receive()
        finally:
            if ready is None:
                await self._dismiss(worker)
        if ready is None:
            raise OSError(f"no word from a new worker within {START_S:g} seconds")
        return worker

    async def _dismiss(self, worker: _Worker) -> None:
        """End a worker, at once and for good; idempotent."""
        self._alive.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        await worker.end()


class _Worker:
    """The server's end of one worker process."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self._received = bytearray()

    @classmethod
    async def started(cls, niceness: int) -> _Worker:
        command = [sys.executable, "-P", "-m", "gateway.bots.worker", str(niceness)]
        return cls(await trio.lowlevel.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    async def send(self, frame: bytes) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send_all(frame)

    async def receive(self) -> frames.Answer:
        """The next answer. BrokenResourceError: the process ended. ValueError: what came is no answer."""
        assert self.process.stdout is not None
        while (answer := frames.taken(self._received)) is None:
            received = await self.process.stdout.receive_some()
            if not received:
                raise trio.BrokenResourceError("the process ended")
            self._received += received
        return answer

    async def end(self) -> None:
        """Kill and reap it: it keeps nothing, and SIGKILL takes effect even on a stopped process."""
        self.process.kill()
        with trio.CancelScope(shield=True):
            await self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    await stream.aclose()


def usual_workers() -> int:
    """One worker for each processor this process may use but one, which is the server's; at least one."""
    return max(1, processors() - 1)


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(full_s: float, waiting: int, workers: int) -> float:
    """Seconds of thought for one of ``waiting`` + 1 requests: a hundred are served within some five ``full_s``."""
    return max(LEAST_S, min(full_s, full_s * workers / (waiting + 1)))


def _unthinking(game: Game[Position], position: Position) -> Move:
    """A legal move at once, in this process."""
    return choose(game, position, DEFAULT_LEVEL, 0.0, time.monotonic, random.Random())
