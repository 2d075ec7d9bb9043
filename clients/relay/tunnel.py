"""A link kept alive over one connection after another, from meeting the other helper until both streams have ended.

tunnel = Tunnel(rendezvous, end, told)
await tunnel.run()
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio

from clients.backoff import Backoff
from clients.relay.ends import End, NoProgram
from clients.relay.frames import ID_BYTES
from clients.relay.joint import Joint, News
from clients.relay.link import Link
from clients.relay.meet import Lost
from clients.relay.transport import AnotherCode, Rendezvous, Transport
from protocols.core.errors import BoardgateError, RemoteProtocolError

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 4.0
"""The first and the longest pause between attempts."""

LOOKS: Final = 20
"""Checks for silence within the time that silence may last."""

FAREWELL_S: Final = 1.0
"""Seconds for the other helper to hear that we leave, and for its last words to be read here."""

CHUNK: Final = 65536


@dataclass(frozen=True, slots=True)
class Patience:
    """Time limits, in seconds."""

    grace_s: float = 60.0
    """Without a connection, until the tunnel is given up; the server keeps the room as long."""
    linger_s: float = 10.0
    """The same when all is delivered, and only the other helper does not know yet."""
    silence_s: float = 10.0
    """Without a word on a connection, until it is given up: an answer, and some packets sent again, come in time."""
    ping_s: float = 4.0
    """Until the other helper is asked whether it is there."""
    doubt_s: float = 3.0
    """Until a direct connection is given up when the server beside it has hung up: mostly the other has come anew."""


class Tunnel:
    """``told`` hears what the user should know. ``met`` is set when both helpers are connected the first time;
    ``first`` says then which of the two we are."""

    def __init__(
        self, rendezvous: Rendezvous, end: End, told: Callable[[str], None], patience: Patience = Patience()
    ) -> None:
        self.met = trio.Event()
        self.first = False
        self._rendezvous = rendezvous
        self._told = told
        self._patience = patience
        self._link = Link(secrets.token_bytes(ID_BYTES))
        self._news = News()
        self._joint = Joint(self._link, end, self._news)
        self._leaving = self._carrying = False
        self._why: BoardgateError | None = None
        self._scope = trio.CancelScope()
        self._waited = False
        self._answered = False

    async def run(self) -> None:
        """Return when both streams are delivered to their ends. A BoardgateError says why that will not be."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep, nursery)
        if self._why is not None:
            raise self._why

    async def leave(self) -> None:
        """Tell the other helper, if it can be told, and stop."""
        self._link.leave()
        self._leaving = True
        self._news.tell()
        with trio.move_on_after(FAREWELL_S, shield=True):
            while self._carrying:  # the other side hangs up when it has heard
                await self._news.wait()
        self._scope.cancel()

    async def said(self) -> None:
        """Return when the program here has ended its stream, and the other one has all of it."""
        while not self._link.all_said:
            await self._news.wait()

    async def _keep(self, nursery: trio.Nursery) -> None:
        """One connection after another."""
        while (transport := await self._connected()) is not None:
            self._told(transport.words)
            if not self.met.is_set():
                self.first = transport.first
                self.met.set()
                nursery.start_soon(self._join_program)
            await self._carry(transport)
            if self._link.left:
                await self._joint.put_out_rest(FAREWELL_S)
                self._why = self._why or Lost("the other side has left")
            if self._why or self._link.over or self._leaving:
                break
            if not self._link.finished:
                self._told("connection lost, trying again")
        self._scope.cancel()

    async def _join_program(self) -> None:
        try:
            await self._joint.carry()
        except NoProgram as error:
            self._why = error
            await self.leave()

    async def _connected(self) -> Transport | None:
        """The next connection; None when there will be none: ``_why`` says why, where bytes are left to be carried."""
        patience = self._patience.linger_s if self._link.finished else self._patience.grace_s
        until, backoff = trio.current_time() + patience, Backoff(FIRST_PAUSE_S)
        why: BoardgateError = Lost("the other side has not come back")
        while True:
            self._answered = False
            scope = trio.CancelScope(deadline=until if self.met.is_set() else float("inf"))
            try:
                with scope:
                    return await self._rendezvous.connect(self._wait)
            except BoardgateError as error:
                why = error
                if not self._may_pass(error):
                    break
            if self._answered and not self.met.is_set():  # a user may have waited for a friend for long
                until = trio.current_time() + patience
                backoff.reset()
            if trio.current_time() >= until:
                why = Lost(f"no connection for {patience:.0f} s, given up: {why}")
                break
            await trio.sleep(backoff.next_s(LONGEST_PAUSE_S))
        self._why = None if self._link.finished else why
        return None

    def _may_pass(self, error: BoardgateError) -> bool:
        """True if another attempt makes sense: the first one says at once what is wrong."""
        if self.met.is_set():
            return not isinstance(error, AnotherCode)
        return self._waited and isinstance(error, Lost)

    def _wait(self) -> None:
        """The server has answered: it is one, and the code is good."""
        self._answered = True
        if not self._waited:
            self._waited = True
            self._told("waiting for the other side")

    async def _carry(self, transport: Transport) -> None:
        """Until this connection ends; ``_why`` is set if the link cannot go on."""
        self._link.connect()
        self._carrying = True
        heard = _Heard(self._patience.silence_s)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send, transport, nursery.cancel_scope)
                nursery.start_soon(self._watch, transport, heard, nursery.cancel_scope)
                await self._receive(transport, heard)
                nursery.cancel_scope.cancel()
        finally:
            self._link.disconnect()
            self._carrying = False
            self._news.tell()
            with trio.CancelScope(shield=True):
                await transport.close()

    async def _receive(self, transport: Transport, heard: _Heard) -> None:
        try:
            while not self._link.left and (data := bytes(await transport.stream.receive_some(CHUNK))):
                heard.now()
                self._link.receive_data(data)
                self._news.tell()
        except RemoteProtocolError as error:
            self._why = error
        except trio.BrokenResourceError:
            pass

    async def _send(self, transport: Transport, scope: trio.CancelScope) -> None:
        try:
            while not self._link.over:
                data = self._link.data_to_send(CHUNK)
                if data:
                    await transport.stream.send_all(data)
                else:
                    await self._news.wait()
        except trio.BrokenResourceError:
            pass
        scope.cancel()

    async def _watch(self, transport: Transport, heard: _Heard, scope: trio.CancelScope) -> None:
        """End a connection that has gone silent without a close."""
        async with trio.open_nursery() as nursery:
            if transport.line is not None:
                nursery.start_soon(self._doubt, transport, heard)
            asked = 0.0
            while trio.current_time() < heard.until:
                now = trio.current_time()
                if now - max(heard.at, asked) > self._patience.ping_s:
                    asked = now
                    self._link.ping()
                    self._news.tell()
                await trio.sleep(self._patience.silence_s / LOOKS)
            scope.cancel()

    async def _doubt(self, transport: Transport, heard: _Heard) -> None:
        assert transport.line is not None
        await transport.line.closed()
        heard.until = min(heard.until, trio.current_time() + self._patience.doubt_s)
        self._link.ping()
        self._news.tell()


class _Heard:
    """The time when something came last, and until when that is good enough."""

    def __init__(self, silence_s: float) -> None:
        self._silence_s = silence_s
        self.now()

    def now(self) -> None:
        self.at = trio.current_time()
        self.until = self.at + self._silence_s
