"""A million random bytes each way between two hosts, behind routers and in the open, with and without a cut."""

from __future__ import annotations

import random

import pytest
import trio

from tests import peers
from tests.conformance.relay_networks.networks import SERVER, Street
from tests.conformance.relay_networks.programs import Program, helper, new_code, new_port, program

pytestmark = peers.needed

MILLION = 1_000_000
CUT_S = 5.0

RELAYED = "connected through the relay at 203.0.113.1:5030"
DIRECTLY = "connected directly to "


def street(name: str, request: pytest.FixtureRequest) -> Street:
    found = request.getfixturevalue(name)
    assert isinstance(found, Street)
    return found


def two_random(seed: int) -> tuple[bytes, bytes]:
    chance = random.Random(seed)
    return chance.randbytes(MILLION), chance.randbytes(MILLION)


async def exchange(one: Program, two: Program, said: tuple[bytes, bytes]) -> None:
    """Both say theirs, hear the other's, and exit."""
    async with trio.open_nursery() as nursery:
        for end, data in zip((one, two), said, strict=True):
            nursery.start_soon(say_all, end, data)
    assert [await end.ends() for end in (one, two)] == [0, 0]
    for end, data in zip((two, one), said, strict=True):
        await end.hears(len(data))
        assert end.heard == data


async def say_all(end: Program, data: bytes) -> None:
    await end.says(data)
    await end.says_no_more()


@pytest.mark.parametrize(
    ("network", "words"), [("apart", RELAYED), ("behind_routers", DIRECTLY), ("in_the_open", DIRECTLY)]
)
async def test_a_million_random_bytes_each_way(network: str, words: str, request: pytest.FixtureRequest) -> None:
    """A plain netcat-like exchange of a million random bytes each way goes through; with the NATs removed the same
    commands go direct."""
    there = street(network, request)
    code = new_code(there.alice)
    async with helper(there.alice, code) as alice, helper(there.bob, code) as bob:
        await exchange(alice, bob, two_random(1))
        for end in (alice, bob):
            first, second = end.told.splitlines()
            assert first == "waiting for the other side"
            assert second.startswith(words)


@pytest.mark.parametrize("network", ["apart", "in_the_open"])
async def test_two_netcats_at_the_one_time_port(network: str, request: pytest.FixtureRequest) -> None:
    """Unmodified programs: both dial that port of the server, their bytes are joined verbatim in both directions,
    half-closes kept."""
    there = street(network, request)
    netcat = (str(peers.program("socat")), "-t", "20", "-", f"TCP:{SERVER}:{new_port(there.bob)}")
    async with program(there.alice, *netcat) as alice, program(there.bob, *netcat) as bob:
        await exchange(alice, bob, two_random(4))


async def test_without_a_direct_connection_the_relay_is_used_in_the_open(in_the_open: Street) -> None:
    code = new_code(in_the_open.alice)
    async with helper(in_the_open.alice, code, "--no-direct") as alice, helper(in_the_open.bob, code) as bob:
        await exchange(alice, bob, two_random(2))
        assert RELAYED in alice.told
        assert RELAYED in bob.told


@pytest.mark.parametrize(
    ("network", "cut", "how"),
    [
        ("apart", "alice", "down"),
        ("apart", "bob", "reset"),
        ("behind_routers", "alice", "reset"),
        ("in_the_open", "bob", "drop"),
        ("in_the_open", "alice", "reset"),
    ],
)
async def test_a_link_cut_for_five_seconds_loses_and_doubles_nothing(
    network: str, cut: str, how: str, request: pytest.FixtureRequest
) -> None:
    """The link of either host cut for five seconds: nothing lost or doubled."""
    there = street(network, request)
    code, said = new_code(there.alice), two_random(3)
    host = there.alice if cut == "alice" else there.bob
    half = MILLION // 2
    async with helper(there.alice, code) as alice, helper(there.bob, code) as bob:
        await alice.says(said[0][:half])
        await bob.says(said[1][:half])
        await alice.hears(half)
        await bob.hears(half)
        host.cut_off(how)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(say_all, alice, said[0][half:])
            nursery.start_soon(say_all, bob, said[1][half:])
            await trio.sleep(CUT_S)
            host.mend(how)
        assert [await end.ends() for end in (alice, bob)] == [0, 0]
        for end, data in ((alice, said[1]), (bob, said[0])):
            await end.hears(MILLION)
            assert end.heard == data
            if how == "reset":
                assert "connection lost, trying again" in end.told
            assert end.told.count("connected") == end.told.count("connection lost") + 1
