"""Gives conversations of several nodes a cast: players by name, each watched by the checker, who say and await.

async with cast("one", "two") as here:
    anna, bert = await here.game("one", "two")
    await here.plays(anna, 4)
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import trio

from gateway.config import Config
from gateway.table.state import State
from protocols.core import commands as cmd
from protocols.core.commands import Command
from tests.cluster.history import History
from tests.cluster.players import Player
from tests.cluster.world import Member, World, world

LOOK_S: Final = 0.01
ANSWER_S: Final = 60.0
"""Virtual seconds until a conversation gives an answer up."""


def ticket(name: str) -> str:
    """The secret that ``name`` brings along."""
    return f"the-ticket-that-{name}-brings"


@dataclass(slots=True)
class Cast:
    """The nodes by name, and what their clients have seen."""

    world: World
    history: History
    nodes: dict[str, Member] = field(default_factory=dict)

    def comes(self, name: str, node: str) -> Player:
        """Connect ``name`` to a node."""
        member = self.nodes[node]
        return Player(member, self.history.client(f"{name}@{node}", member))

    async def asks(self, player: Player, command: Command) -> None:
        """Ask, and wait until that is answered."""
        player.asks(command)
        with trio.fail_after(ANSWER_S):
            await trio.sleep(LOOK_S)
            while player.busy or player.seen.open:  # noqa: ASYNC110  # a player has no event for it
                await trio.sleep(LOOK_S)

    async def sits(self, name: str, node: str, game: str = "tic_tac_toe", **wishes: str) -> Player:
        """``name`` sits down, or comes back with its ticket, by a node."""
        player = self.comes(name, node)
        await self.asks(player, cmd.Join(game, name, ticket(name), wishes=tuple(wishes.items())))
        assert player.seat is not None, f"{name} got no seat"
        return player

    async def game(self, *nodes: str, **wishes: str) -> tuple[Player, Player]:
        """Anna and Bert by these nodes, whose game has begun and has come to its node."""
        anna = await self.sits("anna", nodes[0], **wishes)
        bert = await self.sits("bert", nodes[1], **wishes)
        await trio.sleep(1.0)
        return anna, bert

    async def plays(self, player: Player, square: int) -> None:
        """Place a piece."""
        assert player.table is not None
        state = player.table.state
        move = next(move for move in state.game.legal_moves(state.position) if move.target == square)
        await self.asks(player, cmd.PlayMove(move))
        assert self.state(player).ply == state.ply + 1, f"{square} was not played"

    def state(self, player: Player) -> State:
        """The table as the player's node sees it."""
        assert player.table is not None
        return player.table.state

    def owner(self, player: Player) -> Member:
        """The node that owns the player's table."""
        node = self.world.record.tables[player.seen.table].row.node
        return next(member for member in self.world.members if member.me == node)


@asynccontextmanager
async def cast(*names: str, settings: Config | None = None, quiet_s: float = 5.0, **bus: Any) -> AsyncIterator[Cast]:
    """Nodes of these names, the first with the lobby; at the end everything is held against the record."""
    async with world(settings, **bus) as running:
        here = Cast(running, History(running.record))
        for name in names:
            here.nodes[name] = await running.node(name)
        await trio.sleep(1.0)
        yield here
        await trio.sleep(quiet_s)
        here.history.check(running)
