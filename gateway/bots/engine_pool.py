"""EnginePool: the processes of one engine, one for each game that it plays, as many as the settings allow.

A game takes a process with its first question and keeps it until it is over (``release``): for the engine it is one
game. Where there are more games than processes, those that come last share the process with the fewest games, and of
these the one used longest ago; they have one of their own as soon as one is free. As many think at once as there are
processors.

A process that dies, keeps silent, floods or answers with what is no move is killed, started again, and asked the same.
After a second failure there is no answer, and the caller has to choose otherwise; the players are told. A game that
has lost LOST_MAX processes is not played by the engine any more. An engine that fails again and again is left alone
for a while: games whose processes are well go on. Idle processes are ended after some minutes.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar

import structlog
import trio

from gateway.bots.conversation import Question, Unsuited
from gateway.bots.engine_process import TROUBLE, EngineProcess
from gateway.bots.engines import Engine
from gateway.bots.pool import ATTEMPTS, QUEUE_MAX, SILENCE_S, processors, shared
from gateway.bots.uci import letters
from gateway.games.base import Game
from gateway.games.parts import stopped
from gateway.table.bot_context import BotContext
from protocols.core.model import Move

START_S: Final = 10.0
"""Seconds from the start of a process until it can be asked: networks of an engine are loaded within one."""

IDLE_S: Final = 300.0
"""Seconds without a question after which a process is ended: longer than people think about most moves."""

FAILURES_MAX: Final = 3
"""Questions in a row without an answer until an engine is left alone. One may be the fault of an odd position."""

LOST_MAX: Final = FAILURES_MAX * ATTEMPTS
"""Processes that one game may cost."""

REST_S: Final = 60.0
"""Seconds an engine is left alone, so that a broken one costs one player a minute some seconds, and not all of them."""

SETTLING_S: Final = 30.0
"""Seconds an engine may take to say what is dead: GNU Go needs some for a full board, and its opponent waits."""

STANDS_IN: Final = "the engine does not answer: a bot of the house moves in its place"
GONE: Final = "the engine has failed for good: a bot of the house plays this game to its end"

LONGEST_VERSION: Final = 60
"""Characters of what an engine calls itself that tell its versions apart."""

Answer = TypeVar("Answer")
Ask: TypeAlias = Callable[[EngineProcess, Question, float], Awaitable[Answer]]
"""Asks a process a question, for so many seconds at most."""

_log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class _Playing:
    """One game that the engine is asked about. ``process`` None: it holds none. ``unfit``: it is not asked any more."""

    table: int
    bot_context: BotContext | None
    process: EngineProcess | None = None
    lost: int = 0
    unfit: bool = False
    told: bool = False


class EnginePool:
    """See the module. Belongs to one trio run; ``close`` it at the end."""

    def __init__(self, engine: Engine, silence_s: float = SILENCE_S, start_s: float = START_S) -> None:
        self._engine = engine
        self._silence_s = silence_s
        self._start_s = start_s
        self._bot_turns = trio.CapacityLimiter(min(engine.settings.processes, processors()))
        self._processes: list[EngineProcess] = []
        self._games: dict[int, _Playing] = {}
        self._nobody = 0
        self._called = ""
        self._failures = 0
        self._alone_until = -math.inf
        self._closed = False

    def pids(self) -> tuple[int, ...]:
        """Process ids of those that are alive as far as is known."""
        return tuple(sorted(process.pid for process in self._processes if process.pid is not None))

    def pid(self, table: int) -> int | None:
        """The process that plays at ``table``; None where there is none now."""
        playing = self._games.get(table)
        return None if playing is None or playing.process is None else playing.process.pid

    @property
    def name(self) -> str:
        """The name by which players choose the engine."""
        return self._engine.name

    @property
    def version(self) -> str:
        """The engine's version, as "15.1" of one that calls itself "Stockfish 15.1"; all that it calls itself where its
        name is another; "" until it has said it."""
        return version_of(self._engine.name, self._called)

    async def choose(
        self, game: Game[Any], position: Any, level: int, bot_context: BotContext | None = None
    ) -> Move | None:
        """A legal move for the seat to move; None where this engine has none to give, now or ever.

        ``bot_context`` None: a question on its own. trio.ClosedResourceError: it is closed. Cancelling ends the
        thought, and the process.
        """
        playing = self._playing(bot_context)
        if playing.unfit or self._waiting >= QUEUE_MAX:
            return None
        try:
            question = Question(game, position, level, self._engine.settings.move_time_s)
            move = await self._answered(playing, question, EngineProcess.ask, self._patience_s)
        except Unsuited as why:
            playing.unfit = True
            self._let_go(playing)
            _log.debug("an engine does not play this", game=game.name, why=str(why))
            return None
        finally:
            if bot_context is None:
                self._let_go(playing)
        if move is None:
            self._tell(playing)
        return move

    async def settle(
        self, game: Game[Any], position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        """The squares of what is dead in a position that is being settled; None where this engine does not say, or not
        within SETTLING_S. Otherwise as ``choose``."""
        playing = self._playing(bot_context)
        if playing.unfit or self._waiting >= QUEUE_MAX:
            return None
        question = Question(game, position, level, self._engine.settings.move_time_s)
        with trio.move_on_after(SETTLING_S):
            try:
                return await self._answered(playing, question, EngineProcess.settle, SETTLING_S)
            except Unsuited as why:
                _log.debug(
                    "an engine does not say what is dead", **self._engine.shown, table=bot_context.table, why=str(why)
                )
                return None
        _log.warning("an engine does not say in time what is dead", **self._engine.shown, table=bot_context.table)
        return None

    def release(self, table: int) -> None:
        """The game at ``table`` is over: its process is free for another one."""
        playing = self._games.pop(table, None)
        if playing is not None:
            self._let_go(playing)

    async def dismiss_idle(self, idle_s: float = IDLE_S) -> None:
        """End those that have not been asked for ``idle_s`` seconds, held or not."""
        for process in list(self._processes):
            if not process.busy and trio.current_time() - process.rested >= idle_s:
                async with process.lock:
                    for playing in self._games.values():
                        if playing.process is process:
                            playing.process = None
                    process.holders.clear()
                    await process.leave()
        self._tidy()

    async def close(self) -> None:
        """End all processes at once; tasks that wait for an answer get ClosedResourceError."""
        self._closed = True
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for process in self._processes:
                    nursery.start_soon(process.leave)
        self._processes.clear()
        self._games.clear()

    @property
    def _waiting(self) -> int:
        """Questions that no process thinks about yet."""
        for_processes = sum(process.lock.statistics().tasks_waiting for process in self._processes)
        return for_processes + self._bot_turns.statistics().tasks_waiting

    @property
    def _left_alone(self) -> bool:
        return trio.current_time() < self._alone_until

    def _playing(self, bot_context: BotContext | None) -> _Playing:
        """The entry of this question's game; a question on its own is a game of its own."""
        if bot_context is None:
            self._nobody -= 1  # no number of a table
            return _Playing(self._nobody, None)
        known = self._games.get(bot_context.table)
        if known is not None and known.bot_context is not None and known.bot_context.number == bot_context.number:
            known.bot_context = bot_context
            return known
        self.release(bot_context.table)
        self._games[bot_context.table] = _Playing(bot_context.table, bot_context)
        return self._games[bot_context.table]

    async def _answered(
        self, playing: _Playing, question: Question, ask: Ask[Answer], patience_s: float
    ) -> Answer | None:
        """The engine's answer; None when ATTEMPTS processes were lost over it, or none can be started."""
        for _ in range(ATTEMPTS):
            if self._is_over(playing):
                return None
            process = self._process(playing)
            async with process.lock, self._bot_turns:
                if self._closed:
                    raise trio.ClosedResourceError("the engines are ended")
                if playing.process is not process or (process.pid is None and self._left_alone):
                    return None  # the game is over, or nothing is started now
                answer = await self._thought(playing, process, question, ask, patience_s)
            if answer is not None:
                self._failures, self._called = 0, process.called or self._called
                return answer
        self._failures += 1
        if self._failures >= FAILURES_MAX:
            self._leave_alone()
        return None

    async def _thought(
        self, playing: _Playing, process: EngineProcess, question: Question, ask: Ask[Answer], patience_s: float
    ) -> Answer | None:
        """The answer of the place's process, which is started where there is none; None when it was lost."""
        begun = False
        try:
            if process.pid is None:
                await process.start(self._start_s)
            begun = True
            return await ask(process, self._timed(question, playing.bot_context), patience_s)
        except TROUBLE as error:
            if not self._closed:
                why = str(error) or "no answer in time"
                _log.warning("an engine was lost", **self._engine.shown, table=playing.table, error=why)
            playing.lost += 1
            if not begun:
                self._failures = FAILURES_MAX - 1  # one that does not start will not start for the next one either
            return None

    @property
    def _patience_s(self) -> float:
        """Until a process counts as stuck: twice its time, for not every engine can be told how long to think."""
        return 2 * self._engine.settings.move_time_s + self._silence_s

    def _timed(self, question: Question, bot_context: BotContext | None) -> Question:
        """The question with the time there is for it now."""
        budget_s = shared(question.budget_s, self._waiting, int(self._bot_turns.total_tokens))
        if bot_context is None:
            return replace(question, budget_s=budget_s)
        put = replace(question, budget_s=budget_s, bot_context=(bot_context.table, bot_context.number))
        if stopped(question.game, question.position) is not None:
            return put  # the clocks stand
        return replace(put, time=bot_context.time, readings=bot_context.readings(trio.current_time()))

    def _tell(self, playing: _Playing) -> None:
        """The players hear who moves instead: once that it is so, and once that it stays so."""
        if playing.bot_context is None or self._is_over(playing):
            return
        if playing.lost >= LOST_MAX:
            playing.unfit = True
            self._let_go(playing)
            _log.error("an engine is gone from a game for good", **self._engine.shown, table=playing.table)
            playing.bot_context.tell(GONE)
        elif not playing.told:
            playing.told = True
            playing.bot_context.tell(STANDS_IN)

    def _is_over(self, playing: _Playing) -> bool:
        """True if it was released, or another game of its table has begun."""
        return playing.bot_context is not None and self._games.get(playing.table) is not playing

    def _leave_alone(self) -> None:
        self._alone_until = trio.current_time() + REST_S
        _log.error("an engine fails again and again and is left alone", **self._engine.shown, seconds=REST_S)

    def _process(self, playing: _Playing) -> EngineProcess:
        """The game's own place, else a free one, a new one, or one that others hold."""
        process = playing.process
        if process is not None and len(process.holders) == 1:
            return process
        free = [each for each in self._processes if not each.holders]
        if free:
            chosen = min(free, key=lambda each: (each.busy, each.pid is None, -each.rested))
        elif len(self._processes) < self._engine.settings.processes:
            chosen = EngineProcess(self._engine)
            self._processes.append(chosen)
        elif process is not None:
            return process
        else:
            chosen = min(self._processes, key=lambda each: (len(each.holders), each.rested))
        chosen.holders.add(playing.table)
        self._let_go(playing)
        playing.process = chosen
        return chosen

    def _let_go(self, playing: _Playing) -> None:
        process, playing.process = playing.process, None
        if process is not None:
            process.holders.discard(playing.table)
            self._tidy()

    def _tidy(self) -> None:
        """Forget the places without a holder and without a process."""
        self._processes = [each for each in self._processes if each.holders or each.busy or each.pid is not None]


def version_of(name: str, called: str) -> str:
    """``called`` without the words at its beginning that are the ``name``, in any case, with any signs between."""
    words, wanted = called.split(), letters(name)
    for count in range(1, len(words)):
        if letters("".join(words[:count])) == wanted:
            words = words[count:]
            break
    return "".join(c for c in " ".join(words) if c.isprintable())[:LONGEST_VERSION]
