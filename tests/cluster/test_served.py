"""Commands whose answers are lost with their table's node: each is served once, whatever it leads to."""

from __future__ import annotations

from typing import Final

import pytest
import trio
from trio.testing import MockClock

from gateway.table.state import Status
from gateway.tables.runner import TableRunner
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from protocols.core.commands import Command
from protocols.core.model import Reason
from tests.cluster.cast import Cast, cast
from tests.cluster.players import Player

CLAIMABLE: Final = "3k4/8/8/8/8/8/8/3K3R w - - 100 80"
"""Fifty moves without a capture: a draw can be claimed, and is no draw before."""

WAYS: Final = pytest.mark.parametrize("way", ["dies", "gives"])
"""The table's node dies, or gives the table to another node."""


async def _goes(here: Cast, way: str) -> None:
    """The table gets another node, and nothing is lost from then on."""
    if way == "dies":
        here.world.kill(here.nodes["one"])
        here.world.board.join()
    else:
        here.world.board.join()
        here.world.nodes.drain("one", on=True)
    await trio.sleep(8.0)


def _deafens(here: Cast, hears: str, says: str) -> None:
    """The messages of one node to another are lost."""
    here.world.board.part([here.nodes[says].me], [here.nodes[hears].me], one_way=True)


def _move(player: Player, at: int = 0) -> cmd.PlayMove:
    assert player.table is not None
    state = player.table.state
    return cmd.PlayMove(state.game.legal_moves(state.position)[at])


async def _pair(here: Cast, game: str, **wishes: str) -> tuple[Player, Player]:
    """Anna by node one, which has the table, and Bert by node two, whose turn it is."""
    anna = await here.sits("anna", "one", game, **wishes)
    bert = await here.sits("bert", "two", game, **wishes)
    await trio.sleep(1.0)
    await here.asks(anna, _move(anna))
    assert here.owner(bert) is here.nodes["one"]
    return anna, bert


@WAYS
@pytest.mark.parametrize(
    ("game", "wishes", "command"),
    [
        ("chess", {"start": CLAIMABLE}, cmd.Propose(prop.Draw())),
        ("chess", {"start": CLAIMABLE}, cmd.ClaimEnd(None)),
        ("chess", {}, cmd.ClaimEnd(None)),
        ("open", {}, cmd.ClaimEnd(1)),
        ("chess", {}, cmd.Propose(prop.Adjourn())),
        ("chess", {}, cmd.Forfeit("a fault")),
        ("chess", {}, cmd.Resign()),
    ],
)
async def test_a_command_whose_answer_is_lost_is_not_asked_again(
    autojump_clock: MockClock, way: str, game: str, wishes: dict[str, str], command: Command
) -> None:
    """A draw by claim leaves GameEnded alone in the record, and the claim of an end a proposal."""
    async with cast("one", "two", "three") as here:
        _, bert = await _pair(here, game, **wishes)
        _deafens(here, "two", "one")
        bert.asks(command)
        await trio.sleep(0.1)
        await _goes(here, way)
        assert [question.answer for question in here.history.questions[1:]] == ["served"]


@WAYS
async def test_a_move_that_came_behind_the_fall_of_its_flag_is_not_asked_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The table's process is busy when the flag falls, so that it hears the move before it looks at the clock."""
    tick, busy = TableRunner._tick, True

    async def late(table: TableRunner) -> None:
        nonlocal busy
        if busy:
            busy = False
            await trio.sleep(0.3)
        else:
            await tick(table)

    async with cast("one", "two", "three") as here:
        _, bert = await _pair(here, "tic_tac_toe", time="10")
        clock = here.owner(bert).server.tables[bert.seen.table].state.clock
        assert clock is not None
        monkeypatch.setattr(TableRunner, "_tick", late)
        await trio.sleep_until(clock.since + 9.9)
        _deafens(here, "two", "one")
        await trio.sleep_until(clock.since + 10.1)
        bert.asks(_move(bert))
        await trio.sleep(0.3)
        await _goes(here, way)
        outcome = here.state(bert).outcome
        assert outcome is not None
        assert outcome.reason is Reason.TIME
        assert [question.answer for question in here.history.questions if question.client == bert.number] == ["void"]
        assert bert.seen.refusals == []


@WAYS
async def test_a_command_that_was_lost_is_served_though_the_other_player_declines(
    autojump_clock: MockClock, way: str
) -> None:
    """Bert has offered a draw, and resigns; that Anna declines at that moment is not what came of it."""
    async with cast("one", "two", "three") as here:
        anna, bert = await _pair(here, "chess")
        await here.asks(bert, cmd.Propose(prop.Draw()))
        _deafens(here, "one", "two")
        bert.asks(cmd.Resign())
        anna.asks(cmd.Decline("Draw"))
        await trio.sleep(0.1)
        await _goes(here, way)
        assert bert.seen.refusals == []
        assert here.state(bert).status is Status.OVER


@WAYS
async def test_a_move_that_was_lost_is_asked_again_though_the_api_has_made_another(
    autojump_clock: MockClock, way: str
) -> None:
    """A program moves for Bert, who plays by her connection, too: her own move comes when it is Anna's turn."""
    async with cast("one", "two", "three") as here:
        _, bert = await _pair(here, "tic_tac_toe")
        _deafens(here, "one", "two")
        bert.asks(_move(bert))
        other, one = _move(bert, 1), here.nodes["one"]
        question = bert.seen.requests(other)
        await one.server.tables.asked(bert.seen.table).move(1, "192.0.2.1", other, trio.current_time())
        question.answer = "served"
        await trio.sleep(0.1)
        await _goes(here, way)
        assert bert.seen.refusals == ["not your turn: it is not your turn"]
        assert here.state(bert).ply == 2


@WAYS
@pytest.mark.parametrize("lost", ["the request", "the answer"])
async def test_a_move_by_the_api_is_made_once(autojump_clock: MockClock, way: str, lost: str) -> None:
    """A program moves for Bert by a third node, which asks the table's next node under the same id."""
    async with cast("one", "two", "three") as here:
        _, bert = await _pair(here, "tic_tac_toe")
        question, table = bert.seen.requests(_move(bert)), here.nodes["three"].server.tables.asked(bert.seen.table)

        async def moves(move: Command) -> None:
            assert isinstance(move, cmd.PlayMove)
            made = await table.move(1, "192.0.2.1", move, trio.current_time())
            question.answer = "served"
            assert made.ply == 2

        _deafens(here, *(("one", "three") if lost == "the request" else ("three", "one")))
        here.world.nursery.start_soon(moves, question.command)
        await trio.sleep(0.1)
        await _goes(here, way)
        assert question.answer == "served"
        assert here.state(bert).ply == 2
