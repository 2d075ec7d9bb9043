"""The notice board: every seek that stands and that a newcomer may take, the oldest first.

Pure state plus methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gateway.table.state import State
from protocols.core.model import SeatKind
from protocols.core.notifications import Notice
from protocols.core.proposals import Start

PAGE: Final = 20
"""Notices of a page, the oldest: what fits a terminal. The others are counted, and listed on demand."""


@dataclass(frozen=True, slots=True)
class Page:
    """The notices shown to a visitor; ``more`` do not fit."""

    notices: tuple[Notice, ...] = ()
    more: int = 0


def nothing_changed() -> None:
    """Stands for a listener where there is none."""


class NoticeBoard:
    """``changed`` is called after every change. A notice is the same object as long as its seek stands."""

    def __init__(self, changed: Callable[[], None] = nothing_changed) -> None:
        self._changed = changed
        self._tables: dict[int, tuple[Notice, ...]] = {}
        self._counts: Counter[str] = Counter()  # game -> notices

    def report(self, state: State, *, takeable: bool) -> None:
        """A table's seats, proposals or status changed; ``takeable``: a newcomer may take up what is proposed there."""
        before = self._tables.get(state.table, ())
        found = self._of(state) if takeable else ()
        now = tuple(next((old for old in before if old == notice), notice) for notice in found)
        if now == before:
            return
        self._counts[state.game.name] += len(now) - len(before)
        if now:
            self._tables[state.table] = now
        else:
            del self._tables[state.table]
        self._changed()

    def dropped(self, table: int) -> None:
        """A table is gone, or nothing is known of it any more."""
        for notice in self._tables.pop(table, ()):
            self._counts[notice.game] -= 1
            self._changed()

    def all(self) -> Iterator[Notice]:
        """Every notice, the oldest table's first."""
        for notices in self._tables.values():
            yield from notices

    def page(self, can_play: Callable[[str], bool]) -> Page:
        """The oldest notices of the games that a visitor can play."""
        shown: list[Notice] = []
        for notices in self._tables.values():
            shown += [notice for notice in notices if can_play(notice.game)]
            if len(shown) >= PAGE:
                break
        count = sum(count for game, count in self._counts.items() if can_play(game))
        return Page(tuple(shown[:PAGE]), count - len(shown[:PAGE]))

    def _of(self, state: State) -> Iterator[Notice]:
        starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
        for seat in state.seats:
            if seat.kind is not SeatKind.PLAYER:
                continue
            if (start := starts.get(seat.index)) is not None:
                yield Notice(seat.name, state.game.name, start)
