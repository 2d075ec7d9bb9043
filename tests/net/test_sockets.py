"""Accepting connections, where the system refuses to."""

from __future__ import annotations

import errno
import socket
from typing import NoReturn

import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.net.log_limiter import LINES, WINDOW_S, LogLimiter
from gateway.net.sockets import BREATHER_S, take_in


class Exhausted(socket.socket):
    """A listening socket of a process that has no file descriptor left."""

    def accept(self) -> NoReturn:
        raise OSError(errno.EMFILE, "Too many open files")


async def test_a_server_without_file_descriptors_does_not_flood_its_log(autojump_clock: MockClock) -> None:
    lines = LogLimiter()
    with Exhausted() as listener, socket.socket() as peer, capture_logs() as logged:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        peer.connect(listener.getsockname())
        with trio.move_on_after(3 * LINES * BREATHER_S):
            await take_in(listener, "miniature=127.0.0.1:5010", lambda sock, address: True, lines)
        lines.look(trio.current_time() + WINDOW_S)
    refused = [line for line in logged if line["event"] == "cannot accept"]
    assert len(refused) == LINES
    assert refused[0]["error"] == "[Errno 24] Too many open files"
    assert [line["like"] for line in logged if line["event"] == "lines left out"] == ["cannot accept"]
