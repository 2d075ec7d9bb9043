"""Tells visitors, connections without a table, of the seeks that stand: a page at once, then what comes and goes.

In the same rounds, whoever listens is told the news of games and people, at a table, too (gateway.lobby.tidings).

A flood of seeks is no flood of words. A page is bounded; after it each visitor is told at most MOST_AT_ONCE changes a
round, and between rounds is a pause that leaves nine tenths of the time to players. What comes and goes between two
rounds is not told; what goes and comes is. gateway.lobby.notices knows which seeks stand.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import trio
import trio.lowlevel

from gateway.lobby.notices import NoticeBoard, Page
from gateway.lobby.tidings import TidingsBoard
from protocols.core.dialect import Dialect
from protocols.core.notifications import ListedPerson, Notice, Noticed, Notification, Tidings

MOST_AT_ONCE: Final = 5
"""Changes that a visitor is told in one round; the rest, if it is still so, in the next."""

MOST_NEWS: Final = 100
"""Tables, and people, whose news listeners are told in one round; the rest in the next."""

PAUSE_S: Final = 1.0
"""Seconds between two rounds: soon enough for people, and one flood costs each visitor five changes a second."""

SHARE: Final = 9
"""A pause is at least so many times as long as the round before it: visitors cost players a tenth of the time."""

IN_A_ROW: Final = 10
"""Visitors that are told before others have their turn."""


class Visitor(Protocol):
    """The side of a connection that the notice board uses."""

    dialect: Dialect

    @property
    def ended(self) -> bool:
        """True if it is gone."""

    @property
    def table(self) -> object | None:
        """None while it has none."""

    def tell(self, messages: list[Notification]) -> None: ...


Introduced = Callable[[Sequence[str]], Awaitable[tuple[ListedPerson, ...]]]
"""People of these names as others are told of them. It waits for their ratings, half a second at most."""


class Visitors:
    """``arrived`` is called whenever a connection has been served and has no table; it may be one already.

    ``clients`` are all connections, of which some listen to the news on the board of ``tidings``.
    """

    def __init__(
        self, board: NoticeBoard, tidings: TidingsBoard, clients: Collection[Visitor], introduced: Introduced
    ) -> None:
        self._board = board
        self._tidings = tidings
        self._clients = clients
        self._introduced = introduced
        self._shown: dict[Visitor, Page] = {}  # to whom which page was told
        self._changed = trio.Event()
        self._seeks_changed = False

    def arrived(self, visitor: Visitor) -> None:
        """Tell a visitor that is new here, or has come back from a table, the seeks that stand."""
        if visitor in self._shown or not visitor.dialect.hears_seeks or visitor.ended or visitor.table is not None:
            return
        page = self._board.page(visitor.dialect.can_play)
        self._shown[visitor] = page
        if page.notices:
            visitor.tell([Noticed(page.notices, (), page.more)])

    def left(self, visitor: Visitor) -> None:
        """The visitor has a table now, or has ended."""
        self._shown.pop(visitor, None)

    async def follow(self) -> None:
        """Tell every visitor what changes, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            begun = time.perf_counter()
            if self._tidings:
                await self._tell_news()
            if self._seeks_changed:
                self._seeks_changed = False
                await self._round()
            await trio.sleep(max(PAUSE_S, SHARE * (time.perf_counter() - begun)))

    async def _round(self) -> None:
        pages: dict[type[Dialect], Page] = {}
        steps: dict[tuple[int, int], _Step] = {}  # by the identity of two pages: most visitors were shown the same one
        for count, visitor in enumerate(list(self._shown)):
            if count % IN_A_ROW == IN_A_ROW - 1:
                await trio.lowlevel.checkpoint()
            if visitor.table is not None or visitor.ended:
                self._shown.pop(visitor, None)
            if (shown := self._shown.get(visitor)) is None:
                continue
            dialect = type(visitor.dialect)
            if (page := pages.get(dialect)) is None:
                page = pages[dialect] = self._board.page(dialect.can_play)
            if (step := steps.get((id(shown), id(page)))) is None:
                step = steps[id(shown), id(page)] = _step(shown, page)
            self._tell(visitor, step)

    def _tell(self, visitor: Visitor, step: _Step) -> None:
        self._shown[visitor] = step.after
        if not step.last:
            self.wake()
        if step.told is not None:
            visitor.tell([step.told])

    def wake(self) -> None:
        """The seeks that stand have changed."""
        self._seeks_changed = True
        self._changed.set()

    def stir(self) -> None:
        """Tell those who listen, in the next round, that there is news of games or people."""
        self._changed.set()

    async def _tell_news(self) -> None:
        """Tell all who listen what is new, each dialect what it can carry, put together once for all its peers."""
        listening = [client for client in self._clients if client.dialect.hears_tidings and not client.ended]
        if not listening:
            self._tidings.forget()
            return
        news = self._tidings.take(MOST_NEWS)
        came = await self._introduced(news.came)
        told: dict[type[Dialect], Tidings] = {}
        for count, client in enumerate(listening):
            if count % IN_A_ROW == IN_A_ROW - 1:
                await trio.lowlevel.checkpoint()
            dialect = type(client.dialect)
            if dialect not in told:
                games = tuple(game for game in news.games if dialect.can_play(game.settings.game))
                told[dialect] = Tidings(games, came, news.went)
            if client.dialect.hears_tidings and not client.ended and told[dialect] != Tidings():
                client.tell([told[dialect]])
        if self._tidings:
            self.stir()


@dataclass(frozen=True, slots=True)
class _Step:
    """The change from the board shown ``before`` to ``after``; ``last``: the board is complete then."""

    before: Page
    after: Page
    told: Noticed | None
    last: bool


def _step(shown: Page, page: Page) -> _Step:
    """The first changes from what was shown to the page."""
    removed = _without(shown.notices, page.notices)
    posted = _without(page.notices, shown.notices)
    now_removed = tuple(removed[:MOST_AT_ONCE])
    now_posted = tuple(posted[: MOST_AT_ONCE - len(now_removed)])
    told = Noticed(now_posted, now_removed, page.more) if now_removed or now_posted else None
    if len(now_removed) + len(now_posted) == len(removed) + len(posted):
        return _Step(shown, page, told, last=True)
    return _Step(shown, Page((*_without(shown.notices, now_removed), *now_posted), page.more), told, last=False)


def _without(notices: Iterable[Notice], others: Iterable[Notice]) -> list[Notice]:
    """The notices that are none of the others: a seek that stands again is another one, though all is as it was."""
    known = {id(other) for other in others}
    return [notice for notice in notices if id(notice) not in known]
