"""A node goes with a table where no game is on; its players are at other nodes and keep their seats."""

from __future__ import annotations

from typing import Any, Final

import pytest
import trio
from trio.testing import MockClock

from gateway.table.state import Status
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from protocols.core.model import SeatKind
from tests.cluster.cast import cast, ticket

BUS: Final[tuple[dict[str, Any], ...]] = ({}, {"delay_s": (0.001, 0.005)}, {"delay_s": (0.1, 0.1)})


@pytest.mark.parametrize("bus", BUS, ids=["at once", "some ms", "0.1 s"])
async def test_both_players_of_a_finished_game_keep_their_seats_where_its_node_dies(
    autojump_clock: MockClock, bus: dict
) -> None:
    """And play another one. The table was at the second node; Anna has come back by the first meanwhile."""
    async with cast("one", "two", "three", **bus) as here:
        anna, bert = await here.game("two", "three")
        owner = here.owner(anna)
        assert owner is here.nodes["two"]
        anna.end()
        anna = await here.sits("anna", "one")
        await here.asks(bert, cmd.Resign())
        await trio.sleep(1.0)
        here.world.kill(owner)
        await trio.sleep(10.0)
        assert not anna.ended
        assert not bert.ended
        for player in (anna, bert):
            await here.asks(player, cmd.Propose(prop.Rematch()))
        await trio.sleep(1.0)
        assert here.state(anna).status is Status.PLAYING


@pytest.mark.parametrize("bus", BUS, ids=["at once", "some ms", "0.1 s"])
async def test_all_who_wait_at_an_open_table_keep_their_seats_where_its_node_dies(
    autojump_clock: MockClock, bus: dict
) -> None:
    async with cast("one", "two", "three", **bus) as here:
        players = []
        for name, node in (("anna", "two"), ("bert", "three")):
            player = here.comes(name, node)
            await here.asks(player, cmd.Join("tic_tac_toe", name, ticket(name), ready=False))
            players.append(player)
        assert len({player.seen.table for player in players}) == 1
        await trio.sleep(1.0)
        here.world.kill(here.owner(players[0]))
        await trio.sleep(10.0)
        assert [player.ended for player in players] == [False, False]
        kinds = [seat.kind for seat in here.state(players[0]).seats]
        assert kinds == [SeatKind.PLAYER] * 2


@pytest.mark.parametrize("how", ["kill", "stop"])
async def test_three_who_wait_for_a_fourth_keep_their_seats_where_their_tables_node_goes(
    autojump_clock: MockClock, how: str
) -> None:
    async with cast("one", "two", "three", "four") as here:
        players = []
        for name, node in (("anna", "two"), ("bert", "three"), ("carl", "four")):
            players.append(await here.sits(name, node, "ludo", seats="4"))
        assert len({player.seen.table for player in players}) == 1
        await trio.sleep(1.0)
        owner = here.owner(players[0])
        if how == "kill":
            here.world.kill(owner)
        else:
            await here.world.stop(owner)
        await trio.sleep(10.0)
        assert not any(player.ended for player in players)
