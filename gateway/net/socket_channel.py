"""Passes connected sockets between the workers of one machine: each with a message, by SCM_RIGHTS.

A socket that was passed is open at both ends until the sender closes its own. What waits at a worker that has ended
waits for the next one in its place, for the supervisor keeps all channels open. Source: unix(7).
"""

from __future__ import annotations

import socket
from array import array
from collections.abc import Callable, Mapping
from typing import Final

import structlog
import trio

MOST: Final = 16 * 1024
"""Bytes of a message at most: some hundred fit the system's buffer."""

NO_WAIT: Final = int(getattr(socket, "MSG_DONTWAIT", 0))
FLAGS: Final = NO_WAIT | int(getattr(socket, "MSG_CMSG_CLOEXEC", 0))
"""A received socket closes in programs that this process starts."""

Taken = Callable[[socket.socket, bytes], None]
"""Given a socket, which it owns, and the message that came with it. Must not raise."""

_log = structlog.get_logger()


def worker_name(server: str, number: int) -> str:
    """The name of the worker of this number, from 1."""
    return f"{server}/{number}"


def of_one_server(first: str, second: str) -> bool:
    """True if these are names of workers with one supervisor."""
    server = first.rpartition("/")[0]
    return bool(server) and server == second.rpartition("/")[0]


def open_channel() -> tuple[socket.socket, socket.socket]:
    """The end that one worker reads, and the end that all others write to."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


class SocketChannel:
    """The channels of one worker: it reads ``inbox``, and writes to ``others``, by their names."""

    def __init__(self, inbox: socket.socket, others: Mapping[str, socket.socket]) -> None:
        self._inbox = inbox
        self._others = others

    def send(self, to: str, sock: socket.socket, message: bytes) -> bool:
        """Pass a socket on, which stays open here; never blocks. False: nothing was passed."""
        other = self._others.get(to)
        if other is None or len(message) > MOST:
            return False
        try:
            rights = socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [sock.fileno()])
            other.sendmsg([message], [rights], NO_WAIT)  # send_fds ignores flags in Python 3.11
        except OSError as error:  # the other one does not read just now, or too much is on the way
            _log.debug("a socket was not passed on", to=to, error=str(error))
            return False
        return True

    async def run(self, taken: Taken) -> None:
        """Take in what is passed to this worker, until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self._inbox)
            try:
                message, found, _, _ = socket.recv_fds(self._inbox, MOST, 1, FLAGS)
            except BlockingIOError:
                continue
            if not message:
                return  # the supervisor has gone, and all others
            for descriptor in found:
                taken(socket.socket(fileno=descriptor), message)
