"""Real clients of every dialect come to three nodes in any order: no two wait whose proposals match."""

from __future__ import annotations

from random import Random

import pytest
import trio
from trio.testing import MockClock

from tests.cluster.world import world
from tests.seating.test_meeting import People, check, chess, come, go

SETTLED_S = 10.0
"""Virtual seconds in which all have been told, called away and seated, whatever the bus delays."""


@pytest.mark.parametrize("people", [chess, go])
@pytest.mark.parametrize("delay_s", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(20))
async def test_no_two_of_three_nodes_wait_whose_proposals_match(
    people: People, delay_s: float, seed: int, autojump_clock: MockClock
) -> None:
    """As at one node (tests/seating/test_meeting.py); the bus delays each message by up to ``delay_s``."""
    random = Random(seed)
    clients = [people(random, number) for number in range(random.randint(2, 12))]
    async with world(seed=seed, delay_s=(0.0, delay_s)) as here:
        members = [await here.node(name) for name in ("one", "two", "three")]
        await trio.sleep(1.0)
        await come(members, clients, random)
        await trio.sleep(SETTLED_S)
        check(members, clients)
