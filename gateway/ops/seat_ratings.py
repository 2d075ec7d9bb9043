"""Says the ratings of those who sit at tables, for lists and pages: from memory, without a question for each of them.

One task a server reads those that are wanted together, and finds those that have changed by the ordinal that the
ratings have come to, whichever node rates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeVar

import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.ratings.known import Known, in_words
from gateway.ratings.pools import Player, pool_of
from gateway.store.rating_views import RatingViews
from gateway.table.state import State
from protocols.core.model import Seat, SeatKind, Settings
from protocols.core.notifications import Points
from protocols.core.proposals import Start

T = TypeVar("T")

LOOK_S: Final = 0.5
"""Seconds between two looks at what has changed, as long as something is shown."""

PATIENCE_S: Final = 0.5
"""Seconds that a page waits for ratings that nobody has looked at before."""

TROUBLE_S: Final = 5.0
"""Seconds until the next look after trouble of the database."""

AT_ONCE: Final = 1000
"""Ratings of one question."""


class SeatRatings:
    """The ratings of seats, by seat. ``is_account`` says whose names are accounts', ``house_bot`` the name, version and
    level of a table's own."""

    def __init__(self, is_account: Callable[[str], bool], house_bot: Callable[[State], str]) -> None:
        self._is_account = is_account
        self._house_bot = house_bot
        self._known = Known()
        self._some = trio.Event()
        self._learnt = trio.Event()
        self._serves = False
        self._seen = (0, 0)
        self._threads = trio.CapacityLimiter(1)

    def at(self, state: State, last: Sequence[str] = ()) -> list[Points | None]:
        """The ratings of those who sit at a table, in the pool of its game; who proposes another game, in that one's.

        ``last`` are by seat the names of those who may have left it since the game, "" of others.
        """
        players = [self._player(state, seat) for seat in state.seats]
        if last:
            players = [player or self._person(last[seat], "") for seat, player in enumerate(players)]
        starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
        found = []
        for seat, player in enumerate(players):
            settings = starts[seat].settings if seat in starts else None
            found.append(self._points(settings or state.settings, players, player))
        return found

    def of(self, settings: Settings | None, seats: Sequence[Seat]) -> list[Points | None]:
        """The ratings of those who sit so at a table that does not run here, of accounts alone."""
        return self.named(settings, [seat.owner for seat in seats])

    def named(self, settings: Settings | None, names: Sequence[str]) -> list[Points | None]:
        """The ratings of accounts of these names, "" none, who play or would play such a game."""
        if settings is None:
            return [None] * len(names)
        players = [self._person(name, "") for name in names]
        return [self._points(settings, players, player) for player in players]

    def last(self, name: str) -> tuple[str, Points] | None:
        """The pool in which the person of an account has played for a rating last, and the rating there; None: none."""
        player = self._person(name, "")
        if player is None or not player.account or not (pool := self._known.last(player)):
            return None
        found = self._known.points((pool, player), time.time())
        return None if found is None else (pool, found)

    async def settled(self, ask: Callable[[], T]) -> T:
        """The answer of ``ask`` by these ratings; it is asked once more if some had to be read."""
        found = ask()
        return ask() if await self.learned() else found

    def words(self, state: State, last: Sequence[str] = ()) -> list[str]:
        """The same as ``at`` in the form of lists: "(1523?)", "" where there is none."""
        return [in_words(found) for found in self.at(state, last)]

    async def learned(self) -> bool:
        """Wait for ratings that were asked for and are not known; False: nothing was. Half a second is enough."""
        if not (self._serves and self._wanted):
            return False
        self._some.set()
        with trio.move_on_after(PATIENCE_S):
            while self._wanted and self._serves:
                await self._learnt.wait()
        return True

    async def run(self, views: RatingViews) -> None:
        """Read ratings until cancelled."""
        while True:
            self._serves = True
            with trio.move_on_after(LOOK_S):
                await self._some.wait()
            self._some = trio.Event()
            try:
                await self.round(views)
            except SQLAlchemyError:  # the rater says so
                self._serves = False
                self._let_go()
                await trio.sleep(TROUBLE_S)

    async def round(self, views: RatingViews) -> None:
        """Read what is wanted, and what has changed of what is known. SQLAlchemyError: the database is in trouble."""
        if len(self._known):
            seen, changed = await self._ask(partial(views.changed, self._seen))
            self._known.changed(changed)
            self._seen = seen
        if self._known.unplaced:
            players = list(islice(self._known.unplaced.copy(), AT_ONCE))
            self._known.learn_last(players, await self._ask(partial(views.last_pools, players)))
        if self._known.wanted:
            asked = list(islice(self._known.wanted.copy(), AT_ONCE))
            self._known.learn(asked, await self._ask(partial(views.standings, asked)))
        self._let_go()

    @property
    def _wanted(self) -> bool:
        return bool(self._known.wanted or self._known.unplaced)

    def _let_go(self) -> None:
        learnt, self._learnt = self._learnt, trio.Event()
        learnt.set()

    async def _ask(self, question: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(question, abandon_on_cancel=True, limiter=self._threads)

    def _player(self, state: State, seat: Seat) -> Player | None:
        if seat.kind is SeatKind.BOT and not seat.absent:
            return Player("", self._house_bot(state))
        return self._person(seat.owner, state.programs[seat.index] if state.programs else "")  # other nodes tell none

    def _person(self, name: str, program: str) -> Player | None:
        """None: nobody sits there. A guest is a player without a rating."""
        if not name:
            return None
        return Player(name.casefold(), program) if self._is_account(name) else Player("", "")

    def _points(self, settings: Settings, players: Sequence[Player | None], player: Player | None) -> Points | None:
        """Players who may still come are taken for such as this one."""
        if player is None or player == Player("", ""):
            return None
        there = [each for each in players if each is not None]
        pool = pool_of(settings, [*there, *[player] * (settings.seats - len(there))])
        return self._known.points((pool, player), time.time())
