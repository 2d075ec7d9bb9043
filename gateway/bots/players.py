"""HousePlayers: the players of the server: an engine where a game has one, else our own search.

Every request gets a legal move: where an engine has none to give, the server's own search answers.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio

from gateway import registry
from gateway.bots.chooser import DEFAULT_LEVEL, VERSION, seconds
from gateway.bots.engine_pool import IDLE_S, EnginePool
from gateway.bots.engines import HOUSE_BOT, USUAL_BOT, Engine
from gateway.bots.pool import BotPool
from gateway.table.bot_context import BotContext
from protocols.core.model import Move

LOOKS: Final = 4
"""Looks for idle engines during the time that they may be idle."""


class HousePlayers:
    """Made by ``open``. Belongs to the trio run that opened it."""

    def __init__(self, pool: BotPool, engines: Iterable[Engine]) -> None:
        self._pool = pool
        self._crews = {(engine.game, engine.name): EnginePool(engine) for engine in engines}

    @classmethod
    @asynccontextmanager
    async def open(cls, workers: int | None = None, engines: Iterable[Engine] = ()) -> AsyncIterator[HousePlayers]:
        """Our own search in at most ``workers`` processes, and these engines; all gone when the block ends."""
        async with BotPool.open(workers) as pool:
            players = cls(pool, engines)
            try:
                yield players
            finally:
                for engine_pool in players._crews.values():
                    await engine_pool.close()

    def pids(self) -> tuple[int, ...]:
        """Process ids of engines and workers that are alive as far as is known."""
        return tuple(
            sorted([*self._pool.pids(), *(pid for engine_pool in self._crews.values() for pid in engine_pool.pids())])
        )

    async def choose(
        self, game_name: str, position: Any, level: int = DEFAULT_LEVEL, bot_context: BotContext | None = None
    ) -> Move:
        """A legal move for the seat to move in ``position``. It raises what BotPool.choose does.

        ``bot_context`` is the game it is a move of, until ``release``; None: the position is all there is.
        """
        game = registry.game(game_name)
        seconds(level)
        engine_pool = self._engine_pool(game.name, "" if bot_context is None else bot_context.bot)
        turn = game.to_move(position)
        if engine_pool is not None and isinstance(turn, int):
            move = await engine_pool.choose(game, position, level, bot_context)
            if move is not None:
                return move
        most_s = (
            bot_context.share_s(turn, trio.current_time())
            if bot_context is not None and isinstance(turn, int)
            else math.inf
        )
        return await self._pool.choose(game_name, position, level, most_s)

    def names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose: the usual one, the house's own, its engines."""
        return (USUAL_BOT, HOUSE_BOT, *(name for game, name in self._crews if game == game_name))

    def identity(self, game_name: str, bot: str, level: int) -> str:
        """The house bot that plays under this name: as "stockfish 15.1 level 3", by its name, version and level.

        "" until its program has said which it is.
        """
        engine_pool = self._engine_pool(game_name, bot)
        if engine_pool is None:
            return f"{HOUSE_BOT} {VERSION} level {level}"
        version = engine_pool.version
        return f"{engine_pool.name} {version} level {level}" if version else ""

    def _engine_pool(self, game: str, bot: str) -> EnginePool | None:
        """The engine that players chose by name, else the first of the game; None: our own search plays."""
        if bot == HOUSE_BOT:
            return None
        usual = next((engine_pool for (played, _), engine_pool in self._crews.items() if played == game), None)
        return self._crews.get((game, bot), usual)

    async def settle(
        self, game_name: str, position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        """The squares of what an engine takes for dead where play has stopped; None where no engine says.

        trio.ClosedResourceError: the engines are ended.
        """
        game = registry.game(game_name)
        engine_pool = self._engine_pool(game.name, "" if bot_context is None else bot_context.bot)
        return None if engine_pool is None else await engine_pool.settle(game, position, level, bot_context)

    def release(self, table: int) -> None:
        """The game at ``table`` is over, or goes on without house bots: an engine that played it is free again."""
        for engine_pool in self._crews.values():
            engine_pool.release(table)

    async def tend(self, idle_s: float = IDLE_S) -> None:
        """End engines that were idle for ``idle_s`` seconds; until cancelled."""
        while True:
            await trio.sleep(idle_s / LOOKS)
            for engine_pool in self._crews.values():
                await engine_pool.dismiss_idle(idle_s)
