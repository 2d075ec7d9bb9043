"""Several sockets of one port: who gets a connection, and whose port it is."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Iterator, Sequence

import pytest

from gateway.config import Listen
from gateway.net.shared_sockets import open_group
from gateway.net.sockets import AddressInUse, open_socket

PATIENCE_S = 10.0
CLIENTS = 60


@contextlib.contextmanager
def group(host: str, count: int, *, by_address: bool = False) -> Iterator[tuple[list[socket.socket], Listen]]:
    """Sockets on a free port of ``host``, closed afterwards."""
    socks, shown = open_group(Listen("x", host, 0), count, by_address=by_address)
    try:
        yield socks, shown
    finally:
        for sock in socks:
            sock.close()


def taken_by(socks: Sequence[socket.socket], host: str, port: int) -> int:
    """Connect from ``host`` to itself, or to 127.0.0.1 from another of its network; the socket that got it."""
    to = "::1" if ":" in host else "127.0.0.1"
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as client:
        client.settimeout(PATIENCE_S)
        client.bind((host, 0))
        client.connect((to, port))
        (sock,) = select.select(socks, [], [], PATIENCE_S)[0]
        sock.accept()[0].close()
        return socks.index(sock)


def test_each_socket_of_a_port_gets_some_of_the_connections() -> None:
    """The chance that 60 connections leave one of three sockets out is below one in ten milliards."""
    with group("127.0.0.1", 3) as (socks, shown):
        assert {taken_by(socks, "127.0.0.1", shown.port) for _ in range(CLIENTS)} == {0, 1, 2}


@pytest.mark.parametrize("served", ["127.0.0.1", "::"])
def test_an_address_comes_to_the_same_socket_and_addresses_are_spread(served: str) -> None:
    """IPv4 clients of an IPv4 socket, and of one that serves both."""
    with group(served, 3, by_address=True) as (socks, shown):
        found = {}
        for last in range(1, CLIENTS):
            host = f"127.0.0.{last}"
            found[host] = taken_by(socks, host, shown.port)
            assert taken_by(socks, host, shown.port) == found[host]
        counts = [list(found.values()).count(index) for index in range(3)]
        assert min(counts) >= CLIENTS // 6


def test_an_address_of_ipv6_comes_to_the_same_socket() -> None:
    with group("::1", 3, by_address=True) as (socks, shown):
        assert len({taken_by(socks, "::1", shown.port) for _ in range(12)}) == 1


def test_a_port_of_another_server_is_not_shared_although_it_would_share_its_own() -> None:
    """The system itself would allow it to the same user."""
    with group("127.0.0.1", 2) as (_, shown), pytest.raises(AddressInUse, match="another server is running"):
        open_group(shown, 2)


def test_a_port_of_several_sockets_is_in_use_for_a_server_of_one_process() -> None:
    with group("127.0.0.1", 2) as (_, shown), pytest.raises(AddressInUse, match="another server is running"):
        open_socket(shown)


def test_a_port_can_be_asked_for_and_what_waits_outlives_all_descriptors_but_one() -> None:
    """Another process may close its copy of a socket: a connection that waits there is accepted by the next."""
    with group("127.0.0.1", 1) as (_, shown):
        pass
    socks, again = open_group(shown, 2)
    assert again == shown
    copies = [sock.dup() for sock in socks]
    with contextlib.ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", shown.port), PATIENCE_S)) for _ in range(20)
        ]
        for sock in socks:
            sock.close()
        accepted = 0
        for copy in copies:
            stack.enter_context(copy)
            with contextlib.suppress(BlockingIOError):
                while True:
                    copy.accept()[0].close()
                    accepted += 1
        assert accepted == len(clients)
