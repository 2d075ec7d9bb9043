"""Accepting connections: by turns of the ports, not for too long, and where the system refuses to."""

from __future__ import annotations

import errno
import socket
from functools import partial
from typing import Any, NoReturn

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.net.log_limiter import LINES, WINDOW_S, LogLimiter
from gateway.net.sockets import BREATHER_S, WAIT_S, bound, take_in


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


def dialled(listener: socket.socket, count: int, host: str = "127.0.0.1") -> list[socket.socket]:
    """So many clients of an address, in the order in which they have come."""
    clients = []
    for _ in range(count):
        clients.append(socket.create_connection(listener.getsockname(), source_address=(host, 0)))
        clients[-1].settimeout(5.0)
    return clients


async def test_ports_have_turns_however_many_wait_at_one_of_them(autojump_clock: MockClock) -> None:
    """A flood of one port keeps nobody waiting at another."""
    flooded, calm = bound("127.0.0.1", 0), bound("127.0.0.1", 0)
    clients, (guest,) = dialled(flooded, 100), dialled(calm, 1)
    entered: list[str] = []

    def enter_of(name: str, sock: socket.socket, address: Any) -> bool:
        entered.append(name)
        sock.close()
        return True

    async with trio.open_nursery() as nursery:
        for name, sock in (("flooded", flooded), ("calm", calm)):
            nursery.start_soon(take_in, sock, name, partial(enter_of, name), LogLimiter())
        with trio.fail_after(60.0):
            while len(entered) < 101:  # noqa: ASYNC110  # each turn is a sleep
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert entered.index("calm") < 5
    for client in (*clients, guest):
        client.close()


async def test_whoever_would_wait_for_too_long_is_hung_up_on_and_the_newest_first(autojump_clock: MockClock) -> None:
    """In a flood each newcomer waited for minutes behind all those before it."""
    listener, busy_s = bound("127.0.0.1", 0), 0.25
    clients = dialled(listener, 100)
    names = [client.getsockname() for client in clients]
    entered: list[tuple[Any, float]] = []

    def enter(sock: socket.socket, address: Any) -> bool:
        entered.append((address, trio.current_time()))
        autojump_clock.jump(busy_s)  # the time that the others need
        sock.close()
        return True

    begun = trio.current_time()
    with trio.move_on_after(60.0):
        await take_in(listener, "", enter, LogLimiter())
    assert [address for address, _ in entered] == names[: len(entered)], "in the order in which they came"
    assert 4 * WAIT_S * 0.5 < len(entered) < 100, "as many as can be let in meanwhile, and no more"
    assert entered[-1][1] - begun <= WAIT_S + 2.0
    for client in clients:
        assert client.recv(1) == b"", "hung up on, not left waiting"
        client.close()


async def test_addresses_have_turns_and_the_newest_of_those_with_the_most_are_hung_up_on(
    autojump_clock: MockClock,
) -> None:
    """A guest who comes in the middle of a flood is let in before it is over."""
    listener = bound("127.0.0.1", 0)
    clients = [client for host in range(2, 6) for client in dialled(listener, 50, f"127.0.0.{host}")]
    clients += dialled(listener, 1, "127.0.0.9")
    entered: list[str] = []

    def enter(sock: socket.socket, address: Any) -> bool:
        entered.append(address[0])
        autojump_clock.jump(0.25)
        sock.close()
        return True

    with trio.move_on_after(120.0):
        await take_in(listener, "", enter, LogLimiter())
    assert len(entered) < 100
    assert "127.0.0.9" in entered
    counts = [entered.count(f"127.0.0.{host}") for host in range(2, 6)]
    assert max(counts) - min(counts) <= 12, "what was let in before all had come is not shared"
    for client in clients:
        client.close()


async def test_a_crowd_that_can_be_let_in_in_time_is_let_in_whole(autojump_clock: MockClock) -> None:
    listener = bound("127.0.0.1", 0)
    clients = dialled(listener, 200)
    entered: list[socket.socket] = []

    def enter(sock: socket.socket, address: Any) -> bool:
        entered.append(sock)
        return True

    with trio.move_on_after(60.0):
        await take_in(listener, "", enter, LogLimiter())
    assert len(entered) == 200
    for sock in (*clients, *entered):
        sock.close()


def test_the_host_of_both_families_listens_for_both_and_knows_callers_of_ipv4_as_such() -> None:
    """Whatever the system's own default is: one line of settings serves everybody."""
    with bound("::", 0) as listener:
        assert not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
        port, entered = listener.getsockname()[1], []

        def enter(sock: socket.socket, address: Any) -> bool:
            entered.append(address)
            sock.close()
            return True

        async def two_calls() -> None:
            with trio.fail_after(10.0):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(take_in, listener, "", enter, LogLimiter())
                    for host in ("127.0.0.1", "::1"):
                        own = await trio.open_tcp_stream(host, port)
                        names.append(own.socket.getsockname())
                        while len(entered) < len(names):  # noqa: ASYNC110  # each turn is a sleep
                            await trio.sleep(0.01)
                        await own.aclose()
                    nursery.cancel_scope.cancel()

        names: list[Any] = []
        trio.run(two_calls)
    assert [address[:2] for address in entered] == [name[:2] for name in names]
    assert [address[0] for address in entered] == ["127.0.0.1", "::1"]


def test_a_system_without_ipv6_serves_ipv4_at_the_host_of_both_families(monkeypatch: pytest.MonkeyPatch) -> None:
    class WithoutIPv6(socket.socket):
        def __init__(self, family: int = -1, *others: Any, **named: Any) -> None:
            if family == socket.AF_INET6:
                raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
            super().__init__(family, *others, **named)

    monkeypatch.setattr("gateway.net.sockets.socket.socket", WithoutIPv6)
    with bound("::", 0) as listener:
        assert listener.getsockname()[0] == "0.0.0.0"
    with pytest.raises(OSError, match="Address family"):
        bound("::1", 0)


@pytest.mark.parametrize("standing_s", [1.2, 4.0, 20.0])
@pytest.mark.parametrize("first", [2, 50, 101])
async def test_a_standstill_of_the_machine_refuses_nobody(
    first: int, standing_s: float, autojump_clock: MockClock
) -> None:
    """After a second without a turn all but thirty of those who waited were hung up on."""
    listener = bound("127.0.0.1", 0)
    clients = dialled(listener, 400)
    entered: list[socket.socket] = []

    def enter(sock: socket.socket, address: Any) -> bool:
        entered.append(sock)
        autojump_clock.jump(standing_s if len(entered) == first else 0.02)
        return True

    with trio.move_on_after(120.0):
        await take_in(listener, "", enter, LogLimiter())
    assert len(entered) == 400
    for sock in (*clients, *entered):
        sock.close()
