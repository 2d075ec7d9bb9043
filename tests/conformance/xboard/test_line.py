"""Two adapters without a server, on a line that is cut in the middle of a game: each runs as a GUI would run it.

The GUIs are the test's: what they say is typed here, so that every move is counted on both sides.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import chess
import pytest
import trio

from bench.free_port import free_port
from tests.clients.xboard_process import Gui, running
from tests.conformance.xboard.line import Line, line_to

CUT_S = 5.0


@pytest.fixture
def line() -> Iterator[Line]:
    with line_to(free_port()) as found:
        yield found


@asynccontextmanager
async def players(line: Line) -> AsyncIterator[tuple[Gui, Gui]]:
    """White listens, Black calls it over the line; the game is agreed."""
    listening = ("--listen", f"127.0.0.1:{line.target}", "--name", "alice")
    async with running(*listening) as white, running(f"127.0.0.1:{line.port}", "--name", "bob") as black:
        await white.introduce()
        await black.introduce()
        await black.shows('feature myname="alice"')
        await black.sends("go")
        await white.shows("bob wants to play Black")
        yield white, black


class Game:
    """Legal moves, made by either side in turn; what was made is remembered."""

    def __init__(self, white: Gui, black: Gui) -> None:
        self._board = chess.Board()
        self._guis = (white, black)
        self._chance = random.Random(1)

    async def makes(self) -> str:
        """The side on move makes one."""
        move = self._chance.choice(list(self._board.legal_moves)).uci()
        await self._mover().sends(f"usermove {move}")
        self._board.push_uci(move)
        return move

    async def is_shown(self, move: str) -> None:
        """The other side is shown the move that was made last."""
        await self._mover().until(f"move {move}")

    async def goes_on(self, plies: int) -> None:
        for _ in range(plies):
            await self.is_shown(await self.makes())

    def assert_every_move_was_shown_once(self) -> None:
        made = [move.uci() for move in self._board.move_stack]
        for gui, theirs in zip(self._guis, (made[1::2], made[::2]), strict=True):
            assert [line.removeprefix("move ") for line in gui.lines if line.startswith("move ")] == theirs

    def _mover(self) -> Gui:
        return self._guis[self._board.turn == chess.BLACK]


async def test_a_cut_of_five_seconds_loses_and_doubles_no_move(line: Line) -> None:
    """The network is cut in the middle of such a game for five seconds: it continues, no move lost or doubled."""
    async with players(line) as (white, black):
        game = Game(white, black)
        await game.goes_on(5)
        line.cut()
        move = await game.makes()
        for gui in (white, black):
            await gui.shows("telluser The connection is lost")
        await trio.sleep(CUT_S)  # this long, no more and no less, is what is tried
        line.mend()
        await game.is_shown(move)
        await game.goes_on(6)
        game.assert_every_move_was_shown_once()


async def test_a_line_that_goes_silent_is_given_up_and_taken_up_again(line: Line) -> None:
    """Neither end is told that nothing arrives any more: who hears no answer calls again."""
    async with players(line) as (white, black):
        game = Game(white, black)
        await game.goes_on(5)
        line.hush()
        move = await game.makes()
        await game.is_shown(move)
        await game.goes_on(6)
        game.assert_every_move_was_shown_once()
