"""One table: decide, store, evolve, tell, in that order. What anybody was told is on disk.

A table's state belongs to its task, which serves what its bounded inbox brings and wakes at the state's deadline. A
move at a table whose task sleeps is served without waking it (at_once.py). Not here: who comes to it, rules, SQL.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import structlog
import trio
from msgspec.structs import replace

from gateway.lobby import rating
from gateway.lobby.lobby import news
from gateway.server import calling, filing, gallery, reissue, requests
from gateway.server.at_once import TRY_AGAIN, AtOnce, not_stored
from gateway.server.connection import Connection
from gateway.server.cursors import EVERYBODY, Cursors, meant_for
from gateway.server.inbox import Closed, Inbox
from gateway.server.ledger import Ledger
from gateway.server.pause import Pause
from gateway.server.requests import (
    Ask,
    Call,
    Gone,
    Look,
    Reissue,
    Request,
    Sit,
    Supersede,
    Taken,
    Thought,
    check_granted,
)
from gateway.server.scribe import ASK_S, HOLD_S, NotStored, say_not_stored
from gateway.server.thinking import Thinking
from gateway.store.records import Conflict, Unreadable
from gateway.table import seating
from gateway.table import state as states
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft, game_begun
from gateway.table.state import State, Status
from protocols.core import events as ev
from protocols.core.commands import Command, Join, Leave, Say
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from protocols.core.told import CalledAway, Seated

if TYPE_CHECKING:
    from gateway.server.house import House

INBOX: Final = 32
"""Requests that may wait at a table: every seat's next commands; who sends more waits with them."""

IDLE_S: Final = 2.0
"""Seconds in which nobody comes and nothing is asked, until a table may rest."""

SHORT_S: Final = 90.0
"""Seconds that it is not worth to rest for: as long as most tables wait for players who have lost their connection."""

TAKEN: Final = "another server has this game now: connect again to go on there"

_log = structlog.get_logger()


class TableTask:
    """Runs one table. ``addresses`` are by seat, of those who can carry no ticket.

    ``since`` is when this server claimed a table that another process ran before; None for its own.
    """

    def __init__(
        self,
        house: House,
        state: State,
        ledger: Ledger,
        addresses: Sequence[str] = (),
        since: float | None = None,
    ) -> None:
        self.house = house
        self._since = since
        self.state = state
        self.cursors = Cursors()
        self.ledger = ledger
        self._addresses = list(addresses) or [""] * len(state.seats)
        self._rests_until: float | None = None
        self.pause = Pause(self)
        ledger.late = self.pause.late
        self._thinking = Thinking(self)
        self._inbox: Inbox[Request] = Inbox(INBOX)
        self.at_once = AtOnce(self, self._inbox, self._thinking)

    async def sit(self, connection: Connection, join: Join, seat: int | None, ticket: str) -> None:
        """Sit down; the connection has been told Seated when this returns. Refused when the table says no."""
        request = Sit(connection, join, seat, ticket)
        await self.put(request)
        try:
            await request.done.wait()
        except trio.Cancelled:
            self.gone(connection)  # it may be seated yet: nobody would say later that it has ended
            raise
        requests.check_granted(request)

    async def watch(self, connection: Connection, name: str) -> None:
        """Look on; the connection has been told Seated when this returns. Refused when the table says no."""
        request = Look(connection, name)
        await self.put(request)
        await request.done.wait()
        requests.check_granted(request)

    async def leave(self, connection: Connection, *, lost: bool = True) -> None:
        """A connection goes, or is about to end: returns when everything it asked before has been answered."""
        request = Gone(connection, lost)
        with contextlib.suppress(Refused):
            await self.put(request)
            await request.done.wait()

    def gone(self, connection: Connection) -> None:
        """A connection has ended; called while it unwinds, so nothing may wait here."""
        request = Gone(connection)
        with contextlib.suppress(Closed):
            if not self._inbox.put_now(request):
                self.house.look_after(self.put_late, request)

    async def put(self, request: Request) -> None:
        """Hand in a request; waits while the table has too much to do. Refused: it is closed."""
        try:
            if not self._inbox.put_now(request):
                await self._inbox.put(request)
        except Closed:
            raise requests.closed_here() from None

    async def put_late(self, request: Request) -> None:
        """Hand in a request on behalf of somebody who cannot wait for the answer."""
        with contextlib.suppress(Closed):  # the table has ended meanwhile
            await self._inbox.put(request)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until the table closes or rests; started when it can be asked. A defect costs no other table anything."""
        started = False
        try:
            if self._since is not None:
                await self._take(self._adopted(self._since))
                self.house.lobby.report(self.state, None, self._addresses)
            task_status.started()
            started = True
            while self.state.status is not Status.CLOSED and self._rests_until is None:
                await self._serve_next()
        except Conflict as conflict:
            _log.warning("another server has taken the table over", table=self.state.table, error=str(conflict))
            if not self.ledger.blank:
                self.house.ownership.displaced()
                self.cursors.tell([ev.Said(None, EVERYBODY, TAKEN)])
        except Exception:
            _log.exception("table failed", table=self.state.table)
        finally:
            left_alone = self.cursors.idle
            self.cursors.close()
            requests.turn_away(self._inbox.close())
            if self._rests_until is None:
                self.house.closed(self)
            else:
                self.house.rests(self, self._rests_until)
            if not started:
                task_status.started()
            if left_alone:
                self._take_apart()

    def _take_apart(self) -> None:
        """Undo the circles that would keep it until a collection, and those are rare: see ARCHITECTURE.md."""
        self.ledger.late = None
        del self.pause, self.at_once, self._thinking

    def _adopted(self, since: float) -> Draft:
        """What becomes of a table that was claimed then: graces and waits that have ended meanwhile are over."""
        now, kept = trio.current_time(), self.house.lobby.ticketed(self.state.table)
        draft = seating.adopt(self.state, now, since)
        due = tick(draft.state, now, kept)
        draft.events += due.events
        draft.state = due.state
        return draft

    async def _serve_next(self) -> None:
        self.pause.over()
        deadline = states.deadline(self.state, self._lag_s())
        idle = self.cursors.idle
        if deadline is None and not idle:
            await self._serve(await self._inbox.get())
            return
        request: Request | None = None
        due = math.inf if deadline is None else deadline
        with trio.move_on_at(min(due, trio.current_time() + IDLE_S) if idle else due):
            request = await self._inbox.get()
        if request is not None:
            await self._serve(request)
        if trio.current_time() >= due:
            await self._tick()
        elif request is None:
            self._rests_until = self._may_rest()

    def _may_rest(self) -> float | None:
        """Until when it may rest, whom nobody has asked anything for a while; None: it may not."""
        if len(self._inbox) or not (self.cursors.idle and self.ledger.settled):
            return None
        until = states.rests_until(self.state)
        return None if until is None or until - trio.current_time() < SHORT_S else until

    async def _serve(self, request: Request) -> None:
        match request:
            case Ask(connection=connection, command=command, since=since):
                if connection.table is self and connection.seat is not None:
                    await self._obey(connection, connection.seat, command, since)
                elif (name := self.cursors.observer(connection)) is not None:
                    gallery.listen(self.cursors, connection, name, command)
                connection.answered()
            case Sit():
                await self._seat(request)
            case Look():
                await gallery.show(self, request)
            case Reissue():
                await reissue.serve(self, request)
            case Supersede():
                await self._supersede(request)
            case Thought(seat=seat, command=command):
                self._thinking.over(command)
                if self.state.seats[seat].kind is SeatKind.BOT:  # its player may have come back meanwhile
                    await self._play_for_bot(seat, command)
            case Gone(connection=connection, lost=lost):
                await self._let_go(connection, lost=lost)
                await calling.renew(self, self._take)
                request.done.set()
            case Taken():
                raise Conflict(f"table {self.state.table} was claimed by another server")
            case Call(connection=connection) if self._inbox.holds(lambda item: _asks(item, connection)):
                self.house.look_after(self.put_late, request)  # what it has asked here is answered here
            case Call(connection=connection) if calling.goes(self, connection):
                await self._call_away(connection)

    async def _tick(self) -> None:
        if await self.pause.moved_deadlines():
            return
        try:
            kept = self.house.lobby.ticketed(self.state.table)
            await self._take(tick(self.state, trio.current_time(), kept, self._lag_s()))
        except NotStored as error:
            await self.pause.failed(error)

    def _lag_s(self) -> float:
        """The measured network delay of the seat to move, 0.0 where nobody keeps time."""
        mover = self.cursors.at(self.state.turn) if self.state.clock is not None else None
        return 0.0 if mover is None else mover.peer.lag_s()

    def turn(self) -> tuple[ev.TurnStarted, ...]:
        """The turn that a newcomer must be told of, for without a clock it is not in the record."""
        if self.state.turn is None or self.state.clock is not None:
            return ()
        return (ev.TurnStarted(self.state.turn),)

    async def _obey(self, asker: Connection, seat: int, command: Command, since: float) -> None:
        """A command counts from when it was heard, not from when the table came to it; a pause is nobody's time."""
        lag_s = asker.peer.lag_s() if self.state.settings.time is not None else 0.0
        owned = self.house.lobby.names.owned
        try:
            if type(command) is Say and command.announces is not None:
                rating.check_wish(self.state.seats[seat].name, command.announces, owned)
            draft = decide(self.state, seat, asker.paced(command), max(since, self.pause.ended), lag_s)
            rating.check(draft, owned)
            await self._take(draft)
            asker.served(command, since)
            if type(command) is Say and command.announces is not None:
                self.house.lobby.announced(self.state, seat, command.announces)
        except Refused as refused:
            asker.refuse(refused.why, refused.text)
        except NotStored as error:
            not_stored(self, asker, error)

    async def _play_for_bot(self, seat: int, command: Command) -> None:
        try:
            await self._take(decide(self.state, seat, command, trio.current_time()))
        except Refused:
            self._thinking.wake()  # the game went on without it, perhaps to another turn of a bot
        except NotStored as error:
            await self.pause.failed(error)
            self._thinking.wake()

    async def supersede(self) -> None:
        """End the game that its two players have abandoned: they are registered anew. Refused: it is not abandoned."""
        request = Supersede()
        await self.put(request)
        await request.done.wait()
        check_granted(request)

    async def _supersede(self, request: Supersede) -> None:
        try:
            draft = Draft(self.state)
            seating.supersede(draft, trio.current_time())
            await self._take(draft)
        except Refused as refused:
            request.refused = refused
        except NotStored as error:
            say_not_stored(error, table=self.state.table)
            request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
        except Conflict:
            request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
            raise
        finally:
            request.done.set()

    async def _let_go(self, connection: Connection, *, lost: bool) -> None:
        """``connection`` speaks for nobody any more, whatever the database says: try until that is stored."""
        seat = self.cursors.detach(connection)
        if connection.table is self:
            connection.table = connection.seat = None
            connection.since = trio.current_time()
        while seat is not None:
            try:
                await self._take(decide(self.state, seat, Leave(lost=lost), trio.current_time()))
                if not lost and self.state.seats[seat].kind is SeatKind.OPEN:
                    self.house.lobby.revoke(self.state.table, seat)
                return
            except NotStored as error:
                await self.pause.failed(error)

    async def _call_away(self, connection: Connection) -> None:
        """What the connection asks meanwhile is served at its next table."""
        connection.called_away = told = trio.Event()
        try:
            await self._serve(Gone(connection, lost=False))
            connection.tell([CalledAway()])
        finally:
            connection.called_away = None
            told.set()

    async def _seat(self, request: Sit) -> None:
        """Serve a Sit: decide, store with the ticket, attach the connection, tell it everything until now."""
        try:
            past = await self.ledger.read()  # before anything is decided: without it nobody can be welcomed
            calling.check(self, request)
            draft = decide(self.state, request.seat, request.join, trio.current_time())
            rating.check(draft, self.house.lobby.names.owned)
            await self._take(draft, request, past)
        except Refused as refused:
            request.refused = refused
        except (NotStored, Unreadable, ValueError) as error:
            _log.error("nobody can sit down", connection=request.connection.number, error=str(error))
            request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
        except Conflict:
            request.refused = Refused(Why.OVERLOAD, TRY_AGAIN)
            raise
        finally:
            if request.refused is not None:
                self._stood_up()
            request.done.set()

    def _stood_up(self) -> None:
        """Somebody could not sit down after all: the seat is free for the next, or a table nobody ever had is gone."""
        if self.ledger.blank:
            self.state = replace(self.state, status=Status.CLOSED)
        else:
            self.house.lobby.report(self.state, self.state, self._addresses)

    async def _take(self, draft: Draft, request: Sit | None = None, past: Sequence[ev.Event] = ()) -> None:
        """Store the draft's events, take its state over, tell everybody. Nothing has changed if storing fails."""
        before, newcomer = self.state, None if request is None else request.connection
        if draft.events:
            await self._store(draft, request)
            self.state = draft.state
            self.house.metrics.stored(draft.state.settings.game, draft.events)
        if request is not None:
            self._welcome(request, past, draft.events)
        if draft.state.seats is not before.seats and (by := filing.turned(draft.events)):
            self.cursors.turn(by, len(before.seats))
            self.house.lobby.turn(before.table, by, len(before.seats))
        self.cursors.tell(draft.events, but=newcomer)
        if news(before, self.state):
            self.house.lobby.declined(before, draft.events)
            self.house.lobby.report(self.state, before, self._addresses)
            calling.look_around(self.house, self.state.table)
        self._thinking.wake()

    async def _store(self, draft: Draft, request: Sit | None) -> None:
        if draft.state.seats is self.state.seats and draft.state.status is self.state.status and request is None:
            await self.ledger.write(draft.events, hold_s=HOLD_S)  # by far the most frequent case
            return
        addresses = filing.addresses(self._addresses, draft, request)
        hold_s = HOLD_S if request is None or request.seat is not None else ASK_S
        await self.ledger.write(draft.events, *filing.beside(self.state, draft, addresses, request), hold_s=hold_s)
        self._addresses = addresses

    def _welcome(self, request: Sit, past: Sequence[ev.Event], events: list[ev.Event]) -> None:
        """From here on the newcomer speaks for its seat; it is told all that happened until now.

        A game that begins because it came is not past to it: it sees every roll, as the others do.
        """
        newcomer, seat = request.connection, request.taken(events)
        if request.seat is None:
            self.house.lobby.revoke(self.state.table, seat)
        if request.ticket:
            self.house.lobby.issue(request.ticket, self.state.table, seat)
        newcomer.table, newcomer.seat, newcomer.ready = self, seat, request.join.ready
        if newcomer.party is not None:
            self.house.lobby.sat_down(self.state.table, seat, newcomer.party)
        older = self.cursors.attach(newcomer, seat)
        if older is not None:
            older.displaced()
        begun = game_begun(events)
        heard = (event for event in past if type(event) is not ev.Said or meant_for(event, seat))
        known = (*heard, *events[: len(events) - len(begun)])
        if not begun:
            known += self.turn()
        newcomer.tell([Seated(self.state.table, seat, known, request.ticket), *begun])


def _asks(request: Request, connection: Connection) -> bool:
    return isinstance(request, Ask) and request.connection is connection
