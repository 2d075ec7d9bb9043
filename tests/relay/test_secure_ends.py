"""TLS ends of the relay wait for room, and take new keys in the middle of a conversation."""

from __future__ import annotations

import contextlib
import fcntl
import socket
import ssl
import sys
import termios
from collections.abc import AsyncIterator
from functools import partial
from subprocess import DEVNULL, PIPE
from typing import Final

import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Limits
from gateway.net.readiness import shared
from gateway.net.tls import Certificate, TlsEnd
from gateway.relay.counters import Counters
from gateway.relay.secured import SecuredVisitor
from gateway.relay.splice import Splice
from gateway.relay.visitor import Visitor
from tests import peers
from tests.certificates import Authority
from tests.relay.relaying import ANNA, BERT, HOST, PATIENCE_S, relaying

NEW_KEYS: Final = b"K\n"
"""Typed at s_client: it sends a KeyUpdate that asks for another (RFC 8446, 4.6.3)."""


class Narrow:
    """A pair, Anna without TLS and Bert with it, on socket pairs; ``over`` once it is parted."""

    def __init__(self, club: Authority) -> None:
        (ours, self.anna), (self.theirs, self.bert) = socket.socketpair(), socket.socketpair()
        for sock in (ours, self.anna, self.theirs, self.bert):
            sock.setblocking(False)
        connection_limits = ConnectionLimiter(Limits())
        self.plain, context = (
            Visitor(ours, HOST, "", connection_limits, shared()),
            Certificate(club.cert, club.key, "").context,
        )
        self.secure = SecuredVisitor(self.theirs, HOST, "", connection_limits, shared(), context)
        self.over = False
        for _ in range(2):
            assert connection_limits.take(HOST)

    @property
    def tls(self) -> TlsEnd:
        return self.secure.tls

    def joins(self) -> Splice:
        splice = Splice((self.plain, self.secure), 10**9, Counters(), self._end, lambda *_: None)
        splice.start((b"", b""), (False, False))
        return splice

    def _end(self) -> None:
        self.over = True

    def fills(self) -> bytes:
        """Send Bert as much as the system has room for; return it."""
        count = 0
        while self._on_its_way() < self.theirs.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF):
            self.theirs.send(self.tls.sealed(b"."))
            count += 1
        return b"." * count

    def _on_its_way(self) -> int:
        """Bytes that Bert has not read, and the memory that keeps them (unix(7))."""
        return int.from_bytes(fcntl.ioctl(self.theirs, termios.TIOCOUTQ, bytes(4)), sys.byteorder)


async def _until_something_waits(splice: Splice) -> None:
    with trio.fail_after(PATIENCE_S):
        while not splice.ends[1].waiting:  # noqa: ASYNC110  # sockets set no events
            await trio.sleep(0.01)


def _shaken(tls: TlsEnd, trust: ssl.SSLContext) -> tuple[ssl.SSLObject, ssl.MemoryBIO]:
    """A client of this end, and where what it hears is to be put; hands are shaken."""
    heard, said = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trust.wrap_bio(heard, said, server_hostname="localhost")
    while not tls.shaken:
        with contextlib.suppress(ssl.SSLWantReadError):
            client.do_handshake()
        tls.take_in(said.read())
        tls.shake()
        heard.write(tls.out.read())
    return client, heard


async def test_an_end_waits_for_room_and_the_pair_for_it(club: Authority) -> None:
    """Nothing else waits, but the system takes not a byte more just now."""
    pair = Narrow(club)
    client, heard = _shaken(pair.tls, club.trust)
    splice = pair.joins()
    told = pair.fills()
    with pair.anna, pair.bert, trio.fail_after(PATIENCE_S):
        pair.anna.shutdown(socket.SHUT_WR)
        pair.bert.shutdown(socket.SHUT_WR)
        await _until_something_waits(splice)
        assert not pair.over
        while came := await _next(pair.bert):
            heard.write(came)
        assert pair.over
        assert [client.read(9) for _ in range(len(told) + 1)] == [*[b"."] * len(told), b""], "and then close_notify"


async def _next(sock: socket.socket) -> bytes:
    await trio.lowlevel.wait_readable(sock)
    return sock.recv(65536)


@contextlib.asynccontextmanager
async def s_client(club: Authority, port: int) -> AsyncIterator[tuple[trio.abc.SendStream, trio.abc.ReceiveStream]]:
    """openssl's own client, by its standard input and output."""
    where = ["-connect", f"{HOST}:{port}", "-servername", "localhost", "-verify_hostname", "localhost"]
    command = [str(peers.program("openssl")), "s_client", *where, "-CAfile", str(club.file), "-verify_return_error"]
    start = partial(trio.run_process, [*command, "-brief"], stdin=PIPE, stdout=PIPE, stderr=DEVNULL, check=False)
    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(start)
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin, process.stdout
        nursery.cancel_scope.cancel()


async def _says(stdout: trio.abc.ReceiveStream, words: bytes) -> None:
    heard = b""
    with trio.fail_after(PATIENCE_S):
        while words not in heard:
            data = await stdout.receive_some()
            assert data, heard
            heard += data


@peers.needed
async def test_new_keys_in_the_middle_of_a_conversation_disturb_nothing(club: Authority) -> None:
    """RFC 8446, 4.6.3: who is asked for new keys changes its own before it says anything else."""
    async with relaying(club=club) as desk:
        assert desk.secured is not None
        async with s_client(club, desk.secured.shown.port) as (keys, screen):
            room = desk.open().code
            await keys.send_all(f"BOARDGATE-RELAY 1 MEET {room} {ANNA} -\n".encode())
            await _says(screen, b"WAIT\n")
            bert = await desk.meet(room, BERT, tls=True)
            await _says(screen, b"PEER first ")
            await bert.lines(2)
            await keys.send_all(b"JOIN\n")
            await bert.say("JOIN")
            assert await bert.line() == "JOINED"
            await _says(screen, b"JOINED\n")
            for turn in range(3):
                await keys.send_all(NEW_KEYS)
                await bert.send(b"question %d\n" % turn)
                await _says(screen, b"question %d\n" % turn)
                await keys.send_all(b"answer %d\n" % turn)
                assert await bert.line() == f"answer {turn}"
