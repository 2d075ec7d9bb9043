"""Opens one listening port several times, so that each process of a server accepts from a queue of its own.

The system spreads connections over the sockets of a port, by the addresses and ports of both ends (SO_REUSEPORT). With
one queue for all processes an idle process took five times as many as another. A socket that is open in two processes
loses nothing when one of them ends: what waits in its queue waits for whoever accepts next.

Source: socket(7), SO_REUSEPORT and SO_ATTACH_REUSEPORT_CBPF; Linux's documentation of the classic BPF.
"""

from __future__ import annotations

import ctypes
import socket
import struct
from typing import Final

from gateway.config import Listen
from gateway.net.sockets import BACKLOG, bound, opening

ATTACH: Final = 51
"""SO_ATTACH_REUSEPORT_CBPF, for which Python has no name."""

_NETWORK: Final = 0xFFF00000
"""SKF_NET_OFF: offsets from here on count from the IP header."""

_MIX: Final = 0x9E3779B1
"""2^32 divided by the golden ratio: addresses in a row are spread evenly (Knuth, volume 3, 6.4)."""


def open_group(listen: Listen, count: int, *, by_address: bool = False) -> tuple[list[socket.socket], Listen]:
    """So many listening sockets of one port, and the listener with the port they got. BadSetting, as ``open_socket``.

    ``by_address``: all connections of one IPv4 address, or IPv6 /64, go to the same socket.
    """
    made: list[socket.socket] = []
    try:
        with opening(listen):
            if listen.port:  # SO_REUSEPORT would share the port with another server of this user
                bound(listen.host, listen.port).close()
            port = listen.port
            for _ in range(count):
                made.append(bound(listen.host, port, BACKLOG, reuse_port=True))
                port = made[0].getsockname()[1]
            if by_address:
                _choose_by_address(made[0], count)
    except BaseException:
        for sock in made:
            sock.close()
        raise
    return made, Listen(listen.dialect, listen.host, port, listen.options)


def _choose_by_address(sock: socket.socket, count: int) -> None:
    """For the whole group that ``sock`` is of; its sockets are numbered as they began to listen."""
    # Each: operation, jump if true, jump if false, operand.
    program = (
        (0x30, 0, 0, _NETWORK),  # A = first byte of the IP header
        (0x74, 0, 0, 4),  # A >>= 4: the version
        (0x15, 0, 2, 4),  # not IPv4: over the next two
        (0x20, 0, 0, _NETWORK + 12),  # A = source address
        (0x05, 0, 0, 4),  # to the multiplication
        (0x20, 0, 0, _NETWORK + 8),  # A = first half of the network
        (0x07, 0, 0, 0),  # X = A
        (0x20, 0, 0, _NETWORK + 12),  # A = second half
        (0xAC, 0, 0, 0),  # A ^= X
        (0x24, 0, 0, _MIX),  # A *= _MIX
        (0x74, 0, 0, 16),  # A >>= 16
        (0x94, 0, 0, count),  # A %= count
        (0x16, 0, 0, 0),  # the socket of number A
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *instruction) for instruction in program))
    sock.setsockopt(socket.SOL_SOCKET, ATTACH, struct.pack("HP", len(program), ctypes.addressof(code)))
