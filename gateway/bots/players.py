"""HousePlayers: everybody who plays for the house: an engine where a game has one, else the house's own bots.

Every request gets a legal move: where an engine has none to give, the house's own bots answer. Not here: which tables
have a bot (the server), how either of them thinks (crew.py, pool.py).
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio

from gateway import registry
from gateway.bots.chooser import DEFAULT_LEVEL, seconds
from gateway.bots.crew import IDLE_S, Crew
from gateway.bots.engines import HOUSE_BOT, USUAL_BOT, Engine
from gateway.bots.pool import BotPool
from gateway.table.bout import Bout
from protocols.core.model import Move

LOOKS: Final = 4
"""How often idle engines are looked for, in each time that they may be idle."""


class HousePlayers:
    """Made by ``open``. Belongs to the trio run that opened it."""

    def __init__(self, pool: BotPool, engines: Iterable[Engine]) -> None:
        self._pool = pool
        self._crews = {(engine.game, engine.name): Crew(engine) for engine in engines}

    @classmethod
    @asynccontextmanager
    async def open(cls, workers: int | None = None, engines: Iterable[Engine] = ()) -> AsyncIterator[HousePlayers]:
        """The house's own bots in at most ``workers`` processes, and these engines; all gone when the block ends."""
        async with BotPool.open(workers) as pool:
            players = cls(pool, engines)
            try:
                yield players
            finally:
                for crew in players._crews.values():
                    await crew.close()

    def pids(self) -> tuple[int, ...]:
        """Process ids of engines and workers that are alive as far as is known."""
        return tuple(sorted([*self._pool.pids(), *(pid for crew in self._crews.values() for pid in crew.pids())]))

    async def choose(self, game_name: str, position: Any, level: int = DEFAULT_LEVEL, bout: Bout | None = None) -> Move:
        """A legal move for the seat to move in ``position``. It raises what BotPool.choose does.

        ``bout`` is the game it is a move of, until ``release``; None: the position is all there is.
        """
        game = registry.game(game_name)
        seconds(level)
        crew = self._crew(game.name, "" if bout is None else bout.bot)
        turn = game.to_move(position)
        if crew is not None and isinstance(turn, int):
            move = await crew.choose(game, position, level, bout)
            if move is not None:
                return move
        most_s = bout.share_s(turn, trio.current_time()) if bout is not None and isinstance(turn, int) else math.inf
        return await self._pool.choose(game_name, position, level, most_s)

    def names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose: the usual one, the house's own, its engines."""
        return (USUAL_BOT, HOUSE_BOT, *(name for game, name in self._crews if game == game_name))

    def _crew(self, game: str, bot: str) -> Crew | None:
        """The engine that players chose by name, else the first of the game; None: the house's own bots play."""
        if bot == HOUSE_BOT:
            return None
        usual = next((crew for (played, _), crew in self._crews.items() if played == game), None)
        return self._crews.get((game, bot), usual)

    async def settle(self, game_name: str, position: Any, level: int, bout: Bout) -> tuple[int, ...] | None:
        """The squares of what an engine takes for dead where play has stopped; None where no engine says.

        trio.ClosedResourceError: the engines are ended.
        """
        game = registry.game(game_name)
        crew = self._crew(game.name, "" if bout is None else bout.bot)
        return None if crew is None else await crew.settle(game, position, level, bout)

    def release(self, table: int) -> None:
        """The game at ``table`` is over, or goes on without the house: an engine that played it is free again."""
        for crew in self._crews.values():
            crew.release(table)

    async def tend(self, idle_s: float = IDLE_S) -> None:
        """End engines that nobody has asked for ``idle_s`` seconds; until cancelled."""
        while True:
            await trio.sleep(idle_s / LOOKS)
            for crew in self._crews.values():
                await crew.dismiss_idle(idle_s)
