"""Asks house bots for moves: once about each moment of a table. An answer to a moment that has passed is dropped.

What they play is decided elsewhere (gateway.bots); what a bot claims where a game is scored by agreement is the
game's (``Scoring.answer``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog
import trio
from structlog.contextvars import bind_contextvars

from gateway.background import Background
from gateway.config import Bots, Config
from gateway.log_context import log_context
from gateway.table.agreement import bot_answer
from gateway.table.bot_context import BotContext
from gateway.table.state import State, Status, seats_of, settling, stopped
from gateway.tables.requests import Request, Thought
from protocols.core.commands import Command, PlayMove, Say
from protocols.core.errors import Refused
from protocols.core.model import Move, SeatKind
from protocols.core.proposals import Score

TRIES: Final = 3
"""Times that a bot which fails is asked for one move; then the first legal move is played for it."""

AGAIN_S: Final = 1.0
"""Seconds between two tries: an engine may have to be started again."""

_log = structlog.get_logger()


class Thinker(Protocol):
    """The house bots as a server uses them."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        """A legal move for the seat to move. trio.ClosedResourceError: the server stops."""

    async def settle(
        self, game_name: str, position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        """The dead squares where play has stopped; None where the bots have no opinion, for any cause.

        trio.ClosedResourceError: the server stops.
        """

    def names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose, the usual one first."""

    def identity(self, game_name: str, bot: str, level: int) -> str:
        """The name, version and level of the house bot that players call ``bot``; "" where it has not said them."""

    def release(self, table: int) -> None:
        """Nothing more is asked about the game this table has played, if there was one."""


class HouseBots:
    """The house bots of one server. ``thinker`` None: there are none. ``settings`` has their level and their pause."""

    def __init__(self, thinker: Thinker | None, settings: Bots) -> None:
        self._thinker = thinker
        self._settings = settings

    def reread(self, config: Config) -> None:
        """Play at the level and with the pause of these settings, from the next move on."""
        self._settings = config.bots

    @property
    def present(self) -> bool:
        """True if there are any."""
        return self._thinker is not None

    def names(self, game_name: str) -> tuple[str, ...]:
        """The house bots of this game that players can choose; () where there are none."""
        return () if self._thinker is None else self._thinker.names(game_name)

    def identity(self, state: State) -> str:
        """The name, version and level of the house bot of this table; "" where they are not known."""
        if self._thinker is None:
            return ""
        return self._thinker.identity(state.game.name, state.house.bot, self._level(state))

    async def move(self, state: State, tell: Callable[[str], None]) -> PlayMove | None:
        """A house bot's move in ``state``, after a pause that people can follow; None where there are none.

        ``tell`` is given what the players should hear. Where the bot's clock is short, so is the pause.
        """
        if self._thinker is None or state.turn is None:
            return None
        bind_contextvars(**log_context(state))
        begun = trio.current_time()
        asked = BotContext(state.table, state.games, state.settings.time, state.clock, tell, state.house.bot)
        try:
            move = await self._choose(self._thinker, state, asked)
        except trio.ClosedResourceError:
            return None
        await trio.sleep_until(begun + min(self._settings.pause_s, asked.share_s(state.turn, begun)))
        return PlayMove(move, ply=state.ply)

    async def _choose(self, thinker: Thinker, state: State, asked: BotContext) -> Move:
        for tried in range(TRIES):
            if tried:
                await trio.sleep(AGAIN_S)
            try:
                return await thinker.choose(state.game.name, state.position, self._level(state), asked)
            except trio.ClosedResourceError:
                raise
            except Exception:
                _log.exception("a house bot failed", game=state.game.name, tried=tried + 1)
        return state.game.legal_moves(state.position)[0]

    async def settle(self, state: State) -> tuple[int, ...] | None:
        """The squares that house bots take for dead in ``state``; None where they do not say.

        trio.ClosedResourceError: the server stops.
        """
        if self._thinker is None:
            return None
        bind_contextvars(**log_context(state))
        asked = BotContext(state.table, state.games, bot=state.house.bot)
        try:
            return await self._thinker.settle(state.game.name, state.position, self._level(state), asked)
        except trio.ClosedResourceError:
            raise
        except Exception:
            _log.exception("a house bot failed", game=state.game.name)
            return None

    def leave(self, table: int) -> None:
        """The game that house bots played at this table goes on without them, or not at all."""
        if self._thinker is not None:
            self._thinker.release(table)

    def _level(self, state: State) -> int:
        """The level at this table: as its player asked, else as the settings say."""
        return state.house.bot_level or self._settings.level


class Played(Protocol):
    """The side of a table that house bots use."""

    @property
    def state(self) -> State:
        """Its stored state."""

    async def put_late(self, request: Request) -> None:
        """Hand in a request without waiting for its answer."""


class BotTurns:
    """The house bots of one table. At most one thought at a time is on its way for each moment of the game."""

    __slots__ = ("_asked", "_background", "_bots", "_game", "_refusals", "_settling", "_table")

    def __init__(self, table: Played, bots: HouseBots, background: Background) -> None:
        self._table = table
        self._bots = bots
        self._background = background
        self._settling = _Settling(table, bots, background)
        self._asked = -1  # the moment that a bot is thinking about
        self._refusals = (-1, 0)  # a moment, and how many moves were refused at it
        self._game = 0

    def wake(self) -> None:
        """Ask the house bot that is to move, once for each moment; let bots go whose game is over."""
        state = self._table.state
        if self._game and not _is_played_by_bots(state, self._game):
            self._game = 0
            self._bots.leave(state.table)
        if state.turn is None:
            if self._settling.wake():
                self._game = state.games
            return
        if state.seats[state.turn].kind is not SeatKind.BOT:
            return
        if state.status is Status.PLAYING and self._asked != state.moment:
            self._asked, self._game = state.moment, state.games
            self._background.start_soon(self._think, state)

    def heard(self, thought: Thought) -> bool:
        """True if a thought is about the present moment; what was said of a past one is dropped."""
        if isinstance(thought.command, PlayMove):
            if self._asked == thought.moment:
                self._asked = -1
        elif not isinstance(thought.command, Say):
            self._settling.heard()
        return thought.moment == self._table.state.moment

    def refused(self, thought: Thought) -> None:
        """The table has refused it. A bot is asked for another move a few times; a list is not said again."""
        if isinstance(thought.command, PlayMove):
            moment, count = self._refusals
            self._refusals = thought.moment, count + 1 if moment == thought.moment else 1
            if self._refusals[1] >= TRIES:
                self._asked = thought.moment
                _log.error("a house bot plays what its table refuses", **log_context(self._table.state))
        elif not isinstance(thought.command, Say):
            self._settling.refused(thought)
        self.wake()

    async def _think(self, state: State) -> None:
        """Say the bot's words before its move, so that they are not about a game that the move has ended."""
        spoken: list[str] = []
        command = await self._bots.move(state, spoken.append)
        if command is None or state.turn is None:
            return
        for text in spoken:
            await self._table.put_late(Thought(state.turn, Say("all", text), state.moment))
        await self._table.put_late(Thought(state.turn, command, state.moment))


class _Settling:
    """A table's bots while play has stopped: once for each stop they are asked what is dead, and then they say so.

    ``_claimed`` are the bots that have proposed a list since the stop, ``_refused`` what the table has refused.
    """

    def __init__(self, table: Played, bots: HouseBots, background: Background) -> None:
        self._table = table
        self._bots = bots
        self._background = background
        self._stop: int | None = None  # its moment
        self._dead: tuple[int, ...] | None = None
        self._known = False
        self._claimed: set[int] = set()
        self._refused: set[tuple[int, Command]] = set()
        self._saying = False

    def wake(self) -> bool:
        """Something has happened while no seat is to move: the bots are asked, or say what there is to say.

        Whether there is anything to settle for them.
        """
        state = self._table.state
        bots = seats_of(state, SeatKind.BOT)
        if not bots or not settling(state):
            self._stop = None
            return False
        if self._stop != state.moment:
            self._stop, self._known = state.moment, False
            self._claimed.clear()
            self._refused.clear()
            self._background.start_soon(self._ask, state)
        lists = (made.seat for made in state.proposals if isinstance(made.proposal, Score))
        self._claimed.update(seat for seat in lists if seat in bots)
        if self._known and not self._saying:
            self._say(state, bots)
        return True

    def heard(self) -> None:
        """The table has served the bot's request."""
        self._saying = False

    def refused(self, thought: Thought) -> None:
        """The thought is not said again at this stop."""
        self._refused.add((thought.seat, thought.command))

    def _say(self, state: State, bots: tuple[int, ...]) -> None:
        """One bot after the other: what the first one says may be all there is to say."""
        for seat in bots:
            command = bot_answer(state, seat, self._dead, claimed=seat in self._claimed)
            if command is not None and (seat, command) not in self._refused:
                self._saying = True
                self._background.start_soon(self._table.put_late, Thought(seat, command, state.moment))
                return

    async def _ask(self, state: State) -> None:
        """Propose the dead squares of this stop. Once the engines are ended, nothing is said: the server stops."""
        try:
            dead = await self._bots.settle(state)
        except trio.ClosedResourceError:
            return
        if self._stop == state.moment:
            self._dead, self._known = whole(state, dead), True
            self.wake()


def whole(state: State, dead: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The list as a player may propose it; None where the rules do not have it."""
    scoring = stopped(state)
    if dead is None or scoring is None:
        return None
    try:
        found = scoring.claimed(state.position, dead)
        scoring.scored(state.position, found)
    except Refused:
        return None
    return found


def _is_played_by_bots(state: State, game: int) -> bool:
    """True if this game of the table goes on, and has a house bot."""
    return state.status is Status.PLAYING and state.games == game and bool(seats_of(state, SeatKind.BOT))
