"""Real engines by clocks that are far too short for them: they play on to the end, and no flag falls."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from gateway.bots.engine_pool import EnginePool
from gateway.games.base import Game
from gateway.table import clock as clocks
from gateway.table.bot_context import BotContext
from protocols.core.model import Clock, TimeControl, TimeKind
from tests import peers
from tests.bots.running_engines import FIRST, GAME, crew_of, gnugo, stockfish
from tests.bots.test_gtp import GO, SMALL

LONGEST = 60
"""Moves: by then the clocks are short, and most of these games are over."""


async def clocks_after(engine_pool: EnginePool, game: Game[Any], position: Any, control: TimeControl) -> Clock:
    """The clocks after a game of the engine with itself, at its best level; a fallen flag fails."""
    clock = clocks.fresh(control, 2)
    for _ in range(LONGEST):
        turn = game.to_move(position)
        if not isinstance(turn, int):
            break
        clock = clocks.start(clock, turn, trio.current_time())
        move = await engine_pool.choose(game, position, 3, BotContext(1, 1, control, clock))
        assert move is not None
        now = trio.current_time()
        assert not clocks.has_fallen(control, clock, now)
        clock, position = clocks.stop(control, clock, now), game.play(position, move)
    return clock


@peers.needed
@pytest.mark.parametrize(
    "control",
    [TimeControl(TimeKind.ABSOLUTE, main_s=2.0), TimeControl(TimeKind.MOVES, main_s=2.0, moves=20)],
    ids=lambda control: str(control.kind),
)
async def test_stockfish_never_loses_on_time(control: TimeControl) -> None:
    async with crew_of(stockfish(move_time_s=5.0)) as engine_pool:
        clock = await clocks_after(engine_pool, GAME, FIRST, control)
    assert all(reading.main_s > 0.0 for reading in clock.readings)


@peers.needed
async def test_gnugo_never_loses_on_time() -> None:
    control = TimeControl(TimeKind.ABSOLUTE, main_s=4.0)
    async with crew_of(gnugo(move_time_s=5.0)) as engine_pool:
        clock = await clocks_after(engine_pool, GO, SMALL, control)
    assert all(0.0 < reading.main_s < 4.0 for reading in clock.readings)
