"""The server gives memory back to the system after a burst of connections."""

from __future__ import annotations

import ctypes
import os
import resource
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.servers import fast
from tests.running import RunningServer

CONNECTIONS = 6000
HOSTS = 250
BEGUN = struct.pack("!ii", 101, 4000) + b"x" * 3900
"""Most of a handshake: the server keeps it until the rest comes."""

COMES_BACK_S = 60.0
SHARE = 1 / 3
"""Of the memory that the burst took, what comes back at least."""


def resident(running: RunningServer) -> int:
    """Bytes of memory that the server has."""
    pages = Path(f"/proc/{running.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def burst(port: int) -> list[socket.socket]:
    """Connections from as many addresses, each in the middle of a long handshake."""
    found = []
    for number in range(CONNECTIONS):
        sock = socket.socket()
        sock.bind((f"127.1.{number // HOSTS}.{number % HOSTS + 1}", 0))
        sock.connect(("127.0.0.1", port))
        sock.sendall(BEGUN)
        found.append(sock)
    return found


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """As many open files as this process may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * CONNECTIONS:
        pytest.skip(f"{hard} open files are too few")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library gives nothing back")
@pytest.mark.nightly  # a minute of measuring what other processes disturb
def test_memory_of_a_burst_of_connections_comes_back_within_a_minute(tmp_path: Path) -> None:
    with fast(tmp_path, "bogaprot", ports=None, LIMITS_CONNECTIONS="20000", LIMITS_HANDSHAKE="600s") as running:
        before = resident(running)
        connections = burst(running.ports[0])
        most = before
        while resident(running) > most or most - before < CONNECTIONS * len(BEGUN):
            most = max(most, resident(running))
            time.sleep(0.5)
        for connection in connections:
            connection.close()
        patience = time.monotonic() + COMES_BACK_S
        while resident(running) > most - SHARE * (most - before):
            assert time.monotonic() < patience, f"{before}, then {most}, and {resident(running)} bytes at last"
            time.sleep(0.5)
