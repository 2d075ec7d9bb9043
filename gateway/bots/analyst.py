"""Analyst: looks at finished games with the host's engines, one at a time, in processes of the lowest priority.

Games for which engines' protocols have words (engines.py) are left to engines; all others with rules of two seats are
looked at by the server's own search. The queue and the results are in the database (gateway/store/analyses.py), so that
any node does the work once, and what a killed one leaves is taken up again.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from typing import Any, Final, TypeVar

import msgspec
import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.bots.conversation import Conversation, Question, Unsuited
from gateway.bots.engine_pool import START_S
from gateway.bots.engine_process import TROUBLE, EngineProcess
from gateway.bots.engines import HOUSE_BOT, PROTOCOLS, Engine
from gateway.bots.examining import GAME_S, Result, Weigh, examined, house_verdict, played
from gateway.bots.pool import SILENCE_S, BotPool
from gateway.bots.verdict import CENTIPAWNS, HOUSE, POINTS, Verdict
from gateway.games.base import Game
from gateway.record.audit import NONSENSE
from gateway.record.shown import replayed
from gateway.release import release
from gateway.store.analyses import Analyses, Analysis
from gateway.store.views import Views
from gateway.table.state import State, Status

NICENESS: Final = 19
"""The lowest priority there is: house bots think before an analysis does."""

LOOK_S: Final = 2.0
"""Seconds between two looks for what was asked for at other nodes, or left by one that was killed."""

RENEW_S: Final = 5.0
"""Seconds between two words to the database: a sixth of the lease."""

KEPT_S: Final = 90 * 86_400.0
"""Seconds that a result is kept: a game of a season can be gone over again without thinking anew."""

FORGET_S: Final = 3600.0
"""Seconds between two looks for results that are older."""

SLOWEST_S: Final = 30.0
"""Seconds for one position of an engine that cannot be told how long to think, such as GNU Go on a full board, and
beyond its time for the server's own search, which waits while the machine has better things to do."""

MOVES_MAX: Final = 600
"""Moves of a game that is looked at: more have too little time each."""

UNITS: Final = {"chess": CENTIPAWNS, "go": POINTS}
"""The unit in which engines of a game count."""

_ENGINES_ONLY: Final = frozenset(game for protocol in PROTOCOLS.values() for game in protocol.games)

T = TypeVar("T")

_log = structlog.get_logger()


class Analyst:
    """Made by ``open``. Belongs to the trio run that opened it."""

    def __init__(self, analyses: Analyses, views: Views, engines: Iterable[Engine], pool: BotPool) -> None:
        self._analyses = analyses
        self._views = views
        self._engines: dict[str, Engine] = {}
        for engine in engines:
            if any(protocol.weigh is not Conversation.weigh for protocol in engine.conversations):
                self._engines.setdefault(engine.game, engine)
        self._pool = pool
        self._unsuited: set[tuple[str, str]] = set()
        self._me = secrets.token_hex(8)
        self._bell = trio.Event()
        self._now: tuple[Analysis, int, int] | None = None
        self._threads = trio.CapacityLimiter(2)

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str, engines: Iterable[Engine]) -> AsyncIterator[Analyst]:
        """An analyst with these engines; its processes are gone when the block ends."""
        with closing(Analyses(url)) as analyses, closing(Views(url)) as views:
            async with BotPool.open(1, silence_s=SLOWEST_S, niceness=NICENESS) as pool:
                yield cls(analyses, views, engines, pool)

    def engine_of(self, game: Game[Any], variant: str, seats: int) -> str | None:
        """The name of the engine that looks at such games; None where none does, as far as is known."""
        if not game.judged or seats != 2 or (game.name, variant) in self._unsuited:
            return None
        if (engine := self._engines.get(game.name)) is not None:
            return engine.name
        return None if game.name in _ENGINES_ONLY else HOUSE_BOT

    async def find(self, table: int, number: int, engine: str) -> Analysis | None:
        """The analysis of a table's game, as far as it has come; None: nobody has asked for it."""
        found = await self._do(self._analyses.find, table, number, engine)
        if found is not None and self._now is not None and self._now[0].worker == found.worker:
            running, done, total = self._now
            if (running.table, running.number) == (table, number) and found.open:
                return replace(found, done=done, total=total)
        return found

    async def ahead(self, of: Analysis) -> int:
        """The number of those that are looked at before it."""
        return await self._do(self._analyses.ahead, of.asked_at)

    async def ask(self, table: int, number: int, engine: str) -> bool:
        """Queue a game; nothing changes where it waits, runs or is done. False: too many wait."""
        if not await self._do(self._analyses.ask, table, number, engine, time.time()):
            return False
        self._bell.set()
        return True

    async def run(self) -> None:
        """Look at one game after the other, until cancelled. A database in trouble is tried again."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._forget)
            while True:
                try:
                    found = await self._do(self._analyses.take, self._names(), self._me, time.time())
                    if found is not None:
                        await self._look(found)
                        continue
                except SQLAlchemyError as error:
                    _log.warning("analyses cannot be read or stored", error=str(error))
                with trio.move_on_after(LOOK_S):
                    await self._bell.wait()
                self._bell = trio.Event()

    def _names(self) -> list[str]:
        return [HOUSE_BOT, *(engine.name for engine in self._engines.values())]

    async def _forget(self) -> None:
        while True:
            try:
                await self._do(self._analyses.forget, time.time() - KEPT_S)
            except SQLAlchemyError as error:
                _log.warning("old analyses cannot be deleted", error=str(error))
            await trio.sleep(FORGET_S)

    async def _look(self, of: Analysis) -> None:
        """Look at one game, and store what came of it. One that is cut off is free for others."""
        over = False
        try:
            result = await self._result(of)
            over = True
            if isinstance(result, Result):
                written = msgspec.json.encode(result).decode()
                await self._do(self._analyses.finish, of, written, len(result.positions))
                _log.info("a game was analysed", table=of.table, engine=of.engine)
            elif result is not None:
                await self._do(self._analyses.refuse, of, result)
                _log.info("a game is not analysed", table=of.table, engine=of.engine, why=result)
        finally:
            self._now = None
            if not over:
                with trio.CancelScope(shield=True), trio.move_on_after(1.0):
                    await self._do(self._analyses.free, of)

    async def _result(self, of: Analysis) -> Result | str | None:
        """The result, or why there is none. None: another worker has it, or its engine was lost: it is tried anew."""
        state = await self._do(self._state, of)
        if isinstance(state, str):
            return state
        result: Result | str | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._renew, of, nursery.cancel_scope)
            try:
                result = await self._examined(of, state)
            except Unsuited as why:
                self._unsuited.add((state.game.name, state.settings.variant))
                result = str(why)
            except TROUBLE as error:
                _log.warning("an engine was lost over an analysis", table=of.table, error=str(error) or "no answer")
                await trio.sleep(LOOK_S)
            except NONSENSE:
                _log.exception("an analysis failed", table=of.table, engine=of.engine)
                result = "this game cannot be looked at"
            nursery.cancel_scope.cancel()
        return result

    def _state(self, of: Analysis) -> State | str:
        """The table's state with the finished game; or why it is not looked at."""
        view = self._views.table(of.table)
        if view is None:
            return "the table was deleted"
        try:
            state = replayed(view, [stored.event for stored in self._views.events(of.table)])
        except NONSENSE:
            return "the record cannot be read"
        if state.games != of.number or state.status not in (Status.OVER, Status.CLOSED):
            return "another game has begun at this table"
        if self.engine_of(state.game, state.settings.variant, len(state.seats)) != of.engine:
            return "no engine here looks at such a game"
        if state.ply > MOVES_MAX:
            return f"a game of more than {MOVES_MAX} moves is not looked at"
        return state

    async def _renew(self, of: Analysis, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(RENEW_S)
            _, done, total = self._now or (of, 0, 0)
            try:
                ours = await self._do(self._analyses.renew, of, done, total, time.time())
            except SQLAlchemyError as error:
                _log.warning("an analysis is left: its lease cannot be renewed", table=of.table, error=str(error))
                ours = False
            if not ours:
                scope.cancel()

    async def _examined(self, of: Analysis, state: State) -> Result:
        total = state.ply + 1
        self._now = (of, 0, total)

        def progress(done: int) -> None:
            self._now = (of, done, total)

        game = state.game
        way = await self._do(played, state)
        if of.engine == HOUSE_BOT:
            found = await examined(state, way, HOUSE, self._house(game), progress)
            return Result(f"Boardgate {release().version}", HOUSE, found)
        engine = self._engines[game.name]
        process = EngineProcess(engine, NICENESS)
        try:
            await process.start(START_S)
            unit = UNITS.get(game.name, HOUSE)
            found = await examined(state, way, unit, _weighing(process, game, of), progress)
            return Result(process.called or engine.name, unit, found)
        finally:
            with trio.CancelScope(shield=True):
                await process.end()

    def _house(self, game: Game[Any]) -> Weigh:
        async def weigh(position: Any, budget_s: float) -> Verdict:
            chosen = await self._pool.weighed(game.name, position, budget_s)
            if chosen is None:
                raise trio.BrokenResourceError("the search gives no answer")
            return house_verdict(game, position, chosen)

        return weigh

    async def _do(self, function: Callable[..., T], *arguments: Any) -> T:
        """In a thread that is left behind when the server stops: a database that is away holds nobody up."""
        return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True, limiter=self._threads)


def _weighing(process: EngineProcess, game: Game[Any], of: Analysis) -> Weigh:
    """One process for the whole game. Behind GAME_S an engine that takes its time is asked for scores alone."""
    begun = trio.current_time()

    async def weigh(position: Any, budget_s: float) -> Verdict:
        spent_s = trio.current_time() - begun
        left_s = budget_s if spent_s < 2 * GAME_S else 0.0
        question = Question(game, position, 3, left_s, (of.table, of.number))
        return await process.weigh(question, SLOWEST_S + SILENCE_S)

    return weigh
