"""Finds a person's own games: those of its account, and those whose tickets its browser presents.

Both are found in the record, so a private game, one that rests and one of another node are found like any other. A
running table of this node is shown as it stands; of any other the record is read once for each of its events.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from gateway.cluster.messages import shifted
from gateway.record.audit import NONSENSE
from gateway.record.people import games_of, seat_of, sitting
from gateway.record.shown import replayed
from gateway.store import codec
from gateway.store.former import PublicViews
from gateway.store.views import TableView
from gateway.table.state import State, Status, by_days
from gateway.tables.subscribers import meant_for
from gateway.web.pages.every_table import Heard, shift_s
from gateway.web.pages.open_tables import Running
from gateway.web.pages.people import GameRow, rows_of
from gateway.web.reading import Reading
from protocols.core.errors import Refused
from protocols.core.events import Event, Said, SeatLeft, SeatsTurned, SeatTaken
from protocols.core.model import SeatKind

RUNNING: Final = 50
"""Games that go on of one person: programs may have many."""

KEPT: Final = 512
"""States that are kept of tables which do not run here, the latest asked for."""


@dataclass(frozen=True, slots=True)
class Who:
    """The person that asks: an ``account`` ("" none), the seats that ``tickets`` stand for by table, whom it does not
    hear beside those that the account has blocked, folded."""

    account: str = ""
    tickets: Mapping[int, int] = field(default_factory=dict)
    muted: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game that goes on, from its player's ``seat``; so many sayings are ``unread``, and ``come`` sat down since the
    player was there last ("" nobody)."""

    table: Running
    seat: int
    unread: int
    come: str = ""


@dataclass(frozen=True, slots=True)
class OwnGames:
    """Games that go on, those where it is the person's turn first, and finished ones, the newest first. ``before`` goes
    on behind these, None: there are no more."""

    running: Sequence[OwnGame] = ()
    past: Sequence[GameRow] = ()
    before: int | None = None


class OwnGamesFinder:
    """``running`` are the running tables of this node."""

    def __init__(self, reading: Reading, views: PublicViews, running: Mapping[int, Running]) -> None:
        self._reading = reading
        self._views = views
        self._running = running
        self._kept: OrderedDict[int, tuple[int, State]] = OrderedDict()

    async def seats(self, digests: Mapping[bytes, int]) -> dict[int, int]:
        """The seats of tickets with these digests, each presented for one table, by table."""
        found = await self._reading.do(self._views.seats_of, list(digests))
        return {table: seat for digest, table, seat in found if digests[digest] == table}

    async def kept(self, account: str, digests: Mapping[bytes, int]) -> list[int]:
        """The tables, of those that tickets with these digests are presented for, whose seats the account has kept."""
        if not account or not digests:
            return []
        found = await self._reading.do(self._views.kept_seats, account, list(digests.values()))
        return [kept.table for kept in found if kept.digest in digests]

    async def going_on(self, who: Who) -> list[OwnGame]:
        """The games that go on, or wait for players."""
        views = await self._reading.do(self._unfinished, who)
        seats = await self._reading.account_seats(views, who.account) | dict(who.tickets)
        own = [view for view in views if view.table in seats]
        here = {view.table: found for view in own if (found := self._running.get(view.table)) is not None}
        now, away = trio.current_time(), [view for view in own if view.table not in here]
        states, talks = await self._reading.do(self._read, away, own, now)
        muted = {*who.muted, *(await self._reading.do(self._views.blocked, who.account) if own and who.account else ())}
        tables = here | {table: Heard(state) for table, state in states.items()}
        games = [
            _own_game(tables[view.table], seat, talks[view.table], muted)
            for view in own
            if view.table in tables and (seat := seats[view.table]) < len(tables[view.table].state.seats)
        ]
        return sorted(games, key=lambda game: not is_to_move(game.table.state, game.seat))

    async def finished(self, who: Who, most: int, before: int | None = None) -> tuple[list[GameRow], int | None]:
        """The newest finished games, and what goes on behind them; ``before`` goes on below that table."""
        return await self._reading.do(self._finished, who, most, before)

    def _unfinished(self, who: Who) -> list[TableView]:
        by_name = self._views.seated(who.account, over=False, limit=RUNNING) if who.account else []
        by_ticket = self._views.several(list(who.tickets))
        found = {view.table: view for view in (*by_name, *by_ticket) if view.status != Status.OVER}
        return [found[table] for table in sorted(found, reverse=True)]

    def _read(
        self, away: Sequence[TableView], own: Sequence[TableView], now: float
    ) -> tuple[dict[int, State], dict[int, list[Event]]]:
        """The states of tables that do not run here; one whose record makes no sense is left out. All that was said."""
        states = {view.table: state for view in away if (state := self._state(view, now)) is not None}
        return states, self._views.talk([view.table for view in own])

    def _state(self, view: TableView, now: float) -> State | None:
        events, state = self._kept.get(view.table, (0, None))
        if state is not None and events == view.events:
            self._kept.move_to_end(view.table)
            return state
        rows = list(self._views.rows(view.table))
        shift = shift_s(rows, now)
        try:
            told: list[Event] = [shifted(codec.decode(row.kind, row.body), shift) for row in rows]  # type: ignore[misc]
            state = replayed(view, told)
        except (Refused, *NONSENSE):
            return None
        self._kept[view.table] = (rows[-1].seq, state)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return state

    def _finished(self, who: Who, most: int, before: int | None) -> tuple[list[GameRow], int | None]:
        by_name = self._views.seated(who.account, over=True, limit=most + 1, before=before) if who.account else []
        by_ticket = [view for view in self._views.several(list(who.tickets)) if view.status == Status.OVER]
        found = {view.table: view for view in (*by_name, *by_ticket) if before is None or view.table < before}
        order = sorted(found, reverse=True)
        points = self._views.turning_points(order[:most])
        kept = self._reading.kept_seats(order[:most], who.account) if who.account else {}
        seats = kept | dict(who.tickets)
        since = (self._views.account_since(who.account) if who.account else None) or math.inf
        rows: list[GameRow] = []
        whole = 0
        for table in order[:most]:
            games, events = games_of(found[table], points[table]), points[table]
            name = who.account if table not in seats else sitting(events).get(seats[table], "")
            if games[-1].number and (table in seats or seat_of(name, events, since) is not None):
                rows += rows_of(games, name)
            if whole and len(rows) > most:
                break  # the next page begins with this table
            whole += 1
        return rows[:most], order[whole - 1] if len(order) > whole else None


def _own_game(table: Running, seat: int, talk: Sequence[Event], muted: Collection[str]) -> OwnGame:
    return OwnGame(table, seat, unread(talk, seat, table.state, muted), come(talk, seat, table.state))


def is_to_move(state: State, seat: int) -> bool:
    """True if the game waits for the player of this seat."""
    return state.status is Status.PLAYING and state.turn == seat and state.seats[seat].kind is not SeatKind.BOT


def unread(events: Sequence[Event], seat: int, state: State, muted: Collection[str] = ()) -> int:
    """How many sayings the player of ``seat`` was not told, for its seat had no connection then.

    The record says who came and went, so this is the same on every device. ``events`` are those of ``Views.talk``.
    """
    said = away = turned = 0
    seats = len(state.seats)
    for event in reversed(events):
        own = (seat - turned) % seats
        match event:
            case SeatsTurned(by=by):
                turned += by
            case SeatLeft(seat=left) if left == own:
                away = said
            case SeatTaken(seat=taken, kind=SeatKind.PLAYER) if taken == own:
                return away
            case Said(seat=speaker, name=name) if speaker != own and meant_for(event, own):
                who = name if speaker is None else name or state.seats[(speaker + turned) % seats].name
                said += who.casefold() not in muted
            case _:
                pass
    return said


def come(events: Sequence[Event], seat: int, state: State) -> str:
    """The name of a player who sat down while the player of ``seat`` had no connection, and is there now; "" nobody.

    In a correspondence game players come and go as they like: whoever comes is news until the first move alone.
    ``events`` are those of ``Views.talk``.
    """
    if by_days(state) and state.ply:
        return ""
    turned, seats = 0, len(state.seats)
    found, since = "", ""
    for event in reversed(events):
        match event:
            case SeatsTurned(by=by):
                turned += by
            case SeatLeft(seat=left) if (left + turned) % seats == seat:
                since = found
            case SeatTaken(seat=taken, kind=SeatKind.PLAYER) if (taken + turned) % seats == seat:
                return since
            case SeatTaken(seat=taken, kind=SeatKind.PLAYER):
                other = state.seats[(taken + turned) % seats]
                found = other.name if other.kind is SeatKind.PLAYER else found
            case _:
                pass
    return found
