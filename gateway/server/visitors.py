"""Tells visitors, connections without a table, of the seeks that stand: a page at once, then what comes and goes.

A flood of seeks is no flood of words. A page is bounded; after it each visitor is told at most MOST_AT_ONCE changes a
round, and between rounds is a pause that leaves nine tenths of the time to players. What comes and goes between two
rounds is told to nobody. Not here: which seeks stand (gateway.lobby.notices), and how a dialect words them.
"""

from __future__ import annotations

import time
from typing import Final, Protocol

import trio
import trio.lowlevel

from gateway.lobby.notices import NoticeBoard, Page
from protocols.core.dialect import Dialect
from protocols.core.told import Noticed, Told

MOST_AT_ONCE: Final = 5
"""Changes that a visitor is told in one round; the rest, if it is still so, in the next."""

PAUSE_S: Final = 1.0
"""Seconds between two rounds: soon enough for people, and one flood costs each visitor five changes a second."""

SHARE: Final = 9
"""A pause is at least so many times as long as the round before it: visitors cost players a tenth of the time."""

IN_A_ROW: Final = 50
"""Visitors that are told before others have their turn."""


class Visitor(Protocol):
    """What a connection is to the notice board."""

    dialect: Dialect
    ended: bool

    @property
    def table(self) -> object | None:
        """None while it has none."""

    def tell(self, messages: list[Told]) -> None: ...


class Visitors:
    """``arrived`` is called whenever a connection has been served and has no table; it may be one already."""

    def __init__(self, board: NoticeBoard) -> None:
        self._board = board
        self._shown: dict[Visitor, Page] = {}  # to whom which page was told
        self._changed = trio.Event()
        board.changed = self._wake

    def arrived(self, visitor: Visitor) -> None:
        """Tell a visitor that is new here, or has come back from a table, the seeks that stand."""
        if visitor in self._shown or not visitor.dialect.hears_seeks or visitor.ended or visitor.table is not None:
            return
        page = self._board.page(visitor.dialect.can_play)
        self._shown[visitor] = page
        if page.notices:
            visitor.tell([Noticed(page.notices, (), page.more)])

    def left(self, visitor: Visitor) -> None:
        """It has a table now, or has ended."""
        self._shown.pop(visitor, None)

    async def follow(self) -> None:
        """Tell every visitor what changes, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            begun = time.perf_counter()
            await self._round()
            await trio.sleep(max(PAUSE_S, SHARE * (time.perf_counter() - begun)))

    async def _round(self) -> None:
        pages: dict[type[Dialect], Page] = {}
        for count, visitor in enumerate(list(self._shown)):
            if count % IN_A_ROW == IN_A_ROW - 1:
                await trio.lowlevel.checkpoint()
            if visitor.table is not None or visitor.ended:
                self._shown.pop(visitor, None)
            elif visitor in self._shown:
                dialect = type(visitor.dialect)
                page = pages.setdefault(dialect, self._board.page(dialect.can_play))
                self._tell(visitor, page)

    def _tell(self, visitor: Visitor, page: Page) -> None:
        """The first changes from what it was shown to the page; it is woken for the others."""
        shown = self._shown[visitor]
        removed = [notice for notice in shown.notices if notice not in page.notices]
        posted = [notice for notice in page.notices if notice not in shown.notices]
        now_removed = removed[:MOST_AT_ONCE]
        now_posted = posted[: MOST_AT_ONCE - len(now_removed)]
        if len(now_removed) + len(now_posted) < len(removed) + len(posted):
            self._wake()
        kept = (notice for notice in shown.notices if notice not in now_removed)
        self._shown[visitor] = Page((*kept, *now_posted), page.more)
        if now_removed or now_posted:
            visitor.tell([Noticed(tuple(now_posted), tuple(now_removed), page.more)])

    def _wake(self) -> None:
        self._changed.set()
