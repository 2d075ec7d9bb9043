"""Readiness calls back for each socket that is ready to be read or written."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import pytest
import trio

from gateway.net import readiness
from gateway.net.readiness import READ, WRITE


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


async def test_a_reader_is_called_as_long_as_there_is_something_to_read(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    read: list[bytes] = []
    readiness.shared().watch(ours, lambda: read.append(ours.recv(1)))
    theirs.send(b"abc")
    with trio.fail_after(60):
        while len(read) < 3:
            await trio.lowlevel.checkpoint()
    assert read == [b"a", b"b", b"c"]
    readiness.shared().forget(ours)


async def test_one_may_wait_for_room_to_write_instead(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    ours.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while ours.send(bytes(65536)):
            pass
    called: list[int] = []
    shared = readiness.shared()
    shared.watch(ours, lambda: called.append(READ))
    shared.change(ours, lambda: called.append(WRITE), WRITE)
    for _ in range(10):
        await trio.lowlevel.checkpoint()
    assert called == []
    with trio.fail_after(60):
        while not called:
            theirs.recv(65536)
            await trio.lowlevel.checkpoint()
    assert set(called) == {WRITE}
    shared.forget(ours)


async def test_nobody_is_called_once_a_socket_is_forgotten(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    called: list[bytes] = []
    readiness.shared().watch(ours, lambda: called.append(b"!"))
    readiness.shared().forget(ours)
    theirs.send(b"abc")
    for _ in range(10):
        await trio.lowlevel.checkpoint()
    assert called == []
