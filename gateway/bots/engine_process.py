"""EngineProcess: one process of an engine, for the games that hold it; started when asked, and again after its end."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
import trio

from gateway.bots.conversation import Conversation, Question, Unsuited
from gateway.bots.engines import Engine
from gateway.bots.program import Program
from gateway.bots.verdict import Verdict
from gateway.bots.worker import NICENESS
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move

OUTPUT_MAX: Final = 4 << 20
"""Bytes heard over one question: a talkative engine sends some hundred thousand in a second."""

HURRY_S: Final = 0.2
"""Seconds beyond its budget after which an engine is told to hurry: those that keep to it need a few milliseconds."""

GREETING_S: Final = 5.0
"""Seconds for the answer to the greeting of a protocol that an engine may not speak."""

FEATURES_S: Final = 2.0
"""Seconds after which an engine that says nothing has nothing to say of itself, as CECP has it."""

TROUBLE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError, OSError, RemoteProtocolError)
"""Errors of a process that is of no use any more, or that could not be started."""

_log = structlog.get_logger()


class EngineProcess:
    """``lock`` is held while a question is asked; ``holders`` are the tables whose games hold it; ``rested`` is when it
    last answered. After anything of TROUBLE, and when a question is cancelled, its process is gone, and it can be asked
    again all the same."""

    def __init__(self, engine: Engine, niceness: int = NICENESS) -> None:
        self._engine = engine
        self._niceness = niceness
        self._program: Program | None = None
        self._conversation: Conversation | None = None
        self._candidates = engine.conversations
        self.holders: set[int] = set()
        self.lock = trio.Lock()
        self.rested = trio.current_time()

    @property
    def pid(self) -> int | None:
        """None while there is no process, as far as is known."""
        return None if self._program is None else self._program.pid

    @property
    def called(self) -> str:
        """The name that the engine gives itself; "" before it has."""
        return "" if self._conversation is None else self._conversation.called

    @property
    def busy(self) -> bool:
        return self.lock.locked()

    async def start(self, start_s: float) -> None:
        """Start the process and hear that it is ready; only where there is none. TROUBLE: it is not, in ``start_s``.

        Of several protocols each is tried with a process of its own, and the one that is answered is kept.
        """
        for candidate in self._candidates[:-1]:
            with suppress(*TROUBLE):
                await self._greet(candidate, min(start_s, GREETING_S))
                self._candidates = (candidate,)
                return
        await self._greet(self._candidates[-1], start_s)
        self._candidates = self._candidates[-1:]

    async def _greet(self, protocol: type[Conversation], start_s: float) -> None:
        self._program = Program.start(self._engine.command, self._niceness)
        conversation = self._conversation = protocol(self._engine.settings.options)
        begun = False
        try:
            with trio.fail_after(start_s):
                await self._talk(lambda: conversation.ready, FEATURES_S if protocol.may_be_silent else math.inf)
            begun = True
        finally:
            if not begun:
                await self.end()
        _log.info("an engine started", **self._engine.shown, name=conversation.called, pid=self.pid)
        for remark in conversation.remarks:
            _log.warning("an engine's option", **self._engine.shown, remark=remark)

    async def ask(self, question: Question, patience_s: float) -> Move:
        """The move it makes, within ``patience_s``, else TROUBLE. Unsuited: it does not know these rules."""
        assert self._conversation is not None, "asked before it was started"
        conversation = self._conversation
        hurry_s = question.brief_s + HURRY_S
        await self._hear(
            lambda: conversation.ask(question), lambda: conversation.answer is not None, patience_s, hurry_s
        )
        assert conversation.answer is not None
        return conversation.answer

    async def weigh(self, question: Question, patience_s: float) -> Verdict:
        """The verdict on the position, within ``patience_s``, else TROUBLE. Unsuited: it does not know."""
        assert self._conversation is not None, "asked before it was started"
        conversation = self._conversation
        await self._hear(
            lambda: conversation.weigh(question), lambda: conversation.verdict is not None, patience_s, math.inf
        )
        assert conversation.verdict is not None
        return conversation.verdict

    async def settle(self, question: Question, patience_s: float) -> tuple[int, ...]:
        """The squares it takes for dead, within ``patience_s``, else TROUBLE. Unsuited: it does not know."""
        assert self._conversation is not None, "asked before it was started"
        conversation = self._conversation
        await self._hear(lambda: conversation.settle(question), lambda: conversation.dead is not None, patience_s)
        assert conversation.dead is not None
        return conversation.dead

    async def _hear(
        self, ask: Callable[[], None], enough: Callable[[], bool], patience_s: float, hurry_s: float = math.inf
    ) -> None:
        """Ask, and talk until it is enough; unless it answers, or is Unsuited, its process is ended."""
        well = False
        try:
            ask()
            with trio.fail_after(patience_s):
                await self._talk(enough, hurry_s)
            well = True
        except Unsuited:
            well = True
            raise
        finally:
            self.rested = trio.current_time()
            if not well:
                await self.end()

    async def leave(self) -> None:
        """Let the process quit by itself, or end it; a pending question gets ClosedResourceError."""
        program, conversation = self._program, self._conversation
        if program is not None and conversation is not None:
            await program.leave(conversation.farewell)
            if self._program is program:
                self._program = self._conversation = None

    async def end(self) -> None:
        """End the process at once; idempotent."""
        program = self._program
        self._program = self._conversation = None
        if program is not None:
            await program.end()

    async def _talk(self, enough: Callable[[], bool], hurry_s: float = math.inf) -> None:
        """Say and hear what is to be until it is ``enough``. RemoteProtocolError: it says more than OUTPUT_MAX."""
        program, conversation = self._program, self._conversation
        assert program is not None
        assert conversation is not None
        before, hurry_at = program.heard, trio.current_time() + hurry_s
        while True:
            if said := conversation.data_to_send():
                await program.say(said)
            if enough():
                return
            with trio.move_on_at(hurry_at) as waiting:
                conversation.receive_line(await program.line())
            if waiting.cancelled_caught:
                conversation.hurry()
                hurry_at = math.inf
            if program.heard - before > OUTPUT_MAX:
                raise RemoteProtocolError(f"more than {OUTPUT_MAX} bytes and no end")
