"""Callers whose room another node has: two relays on real sockets, of which each can ask the other."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from gateway.config import BadSetting
from gateway.relay.passing import UNKNOWN_CALLS, Gate, Pass, call, no_answer, read_gate
from gateway.relay.rendezvous import GUESSES, Refusal
from tests.certificates import Authority
from tests.relay.relaying import ANNA, BERT, HOST, Client, Desk, relaying


class Other:
    """What a relay asks; ``desk`` is the other one, None: it does not answer."""

    def __init__(self) -> None:
        self.desk: Desk | None = None
        self.given: list[Pass] = []

    async def find(self, code: str, client: tuple[str, int]) -> Pass | None:
        if self.desk is None:
            raise no_answer()
        found = self.desk.relay.invite(code, client)
        self.given += [found] if found is not None else []
        return found


@asynccontextmanager
async def two_nodes(club: Authority | None = None, **settings: Any) -> AsyncIterator[tuple[Desk, Desk, Other]]:
    """A node with rooms, one that is called, and what the second asks. ``settings`` are the first one's."""
    asked = Other()
    async with (
        relaying(gate=Gate(f"{HOST}:0"), **settings) as rooms,
        relaying(club=club, elsewhere=asked.find) as called,
    ):
        asked.desk = rooms
        yield rooms, called, asked


async def met(rooms: Desk, called: Desk, *, tls: bool = False) -> tuple[Client, Client]:
    """Anna has called the room's node, Bert the other one; each is told where the other has called from."""
    room = rooms.open().code
    anna = await rooms.meet(room, ANNA)
    assert await anna.line() == "WAIT"
    bert = await called.meet(room, BERT, tls=tls)
    assert await bert.line() == "WAIT"
    assert await anna.line() == f"PEER first {bert.shown} -"
    assert await bert.line() == f"PEER second {anna.shown} -"
    return anna, bert


async def joined(rooms: Desk, called: Desk, *, tls: bool = False) -> tuple[Client, Client]:
    """The same, relayed."""
    both = await met(rooms, called, tls=tls)
    for client in both:
        await client.say("JOIN")
    for client in both:
        assert await client.line() == "JOINED"
    return both


async def test_two_who_call_different_nodes_meet_and_are_joined() -> None:
    async with two_nodes() as (rooms, called, _):
        anna, bert = await joined(rooms, called)
        for one, other in ((anna, bert), (bert, anna)):
            await one.say(b"hello")
            assert await other.some() == b"hello"
        assert (rooms.relay.counters.pairs, called.relay.counters.passed_on) == (1, 1)
        assert called.relay.counters.pairs == 0


async def test_much_goes_both_ways_and_an_end_is_passed_on() -> None:
    """Bert says no more while Anna has yet to answer, and gets all of it."""
    async with two_nodes() as (rooms, called, _):
        anna, bert = await joined(rooms, called)
        much = bytes(range(256)) * 8192
        for one, other in ((bert, anna), (anna, bert)):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(one.send, much)
                said = b""
                while len(said) < len(much):
                    said += await other.some()
                assert said == much
            await one.end()
            assert await other.some() == b""


async def test_a_caller_with_tls_is_passed_on_decrypted(club: Authority) -> None:
    async with two_nodes(club) as (rooms, called, _):
        anna, bert = await joined(rooms, called, tls=True)
        await bert.say(b"hello")
        assert await anna.some() == b"hello"


async def test_who_goes_is_gone_at_the_rooms_node_and_may_come_back_to_either() -> None:
    async with two_nodes() as (rooms, called, _):
        room = rooms.open().code
        anna = await called.meet(room, ANNA)
        assert await anna.line() == "WAIT"
        anna.stream.socket.close()
        await rooms.until(lambda: not rooms.relay.callers)
        bert = await rooms.meet(room, BERT)
        assert await bert.line() == "WAIT"
        again = await called.meet(room, ANNA)
        assert await again.lines(2) == ["WAIT", f"PEER second {bert.shown} -"]


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
async def test_a_node_that_stops_hangs_up_on_those_whom_it_has_passed_on(club: Authority, tls: bool) -> None:
    """Both hear it: Bert, who called the node that stops, and Anna, whose own node goes on."""
    asked = Other()
    async with relaying(gate=Gate(f"{HOST}:0")) as rooms:
        asked.desk = rooms
        async with relaying(club=club, elsewhere=asked.find) as called:
            anna, bert = await joined(rooms, called, tls=tls)
            rooms.clients += called.clients
            called.clients = []  # Bert hangs up on nobody
        assert await bert.some() == b""
        assert await anna.some() == b""
        assert called.connection_limits.inside == 0


async def test_a_code_that_no_node_has_is_a_guess() -> None:
    async with two_nodes() as (rooms, called, _):
        for _ in range(GUESSES + 1):
            stranger = await called.meet("aaaaaaaa", ANNA)
            assert await stranger.lines(2) == ["NO there is no such code; it may have expired", None]
        room = rooms.open().code
        assert await (await called.meet(room, ANNA)).line() == "NO too many unknown codes; wait a minute"
        assert called.relay.counters.refusals["unknown_code"] == GUESSES + 1


async def test_a_code_of_another_node_is_none() -> None:
    async with two_nodes() as (rooms, called, _):
        room = rooms.open().code
        for _ in range(GUESSES + 2):
            caller = await called.meet(room, ANNA)
            assert await caller.line() == "WAIT"


async def test_where_a_node_does_not_say_the_caller_is_told_to_try_again() -> None:
    async with two_nodes() as (rooms, called, asked):
        asked.desk = None
        caller = await called.meet(rooms.open().code, ANNA)
        assert await caller.lines(2) == ["NO a part of this server does not answer just now: try again", None]
        await called.until(lambda: called.connection_limits.inside == 0)


async def test_where_the_rooms_node_has_gone_the_caller_is_told_to_try_again() -> None:
    async with relaying(gate=Gate(f"{HOST}:0")) as rooms:
        gone = rooms.relay.invite(rooms.open().code, (HOST, 1))
    assert gone is not None
    with pytest.raises(Refusal, match="try again"):
        await call(gone)


async def test_the_rooms_node_refuses_a_caller_in_its_own_words() -> None:
    async with two_nodes() as (rooms, called, _):
        room = rooms.open().code
        await rooms.joined(room)
        caller = await called.meet(room, "x" * 22)
        assert await caller.lines(2) == ["NO this code is in use by two others", None]


async def test_a_pass_is_good_for_one_call() -> None:
    async with two_nodes() as (rooms, called, asked):
        await met(rooms, called)
        (used,) = asked.given
        stranger = Client(trio.SocketStream(trio.socket.from_stdlib_socket(await call(used))))
        assert await stranger.some() == b""
        stranger.stream.socket.close()
        assert len(rooms.relay.callers) == 2


async def test_who_has_no_pass_is_hung_up_on() -> None:
    async with two_nodes() as (rooms, _, _):
        right = rooms.relay.invite(rooms.open().code, (HOST, 1))
        assert right is not None
        for said in (b"0" * 32, b"BOARDGATE-RELAY 1 MEET", b"\xff" * 40):
            stranger = await rooms.dial(right.port)
            await stranger.send(said)
            with contextlib.suppress(trio.BrokenResourceError):  # it may be hung up on already
                await stranger.end()
            assert await stranger.some() == b""
        assert not rooms.relay.callers


async def test_calls_that_show_nothing_are_few_at_a_time() -> None:
    """One more is hung up on, until one of the others is; who has a pass comes in then."""
    async with two_nodes() as (rooms, _, _):
        room = rooms.open().code
        right = rooms.relay.invite(room, (HOST, 1))
        assert right is not None
        silent = [await rooms.dial(right.port) for _ in range(UNKNOWN_CALLS + 1)]
        assert await silent[-1].some() == b""
        silent[0].stream.socket.close()
        while not rooms.relay.callers:  # until it is seen that one has gone
            right = rooms.relay.invite(room, (HOST, 1))
            assert right is not None
            caller = await rooms.dial(right.port)
            with contextlib.suppress(trio.BrokenResourceError):
                await caller.send(right.secret.encode())
            await trio.sleep(0.01)


@pytest.mark.parametrize("written", ["0.0.0.0:5031", "[::]:5031", "gateway-1", "gateway-1:70000"])
def test_an_address_that_others_cannot_call_is_refused(written: str) -> None:
    with pytest.raises(BadSetting, match=r"address"):
        read_gate(written)
