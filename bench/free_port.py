"""Finds a port of this machine for a program that has to be told one."""

from __future__ import annotations

import socket
from random import SystemRandom
from typing import Final

PORTS: Final = range(20_000, 32_000)
"""Below those that Linux gives outgoing connections (net.ipv4.ip_local_port_range): none of them takes a port that a
program has not opened yet."""


def free_port() -> int:
    """A port of 127.0.0.1 where nobody listens. OSError: there is none."""
    for port in SystemRandom().sample(PORTS, len(PORTS)):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError(f"somebody listens on each port from {PORTS[0]} to {PORTS[-1]}")
