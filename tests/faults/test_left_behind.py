"""What has ended is free at once: storms of connections leave nothing to a collector that would make moves wait."""

from __future__ import annotations

import gc
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio
from hypercorn.trio.tcp_server import TCPServer
from trio.testing import MockClock

from gateway.net.tls import Certificate
from gateway.net.tls_end import TlsEnd
from gateway.server.connection import Connection
from gateway.server.ledger import Ledger
from gateway.server.peer import SocketPeer
from gateway.server.table_task import TableTask
from gateway.server.tls_peer import TlsPeer
from gateway.table.state import State
from protocols.bogaprot import Bogaprot
from tests.certificates import Authority
from tests.server.hall import ADDRESS, Guest, hall
from tests.web.serving import ask, served

PATIENCE_S = 20.0
MANY = 20
SOME = 10


@asynccontextmanager
async def freed(*kinds: type) -> AsyncIterator[None]:
    """Nothing of these kinds is left soon after the body, though nobody collects.

    But for some: loops have the last one in hand until the next comes.
    """
    gc.collect()
    before = alive(kinds)
    gc.disable()
    try:
        yield
        with trio.fail_after(PATIENCE_S):
            while alive(kinds) > before + SOME:  # noqa: ASYNC110  # nothing tells of it
                await trio.sleep(0.01)
    finally:
        gc.enable()


def alive(kinds: tuple[type, ...]) -> int:
    return sum(isinstance(found, kinds) for found in gc.get_objects())


async def come_and_go(guest: Guest) -> None:
    await guest.joins("tic_tac_toe")
    await guest.leaves()


async def test_players_who_leave_take_everything_with_them() -> None:
    async with hall() as here, freed(Connection, SocketPeer, Bogaprot):
        for _ in range(MANY):
            await come_and_go(here.dial())


async def test_tables_that_rest_take_everything_with_them(autojump_clock: MockClock) -> None:
    async with hall() as here, freed(TableTask, State, Ledger):
        for number in range(MANY):
            guests = [here.dial(), here.dial()]
            for guest, word in zip(guests, ("anna", "bert"), strict=True):
                await guest.joins(f"tic_tac_toe#{word}-comes-back-with-{number}")
            for guest in guests:
                await guest.leaves()
        await here.until(lambda: len(here.house.resting) == MANY)


async def test_those_who_speak_nonsense_as_well() -> None:
    async with hall() as here, freed(Connection, SocketPeer, Bogaprot):
        for _ in range(MANY):
            guest = here.dial()
            await guest.stream.send_all(b"\xff" * 64)
            await guest.rest()
            await guest.leaves()


async def test_players_over_tls(tmp_path: Path) -> None:
    club = Authority(tmp_path)
    club.issues("localhost")
    context = Certificate(club.cert, club.key, "here").context
    async with hall() as here, freed(Connection, SocketPeer, TlsPeer, TlsEnd):
        for _ in range(MANY):
            ours, theirs = socket.socketpair()
            peer = TlsPeer(SocketPeer(theirs), context)
            stream = trio.SSLStream(
                trio.SocketStream(trio.socket.from_stdlib_socket(ours)), club.trust, server_hostname="localhost"
            )
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stream.do_handshake)
                await peer.shake_hands()
            here.house.enter(here.door, peer, ADDRESS)
            del peer
            await come_and_go(Guest(stream, None, PATIENCE_S))


async def test_requests_over_http() -> None:
    async with served() as port, freed(TCPServer):
        for _ in range(MANY):
            status, _ = await ask(port, "/healthz")
            assert status == 200
