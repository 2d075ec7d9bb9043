"""Runs one table: decide, store, evolve, tell, in that order. What a client was told is on disk.

A table's state belongs to its task, which serves what its bounded inbox brings and wakes at the state's deadline. A
move at a table whose task sleeps is served without waking it (fast_path.py), by the same step.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final, Protocol

import structlog
import trio
from msgspec.structs import replace

from gateway.admission.table_limits import ChatLimits, StorageLimits
from gateway.background import Background
from gateway.commits.commit_queue import ASK_S, HOLD_S, Late, NotStored, say_not_stored
from gateway.lobby import rating
from gateway.lobby.claims import Claim, Ticket
from gateway.lobby.lobby import Lobby, news
from gateway.log_context import log_context
from gateway.metrics import Metrics
from gateway.record.ended import UNKNOWN_ENGINE, result, unplayed
from gateway.store.records import Conflict, MaybeStored, Result, Unreadable
from gateway.table import state as states
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft, game_begun
from gateway.table.refusals import NOT_STORED, closed_here, try_again
from gateway.table.state import State, Status
from gateway.table.writing import TableWriter
from gateway.tables import arrivals, requests, spectators
from gateway.tables.bots import BotTurns, HouseBots
from gateway.tables.fast_path import FastPath
from gateway.tables.inbox import Closed, Inbox
from gateway.tables.journal import Journal
from gateway.tables.lag_credit import LagCredit
from gateway.tables.move_times import MoveTimes
from gateway.tables.pause import Pause
from gateway.tables.recovery import Adoption
from gateway.tables.rematching import Rematching
from gateway.tables.requests import (
    Ask,
    Awaited,
    Back,
    Call,
    CatchUp,
    Drafted,
    End,
    Give,
    Gone,
    Look,
    Missing,
    Reissue,
    Request,
    Sit,
    Taken,
    Thought,
)
from gateway.tables.seams import Asker, Subscriber
from gateway.tables.step import Step, plan
from gateway.tables.subscribers import EVERYBODY, Subscribers
from protocols.core import events as ev
from protocols.core.commands import Command, Join, Leave, PlayMove, Propose, Say
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from protocols.core.notifications import CalledAway

INBOX: Final = 32
"""Requests that may wait at a table: every seat's next commands; who sends more waits with them."""

IDLE_S: Final = 2.0
"""Seconds without a client and without a request, until a table may rest."""

MISSED_S: Final = 3.0
"""Seconds that the players of a table have to come with it to another node."""

SHORT_S: Final = 90.0
"""Seconds that it is not worth to rest for: as long as most tables wait for players who have lost their connection."""

TAKEN: Final = "another server has this game now: connect again to go on there"

_log = structlog.get_logger()


class RatedGames(Protocol):
    """Hears of rated games, and of casual ones that have ended."""

    def began(self, game: Result) -> None:
        """A rated game has begun: its result as it is known then."""

    def ended(self, game: Result) -> None:
        """A game has ended, and its result is stored."""


@dataclasses.dataclass(frozen=True, slots=True)
class TableParts:
    """Collaborators that the tables of one server share.

    ``healthy`` returns when no step is late: since when one was, None at once. ``ended`` is given a table whose task
    has ended, and until when it rests; None: it is over. ``handed_on`` sees to the clients and requests of a table that
    has been given to another node, and returns the requests to turn away. ``observers`` may look on at one table.
    """

    lobby: Lobby
    metrics: Metrics
    times: MoveTimes
    background: Background
    chat: ChatLimits
    storage: StorageLimits
    bots: HouseBots
    rematching: Rematching
    healthy: Callable[[], Awaitable[float | None]]
    ended: Callable[[TableRunner, float | None], None]
    handed_on: Callable[[TableRunner, list[Request]], list[Request]]
    observers: int
    ratings: RatedGames


class TableRunner:
    """Runs one table; a gateway.tables.seams.Table. ``addresses`` are by seat, of clients that can carry no ticket.

    ``since`` is when this server claimed a table that another process ran before, None for its own; the players of the
    seats in ``here`` are there still, as clients of other nodes.
    """

    def __init__(
        self,
        shared: TableParts,
        state: State,
        journal: Journal,
        addresses: Sequence[str] = (),
        adoption: Adoption | None = None,
    ) -> None:
        self._shared = shared
        self._lobby = shared.lobby
        self._adoption = adoption
        self.given = False
        """True once the table is another node's, by this one's own act."""
        self.taken = False
        """True once another server has claimed it."""
        self.state = state
        self.subscribers = Subscribers(shared.observers)
        self.journal = journal
        self.addresses = list(addresses) or [""] * len(state.seats)
        self._rests_until: float | None = None
        self.pause = Pause(self, shared.healthy)
        self.late: Late = self.pause.late
        self._writer = TableWriter()
        self._bot_turns = BotTurns(self, shared.bots, shared.background)
        self._lag_credit = LagCredit(self.subscribers.at)
        self._inbox: Inbox[Request] = Inbox(INBOX)
        self._fast_path = FastPath(self, self._inbox, shared.storage, shared.times)
        self.play_now = self._fast_path.play

    async def ask(self, asker: Asker, command: Command, since: float) -> None:
        """Hand in a command, heard at ``since``; waits while the table has too much to do. Refused: it is closed."""
        await self.put(Ask(asker, command, since))

    @property
    def epoch(self) -> int:
        """The epoch under which this server owns it."""
        return self.journal.epoch

    @property
    def seq(self) -> int:
        """The number of its last stored event."""
        return self.journal.seq

    async def sit(self, newcomer: Subscriber, join: Join, claim: Claim | None, ticket: Ticket | None) -> None:
        """Sit down; the client has been told Seated when this returns. Refused when the table says no."""
        await self._granted(Sit(newcomer, join, claim, ticket))

    async def watch(self, newcomer: Subscriber, name: str) -> None:
        """Look on; the client has been told Seated when this returns. Refused when the table says no."""
        await self._granted(Look(newcomer, name))

    async def back(self, subscriber: Subscriber, seat: int | None, name: str, catch_up: CatchUp | None = None) -> None:
        """A client that was here while another server had the table goes on. Refused: its seat is another's now."""
        await self._granted(Back(subscriber, seat, name, catch_up))

    async def give(self, give: Callable[[int, int], Awaitable[bool]]) -> None:
        """Make the table another node's by ``give``, between two steps. Refused: it could not be, and goes on here."""
        await self._granted(Give(give))

    async def reissue(self, name: str, ticket: Ticket) -> int:
        """Make ``ticket`` the one of the seat that is registered for ``name``; the seat. Refused: there is none."""
        request = Reissue(name, ticket)
        await self._granted(request)
        return request.seat

    async def end(self, drafted: Drafted) -> None:
        """End the table as ``drafted``: by ``seating.supersede`` or ``seating.end_by_host``. Refused as by these."""
        await self._granted(End(drafted))

    async def evict(self, number: int) -> None:
        """Call the player of that number to another table: the opponent of its neighbour comes."""
        found = self.subscribers.numbered(number)
        if found is not None:
            await self.put(Call(found))

    async def leave(self, subscriber: Subscriber, *, lost: bool = True) -> None:
        """A client goes, or is about to end: returns when everything it asked before has been answered."""
        request = Gone(subscriber, lost)
        with contextlib.suppress(Refused):
            await self.put(request)
            await request.done.wait()

    def gone(self, subscriber: Subscriber) -> None:
        """A client has ended; called while it unwinds, so nothing may wait here."""
        request = Gone(subscriber)
        with contextlib.suppress(Closed):
            if not self._inbox.put_now(request):
                self._shared.background.start_soon(self.put_late, request)

    async def _granted(self, request: Sit | Look | Back | Give | Reissue | End) -> None:
        await self.put(request)
        await request.granted()

    async def put(self, request: Request) -> None:
        """Hand in a request; waits while the table has too much to do. Refused: it is closed."""
        try:
            if not self._inbox.put_now(request):
                await self._inbox.put(request)
        except Closed:
            raise closed_here() from None

    async def put_late(self, request: Request) -> None:
        """Hand in a request for a caller that cannot wait for the answer."""
        with contextlib.suppress(Closed):  # the table has ended meanwhile
            await self._inbox.put(request)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until the table closes or rests; started when it can be asked. A defect costs no other table anything."""
        started = False
        try:
            if self._adoption is not None:
                kept = self._lobby.ticketed(self.state.table)
                await self.take(arrivals.adopted(self.state, self._adoption, kept))
                self._shared.background.start_soon(self._miss_later)
                self._lobby.report(self.state, None, self.addresses)
            task_status.started()
            started = True
            while not (self.given or self.state.status is Status.CLOSED or self._rests_until is not None):
                await self._serve_next()
        except Conflict as conflict:
            self.taken = True
            _log.warning("another server has taken the table over", table=self.state.table, error=str(conflict))
            if not self.journal.blank:
                self.subscribers.tell([ev.Said(None, EVERYBODY, TAKEN)])
        except (NotStored, MaybeStored) as error:  # of a request that came from another process, or at the end
            say_not_stored(error, table=self.state.table)
        except Exception:
            _log.exception("table failed", table=self.state.table)
        finally:
            left_alone, left = self.subscribers.idle, self._inbox.close()
            if self.given:
                left = self._shared.handed_on(self, left)
            self.subscribers.close()
            requests.turn_away(left)
            self.subscribers.forsake()
            self._shared.ended(self, self._rests_until)
            if not started:
                task_status.started()
            if left_alone:
                self._take_apart()

    def _take_apart(self) -> None:
        """Break the reference circles: the collector runs seldom (docs/decisions/ops.md)."""
        del self.pause, self.late, self._fast_path, self.play_now, self._bot_turns

    async def _miss_later(self) -> None:
        await trio.sleep(MISSED_S)
        await self.put_late(Missing())

    async def _serve_next(self) -> None:
        self.pause.over()
        deadline = states.deadline(self.state, self._lag_credit.due(self.state))
        idle = self.subscribers.idle
        if deadline is None and not idle:
            await self._serve(await self._inbox.get())
            return
        request: Request | None = None
        due = math.inf if deadline is None else deadline
        with trio.move_on_at(min(due, trio.current_time() + IDLE_S) if idle else due):
            request = await self._inbox.get()
        if request is not None:
            await self._serve(request)
        if trio.current_time() >= due and not self.given:
            await self._tick()
        elif request is None:
            self._rests_until = self._may_rest()

    def _may_rest(self) -> float | None:
        """Until when this idle table may rest; None: it may not."""
        if len(self._inbox) or not (self.subscribers.idle and self.journal.settled):
            return None
        until = states.rests_until(self.state)
        return None if until is None or until - trio.current_time() < SHORT_S else until

    async def _serve(self, request: Request) -> None:
        match request:
            case Ask(asker=asker, command=command, since=since):
                if asker.table is self and asker.seat is not None:
                    await self._obey(asker, asker.seat, command, since)
                elif (observer := self.subscribers.observer(asker)) is not None:
                    spectators.talk(self.subscribers, self._shared.chat, self.state, observer, command)
                asker.answered()
            case Thought():
                await self._play_for_bot(request)
            case Gone(subscriber=subscriber, lost=lost):
                await self._let_go(subscriber, lost=lost)
                await self._renew()
                request.done.set()
            case Taken():
                raise Conflict(f"table {self.state.table} was claimed by another server")
            case Call(subscriber=subscriber) if self._inbox.holds(lambda item: _asks(item, subscriber)):
                self._shared.background.start_soon(self.put_late, request)  # what it has asked here is answered here
            case Call(subscriber=subscriber):
                if subscriber.table is self and self._shared.rematching.goes(self, subscriber):
                    await self._call_away(subscriber)
            case Sit():
                with self._answering(request):
                    await self._seat(request)
            case Look():
                with self._answering(request):
                    await arrivals.show(self, request)
            case Give():
                with self._answering(request):
                    await arrivals.give(self, request)
                    self.given = True
            case Missing():
                await arrivals.miss(self)
                if self.state.settings.rated and self.state.status is Status.PLAYING and not self.state.ply:
                    self._tell_stakes()  # it has come here as it began
            case Back():
                asked: Sequence[tuple[Command, float]] = ()
                with self._answering(request):
                    asked = await arrivals.take_back(self, request)
                for command, since in asked:
                    await self._serve(Ask(request.subscriber, command, since))
            case Reissue():
                with self._answering(request):
                    await arrivals.reissue(self, self._lobby, request)
            case End(drafted=drafted):
                with self._answering(request):
                    await self.take(drafted(self.state, trio.current_time()))

    @contextlib.contextmanager
    def _answering(self, request: Awaited) -> Iterator[None]:
        """Answer ``request`` in every case: granted, or refused with the reason."""
        try:
            yield
        except Refused as refused:
            request.refused = refused
        except NotStored as error:
            say_not_stored(error, table=self.state.table)
            request.refused = try_again(NOT_STORED)
        except (Unreadable, ValueError) as error:
            _log.error("a table's record cannot be read", table=self.state.table, error=str(error))
            request.refused = Refused(Why.OVERLOAD, spectators.NOT_NOW)
        except MaybeStored:
            request.refused = Refused(Why.OVERLOAD, requests.STOPPING)
            raise
        except Conflict:
            if isinstance(request, Sit) and self.journal.blank:  # another server has taken the number
                request.refused = closed_here()
                return
            request.refused = try_again(NOT_STORED)
            raise
        finally:
            if isinstance(request, Sit) and request.refused is not None:
                self._stood_up()
            request.done.set()

    async def _tick(self) -> None:
        if await self.pause.moved_deadlines():
            return
        try:
            kept = self._lobby.ticketed(self.state.table)
            await self.take(tick(self.state, trio.current_time(), kept, self._lag_credit.due(self.state)))
        except NotStored as error:
            await self.pause.failed(error)

    async def _obey(self, asker: Asker, seat: int, command: Command, since: float) -> None:
        """A command counts from when it was heard, not from when it is served; a pause is charged to no seat."""
        before, is_account = self.state, self._lobby.names.is_account
        lag_s = self._lag_credit.due(before)
        try:
            if type(command) is Say:
                self._shared.chat.count(self.state.table, seat, asker.address)
            self._shared.storage.check(asker.address)
            heard = max(since, self.pause.ended)
            draft = decide(before, seat, command, heard, lag_s)
            rating.check(draft, is_account)
            with self._charged(asker):
                step = await self.take(draft, served=asker.asking)
            if type(command) is PlayMove:
                self._lag_credit.moved(before, heard, lag_s)
                self._shared.times.told(asker, since, step)
        except Refused as refused:
            asker.refuse(refused)
        except NotStored as error:
            self.not_stored(asker, error)

    @contextlib.contextmanager
    def _charged(self, author: Asker) -> Iterator[None]:
        """Count what is written meanwhile for the client's address."""
        before = self.journal.written
        try:
            yield
        finally:
            self._shared.storage.charge(author.address, self.journal.written - before)

    def not_stored(self, asker: Asker, error: NotStored) -> None:
        """Nothing has happened at the table; the asker may ask again."""
        say_not_stored(error, **log_context(asker, self))
        asker.refuse(try_again(NOT_STORED, Why.NOT_NOW))

    async def _play_for_bot(self, thought: Thought) -> None:
        """Serve a thought, unless its moment has passed or its player has come back meanwhile."""
        if not self._bot_turns.heard(thought) or self.state.seats[thought.seat].kind is not SeatKind.BOT:
            self._bot_turns.wake()
            return
        try:
            await self.take(decide(self.state, thought.seat, thought.command, trio.current_time()))
        except Refused:
            self._bot_turns.refused(thought)
        except NotStored as error:
            await self.pause.failed(error)
            self._bot_turns.wake()

    async def _renew(self) -> None:
        """Propose again what a player that sat down ready still wants."""
        found = self._shared.rematching.lapsed(self.state, self.subscribers.at)
        if found is not None and self.state.status is Status.OPEN:
            with contextlib.suppress(Refused, NotStored):
                await self.take(decide(self.state, found[0], Propose(found[1]), trio.current_time()))

    async def _let_go(self, subscriber: Subscriber, *, lost: bool) -> None:
        """``subscriber`` gives up its seat: try until that is stored."""
        seat = self.subscribers.detach(subscriber)
        if subscriber.table is self:
            subscriber.released()
        while seat is not None:
            try:
                draft = decide(self.state, seat, Leave(lost=lost), trio.current_time())
                with self._charged(subscriber):
                    await self.take(draft, leaves=None if lost or _keeps_ticket(subscriber, draft) else seat)
                return
            except NotStored as error:
                await self.pause.failed(error)

    async def _call_away(self, subscriber: Subscriber) -> None:
        """The client's further requests are served at its next table."""
        subscriber.called_away = told = trio.Event()
        try:
            await self._serve(Gone(subscriber, lost=False))
            subscriber.tell([CalledAway()])
        finally:
            subscriber.called_away = None
            told.set()

    async def _seat(self, request: Sit) -> None:
        """Decide, store with the ticket, attach the client, tell it everything until now.

        The claim is resolved here and consumed by the step: it may have stood for another seat when it was presented.
        """
        past = await self.journal.read(self.state.game)  # before anything is decided: a newcomer is told it
        newcomer, names = request.newcomer, self._lobby.names
        requests.check_present(newcomer)
        self._shared.storage.check(newcomer.address)
        if request.claim is not None:
            request.seat = self._lobby.claimed(request.claim, self.state.table)
            if request.seat is None:
                raise Refused(Why.TABLE_FULL, "this seat has been taken meanwhile")
            if self.state.seats[request.seat].kind is not SeatKind.OPEN:
                request.ticket = None  # who sat there comes back, and keeps the ticket
        else:
            self._shared.rematching.check(self.state, newcomer.party)
        join = dataclasses.replace(request.join, program=newcomer.program)
        if request.seat is not None:
            kept = self.state.seats[request.seat].kind not in (SeatKind.OPEN, SeatKind.BOT)
            name = "" if kept else names.choose(join.name, newcomer.account)
            join = dataclasses.replace(join, name=name)
        with names.held(join.name):
            draft = decide(self.state, request.seat, join, trio.current_time())
            rating.check(draft, names.is_account)
            with self._charged(newcomer):
                await self.take(draft, request, past)

    def _stood_up(self) -> None:
        """The newcomer could not sit down: its seat is free again, and a table without a past closes."""
        if self.journal.blank:
            self.state = replace(self.state, status=Status.CLOSED)
        else:
            self._lobby.report(self.state, self.state, self.addresses)

    async def take(
        self,
        draft: Draft,
        sit: Sit | None = None,
        past: Sequence[ev.Event] = (),
        leaves: int | None = None,
        served: int = 0,
    ) -> Step:
        """Store the draft's step, then carry it out. Nothing has changed if storing fails.

        ``leaves``: the seat whose holder goes for good by it, and keeps no ticket. ``served`` as in Journal.write.
        """
        step = plan(draft, self.state, self.addresses, sit, leaves)
        step.decided = trio.current_time()
        if draft.ended is not None:
            step.rows = replace(step.rows, results=(self._result(draft.ended, step),))
        if step.events:
            hold_s = HOLD_S if sit is None or sit.seat is not None else ASK_S
            step.append = await self.journal.write(step.events, step.rows, hold_s=hold_s, served=served, late=self.late)
        self.carry_out(step, past)
        for ended in step.rows.results:
            self._shared.ratings.ended(ended)
        if self.state.settings.rated and game_begun(step.events):
            self._tell_stakes()
        return step

    def _tell_stakes(self) -> None:
        """A rated game begins: its players hear soon what it may change, unless a house bot's engine is not known yet,
        for it starts with its first move."""
        house_bot = self._shared.bots.identity(self.state)
        game = unplayed(self.state, is_account=self._lobby.names.is_account, house_bot=house_bot)
        if game.why != UNKNOWN_ENGINE:
            self._shared.ratings.began(game)

    def _result(self, ended: State, step: Step) -> Result:
        """The result of the game that the step ends."""
        outcome = next(event.outcome for event in step.events if isinstance(event, ev.GameEnded))
        return result(
            ended,
            outcome,
            is_account=self._lobby.names.is_account,
            house_bot=self._shared.bots.identity(ended),
            addresses=self.subscribers.addresses,
        )

    def carry_out(self, step: Step, past: Sequence[ev.Event] = ()) -> None:
        """A step is stored: take its state over, tell all subscribers, report to lobby and directory.

        ``past`` are the events before it, for a client that the step seats.
        """
        newcomer = None if step.sit is None else step.sit.newcomer
        self.state, self.addresses = step.after, step.addresses
        if step.events:
            self._writer.take(step.before, step.after, step.events)
            self._shared.metrics.stored(step.after.settings.game, step.events)
        for seat in step.rows.revoked:
            self._lobby.revoke(step.after.table, seat)
        step.evolved = trio.current_time()
        if step.sit is not None:
            self._attach(step.sit, step.events)
        if step.turned:
            self.subscribers.turn(step.turned, len(step.before.seats))
            self._lobby.turn(step.before.table, step.turned, len(step.before.seats))
        if step.sit is not None:
            self._welcome(step.sit, past, step.events)
        self.subscribers.tell(step.events, but=newcomer, seq=self.journal.told_from)
        if news(step.before, step.after):
            self._lobby.declined(step.before, step.events)
            self._lobby.report(step.after, step.before, step.addresses)
            self._shared.rematching.look_around(step.after.table)
        self._bot_turns.wake()
        if newcomer is not None and newcomer.ended:
            self.gone(newcomer)  # it ended while its seat was stored

    def _attach(self, sit: Sit, events: list[ev.Event]) -> None:
        """The newcomer speaks for its seat from here on."""
        newcomer, seat = sit.newcomer, sit.taken(events)
        if sit.ticket is not None:
            self._lobby.issue(sit.ticket.digest, self.state.table, seat)
        newcomer.seated(self, seat, ready=sit.join.ready)
        if newcomer.party is not None:
            self._lobby.waiting.sat_down(self.state.table, seat, newcomer.party)
        older = self.subscribers.attach(newcomer, seat)
        if older is not None:
            older.displaced()

    def _welcome(self, sit: Sit, past: Sequence[ev.Event], events: list[ev.Event]) -> None:
        """Tell the newcomer all that happened until now, from the seat that it took.

        A game that begins because it came is not past to it: it sees every roll, as the others do, and its own turn
        with the seats, which have been exchanged by now.
        """
        begun = game_begun(events)
        record = (*past, *events[: len(events) - len(begun)])
        now = None if begun else trio.current_time()
        secret = "" if sit.ticket is None else sit.ticket.secret
        seated = spectators.seated(self.state, sit.taken(events), record, now, secret)
        sit.newcomer.tell([seated, *begun], seated.seq + 1)


def _asks(request: Request, subscriber: Subscriber) -> bool:
    return isinstance(request, Ask) and request.asker is subscriber


def _keeps_ticket(leaver: Subscriber, draft: Draft) -> bool:
    """A page's ticket opens the finished game. Others bring one secret for seat after seat: it is free for the next."""
    return leaver.dialect.rekeys and draft.state.status in (Status.OVER, Status.CLOSED)
