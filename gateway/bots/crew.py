"""Crew: the processes of one engine, as many as the settings allow, each for one thought at a time.

A process starts when somebody asks and none is idle. One that dies, keeps silent, floods or answers with what is no
move is killed, and another one is asked the same. After a second failure there is no answer, and whoever asked has to
choose otherwise. An engine that fails again and again is left alone for a while. Idle processes are ended after some
minutes.

Not here: what is said to an engine (conversation.py), and who answers where no engine does (players.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
import trio

from gateway.bots.conversation import Conversation, Question, Unsuited
from gateway.bots.engines import Engine
from gateway.bots.pool import ATTEMPTS, QUEUE_MAX, SILENCE_S, shared
from gateway.bots.program import Program
from gateway.games.base import Game
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move

START_S: Final = 10.0
"""Seconds from the start of a process until it can be asked: networks of an engine are loaded within one."""

IDLE_S: Final = 300.0
"""Seconds without a question after which a process is ended: longer than people think about most moves."""

OUTPUT_MAX: Final = 4 << 20
"""Bytes heard over one question: a talkative engine sends some hundred thousand in a second."""

FAILURES_MAX: Final = 3
"""Questions in a row without an answer until an engine is left alone. One may be the fault of an odd position."""

REST_S: Final = 60.0
"""Seconds an engine is left alone, so that a broken one costs one player a minute some seconds, and not all of them."""

_TROUBLE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError, OSError, RemoteProtocolError)

_log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class _Member:
    """One process, what was said with it, and when it last answered."""

    program: Program
    conversation: Conversation
    rested: float = field(default_factory=trio.current_time)

    async def talk(self, enough: Callable[[Conversation], bool]) -> None:
        """Say and hear what is to be until it is ``enough``. RemoteProtocolError: it says more than OUTPUT_MAX."""
        before = self.program.heard
        while True:
            if said := self.conversation.data_to_send():
                await self.program.say(said)
            if enough(self.conversation):
                return
            self.conversation.receive_line(await self.program.line())
            if self.program.heard - before > OUTPUT_MAX:
                raise RemoteProtocolError(f"more than {OUTPUT_MAX} bytes and no end")


class Crew:
    """See the module. Belongs to one trio run; ``close`` it at the end."""

    def __init__(self, engine: Engine, silence_s: float = SILENCE_S, start_s: float = START_S) -> None:
        self._engine = engine
        self._silence_s = silence_s
        self._start_s = start_s
        self._seats = trio.CapacityLimiter(engine.settings.processes)
        self._idle: list[_Member] = []
        self._alive: set[_Member] = set()
        self._failures = 0
        self._alone_until = -math.inf
        self._closed = False

    def pids(self) -> tuple[int, ...]:
        """Process ids of those that are alive as far as is known."""
        return tuple(sorted(member.program.pid for member in self._alive))

    async def choose(self, game: Game[Any], position: Any, level: int) -> Move | None:
        """A legal move for the seat to move; None where this engine has none to give, now or ever.

        trio.ClosedResourceError: the crew is closed. Cancelling ends the thought, and the process.
        """
        if self._left_alone or self._seats.statistics().tasks_waiting >= QUEUE_MAX:
            return None
        async with self._seats:
            full_s, waiting = self._engine.settings.move_time_s, self._seats.statistics().tasks_waiting
            budget_s = shared(full_s, waiting, self._engine.settings.processes)
            try:
                return await self._answered(Question(game, position, level, budget_s))
            except Unsuited as why:
                _log.debug("an engine does not play this", game=game.name, why=str(why))
                return None

    async def dismiss_idle(self, idle_s: float = IDLE_S) -> None:
        """End those that have not been asked for ``idle_s`` seconds."""
        for member in [member for member in self._idle if trio.current_time() - member.rested >= idle_s]:
            if member in self._idle:  # nobody took it while another one was being ended
                self._idle.remove(member)
                await member.program.leave(member.conversation.farewell)
                self._alive.discard(member)

    async def close(self) -> None:
        """End all of them, whatever they do; those who wait for an answer get ClosedResourceError."""
        self._closed = True
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for member in list(self._alive):
                    nursery.start_soon(member.program.leave, member.conversation.farewell)
        self._alive.clear()
        self._idle.clear()

    @property
    def _left_alone(self) -> bool:
        return trio.current_time() < self._alone_until

    async def _answered(self, question: Question) -> Move | None:
        """The engine's move; None when ATTEMPTS processes were lost over it."""
        for _ in range(ATTEMPTS):
            if self._closed:
                raise trio.ClosedResourceError("the engines are ended")
            if self._left_alone:
                return None
            move = await self._asked(question)
            if move is not None:
                self._failures = 0
                return move
        self._failures += 1
        if self._failures >= FAILURES_MAX:
            self._leave_alone()
        return None

    def _leave_alone(self) -> None:
        self._alone_until = trio.current_time() + REST_S
        _log.error("an engine fails again and again and is left alone", **self._engine.shown, seconds=REST_S)

    async def _asked(self, question: Question) -> Move | None:
        """One process's move; None when it was lost, and then it is gone for good."""
        member, well = None, False
        try:
            member = await self._ready()
            member.conversation.ask(question)
            with trio.fail_after(question.budget_s + self._silence_s):
                await member.talk(lambda conversation: conversation.answer is not None)
            well = True
        except Unsuited:
            well = True
            raise
        except _TROUBLE as error:
            if not self._closed:
                _log.warning("an engine was lost", **self._engine.shown, error=str(error) or "no answer in time")
        finally:
            if member is not None:
                await self._put_back(member, well=well)
        return member.conversation.answer if well and member is not None else None

    async def _put_back(self, member: _Member, *, well: bool) -> None:
        if well and not self._closed:
            member.rested = trio.current_time()
            self._idle.append(member)
            return
        self._alive.discard(member)
        await member.program.end()

    async def _ready(self) -> _Member:
        """An idle process, the one used last before others, else a new one. What _TROUBLE has: it did not start."""
        if self._idle:
            return self._idle.pop()
        try:
            return await self._started()
        except _TROUBLE:
            self._failures = FAILURES_MAX - 1  # one that does not start will not start for the next one either
            raise

    async def _started(self) -> _Member:
        member = _Member(Program.start(self._engine.command), self._engine.conversation(self._engine.settings.options))
        self._alive.add(member)
        begun = False
        try:
            with trio.fail_after(self._start_s):
                await member.talk(lambda conversation: conversation.ready)
            begun = True
        finally:
            if not begun:
                await self._put_back(member, well=False)
        _log.info("an engine started", **self._engine.shown, name=member.conversation.called, pid=member.program.pid)
        for remark in member.conversation.remarks:
            _log.warning("an engine's option", **self._engine.shown, remark=remark)
        return member
