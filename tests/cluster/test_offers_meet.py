"""Offers of a crowd at several nodes: whatever happens, those that stand when it is quiet come to no game."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations
from random import Random

import pytest
import trio
from trio.testing import MockClock

from gateway.lobby.offers import Offer, fits
from gateway.lobby.party import begins, same_name
from protocols.core.proposals import Start
from tests.cluster.lines import Lines
from tests.cluster.world import Member, world

NAMES = ("Anna", "Bert", "Carl", "Dora", "Emil", "Fred")
STEPS = 30
QUIET_S = 30.0
"""Longer than it takes to notice that a node is dead, and shorter than who is called waits for the other."""


class Crowd:
    """People at telnet, each of whom has given a name, at one of the nodes."""

    def __init__(self, nodes: list[Member], random: Random) -> None:
        self._random = random
        self.nodes = nodes
        self.people: list[tuple[Member, Lines]] = []

    async def come(self) -> None:
        for name in NAMES:
            node = self._random.choice(self.nodes)
            person = Lines(node, "miniature")
            await person.says(f"tell gateway name {name}")
            self.people.append((node, person))

    async def step(self) -> None:
        """One of them says something, or a moment passes."""
        node, person = self._random.choice(self.people)
        if not node.living:
            return
        game = f"{self._random.choice((5, 9))} 0 u {self._random.choice('wba')}"
        numbers = [offer.number for offer in node.server.lobby.offers] or [1]
        said = self._random.choice(
            (
                f"tell gateway offer {game}",
                f"tell gateway offer {game}",
                f"tell gateway challenge {self._random.choice(NAMES)} {game}",
                f"tell gateway take {self._random.choice(numbers)}",
                f"tell gateway withdraw {self._random.choice(numbers)}",
                f"seek {game}",
                "tell gateway leave",
            )
        )
        with suppress(trio.BrokenResourceError):  # it has lost its place, or its table has closed
            await person.says(said)
        if self._random.random() < 0.5:
            await trio.sleep(self._random.random())

    def standing(self) -> list[list[Offer]]:
        """The offers that stand, as each living node sees them."""
        return [list(node.server.lobby.offers) for node in self.nodes if node.living]


def would_meet(node: Member, offer: Offer) -> list[str]:
    """The players who wait at tables for what a connection offers to everybody here."""
    if offer.to or offer.node or not offer.client:
        return []
    notices = node.server.lobby.notices.all()
    wants = Start(offer.settings, offer.side)
    return [made.name for made in notices if begins(made.start, wants) and not same_name(made.name, offer.by)]


@pytest.mark.parametrize("change", ["", "dies", "stands still"])
@pytest.mark.parametrize("seed", range(10))
async def test_when_it_is_quiet_no_two_offers_stand_that_come_to_a_game(
    autojump_clock: MockClock, seed: int, change: str
) -> None:
    """``change`` is what happens to the node with the lobby: several offers of one maker, directed ones, and takers by
    number go on at the others."""
    random = Random(f"{seed} {change}")
    async with world(lost=0.05, doubled=0.05, seed=seed) as here:
        nodes = [await here.node(name) for name in ("one", "two", "three")]
        await nodes[0].until(lambda: len(nodes[0].node.membership.living) == 3)
        crowd = Crowd(nodes, random)
        await crowd.come()
        for step in range(STEPS):
            await crowd.step()
            if step == STEPS // 2 and change == "dies":
                here.kill(nodes[0])
            elif step == STEPS // 2 and change:
                here.freeze(nodes[0])
            elif step == STEPS * 2 // 3 and change == "stands still":
                here.thaw(nodes[0])
        await trio.sleep(QUIET_S)
        seen = crowd.standing()
        assert all([offer.number for offer in one] == [offer.number for offer in seen[0]] for one in seen)
        for one, other in combinations(seen[0], 2):
            assert not fits(one, other), f"{one} and {other}"
        for node in (node for node in nodes if node.living):
            for offer in node.server.lobby.offers:
                assert would_meet(node, offer) == [], f"{offer} stands"
