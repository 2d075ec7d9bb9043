"""An engine that plays the games of a bot at the client's end: one process, started again after it has died."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import trio

from clients.client_state import ClientState
from clients.countdown import control_of
from gateway.bots.conversation import Question, Unsuited
from gateway.bots.engine_pool import SETTLING_S, START_S
from gateway.bots.engine_process import TROUBLE, EngineProcess
from gateway.bots.engines import Engine
from gateway.bots.pool import ATTEMPTS, SILENCE_S
from gateway.games.base import Game
from protocols.core.errors import BoardgateError
from protocols.core.model import Move

Answer = TypeVar("Answer")

PATIENCE: Final = 2
"""Times its time for a move until an engine counts as stuck: not every engine can be told how long to think."""


class EngineFailed(BoardgateError):
    """The engine cannot be started, or was lost twice over one question."""


class EnginePlayer:
    """``game`` counts the games that it plays: each is a new one to the engine. ``close`` it at the end."""

    def __init__(self, engine: Engine, level: int) -> None:
        self._engine = engine
        self._level = level
        self._process = EngineProcess(engine)

    async def choose(self, rules: Game[Any], client_state: ClientState, game: int) -> Move:
        """Its move for the seat to move. Unsuited, of which Resigned is one; EngineFailed."""
        patience_s = PATIENCE * self._engine.settings.move_time_s + SILENCE_S
        return await self._answered(self._question(rules, client_state, game), self._process.ask, patience_s)

    async def dead(self, rules: Game[Any], client_state: ClientState, game: int) -> tuple[int, ...]:
        """The squares it takes for dead where play has stopped; none where it does not say. EngineFailed."""
        question = replace(self._question(rules, client_state, game), time=None, readings=())
        try:
            return await self._answered(question, self._process.settle, SETTLING_S)
        except Unsuited:
            return ()

    async def close(self) -> None:
        """End its process. Idempotent."""
        with trio.CancelScope(shield=True):
            await self._process.leave()

    def _question(self, rules: Game[Any], client_state: ClientState, game: int) -> Question:
        question = Question(rules, client_state.position, self._level, self._engine.settings.move_time_s, (1, game))
        if client_state.clock is None or client_state.seat is None:
            return question
        readings = client_state.clock.clock.readings
        return replace(question, time=control_of(readings[client_state.seat]), readings=readings)

    async def _answered(
        self, question: Question, ask: Callable[[Question, float], Awaitable[Answer]], patience_s: float
    ) -> Answer:
        why = ""
        for _ in range(ATTEMPTS):
            try:
                if self._process.pid is None:
                    await self._process.start(START_S)
                return await ask(question, patience_s)
            except TROUBLE as error:
                why = str(error) or "no answer in time"
        raise EngineFailed(f"the engine {self._engine.settings.command!r} fails: {why}")
