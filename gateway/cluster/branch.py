"""A table of another node as this node's clients see it: keeps its state, and tells them what its node says.

The table's node sends each step once, however many clients sit or look on here. A step that did not come is read in the
record, which has everything that anybody was told. A client has one command on its way at a time. Where its answer may
be lost, because messages were or because the table has another node now, it is asked again. By its id the table's node
knows that it was served, of itself or from the record. So a command is asked at least once and served once.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import structlog
import trio

from gateway.cluster import messages, refusals
from gateway.cluster.calls import TOO_LONG
from gateway.cluster.homecoming import AGAIN_S, GOES_ON, WAITS, Homecoming
from gateway.cluster.local import NO_SEAT, Local
from gateway.cluster.messages import Message
from gateway.cluster.office import Office
from gateway.cluster.parting import part
from gateway.cluster.replays import LAST, Replay, StoredStep, replayed, turned_by
from gateway.cluster.state_copy import StateCopy
from gateway.lobby.claims import Claim, Ticket
from gateway.table.state import State, Status
from gateway.tables.requests import check_present
from gateway.tables.seams import Subscriber, Table
from gateway.tables.subscribers import EVERYBODY
from protocols.core import events as ev
from protocols.core.commands import Command, Join, PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.notifications import CalledAway, Seated

WAITING: Final = 32
"""Commands of one client that wait for the answer to the one before; more wait with the client."""

LATE_S: Final = 1.5
"""Seconds that clients wait for the table's node before they are told so."""

STANDS_S: Final = 1.0
"""Seconds until a client's place at its table is asked for again."""

_log = structlog.get_logger()


class Branch:
    """A gateway.tables.seams.Table. ``node`` owns it, under ``epoch``."""

    def __init__(self, table: int, node: int, office: Office) -> None:
        self.number = table
        self.node = node
        self.epoch = 0
        self.here: dict[int, Local] = {}
        """Its clients, by their numbers on this node."""
        self._lost_since: float | None = None
        self._copy = StateCopy()
        self._office = office
        self._shift_s = 0.0
        """Seconds from the monotonic line of the table's node to this one's."""
        self._unread: deque[Message] = deque()
        self._losses = 0
        """Times that messages may have been lost: what was heard before does not know of them."""
        self.reading = self.said_waits = self._persists = False
        self._homecoming = Homecoming(self, office)

    @property
    def state(self) -> State:
        """The table's state, as far as this node was told."""
        return self._copy.state

    @property
    def seq(self) -> int:
        """The last event of the record that this node was told."""
        return self._copy.seq

    @property
    def lost(self) -> bool:
        """True while steps may be missing that were told elsewhere: what is missing is read in the record."""
        return self._lost_since is not None

    @lost.setter
    def lost(self, lost: bool) -> None:
        if lost != self.lost:
            self._lost_since = trio.current_time() if lost else None

    def silent_s(self, now: float) -> float:
        """Seconds that its clients have been waiting for the table's node; 0.0 when none is."""
        since = [local.open[1] for local in self.here.values() if local.open is not None]
        if self.here and self._lost_since is not None:
            since.append(self._lost_since)
        return max(0.0, now - min(since, default=now))

    async def open(self) -> bool:
        """Read the state; False: there is no such table, or it is closed. Refused (OVERLOAD): not just now."""
        if not self._copy.known:
            loaded = await self._office.load(self.number)
            if loaded is not None and not self._copy.known:
                self.stand_at(replayed(loaded, loaded.rows[-1].seq, self._shift_s))
        return self._copy.known and self.state.status is not Status.CLOSED

    def stand_at(self, replay: Replay) -> None:
        """The state is that, unless it is further already."""
        if not self._copy.known or replay.seq > self.seq:
            self._copy.put(replay.state, replay.seq)

    # What connections ask of it.

    def play_now(self, asker: Subscriber, command: Command, since: float) -> bool:
        """Send a move to the table's node; False where it must be asked."""
        local = self.here.get(asker.number)
        if type(command) is not PlayMove or local is None or len(local.waiting) >= WAITING:
            return False
        self.asks(local, command, since)
        return True

    async def ask(self, asker: Subscriber, command: Command, since: float) -> None:
        """Send a command behind those before it. Refused: the client is not at this table any more."""
        while (local := self.here.get(asker.number)) is not None and len(local.waiting) >= WAITING:
            await local.answer()
        if local is None:
            raise Refused(Why.NOT_SEATED, NO_SEAT)
        self.asks(local, command, since)

    async def sit(self, newcomer: Subscriber, join: Join, claim: Claim | None, ticket: Ticket | None) -> None:
        """Take back the seat that ``claim`` stands for; seats without a claim are given out by the lobby. Refused as
        closed where the table has come to this node meanwhile."""
        check_present(newcomer)
        asked, wanted = messages.coded(join), None if claim is None else messages.coded_claim(claim)
        self._office.local(newcomer).ticket = "" if ticket is None else ticket.secret
        key = "" if ticket is None else ticket.digest.hex()
        enter = messages.Enter(self.number, self._office.guest(newcomer), asked, wanted, digest=key)
        await self._office.ask_for(newcomer, self.node, enter)

    async def watch(self, newcomer: Subscriber, name: str) -> None:
        """Look on. Refused as by ``sit``."""
        check_present(newcomer)
        enter = messages.Enter(self.number, self._office.guest(newcomer), name=name)
        await self._office.ask_for(newcomer, self.node, enter)

    async def leave(self, subscriber: Subscriber, *, lost: bool = True) -> None:
        """Go: returns when everything that was asked before has been answered."""
        table: Table | None = self
        while (local := self.here.get(subscriber.number)) is not None and local.open is not None:
            await local.answer()
        if local is not None:
            await part(self, self._office, local, lost=lost)
            if self.here.get(local.number) is local:
                self.detach(local)
                subscriber.released()
            elif subscriber.table not in (table, None):
                await subscriber.table.leave(subscriber, lost=lost)  # it has moved with its table meanwhile

    def gone(self, subscriber: Subscriber) -> None:
        """The client has ended."""
        if (local := self.here.get(subscriber.number)) is not None:
            self.forget(local)

    def detach(self, local: Local, replay: Replay | None = None) -> None:
        """The client is at no table any more. ``replay`` has what it has missed until then; None: nothing."""
        if replay is not None:
            self.stand_at(replay)
            self.retell(replay.after(local.told), [local])
        local.has_left(() if replay is None else replay.served)
        self.forget(local)

    def forget(self, local: Local) -> None:
        """The client is not here any more, and is told nothing of what it has asked: that may be served still."""
        self.here.pop(local.number, None)
        local.leaves()
        self._leave_empty()

    def asks(self, local: Local, command: Command, since: float) -> None:
        """A client here asks its table, behind what it has asked before."""
        local.waiting.append((command, since))
        if local.open is None:
            self._ask_next(local)

    def _ask_next(self, local: Local) -> None:
        if local.waiting:
            local.open = local.waiting.popleft()
            local.asked = self._office.calls.next_id()
            if local.stands:
                self._send_open(local)

    def _send_open(self, local: Local) -> None:
        assert local.open is not None
        command, since = local.open
        age_s, lag_s = trio.current_time() - since, local.subscriber.lag_s() if self._copy.timed else 0.0
        at, coded = (self.number, local.number, local.asked), messages.coded(command)
        if not self._office.send(self.node, messages.Ask(*at, age_s, lag_s, coded, self.epoch)):
            refused = Why.SYNTAX.value, TOO_LONG
            self._answered(local, messages.Answer(local.number, self.number, local.asked, refused=refused))

    # What the table's node says.

    def heard(self, message: Message) -> None:
        """Serve it, behind what waits until the record has been read."""
        if self.reading:
            self._unread.append(message)
        elif (reading := self._serve(message)) is not None:
            self.reading = True
            self._office.start(lambda: self._read(reading))

    async def _read(self, reading: Callable[[], Awaitable[None]]) -> None:
        """Read the record for one message, then serve those behind it."""
        run: Callable[[], Awaitable[None]] | None = reading
        while run is not None:
            try:
                await run()
            except Refused:  # the database is in trouble
                await trio.sleep(AGAIN_S)
                continue
            run = None
            while run is None and self._unread:
                run = self._serve(self._unread.popleft())
        self.reading = False
        if self._homecoming.due:
            self.go_home()
        self._leave_empty()

    def _leave_empty(self) -> None:
        """End the branch if nobody is here, and nobody is being seated."""
        if not (self.here or self.reading):
            self._office.left(self)

    def _serve(self, message: Message) -> Callable[[], Awaitable[None]] | None:
        """Serve what needs no record; else what is to be awaited."""
        match message:
            case messages.Told() if not self.lost:
                return self._tell(message)
            case messages.Answer() if (local := self._standing(message.number)) is not None:
                self._answered(local, message)
            case messages.Seated():
                return lambda: self._seat(message)
            case messages.Stands():
                losses = self._losses
                return lambda: self._stand(message, losses)
            case messages.Said(what="unknown"):
                self._is_unknown(message.number)
            case messages.Said(number=number) if number in self.here and self._standing(number) is None:
                return lambda: self._say_read(message)
            case messages.Said():
                self._say(message, None)
        return None

    def _standing(self, number: int) -> Local | None:
        """A client here; None where the record, or a Stands that is still to come, tells of its answers, too."""
        local = self.here.get(number)
        return local if local is not None and local.stands and not self.lost else None

    def _tell(self, told: messages.Told) -> Callable[[], Awaitable[None]] | None:
        """Take a step over and tell it. What was stored and not told before it is read."""
        self._shift_s = trio.current_time() - told.now
        if not told.step:
            return lambda: self._tell_read(told)
        if told.seq > self.seq + 1:
            return lambda: self._tell_behind(told)
        step = messages.notifications(told.step, self._shift_s)
        last, turned = self._copy.take(step, told.seq), turned_by(step)
        for local in self._hearers(told):
            self._turn(local, turned)
            local.subscriber.tell(step, told.seq)
            local.told = last or local.told
        return None

    def _hearers(self, told: messages.Told) -> list[Local]:
        """The clients to tell a step: those that do not stand here yet, or have read it, are told by the record."""
        found = () if self.lost else [self.here[number] for number in told.to if number in self.here]
        return [local for local in found if local.stands and (not told.seq or told.seq > local.told)]

    async def _tell_behind(self, told: messages.Told) -> None:
        self.stand_at(await self.replayed(told.seq - 1))
        self._tell(told)

    async def _tell_read(self, told: messages.Told) -> None:
        """A step that was too long for the bus."""
        replay = await self.replayed(told.seq)
        self.stand_at(replay)
        for local in self._hearers(told):
            self.retell(replay.after(local.told), [local])

    def retell(self, steps: Iterable[StoredStep], to: Sequence[Local]) -> None:
        """Tell clients steps of the record that they have missed."""
        for step in steps:
            for local in to:
                self._turn(local, turned_by(step.events))
                heard = [event for event in step.events if local.hears(event)]
                if heard:
                    local.subscriber.tell(heard, step.first + step.events.index(heard[0]))
                local.told = max(local.told, step.last)

    def _turn(self, local: Local, by: int) -> None:
        """A client's seat moves so many seats on with what it is told: ``seat`` is always that of ``told``."""
        if by and local.seat is not None:
            local.seat = (local.seat + by) % len(self.state.seats)
            local.subscriber.turned(local.seat)

    async def _say_read(self, said: messages.Said) -> None:
        """Say it behind the record up to then: steps that were told before may be lost."""
        self._say(said, await self.replayed(said.seq or LAST))

    def _say(self, said: messages.Said, replay: Replay | None) -> None:
        if (local := self.here.get(said.number)) is None:
            return
        match said.what:
            case "released" | "called away":
                self.detach(local, replay)
                local.subscriber.released()
                if said.what == "called away":
                    local.subscriber.tell([CalledAway()])
            case "displaced":
                self.detach(local, replay)
                local.subscriber.displaced()
            case "close":
                local.subscriber.close()

    def _answered(self, local: Local, answer: messages.Answer) -> None:
        if local.open is None or local.asked != answer.n:
            return
        since, local.open = local.open[1], None
        if answer.refused is not None:
            local.subscriber.refuse(refusals.refusal_of(*answer.refused, numbered=answer.numbered))
        elif answer.moved:
            self._office.times.told_by(self.node, local.subscriber, since, self.number)
        local.ring()
        local.subscriber.answered()
        if local.open is None:
            self._ask_next(local)

    async def _seat(self, seated: messages.Seated) -> None:
        """The client belongs to the table now, and is told all that happened until then."""
        self._shift_s = shift_s = trio.current_time() - seated.now
        replay = await self.replayed(seated.seq)
        self.stand_at(replay)
        self.epoch = seated.epoch
        local = self._office.local_of(seated.number)
        if local is not None and local.seated == seated.n:
            return  # it was told so before
        call = self._office.calls.awaited(seated.n)
        if local is None or call is None:
            self._office.start(lambda: self._decline(seated.number, seated.n))
            return
        local.seated = seated.n
        self.here[local.number] = local
        local.branch, local.check = self, 0
        name = seated.name if seated.seat is None else replay.state.seats[seated.seat].name
        local.seat, local.name, local.told, local.stands = seated.seat, name, seated.seq, True
        unheard = tuple(seq for seq, event in enumerate(replay.record, 1) if not local.hears(event))
        heard = [event for event in replay.record if local.hears(event)]
        local.subscriber.seated(self, seated.seat, ready=seated.ready, name=seated.name)
        past = (*heard, *messages.notifications(seated.present, shift_s))
        ticket = local.ticket if seated.keyed else ""
        local.subscriber.tell([Seated(self.number, seated.seat, past, ticket, seated.seq, unheard)])  # type: ignore[arg-type]
        if self.seq > seated.seq or self.lost:
            self._doubt(local)  # what was told since may have come before
            self.say_here(local)
        else:
            self._office.settle(self)
        call.grant()

    async def _decline(self, number: int, of: int) -> None:
        """The seat ``of`` a request has come too late: its client has ended, was refused, or has left."""
        with contextlib.suppress(Refused):
            await self._office.calls.call(self.node, messages.Part(self.number, number, lost=True, of=of))
        self._leave_empty()

    def stand_in(self, state: State, seq: int, left: Iterable[tuple[Local, int | None, str]]) -> None:
        """The table has gone to another node: its clients here are this branch's, and have been told everything."""
        self._copy.put(state, seq)
        self.lost = True
        for local, seat, name in left:
            self.here[local.number] = local
            local.branch, local.seat, local.told = self, seat, seq
            local.name = name if seat is None else state.seats[seat].name
            local.subscriber.seated(self, seat, ready=local.subscriber.ready, name=name)

    def go_home(self) -> None:
        """The table is this node's now: its clients here become its own, with what they have asked."""
        self.lost = True
        self._homecoming.begin()

    def end(self) -> None:
        """The table is no more: its clients are hung up on."""
        for local in list(self.here.values()):
            local.subscriber.close()
            self.forget(local)

    def say_how_long(self, now: float) -> None:
        """Tell clients that wait for the table's node that they do, once, and when the game goes on."""
        waits = self.silent_s(now) >= LATE_S
        if waits is not self.said_waits:
            self.said_waits = waits
            for local in list(self.here.values()):
                local.subscriber.tell([ev.Said(None, EVERYBODY, WAITS if waits else GOES_ON)])

    def missed(self) -> None:
        """Messages of the table's node may be lost: until it is asked who stands, its word counts no more.

        An answer that comes now was sent after what is lost, to whatever question.
        """
        self.lost, self._homecoming.due = True, False
        self._losses += 1
        self._unread = deque(message for message in self._unread if not isinstance(message, messages.Stands))
        for local in self.here.values():
            self._doubt(local)

    def move(self, node: int) -> None:
        """The table is at ``node`` now, which may have had it before: what that said then does not count."""
        self.node = node
        for local in self.here.values():
            local.check += 1
        self.missed()
        self.ask_again(node)

    def ask_again(self, node: int) -> None:
        """The table is at ``node``: ask there who stands of those that are not known to."""
        if node != self.node:
            self.move(node)
            return
        for local in self.here.values():
            if not (local.stands or local.leaving):
                self.say_here(local)

    def _doubt(self, local: Local) -> None:
        """The client may not stand at its table any more."""
        local.stands = False
        if not self._persists:
            self._persists = True
            self._office.start(self._persist)

    def _is_unknown(self, number: int) -> None:
        """The table does not know a client that stands there, as far as was heard: it says that it does."""
        if (local := self._standing(number)) is not None and not local.leaving:
            self._doubt(local)
            self.say_here(local)

    def say_here(self, local: Local) -> None:
        """Tell the table's node that the client is at the table."""
        guest = self._office.guest(local.subscriber)
        local.nodes.add(self.node)
        here = messages.Here(self.number, guest, local.seat, local.name, local.check, local.seated)
        self._office.send(self.node, here)

    async def _persist(self) -> None:
        """Ask again while a client does not stand: its table's node may be dead, or the table over."""
        try:
            while True:
                await trio.sleep(STANDS_S)
                if all(local.stands for local in self.here.values()):
                    return
                with contextlib.suppress(Refused):
                    await self._office.look_for(self)
        finally:
            self._persists = False

    async def _stand(self, stands: messages.Stands, losses: int) -> None:
        """The client is at its table still, as was heard after so many ``losses``; what it missed is told it."""
        local = self.here.get(stands.number)
        if local is None:  # released, while word was on its way that it is here; or its Seated is still to come
            if self._office.calls.awaited(stands.seeks) is None:
                self._office.start(lambda: self._decline(stands.number, stands.seeks))
            return
        if stands.check != local.check or losses != self._losses:
            return
        self._shift_s = trio.current_time() - stands.now
        if stands.seq > min(self.seq, local.told):
            replay = await self.replayed(stands.seq)
            if self.here.get(stands.number) is not local or losses != self._losses:
                return  # it has left meanwhile, or is asked for again
            self.stand_at(replay)
            self.retell(replay.after(local.told), [local])
        self.epoch, self.lost, local.stands = stands.epoch, False, True
        local.told = max(local.told, stands.seq)
        if local.open is None:
            self._ask_next(local)
        else:
            self._send_open(local)

    async def replayed(self, until: int) -> Replay:
        """Refused (OVERLOAD): not just now, or an old primary was read, where what was told never came to."""
        loaded = await self._office.load(self.number)
        if loaded is None or loaded.rows[-1].seq < until < LAST:
            raise Refused(Why.OVERLOAD, f"table {self.number} is not in the record")
        return replayed(loaded, until, self._shift_s)
