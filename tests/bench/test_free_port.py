"""A port for a program of a test or a measurement is one where nobody listens."""

from __future__ import annotations

import socket

import pytest

from bench import free_port


def test_a_port_where_somebody_listens_is_not_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two ports the free one is; where none is free, an error names them."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(free_port, "PORTS", range(port, port + 1))
        with pytest.raises(OSError, match=f"somebody listens on each port from {port} to {port}"):
            free_port.free_port()
    assert free_port.free_port() == port


def test_no_outgoing_connection_takes_such_a_port() -> None:
    """Linux gives those their ports from another range."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        lowest, _ = map(int, file.read().split())
    assert max(free_port.PORTS) < lowest
