"""A server or peer that is gone without a word: the system looks after that, where it can.

Not here: asking by words of a protocol, for systems and middlemen that notice nothing (xboard/link.py).
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

import trio

SILENCE_S: Final = 20
"""Seconds after which the system gives a connection up that confirms nothing."""


def notice_silence(stream: trio.SocketStream) -> None:
    """Ask a quiet other end whether it is there, and give it up as soon while something is on its way to it.

    What a system does not have is left out.
    """
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", SILENCE_S // 2),
        ("TCP_KEEPINTVL", SILENCE_S // 4),
        ("TCP_KEEPCNT", 2),
        ("TCP_USER_TIMEOUT", SILENCE_S * 1000),
    ):
        if hasattr(socket, name):
            with suppress(OSError):
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
