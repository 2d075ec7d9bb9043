"""The program around the adapter: standard input and output for the GUI, a connection for the peer, both kept in trio.

One task reads the GUI, one keeps the connection, one looks at the clock; the caller of the adapter sends what came
of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import trio

from clients.backoff import Backoff
from clients.dial import dial
from clients.joining import Address
from clients.xboard.adapter import Adapter
from clients.xboard.link import ANSWER_S, CHUNK, CONNECT_S, QUIET_IDLE_S, QUIET_S, Friend, Link
from gateway.net.calling import NoTls, because
from gateway.net.sockets import Stream
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import wire

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 20.0
LONGEST_IN_GAME_S: Final = 2.0
"""The first and the longest pauses before a new call. In a game the opponent waits, and a clock runs."""

INTRODUCTION_S: Final = 1.0
"""Seconds in which a caller may say who it is before it is taken for a new peer."""

FAREWELL_S: Final = 0.4
"""Seconds for the last lines to leave: a GUI allows its engine a second or so between quit and the end."""

LONGEST_GUI_LINE: Final = 65536
"""Bytes; what is longer has no end that we should wait for."""

Log = Callable[[str, str], None]
"""Takes a direction, such as "gui <", and a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """The way to the other end: an address to call, one to listen on, or a relay's code."""

    call: Address | None = None
    listen: Address | None = None
    friend: Callable[[Callable[[str], None]], Friend] | None = None


class Shell:
    """Runs one adapter until its GUI says quit."""

    def __init__(self, adapter: Adapter, line: Line, log: Log, resolve: Callable[[str], Address]) -> None:
        self._adapter = adapter
        self._line = line
        self._log = log
        self._resolve = resolve
        self._link: Link | None = None
        self._redial = trio.Event()
        self._changed = trio.Event()
        self._guest = ""
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Return when the GUI has said quit or has gone; the last lines are sent then."""
        async with trio.open_nursery() as carrying:
            friend = self._line.friend(self._inform) if self._line.friend is not None else None
            if friend is not None:
                carrying.start_soon(friend.keep)
            await self._speak(friend)
            if self._link is not None:
                with trio.move_on_after(FAREWELL_S, shield=True):
                    await self._link.finish()
            if friend is not None and self._link is not None:
                await friend.leave()
            carrying.cancel_scope.cancel()

    async def _speak(self, friend: Friend | None) -> None:
        """Until the GUI has said quit."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read_gui)
                nursery.start_soon(self._watch_clock)
                if friend is not None:
                    nursery.start_soon(self._meet, friend)
                else:
                    nursery.start_soon(self._answer if self._line.listen else self._call)

    def _flush(self) -> None:
        """Send what the adapter has for either side, and stop when it is over."""
        for line in self._adapter.to_gui(time.monotonic()):
            self._log("gui >", line)
            _write_out(line.encode(errors="replace") + b"\n")
        for message in self._adapter.to_peer():
            if self._link is not None:
                self._log("peer >", wire.write(message))
                self._link.send(wire.encode(message))
        if self._adapter.call is not None:
            self._dial()
        self._changed.set()
        if self._adapter.over:
            self._scope.cancel()

    def _dial(self) -> None:
        """The user pressed Connect."""
        if self._line.call is not None:
            self._redial.set()
            return
        self._adapter.call = None
        self._adapter.screen.tell(
            "This end waits for a call; the other one connects."
            if self._line.listen is not None
            else "This end meets the other by a code, which works once."
        )

    async def _read_gui(self) -> None:
        rest = b""
        while data := await trio.to_thread.run_sync(os.read, 0, CHUNK, abandon_on_cancel=True):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[:LONGEST_GUI_LINE]
            for line in lines:
                text = line.decode(errors="replace").rstrip("\r")
                self._log("gui <", text)
                self._adapter.gui_line(text, time.monotonic())
                self._flush()
        self._adapter.gui_line("quit", time.monotonic())
        self._flush()

    async def _watch_clock(self) -> None:
        while True:
            deadline = self._adapter.deadline()
            self._changed = trio.Event()
            with trio.move_on_after(float("inf") if deadline is None else max(0.0, deadline - time.monotonic())):
                await self._changed.wait()
                continue
            self._adapter.tick(time.monotonic())
            self._flush()

    async def _call(self) -> None:
        """Call, and call again when the connection is lost or refused, until the peer leaves on purpose."""
        address, backoff, told = self._line.call, Backoff(FIRST_PAUSE_S), False
        while True:
            try:
                stream = await dial(address, CONNECT_S) if address is not None else None
            except OSError as error:
                if not told:
                    told = True
                    self._lost(
                        f"{_nobody(address, error)}; trying again. Host and Connect are in Engine > Engine #1 Settings."
                    )
            else:
                if stream is not None and await self._converse(stream, answering=False):
                    told = False
                    backoff.reset()
            pause_s = backoff.next_s(LONGEST_IN_GAME_S if self._adapter.play.playing else LONGEST_PAUSE_S)
            with trio.move_on_after(float("inf") if self._adapter.peer_left else pause_s):
                await self._redial.wait()
                told = False
                address = self._dialled(address)

    def _dialled(self, before: Address | None) -> Address | None:
        """The address that the user has asked for."""
        self._redial = trio.Event()
        text, self._adapter.call = self._adapter.call, None
        self._adapter.peer_left = False
        try:
            return self._resolve(text or "")
        except ValueError as error:
            self._adapter.screen.tell(f"No such host: {error}.")
            self._flush()
            return before

    async def _answer(self) -> None:
        """Wait for calls; one guest at a time, and the one that was here before may always come back."""
        assert self._line.listen is not None
        where = self._line.listen
        try:
            listeners = await trio.open_tcp_listeners(where.port, host=where.host or None)
        except OSError as error:
            self._lost(f"Cannot listen on port {where.port}: {error.strerror or error}.")
            await trio.sleep_forever()
        self._log("listening", " ".join(str(listener.socket.getsockname()[1]) for listener in listeners))
        self._adapter.screen.ready()
        self._adapter.screen.tell(f"Waiting for a call on port {where.port}.")
        self._flush()
        await trio.serve_listeners(self._welcome, listeners)

    async def _welcome(self, stream: trio.SocketStream) -> None:
        first, ticket = b"", ""
        with trio.move_on_after(INTRODUCTION_S), suppress(trio.BrokenResourceError):
            first = bytes(await stream.receive_some(CHUNK))
        introduction = wire.decode(first.partition(b"\n")[0])
        if isinstance(introduction, p2p.Ticket):
            ticket = introduction.secret
        busy = self._link is not None or self._adapter.play.playing
        if busy and (not ticket or ticket != self._guest):
            with suppress(trio.BrokenResourceError):
                await stream.send_all(
                    wire.encode(p2p.Hallo("Somebody else is playing here.")) + wire.encode(p2p.Quit())
                )
            await stream.aclose()
            return
        self._guest = ticket
        if self._link is not None:
            self._link.close()
        await self._converse(stream, answering=True, first=first)

    async def _meet(self, friend: Friend) -> None:
        """Talk to the peer with the same code; there is one such conversation."""
        answering = await friend.met()
        if answering is not None:
            await self._converse(friend.stream, answering=answering, watched=False)
        if not self._adapter.peer_left:
            self._lost(f"The connection has ended: {friend.why or 'all is said'}.")

    def _inform(self, words: str) -> None:
        """The tunnel to a friend has something to tell."""
        self._log("relay", words)
        self._adapter.screen.ready()
        self._adapter.screen.tell(f"{words[0].upper()}{words[1:]}.")
        self._flush()

    async def _converse(self, stream: Stream, *, answering: bool, first: bytes = b"", watched: bool = True) -> bool:
        """Until this connection ends; whether the other end said anything. Who is not ``watched`` may be silent."""
        link = self._link = Link(stream)
        self._adapter.link_up(time.monotonic(), answering=answering)
        self._flush()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.write)
            if watched:
                nursery.start_soon(self._watch_line, link, answering)
            await self._hear(link, first)
            nursery.cancel_scope.cancel()
        link.close()
        if self._link is link:
            self._link = None
            words = (
                "The connection is lost; trying to take it up again." if not answering else "The connection is lost."
            )
            self._lost(words if watched and not self._adapter.peer_left else "")
        return link.heard

    async def _watch_line(self, link: Link, answering: bool) -> None:
        """Close a connection that has gone silent without a close."""
        greeted = link.heard or await link.hears(CONNECT_S) or answering
        asked = 0
        while greeted:
            if self._adapter.peer.knows_ours:
                asked = asked % 999 + 1
                self._log("peer >", wire.write(p2p.Ping(asked)))
                link.send(wire.encode(p2p.Ping(asked)))
            if not await link.hears(ANSWER_S) and link.answers:
                break
            while await link.hears(QUIET_S if self._adapter.play.playing else QUIET_IDLE_S):
                pass
        self._log("silence", "the connection is given up")
        link.close()

    async def _hear(self, link: Link, first: bytes) -> None:
        lines = wire.Lines()
        data = first or await link.read()
        while data and self._link is link and not lines.broken:
            for message in lines.receive_data(data):
                self._log("peer <", wire.write(message))
                self._adapter.peer_says(message, time.monotonic())
                link.note(message)
            for answer in lines.answers():
                link.send(answer)
            self._flush()
            data = await link.read()

    def _lost(self, words: str) -> None:
        self._adapter.link_down(time.monotonic(), words)
        self._flush()


def _nobody(address: Address | None, error: OSError) -> str:
    return f"{address}{because(error)}" if isinstance(error, NoTls) else f"Nobody answers at {address}"


def _write_out(data: bytes) -> None:
    """To the GUI, whole; a GUI that does not read any more is about to be gone."""
    with suppress(BrokenPipeError):
        while data:
            data = data[os.write(1, data) :]
