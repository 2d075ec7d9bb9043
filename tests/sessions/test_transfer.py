"""A connection that has only begun goes to another worker with its bytes; where that cannot be, it stays."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import pytest
import trio

from gateway.config import Listen
from gateway.net.socket_channel import SocketChannel, of_one_server, open_channel, worker_name
from gateway.sessions.listener import EntryPoint, Listener, open_listener
from gateway.sessions.peer import Peer, SocketPeer
from gateway.sessions.transfer import MOST_BYTES, Transfers
from protocols.core.model import HouseRules

ADDRESS = "192.0.2.7"


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = open_listener(Listen("bogaprot", "127.0.0.1", 0, {"game": "chess"}), HouseRules(60.0))
    with contextlib.closing(found.sock):
        yield found


@pytest.fixture
def channels() -> Iterator[tuple[SocketChannel, SocketChannel]]:
    """The channels of two workers."""
    with contextlib.ExitStack() as stack:
        (to_first, first), (to_second, second) = (
            [stack.enter_context(contextlib.closing(end)) for end in open_channel()] for _ in range(2)
        )
        yield SocketChannel(to_first, {"club/2": second}), SocketChannel(to_second, {"club/1": first})


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A client, and the server's end of its connection."""
    client, server = socket.socketpair()
    with client, server:
        yield client, server


async def test_it_goes_on_elsewhere_with_what_was_sent_and_what_will_be(
    listener: Listener, channels: tuple[SocketChannel, SocketChannel], ends: tuple[socket.socket, socket.socket]
) -> None:
    """The socket here can be closed as soon as it was passed on."""
    here, there = map(Transfers, channels)
    client, server = ends
    came: list[tuple[EntryPoint, Peer, str]] = []
    peer = SocketPeer(server)
    beginning = here.begin(listener, peer)
    assert beginning is not None
    assert (beginning.movable, beginning.muted) == (True, False)
    beginning.received(b"one ")
    beginning.received(b"two ")
    assert beginning.pass_on("club/2", ADDRESS)
    assert (beginning.movable, beginning.muted) == (False, True)
    peer.close()
    client.sendall(b"three")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(there.run, [listener], lambda *entered: came.append(entered))
        with trio.fail_after(20):
            while not came:  # noqa: ASYNC110
                await trio.sleep(0.01)
        ((at, moved, address),) = came
        assert (at, address) == (listener, ADDRESS)
        again = there.begin(at, moved)
        assert again is not None
        assert (again.movable, again.muted) == (False, True)
        heard = bytearray()

        def hears(data: bytes) -> bool:
            heard.extend(data)
            return heard != b"one two three"

        with trio.fail_after(20):
            await moved.receive(4096, hears)
        assert moved.send_now(b"welcome") == 7
        assert client.recv(100) == b"welcome"
        moved.close()
        assert client.recv(100) == b""
        nursery.cancel_scope.cancel()


async def test_who_has_said_much_stays(
    listener: Listener, channels: tuple[SocketChannel, SocketChannel], ends: tuple[socket.socket, socket.socket]
) -> None:
    beginning = Transfers(channels[0]).begin(listener, SocketPeer(ends[1]))
    assert beginning is not None
    beginning.received(bytes(MOST_BYTES))
    assert beginning.movable
    beginning.received(b"!")
    assert not beginning.movable
    assert not beginning.pass_on("club/2", ADDRESS)
    assert not beginning.muted


async def test_who_cannot_be_passed_on_stays_and_is_not_passed_on_later(
    listener: Listener, channels: tuple[SocketChannel, SocketChannel], ends: tuple[socket.socket, socket.socket]
) -> None:
    """A worker that is not of this server, and one that has not read for long."""
    transfers, peer = Transfers(channels[0]), SocketPeer(ends[1])
    passed, tries = [True], 0
    while passed[-1] and tries < 10_000:
        tries += 1
        beginning = transfers.begin(listener, peer)
        assert beginning is not None
        beginning.received(bytes(MOST_BYTES))
        passed.append(beginning.pass_on("club/2", ADDRESS))
    assert (passed[-1], len(passed) > 2) == (False, True)
    for worker in ("club/3", "elsewhere/2"):
        beginning = transfers.begin(listener, peer)
        assert beginning is not None
        assert [beginning.pass_on(worker, ADDRESS), beginning.pass_on("club/2", ADDRESS)] == [False, False]
        assert (beginning.movable, beginning.muted) == (False, False)


def test_workers_of_one_server_are_known_by_their_names() -> None:
    first, second, other = worker_name("club", 1), worker_name("club", 12), worker_name("club/x", 1)
    assert of_one_server(first, second)
    assert not of_one_server(first, other)
    assert not of_one_server("club", "club")
