"""Runs a real relay in the test's process, and a proxy to it that records, breaks and falls silent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import trio

from clients.joining import Address
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Config, parse_listener
from gateway.net.log_limiter import LogLimiter
from gateway.relay.listen import accept, open_relay_listener
from gateway.relay.relay import Relay
from tests.certificates import Authority

LOOPBACK = "127.0.0.1"


class RelayServer:
    """A relay at ``address``."""

    def __init__(self, relay: Relay, address: Address) -> None:
        self.address = address
        self._relay = relay

    def room(self) -> str:
        """A new room."""
        return self._relay.open(LOOPBACK, port=False).code


@asynccontextmanager
async def relay_server(config: Config | None = None, club: Authority | None = None) -> AsyncIterator[RelayServer]:
    """With TLS where it is a ``club``'s, which has issued a certificate for localhost."""
    config = config or Config()
    options = f",{club.options()}" if club is not None else ""
    listener = open_relay_listener(parse_listener(f"relay={LOOPBACK}:0{options}"))
    relay = Relay(config, ConnectionLimiter(config.limits), LOOPBACK, listener.shown.port, LogLimiter())
    async with trio.open_nursery() as nursery:
        await nursery.start(relay.run)
        nursery.start_soon(accept, relay, listener, lambda *told: told)
        there = Address(LOOPBACK, listener.shown.port)
        yield RelayServer(
            relay, there if club is None else replace(there, host="localhost", tls=True, ca=str(club.file))
        )
        nursery.cancel_scope.cancel()


class Line:
    """A way to ``target``.

    ``seen`` is all that went over it, ``passing`` whether it goes on, ``open`` whether calls are taken, ``calls`` how
    many there were.
    """

    def __init__(self, target: Address) -> None:
        self.seen = bytearray()
        self.passing = self.open = True
        self.calls = 0
        self._target = target
        self._streams: list[trio.SocketStream] = []

    async def carry(self, listener: trio.SocketListener) -> None:
        async with trio.open_nursery() as nursery:
            while True:
                stream = await listener.accept()
                self.calls += 1
                if not self.open:
                    await stream.aclose()
                    continue
                far = await trio.open_tcp_stream(self._target.host, self._target.port)
                self._streams += [stream, far]
                nursery.start_soon(self._copy, stream, far)
                nursery.start_soon(self._copy, far, stream)

    def cut(self) -> None:
        """End all connections; bytes on the way are lost."""
        for stream in self._streams:
            stream.socket.close()
        self._streams.clear()

    async def _copy(self, source: trio.SocketStream, target: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := bytes(await source.receive_some(65536)):
                self.seen += data
                if self.passing:
                    await target.send_all(data)
            await target.send_eof()


@asynccontextmanager
async def line_to(target: Address) -> AsyncIterator[tuple[Line, Address]]:
    """A line, and the address at which it begins."""
    line = Line(target)
    (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    try:
        async with trio.open_nursery() as nursery, listener:
            nursery.start_soon(line.carry, listener)
            yield line, Address(LOOPBACK, listener.socket.getsockname()[1])
            nursery.cancel_scope.cancel()
    finally:
        line.cut()
