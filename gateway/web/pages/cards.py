"""Makes the cards of boards that are being played, for the lobby and the wall: seats, clocks, a picture.

A card is made once for each state of its table, however many pages show it. What a page shows and what its script is
told are made from the same card.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Any, Final, Protocol

import msgspec
import trio
from markupsafe import Markup
from msgspec.structs import replace

from gateway.table import clock as clocks
from gateway.table.state import State, Status, newest_first
from gateway.web.board.description import Description, described
from gateway.web.board.svg import drawn
from gateway.web.pages.addresses import table_address
from gateway.web.pages.frame import clock_face
from gateway.web.pages.open_tables import Running
from gateway.web.pages.seats import SeatShown, program_words, seat_shown
from gateway.web.pages.selection import ALL, Selection
from gateway.web.pages.words import outcome_words, rule_words, time_words

KEPT: Final = 512
"""Cards that are kept, the latest asked for: those of the lobby, the wall and the pages of games; some 10 KB each."""

Read = Callable[[Iterable[int]], Awaitable[None]]


class Ratings(Protocol):
    """Ratings beside names (gateway/ops/seat_ratings.py)."""

    def words(self, state: State, last: Sequence[str] = ()) -> list[str]:
        """By seat what stands behind its name: "(1523?)", "" for a guest, and where it is not known.

        ``last`` are the names of those who have left their seats, "" of others.
        """

    async def learned(self) -> bool:
        """Wait for ratings that were asked for and are not known; False: there are none."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card as scripts are told it: ``board`` are pairs of square and piece, ``last`` the squares of the last move.

    ``seats`` have no clocks here: these are told beside it, as they are at that moment. A player's own card is seen
    from its side, ``turned`` or not; it says how the game stands, how much is unread, and whether it is its move.
    """

    table: int
    address: str
    title: str
    rules: str
    seats: tuple[SeatShown, ...]
    names: str
    look: str
    board: tuple[tuple[int, str], ...]
    last: tuple[int, ...]
    alarm: int | None
    outcome: str
    moves: int
    turned: bool = False
    mine: bool = False
    standing: str = ""
    unread: str = ""


class Card:
    """One board. ``look`` is its game's description, ``version`` changes with anything that is told."""

    def __init__(self, table: Running, ratings: Sequence[str]) -> None:
        self.state = state = table.state
        self.ratings = ratings
        self.look: Description = described(state.game, state.settings)
        self.told = self._told(table)
        self.json = msgspec.json.encode(self.told).decode()
        self.version = f"{zlib.crc32(self.json.encode()):08x}"
        self._svg: Markup | None = None

    def _told(self, table: Running) -> Told:
        return told_of(table, self.look, self.ratings)

    @property
    def svg(self) -> Markup:
        """The picture, small and without figures: the page has them once for all (``figures_of``)."""
        if self._svg is None:
            told = self.told
            board, last, alarm, turned = dict(told.board), told.last, told.alarm, told.turned
            self._svg = drawn(self.look, board, turned=turned, last=last, alarm=alarm, small=True, figures=False)
        return self._svg

    @property
    def clocks(self) -> list[float] | None:
        """Seconds left by seat at this moment; None without a clock."""
        return clocks_left(self.state, trio.current_time())

    @property
    def seats(self) -> Sequence[SeatShown]:
        """The seats with their clocks at this moment."""
        left = self.clocks
        if left is None:
            return self.told.seats
        return [replace(shown, clock=clock_face(left[shown.seat])) for shown in self.told.seats]

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        return None if self.state.clock is None else self.state.clock.running

    def tells(self) -> str:
        """The card as JSON, with its version and its clocks at this moment."""
        clock = msgspec.json.encode({"left": self.clocks, "running": self.running}).decode()
        return f'{self.json[:-1]},"version":"{self.version}","clock":{clock}}}'


class Cards:
    """The cards of the running ``tables``. ``read`` reads the boards of those that other nodes have."""

    def __init__(self, tables: Mapping[int, Running], ratings: Ratings, read: Read | None = None) -> None:
        self._tables = tables
        self.ratings = ratings
        self._read = read
        self._kept: OrderedDict[int, Card] = OrderedDict()

    def card(self, number: int) -> Card | None:
        """The card of a table whose game goes on or has ended; None for any other, and for private tables."""
        table = self._tables.get(number)
        if table is None or not _shown(table.state, (Status.PLAYING, Status.OVER)):
            self._kept.pop(number, None)
            return None
        found, ratings = self._kept.get(number), self.ratings.words(table.state)
        if found is None or found.state is not table.state or found.ratings != ratings:
            found = self._kept[number] = Card(table, ratings)
        self._kept.move_to_end(number)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    async def playing(self, most: int, selected: Selection = ALL) -> list[Card]:
        """The games that go on, at most so many: those with most observers first, then the newest.

        The boards of other nodes' tables among them are read.
        """
        going_on = (
            (-table.subscribers.observers, -number)
            for number, table in self._tables.items()
            if table.state.status is Status.PLAYING and not table.state.house.private and selected.has(table.state)
        )
        first = [-number for _, number in nsmallest(most, going_on)]
        if self._read is not None:
            await self._read(first)
        cards = [self.card(number) for number in first]
        if await self.ratings.learned():
            cards = [self.card(number) for number in first]
        return [card for card in cards if card is not None]

    def by_game(self) -> dict[str, int]:
        """The number of games that go on, by the game's name; only those that everybody may watch."""
        found: dict[str, int] = {}
        for table in self._tables.values():
            if table.state.status is Status.PLAYING and not table.state.house.private:
                name = table.state.game.name
                found[name] = found.get(name, 0) + 1
        return found


def looks_of(cards: Iterable[Card]) -> list[Description]:
    """The different looks of these cards."""
    return list({card.look.key: card.look for card in cards}.values())


def clocks_left(state: State, now: float) -> list[float] | None:
    """Seconds left by seat: of the main time, or of the running period where that is used up. None without a clock."""
    if state.clock is None or state.settings.time is None:
        return None
    readings = clocks.shown(state.settings.time, state.clock, now)
    return [round(max(0.0, reading.main_s or reading.period_s), 1) for reading in readings]


def _shown(state: State, statuses: tuple[Status, ...]) -> bool:
    return state.status in statuses and not state.house.private and state.position is not None


def told_of(table: Running, look: Description, ratings: Sequence[str]) -> Told:
    """A table as a card of it is told; before its game the board is the first one. ``ratings`` are by seat."""
    state = table.state
    position: Any = state.game.start(state.settings) if state.position is None else state.position
    seats = _seats(table, look, ratings)
    return Told(
        state.table,
        table_address(state.table),
        state.game.title,
        " · ".join([*rule_words(state.settings), *([time_words(state.settings.time)] if state.settings.time else [])]),
        seats,
        " against ".join(shown.name for shown in seats),
        look.key,
        tuple(state.game.board(position).items()),
        last_squares(state),
        state.game.alarm(position),
        outcome_words(state),
        state.ply,
    )


def last_squares(state: State) -> tuple[int, ...]:
    """The squares of the last move, source before target; none where no square was moved from or to."""
    for step in newest_first(state.last):
        if step.move is not None:
            return tuple(at for at in (step.move.source, step.move.target) if at is not None)
    return ()


def _seats(table: Running, look: Description, ratings: Sequence[str]) -> tuple[SeatShown, ...]:
    state = table.state
    clients = [table.subscribers.at(seat.index) for seat in state.seats]
    programs = ["" if client is None else program_words(client.program, client.speaks) for client in clients]
    return tuple(
        seat_shown(look, seat, program, rating=rating, turn=state.turn)
        for seat, program, rating in zip(state.seats, programs, ratings, strict=True)
    )
