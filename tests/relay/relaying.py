"""Runs a relay on real sockets of 127.0.0.1 and clients that speak its lines."""

from __future__ import annotations

import contextlib
import dataclasses
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Config, Limits, Listen, Server, parse_listener
from gateway.config import Relay as Settings
from gateway.net.listening import OpenListener
from gateway.net.log_limiter import LogLimiter
from gateway.relay.listen import accept, open_relay_listener
from gateway.relay.passing import Elsewhere, Gate, nowhere
from gateway.relay.relay import Opened, Relay
from tests.certificates import Authority

HOST = "127.0.0.1"
ANNA, BERT, CARL = ("A" * 22, "b-_" + "B" * 19, "c" * 22)
PATIENCE_S = 20.0
"""Seconds after which a test has failed, on its own clock."""


NEITHER = (False, False)
"""Of Anna and Bert speaks TLS."""


class Client:
    """One TCP connection to the relay port or to a one-time port."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._read = b""

    async def say(self, line: str | bytes) -> None:
        await self.send(line.encode() + b"\n" if isinstance(line, str) else line)

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def end(self) -> None:
        """Say no more."""
        await self.stream.send_eof()

    async def meet(self, room: str, side: str, addresses: str = "-") -> None:
        await self.say(f"BOARDGATE-RELAY 1 MEET {room} {side} {addresses}")

    async def line(self) -> str | None:
        """The next line; None when the server has closed."""
        while b"\n" not in self._read:
            data = await self.some()
            if not data:
                assert not self._read
                return None
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("ascii")

    async def lines(self, count: int) -> list[str | None]:
        return [await self.line() for _ in range(count)]

    async def some(self) -> bytes:
        """Return the next bytes; b"" when the server has closed or reset the connection."""
        with trio.fail_after(PATIENCE_S):
            try:
                return bytes(await self.stream.receive_some(65536))
            except trio.BrokenResourceError:
                return b""

    async def rest(self) -> bytes:
        """Everything until the end."""
        parts, self._read = [self._read], b""
        while data := await self.some():
            parts.append(data)
        return b"".join(parts)

    @property
    def shown(self) -> str:
        """As the server sees it."""
        return "{}:{}".format(*self.stream.socket.getsockname()[:2])


class SecureClient(Client):
    """One with TLS, of Python's own objects in memory: it can say no more and read on, which its streams cannot.

    ``cut``: the server's bytes have ended without a word.
    """

    def __init__(self, stream: trio.SocketStream, trust: ssl.SSLContext) -> None:
        super().__init__(stream)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = trust.wrap_bio(self._in, self._out, server_hostname="localhost")
        self.cut = False

    async def shake_hands(self) -> None:
        """The client's last bytes of the handshake leave with its first message."""
        while True:
            try:
                self.tls.do_handshake()
            except ssl.SSLWantReadError:
                await self.flush()
                await self._take_in()
            else:
                return

    async def send(self, data: bytes) -> None:
        self.tls.write(data)
        await self.flush()

    def sealed(self, data: bytes) -> bytes:
        """As it would be sent."""
        self.tls.write(data)
        return self._out.read()

    async def flush(self) -> None:
        await self.stream.send_all(self._out.read())

    async def end(self) -> None:
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.unwrap()
        await self.flush()

    async def some(self) -> bytes:
        while not self._in.eof:
            try:
                return self.tls.read(65536)
            except ssl.SSLWantReadError:
                await self._take_in()
            except ssl.SSLZeroReturnError:  # so it says where both have ended
                return b""
        self.cut = True
        return b""

    async def _take_in(self) -> None:
        came = await super().some()
        self._in.write(came) if came else self._in.write_eof()


@dataclasses.dataclass(slots=True)
class Desk:
    """The relay and its port."""

    relay: Relay
    port: int
    connection_limits: ConnectionLimiter
    clients: list[Client] = dataclasses.field(default_factory=list)
    club: Authority | None = None
    secured: OpenListener | None = None
    strangers: list[str] = dataclasses.field(default_factory=list)
    """The reasons of failed handshakes."""

    def note(self, listener: str, host: str, why: str) -> None:
        assert host == HOST
        self.strangers.append(why)

    async def dial(self, port: int | None = None) -> Client:
        self.clients.append(Client(await trio.open_tcp_stream(HOST, self.port if port is None else port)))
        return self.clients[-1]

    def open(self, opener: str = "192.0.2.1", **wishes: Any) -> Opened:
        return self.relay.open(opener, **wishes)

    async def dial_secured(self) -> SecureClient:
        """The port with TLS; hands are shaken."""
        assert self.secured is not None
        assert self.club is not None
        stream = await trio.open_tcp_stream(HOST, self.secured.shown.port)
        client = SecureClient(stream, self.club.trust)
        self.clients.append(client)
        await client.shake_hands()
        return client

    async def meet(self, room: str, side: str, addresses: str = "-", *, tls: bool = False) -> Client:
        """Return a client that has asked for this room."""
        client = await (self.dial_secured() if tls else self.dial())
        await client.meet(room, side, addresses)
        return client

    async def met(self, room: str, tls: tuple[bool, bool] = NEITHER) -> tuple[Client, Client]:
        """Anna and Bert, who have been told of each other."""
        anna = await self.meet(room, ANNA, tls=tls[0])
        assert await anna.line() == "WAIT"
        bert = await self.meet(room, BERT, tls=tls[1])
        assert await bert.line() == "WAIT"
        for client, other, order in ((anna, bert, "first"), (bert, anna, "second")):
            assert await client.line() == f"PEER {order} {other.shown} -"
        return anna, bert

    async def joined(self, room: str, tls: tuple[bool, bool] = NEITHER) -> tuple[Client, Client]:
        """The same, relayed."""
        anna, bert = await self.met(room, tls)
        for client in (anna, bert):
            await client.say("JOIN")
        for client in (anna, bert):
            assert await client.line() == "JOINED"
        return anna, bert

    async def dialled(self, **wishes: Any) -> tuple[Client, Client]:
        """Two programs joined by a one-time port; a byte has gone each way."""
        port = self.open(**wishes).port
        first, second = await self.dial(port), await self.dial(port)
        for one, other in ((first, second), (second, first)):
            await one.say(b"?")
            assert await other.some() == b"?"
        return first, second

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until this is true."""
        with trio.fail_after(PATIENCE_S):
            while not reached():  # noqa: ASYNC110  # sockets set no events
                await trio.sleep(0.01)


@asynccontextmanager
async def relaying(
    data: Path | None = None,
    *,
    record_all: bool = False,
    club: Authority | None = None,
    elsewhere: Elsewhere = nowhere,
    gate: Gate | None = None,
    **settings: Any,
) -> AsyncIterator[Desk]:
    """A running relay. ``settings`` are those of [relay], or of [limits] where that has no such name; ``club`` has
    issued the certificate of its second port, with TLS. ``elsewhere`` and ``gate`` are the relay's."""
    own = {field.name for field in dataclasses.fields(Settings)}
    limits = Limits(**{key: value for key, value in settings.items() if key not in own})
    wanted = Settings(**{key: value for key, value in settings.items() if key in own})
    config = Config(server=Server(data=str(data or "unused")), limits=limits, relay=wanted)
    connection_limits = ConnectionLimiter(limits)
    listener = open_relay_listener(Listen("relay", HOST, 0))
    relay = Relay(
        config,
        connection_limits,
        HOST,
        listener.shown.port,
        LogLimiter(),
        record_all=record_all,
        elsewhere=elsewhere,
        gate=gate,
    )
    async with trio.open_nursery() as nursery:
        await nursery.start(relay.run)
        desk = Desk(relay, listener.shown.port, connection_limits)
        nursery.start_soon(accept, relay, listener, desk.note)
        if club is not None:
            desk.club, desk.secured = club, open_relay_listener(parse_listener(f"relay={HOST}:0,{club.options()}"))
            nursery.start_soon(accept, relay, desk.secured, desk.note)
        try:
            yield desk
        finally:
            for client in desk.clients:
                client.stream.socket.close()
        nursery.cancel_scope.cancel()
