"""The sending side of a connection: what fits the system's buffer leaves at once, the rest waits for a writer task.

What waits is bounded in bytes, and by gateway.ops.sweep in time. The writer lives only as long as something waits.
gateway.sessions.connection has the rest of the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Never

import structlog
import trio

from gateway.log_context import log_context
from gateway.metrics import DEAF
from gateway.sessions.collaborators import Collaborators
from gateway.sessions.participant import Participant
from gateway.sessions.peer import Peer
from gateway.sessions.states import VOID
from gateway.sessions.transfer import Beginning
from gateway.sessions.waiting import Unsent
from gateway.sessions.wire_log import Conversation
from protocols.core.dialect import Dialect
from protocols.core.notifications import Aside, ToldAside, Unwatched

_log = structlog.get_logger()


class Sending(Participant):
    """A client with a peer that it sends to, in its dialect's words."""

    __slots__ = ("_scope", "_shared", "_unsent", "beginning", "dialect", "peer", "wire_log")

    def __init__(
        self, shared: Collaborators[Never], peer: Peer, dialect: Dialect, address: str, number: int, now: float
    ) -> None:
        super().__init__(dialect.name, address, number, now)
        self._shared = shared
        self.peer = peer
        self.dialect = dialect
        self.wire_log: Conversation | None = None
        self.beginning: Beginning | None = None
        """The bytes so far, until its first request for a seat is served; None where it cannot go to another worker."""
        self._unsent: Unsent | None = None
        self._scope = trio.CancelScope()

    def tell_aside(self, table: int, messages: Sequence[ToldAside], seq: int = 0) -> bool:
        """Say a step of a table that it looks on at aside. False: too much waits already, so it was not sent.

        The last of a table (Unwatched) is sent all the same.
        """
        if self.state in VOID or self.dialect.closing:
            return True
        try:
            data = self.dialect.send_aside(table, messages, seq)
        except Exception:
            _log.exception("a dialect failed", **log_context(self))
            self.close()
            return True
        self.flush()
        waits = 0 if self._unsent is None else self._unsent.size + len(data)
        if waits > self._shared.limits.unread_bytes // 2 and type(messages[-1]) is not Unwatched:
            return False
        if self.wire_log is not None:
            self.wire_log.told(Aside(table, tuple(messages), seq))
        if data:
            self._send(data)
        return True

    def flush(self) -> None:
        """Send what the dialect has queued: now, or behind what is waiting already."""
        while data := self.dialect.data_to_send():
            self._send(data)

    def _send(self, data: bytes) -> None:
        if self.beginning is not None and self.beginning.muted:
            return
        if self.wire_log is not None:
            self.wire_log.sent(data)
        if self._unsent is None:
            try:
                data = data[self.peer.send_now(data) :]
            except OSError:
                self.close()
                return
        if data:
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        """Keep the bytes that the peer has not taken yet, up to a bound."""
        if self._scope.cancel_called:
            return
        if (self._unsent.size if self._unsent else 0) + len(data) > self._shared.limits.unread_bytes:
            self._shared.metrics.closed[DEAF] += 1
            _log.info("client does not read", **log_context(self))
            self.close()
            return
        if self._unsent is None:
            self._unsent = Unsent(trio.current_time())
            self._shared.background.start_soon(self._write_unsent, self._unsent)
        self._unsent.parts.append(data)
        self._unsent.size += len(data)

    async def _write_unsent(self, unsent: Unsent) -> None:
        """Send what waits until nothing does. Each part taken shows that the peer still reads."""
        try:
            while unsent.parts:
                await self.peer.send_rest(unsent.parts[0])
                unsent.size -= len(unsent.parts.popleft())
                unsent.since = trio.current_time()
        except OSError:
            self.close()
        self._unsent = None
        unsent.gone.set()

    @property
    def unread_since(self) -> float | None:
        """When the peer took the last of what it is being sent; None while nothing waits for it."""
        return None if self._unsent is None else self._unsent.since

    async def drained(self) -> None:
        """Until nothing waits for the peer any more, because it was sent or because the peer is gone."""
        if self._unsent is not None:
            await self._unsent.gone.wait()

    def close(self) -> None:
        self._scope.cancel()
