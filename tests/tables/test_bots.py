"""House bots at their tables: what they are told of the game, what their opponents hear, and when they are let go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.config import Bots
from gateway.table.bot_context import BotContext
from protocols.core.commands import Command, PlayMove, Propose
from protocols.core.events import Said
from protocols.core.model import PASS, Move, Reading
from protocols.core.proposals import Resume, Score, Takeback
from tests.hall import FirstMove, config, hall

GAME = "tic_tac_toe"


class Watched(FirstMove):
    """A house bot that has something to say before its first move of each game, and keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.bouts: list[BotContext] = []

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        if bot_context.number not in [known.number for known in self.bouts]:
            bot_context.tell("the engine does not answer")
        self.bouts.append(bot_context)
        return await super().choose(game_name, position, level, bot_context)


async def test_a_bot_is_told_which_game_it_plays_and_its_clock(autojump_clock: MockClock) -> None:
    bots = Watched()
    async with hall(bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot&time=60") == 0
        await trio.sleep(10.0)
        assert await anna.puts(4) == (0,)
        await anna.hear("REQ_MOVE")
    (bot_context,) = bots.bouts
    assert (bot_context.table, bot_context.number) == (1, 1)
    assert bot_context.clock is not None
    assert bot_context.clock.running == 1
    assert bot_context.clock.readings[0].main_s == pytest.approx(50.0, abs=0.1)
    assert bot_context.clock.readings[1] == Reading(60.0)


class Asked(FirstMove):
    """A house bot that notes at which level it is to play."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        self.levels.append(level)
        return await super().choose(game_name, position, level, bot_context)


@pytest.mark.parametrize(("against", "level"), [("bot", 1), ("bot:3", 3), ("bot:1", 1)])
async def test_a_bot_plays_at_the_level_its_player_asked_for(
    against: str, level: int, autojump_clock: MockClock
) -> None:
    bots = Asked()
    async with hall(config(level=1), bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against={against}") == 0
        assert await anna.puts(4) == (0,)
        await anna.hear("REQ_MOVE")
        await anna.hear("REQ_MOVE")
    assert bots.levels == [level]


async def test_what_a_bot_has_to_say_is_said_from_its_seat_and_kept_before_its_move(autojump_clock: MockClock) -> None:
    bots = Watched()
    async with hall(bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot") == 0
        for square in (8, 7):
            assert await anna.puts(square) == (0,)
            await anna.hear("REQ_MOVE")
            await anna.hear("REQ_MOVE")
        table = here.server.tables[1]
        events = await table.journal.read(table.state.game)
    kinds = [type(event).__name__ for event in events if type(event).__name__ in ("Said", "MoveMade")]
    assert kinds == ["MoveMade", "Said", "MoveMade", "MoveMade", "MoveMade"]
    (said,) = [event for event in events if isinstance(event, Said)]
    assert (said.seat, said.to, said.text) == (1, "all", "the engine does not answer")
    assert len(bots.bouts) == 2


async def test_a_bot_is_let_go_when_its_game_ends_and_when_its_table_closes(autojump_clock: MockClock) -> None:
    bots = FirstMove()
    async with hall(bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot") == 0
        for square in (4, 8):
            assert await anna.puts(square) == (0,)
            await anna.hear("REQ_MOVE")
            await anna.hear("REQ_MOVE")
        assert bots.released == []
        assert await anna.puts(3) == (0,)  # the bot has the upper row with its next move
        assert await anna.hear("MSG_GAMEOVER") == (1,)
        assert bots.released == [1]
        await anna.leaves()
        await here.until(lambda: 1 not in here.server.tables)
    assert bots.released == [1, 1]


@pytest.mark.parametrize(("time", "pause_s"), [("", 5.0), ("&time=600", 5.0), ("&time=20", 0.5)])
async def test_a_bot_makes_no_longer_pause_than_its_clock_allows(
    autojump_clock: MockClock, time: str, pause_s: float
) -> None:
    async with hall(replace(config(), bots=Bots(pause_s=5.0)), bots=FirstMove()) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot{time}") == 0
        begun = trio.current_time()
        assert await anna.puts(4) == (0,)
        await anna.hear("REQ_MOVE")
        await anna.hear("REQ_MOVE")
        assert trio.current_time() - begun == pytest.approx(pause_s, abs=0.1)


class Thoughtful(FirstMove):
    """Thinks for ten seconds about the position it was asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.positions: list[str] = []

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        self.positions.append(registry.game(game_name).text(position))
        await trio.sleep(10.0)
        return registry.game(game_name).legal_moves(position)[0]


async def test_a_bot_does_not_answer_a_move_that_was_taken_back(autojump_clock: MockClock) -> None:
    bots = Thoughtful()
    async with hall(bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot") == 0
        (client,) = here.server.connections
        assert await anna.puts(8) == (0,)
        await trio.sleep(5.0)
        await client._do([Propose(Takeback(1))], trio.current_time())
        await here.until(lambda: here.state().ply == 0)
        assert await anna.puts(4) == (0,)
        moved = trio.current_time()
        await here.until(lambda: here.state().ply == 2)
        assert trio.current_time() - moved >= 10.0
    assert len(bots.positions) == 2


class Marking(FirstMove):
    """Passes, and takes the last stone on the board for dead."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        await trio.lowlevel.checkpoint()
        return PASS

    async def settle(
        self, game_name: str, position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        await trio.lowlevel.checkpoint()
        stones = sorted(registry.game(game_name).board(position))
        self.asked.append(str(stones))
        return tuple(stones[-1:])


async def test_after_a_takeback_a_bot_is_asked_anew_what_is_dead_and_says_each_list_once(
    autojump_clock: MockClock,
) -> None:
    """Play stops twice at the same ply, with another stone on the board: the first list is not proposed again."""
    bots = Marking()
    async with hall(bots=bots) as here:
        anna = here.dial()
        assert await anna.joins("go?against=bot&size=5&komi=0.5") == 0
        (client,) = here.server.connections

        async def does(*commands: Command) -> None:
            for command in commands:
                await client._do([command], trio.current_time())
                await trio.sleep(1.0)

        await does(PlayMove(Move(None, 0)), PlayMove(PASS), Propose(Resume()), PlayMove(Move(None, 12)), PlayMove(PASS))
        stopped = here.state().ply
        await does(Propose(Takeback(stopped - 4)), PlayMove(Move(None, 4)))
        while here.state().turn is not None and here.state().ply < stopped:
            await does(PlayMove(PASS))
        assert here.state().ply == stopped
        before = here.server.tables[1].journal.seq
        await does(Propose(Score()))
        await trio.sleep(10.0)
        assert here.server.tables[1].journal.seq - before < 10
    assert bots.asked[-1] == str([0, 4])
