"""The bus over a NATS server: a client of core NATS, whose session subscribes to two subjects.

Subjects are ``boardgate.CLUSTER.ID`` and ``boardgate.CLUSTER.all``. The URL is nats://[USER:PASSWORD@]HOST[:PORT] or
nats://TOKEN@HOST[:PORT]; with tls:// the connection is encrypted, and the server's certificate checked.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final
from urllib.parse import unquote, urlsplit

import trio

from gateway.bus import nats_wire
from gateway.bus.broker_bus import BrokerBus, LineLost
from gateway.bus.envelope import LIMIT, Post
from gateway.bus.nats_wire import Connect, Failure, Frame, FrameReader, Info, Message, NatsProtocolError, Sign

SCHEMES: Final = ("nats", "tls")
PORT: Final = 4222
AT_ONCE: Final = 1 << 16
"""Bytes that are read at once."""


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a NATS server's URL."""

    host: str
    port: int
    tls: bool
    user: str | None
    password: str | None
    token: str | None


def nats_bus(url: str, cluster: str, me: int, name: str, chance: Random) -> BrokerBus:
    """``name`` shows in the server's list of connections. ValueError for a URL or a cluster's name that is none."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", cluster):
        raise ValueError(f"the name of a cluster has letters, digits, - and _, unlike {cluster!r}")
    return BrokerBus(me, partial(_dial, read_url(url), f"boardgate.{cluster}", me, name), chance)


def read_url(url: str) -> Server:
    """ValueError says what is wrong, without the password."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("a NATS server is written nats://HOST:4222, nats://USER:PASSWORD@HOST:4222 or tls://...")
    user, password = (None if word is None else unquote(word) for word in (parts.username, parts.password))
    known = password is not None
    return Server(
        host=parts.hostname,
        port=parts.port or PORT,
        tls=parts.scheme == "tls",
        user=user if known else None,
        password=password,
        token=None if known else user,
    )


async def _dial(server: Server, prefix: str, me: int, name: str) -> NatsLine:
    try:
        stream = await trio.open_tcp_stream(server.host, server.port)
    except OSError as error:
        raise LineLost(f"{server.host}:{server.port}: {error}") from None
    return await open_line(stream, server, prefix, me, name)


async def open_line(stream: trio.abc.Stream, server: Server, prefix: str, me: int, name: str) -> NatsLine:
    """A session over ``stream``, which is closed if there will be none. LineLost."""
    line = NatsLine(stream, prefix)
    try:
        await line.begin(server, me, name)
    except BaseException:
        await line.aclose()
        raise
    return line


class NatsLine:
    """A session with a server, as a ``Line``."""

    def __init__(self, stream: trio.abc.Stream, prefix: str) -> None:
        self._stream = stream
        self._prefix = prefix
        self._reader = FrameReader()
        self._turn = trio.Lock()  # whoever answers a PING waits for what is being sent
        self._early: list[bytes] = []  # came before the session was open

    async def begin(self, server: Server, me: int, name: str) -> None:
        """Log in and subscribe; returns when the server has done both. LineLost."""
        while not (frames := await self._frames()):
            pass
        first = frames[0]
        if not isinstance(first, Info) or len(frames) > 1:
            raise LineLost("a NATS server says INFO first, and nothing else")
        if first.max_payload < LIMIT:
            raise LineLost(f"the server's max_payload is {first.max_payload}; {LIMIT} are needed")
        if server.tls:
            await self._encrypt(server.host)
        elif first.tls_required:
            raise LineLost("the server wants TLS: write tls:// for nats://")
        connect = Connect(
            *(name, "python", "1", False, False, False, 1, server.tls),
            user=server.user,
            password=server.password,
            auth_token=server.token,
        )
        subjects = [nats_wire.subscribe(self._subject(to), number) for number, to in enumerate((me, None), 1)]
        await self._say(b"".join((connect.line(), *subjects, nats_wire.PING)))
        frames = []
        while Sign(b"PONG") not in frames:
            frames = await self._frames()
            self._early += await self._heed(frames)

    async def _encrypt(self, host: str) -> None:
        """TLS begins behind INFO; bytes that came before it would pass for the server's."""
        if self._reader.rest:
            raise LineLost("the server says something between INFO and TLS")
        self._stream = trio.SSLStream(
            self._stream, ssl.create_default_context(), server_hostname=host, https_compatible=True
        )

    def _subject(self, to: int | None) -> str:
        return f"{self._prefix}.{'all' if to is None else to}"

    async def receive(self) -> Sequence[bytes]:
        """See Line."""
        early, self._early = self._early, []
        return early or await self._heed(await self._frames())

    async def _frames(self) -> list[Frame]:
        """The complete messages of the next read, maybe none."""
        try:
            received = bytes(await self._stream.receive_some(AT_ONCE))
            if not received:
                raise LineLost("the server has closed the connection")
            return list(self._reader.receive_data(received))
        except trio.BrokenResourceError as error:
            raise LineLost(_reason(error)) from None
        except NatsProtocolError as error:
            raise LineLost(f"the server breaks its protocol: {error}") from None

    async def _heed(self, frames: Sequence[Frame]) -> list[bytes]:
        """The payloads. Answers each PING; every -ERR ends the session, though the server may go on after some."""
        payloads = []
        for frame in frames:
            match frame:
                case Message(payload):
                    payloads.append(payload)
                case Sign(b"PING"):
                    await self._say(nats_wire.PONG)
                case Failure(text):
                    raise LineLost(f"the server says: {text}")
        return payloads

    async def send(self, posts: Sequence[Post]) -> None:
        """See Line. Returns when the system has taken the bytes."""
        await self._say(b"".join(nats_wire.publish(self._subject(post.to), post.text) for post in posts))

    async def ping(self) -> None:
        """See Line."""
        await self._say(nats_wire.PING)

    async def _say(self, words: bytes) -> None:
        async with self._turn:
            try:
                await self._stream.send_all(words)
            except trio.BrokenResourceError as error:
                raise LineLost(_reason(error)) from None

    async def aclose(self) -> None:
        """See Line."""
        await trio.aclose_forcefully(self._stream)


def _reason(error: trio.BrokenResourceError) -> str:
    return str(error.__cause__ or error) or "the connection is lost"
