"""A socket peer receives, sends what fits at once, and handles either end's close."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.net import sockets
from gateway.sessions.peer import Peer, SocketPeer

FULL = 4_000_000
"""Bytes that no socket pair's buffers hold."""


async def received(peer: Peer, most: int) -> bytes:
    """Return the next bytes."""
    found: list[bytes] = []
    await peer.receive(most, found.append)  # type: ignore[arg-type]  # None: not all that is to be done
    return found[0]


@contextlib.contextmanager
def over_tcp() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two connected TCP sockets."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
        with ours, theirs:
            yield ours, theirs


@contextlib.contextmanager
def over_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


async def test_it_receives_no_more_than_it_asks_for() -> None:
    with over_pair() as (ours, theirs):
        peer = SocketPeer(theirs)
        ours.send(b"123456789")
        assert [await received(peer, 4), await received(peer, 100)] == [b"1234", b"56789"]


async def test_it_returns_when_what_came_was_not_all_there_is_to_do() -> None:
    with over_pair() as (ours, theirs):
        peer = SocketPeer(theirs)
        served: list[bytes] = []

        def serve(data: bytes) -> bool:
            served.append(data)
            return data != b"stop"

        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.receive, 100, serve)
            for text in (b"one", b"two", b"stop"):
                await wait_all_tasks_blocked()
                ours.send(text)
        ours.send(b"later")
        await wait_all_tasks_blocked()
        assert served == [b"one", b"two", b"stop"]
        assert await received(peer, 100) == b"later"


async def test_what_serving_raises_is_raised_to_whoever_receives() -> None:
    with over_pair() as (ours, theirs):
        ours.send(b"x")
        with pytest.raises(ValueError, match="no"):
            await SocketPeer(theirs).receive(100, _refuse)


def _refuse(data: bytes) -> bool:
    raise ValueError(f"no {data!r}")


async def test_it_receives_nothing_once_the_other_end_has_closed() -> None:
    with over_pair() as (ours, theirs):
        peer = SocketPeer(theirs)
        ours.send(b"bye")
        ours.close()
        assert [await received(peer, 100), await received(peer, 100), await received(peer, 100)] == [b"bye", b"", b""]


async def test_a_reset_is_received_as_the_end() -> None:
    with over_tcp() as (ours, theirs):
        peer = SocketPeer(theirs)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        ours.close()
        assert await received(peer, 100) == b""


async def test_closing_ends_a_receive_that_waits() -> None:
    with over_pair() as (_, theirs):
        peer = SocketPeer(theirs)
        heard: list[bytes] = []

        async def receive() -> None:
            heard.append(await received(peer, 100))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            await wait_all_tasks_blocked()
            peer.close()
        assert heard == [b""]


async def test_what_fits_is_sent_at_once_and_the_rest_when_there_is_room() -> None:
    with over_pair() as (ours, theirs):
        peer = SocketPeer(theirs)
        taken = peer.send_now(bytes(FULL))
        assert 0 < taken < FULL
        assert peer.send_now(b"more") == 0
        got = 0

        async def read() -> None:
            nonlocal got
            ours.setblocking(False)
            while got < FULL:
                await trio.lowlevel.wait_readable(ours)
                got += len(ours.recv(65536))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await peer.send_rest(bytes(FULL - taken))
        assert got == FULL


async def test_closing_ends_a_send_that_waits() -> None:
    with over_pair() as (_, theirs):
        peer = SocketPeer(theirs)
        peer.send_now(bytes(FULL))

        async def send() -> None:
            with pytest.raises(OSError, match="closed here"):
                await peer.send_rest(b"more")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(send)
            await wait_all_tasks_blocked()
            peer.close()


async def test_a_closed_peer_sends_and_receives_nothing_more() -> None:
    with over_pair() as (_, theirs):
        peer = SocketPeer(theirs)
        peer.close()
        peer.close()
        assert await received(peer, 100) == b""
        with pytest.raises(OSError, match="closed here"):
            await peer.send_rest(b"x")
        with pytest.raises(OSError, match="Bad file descriptor"):
            peer.send_now(b"x")


async def test_sending_to_a_peer_that_is_gone_is_an_error() -> None:
    with over_pair() as (ours, theirs):
        peer = SocketPeer(theirs)
        ours.close()
        with pytest.raises(OSError, match="pipe"):
            peer.send_now(b"x")


async def test_tcp_itself_looks_for_peers_that_are_gone_without_a_word() -> None:
    with over_tcp() as (_, theirs):
        SocketPeer(theirs)
        assert theirs.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
        if hasattr(socket, "TCP_KEEPIDLE"):
            assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == sockets.KEEPALIVE_IDLE_S
        if hasattr(socket, "TCP_KEEPINTVL"):
            assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL) == sockets.KEEPALIVE_INTERVAL_S
        if hasattr(socket, "TCP_KEEPCNT"):
            assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT) == sockets.KEEPALIVE_PROBES


async def test_the_lag_of_a_local_connection_is_small_and_that_of_no_network_is_nothing() -> None:
    with over_tcp() as (ours, theirs):
        peer = SocketPeer(theirs)
        ours.send(b"x")
        await received(peer, 1)
        assert 0.0 <= peer.lag_s() < 0.5
        peer.close()
        assert peer.lag_s() == 0.0
    with over_pair() as (_, theirs):
        assert SocketPeer(theirs).lag_s() == 0.0
