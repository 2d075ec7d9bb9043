"""Holds what clients asked and were told against the record: the checker of random histories.

What is told is compared at once, for the record only grows: a told event is stored already, each is told once and in
order, none is left out. What was asked is compared at the end: a served command led to one step, a refused one to
none, one whose client has ended may have. Each step was stored by the node that owned its table then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import trio
from msgspec import structs

from gateway.record import audit
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.store.schema import OVER
from gateway.table.refusals import TableClosed
from gateway.tables.subscribers import meant_for
from protocols.core import events as ev
from protocols.core.commands import ClaimEnd, Command, PlayMove
from protocols.core.errors import Refused
from protocols.core.model import Clock, Reason, SeatKind
from protocols.core.notifications import CalledAway, Notification, Seated
from tests.cluster.witness import BY_REQUEST
from tests.cluster.world import Member, World, Written
from tests.store.memory import MemoryRecord


@dataclass(slots=True)
class Question:
    """A command of the ``client`` of that number at ``table``; ``knew`` is the last event that it had been told."""

    client: int
    command: Command
    table: int
    seat: int | None
    knew: int
    at: float
    answer: str = ""
    """"" while it is open; "served", "refused", or "void": its client had left that table before the answer."""


@dataclass(slots=True)
class Client:
    """One connection as it has seen its tables. ``knows`` is the last event it was told at ``table``."""

    history: History
    name: str
    member: Member
    number: int = 0
    table: int = 0
    seat: int | None = None
    knows: int = 0
    hung_up: bool = False
    clock: Clock | None = None
    """The clocks of its table, as it was told last."""
    open: list[Question] = field(default_factory=list)
    refused: bool = False
    own: list[ev.MoveMade] = field(default_factory=list)
    """Its moves that it was told of since it asked for the oldest open command."""
    refusals: list[str] = field(default_factory=list)
    """Why its commands were refused."""
    fell: bool = False
    """True if it was told since then that a game ended because a flag fell."""
    put_off: list[str] = field(default_factory=list)
    """When and where it has lost its place at a table that goes on, without asking for that."""

    @property
    def ended(self) -> bool:
        """It hears nothing any more: nothing that it is told counts."""
        return self.hung_up or not self.member.living

    def asks(self, command: Command) -> None:
        """It asks its table."""
        self.open.append(self._question(self.number, command))

    def requests(self, command: Command) -> Question:
        """A program asks in its name, by itself."""
        return self._question(BY_REQUEST, command)

    def _question(self, client: int, command: Command) -> Question:
        question = Question(client, command, self.table, self.seat, self.knows, trio.current_time())
        self.history.questions.append(question)
        return question

    def is_refused(self, why: str) -> None:
        """The oldest of its commands is."""
        if not self.open and not self.ended:
            self.history.fails(f"{self.name} is refused what it did not ask: {why}")
        if self.refused and not self.ended:
            self.history.fails(f"{self.name} is refused twice")
        self.refused = True
        self.refusals.append(why)

    def is_answered(self) -> None:
        """The oldest of its commands is."""
        if self.ended:
            return
        if not self.open:
            self.history.fails(f"{self.name} is answered what it did not ask")
            return
        question = self.open.pop(0)
        here = self.table == question.table and self.seat is not None
        question.answer = "refused" if self.refused else "served" if here else "void"
        self.history.waited(trio.current_time() - question.at, question)
        command = question.command
        own = [made.move for made in self.own]
        if question.answer == "served" and isinstance(command, PlayMove) and command.move not in own:
            question.answer = "void"
            if not self.fell:
                self.history.fails(f"{self.name} was not told of its move {command.move}, which was served")
        self.refused, self.own, self.fell = False, [], False

    def is_seated(self, told: Seated) -> None:
        """It is at a table now, and told its past."""
        self.table, self.seat, self.knows, self.own = told.table, told.seat, 0, []
        stored = [event for event in told.past if ev.is_stored(event)]
        stored_until = len(self.history.rows(told.table))
        numbers = [seq for seq in range(1, min(told.seq, stored_until) + 1) if seq not in told.unheard]
        while len(stored) > len(numbers) and _is_owed(stored[-1]):
            stored.pop()
        if len(stored) != len(numbers):
            self.history.fails(f"{self.name} is told {len(stored)} events of {len(numbers)} at table {told.table}")
        for seq, event in zip(numbers, stored, strict=False):
            self._compare(seq, event)
        self._skipped(told.unheard)
        self.knows = told.seq
        self.clock = None
        self._look_at_clocks(told.past)

    def _look_at_clocks(self, told: Iterable[Notification]) -> None:
        for event in told:
            if isinstance(event, ev.TurnStarted | ev.ClockSet):
                self.clock = event.clock

    def is_told(self, messages: Sequence[Notification], seq: int) -> None:
        """It is told one step."""
        if self.ended:
            return
        if CalledAway() in messages and self.put_off:
            self.put_off.pop()
        if messages and isinstance(messages[0], Seated):
            self.is_seated(messages[0])
            messages = messages[1:]
        self._look_at_clocks(messages)
        stored = [said for said in messages if isinstance(said, codec_events) and ev.is_stored(said)]
        if not (stored and seq):
            return
        if not self.table:
            self.history.fails(f"{self.name} sits nowhere and is told {stored}")
            return
        if seq <= self.knows:
            self.history.fails(f"{self.name} is told event {seq} of table {self.table} again, and knows {self.knows}")
        self._skipped(range(self.knows + 1, seq))
        for number, event in enumerate(stored, seq):
            self._compare(number, event)
            if type(event) is ev.MoveMade and event.seat == self.seat:
                self.own.append(event)
            elif type(event) is ev.GameEnded:
                self.fell = event.outcome.reason is Reason.TIME
        self.knows = seq + len(stored) - 1

    def is_put_off(self) -> None:
        """It loses its place without asking for that: it must be called to another table at once."""
        self.put_off.append(f"{trio.current_time():.3f} table {self.table}")

    def leaves(self) -> None:
        """It is at no table any more."""
        self.table, self.seat, self.knows = 0, None, 0

    def _skipped(self, numbers: Iterable[int]) -> None:
        """It was not told these: they are not for it."""
        rows = self.history.rows(self.table)
        for number in numbers:
            event = codec.decode(rows[number - 1].kind, rows[number - 1].body) if number <= len(rows) else None
            if not (isinstance(event, ev.Said) and not meant_for(event, self.seat)) and not _is_owed(event):
                self.history.fails(f"{self.name} was not told event {number} of table {self.table}: {event}")

    def _compare(self, number: int, event: ev.Event) -> None:
        rows = self.history.rows(self.table)
        if number > len(rows):
            self.history.fails(f"{self.name} is told {event}, and the record ends before {number}")
        elif not same(rows[number - 1], event):
            self.history.fails(f"{self.name} is told {event}, and event {number} is {rows[number - 1]}")

    def check_at_end(self) -> None:
        """Nothing is open, and it was told everything that is for it."""
        if self.put_off and not self.member.buried:  # what a node does that is dead already counts for nobody
            self.history.fails(f"{self.name} was put off its table: {self.put_off}")
        if self.ended:
            return
        if self.open:
            self.history.fails(f"{self.name} was never answered: {self.open}")
        if self.table:
            self._skipped(range(self.knows + 1, len(self.history.rows(self.table)) + 1))


codec_events = tuple(vars(ev)[kind] for kind in codec.KINDS)


def _is_owed(event: ev.Event | None) -> bool:
    """True for what a pause leaves to the next step, untold: a lost seat is kept for as much longer, a clock is set.

    A newcomer is told the clocks as they are, too.
    """
    return isinstance(event, ev.ClockSet) or (isinstance(event, ev.SeatLeft) and event.kind is SeatKind.RESERVED)


def same(row: EventRow, event: ev.Event) -> bool:
    """True if ``event`` is what the row says, but for times on a node's own line."""
    return row.kind == type(event).__name__ and codec.encode(_timeless(codec.decode(row.kind, row.body))) == (
        codec.encode(_timeless(event))
    )


def _timeless(event: ev.Event) -> ev.Event:
    match event:
        case ev.TurnStarted(clock=clock) | ev.ClockSet(clock=clock) if clock is not None:
            return replace(event, clock=replace(clock, since=0.0))
        case ev.SeatTaken():
            return structs.replace(event, at=0.0)
        case ev.SeatLeft() | ev.GameAdjourned():
            return replace(event, until=0.0)
    return event


class History:
    """All clients of one world, and ``wrong``: what was not as it must be.

    ``patience_s``: seconds that a command may wait for its answer since ``calm_from``; None: any time.
    """

    def __init__(self, record: MemoryRecord, patience_s: float | None = None) -> None:
        self.record = record
        self.patience_s = patience_s
        self.calm_from = 0.0
        self.clients: list[Client] = []
        self.questions: list[Question] = []
        self.registered: list[int] = []
        """Tables that somebody was told are registered."""
        self.wrong: list[str] = []
        self.longest_s = 0.0

    def client(self, name: str, member: Member) -> Client:
        """A new connection."""
        self.clients.append(Client(self, name, member))
        return self.clients[-1]

    def fails(self, what: str) -> None:
        """Note what is wrong; it is raised at the end, where no server catches it."""
        self.wrong.append(f"{trio.current_time():.3f} {what}")

    def waited(self, seconds: float, question: Question) -> None:
        """A command was answered after so long."""
        seconds = min(seconds, trio.current_time() - self.calm_from)
        self.longest_s = max(self.longest_s, seconds)
        if self.patience_s is not None and seconds > self.patience_s:
            self.fails(f"{question.command} was answered after {seconds:.2f} s")

    def is_refused(self, table: int, refused: Refused) -> None:
        """A request is, which came from no client at the table: it may be told that this is over."""
        over = isinstance(refused, TableClosed) or refused.text == f"there is no table {table}"
        if over and table in self.record.tables and self.record.tables[table].row.status != OVER:
            self.fails(f"table {table} is called over, and is {self.record.tables[table].row.status}")

    def rows(self, table: int) -> Sequence[EventRow]:
        """The record of a table."""
        return self.record.tables[table].events if table in self.record.tables else ()

    def check(self, world: World) -> None:
        """AssertionError: what clients were told, what they asked, and the record do not fit."""
        for client in self.clients:
            client.check_at_end()
        self._check_commands(world.written)
        self._check_writers(world.written)
        for table in self.registered:
            if table not in self.record.tables:
                self.fails(f"table {table} was registered, and is not in the record")
        for table, kept in sorted(self.record.tables.items()):
            report = audit.verify(table, kept.events)
            if report.defect is not None:
                self.fails(f"table {table}: event {report.defect.seq} {report.defect.reason}")
            if kept.row.status != OVER and kept.row.node not in [member.me for member in world.living]:
                self.fails(f"table {table} belongs to node {kept.row.node}, which does not live")
        assert not self.wrong, "\n".join(self.wrong)

    def _check_commands(self, written: Iterable[Written]) -> None:
        """Each command that was served led to one step, in the order asked, and no other did."""
        asked: dict[tuple[object, ...], list[Question]] = defaultdict(list)
        made: dict[tuple[object, ...], list[Written]] = defaultdict(list)
        for question in self.questions:
            if question.seat is not None:
                asked[_key(question.table, question.client, question.command)].append(question)
        for step in written:
            if step.asked is not None:
                made[_key(step.table, *step.asked)].append(step)
        for key, questions in asked.items():
            if not _fit(made[key], questions):
                self.fails(f"asked {questions} and made {made[key]}")

    def _check_writers(self, written: Iterable[Written]) -> None:
        writers: dict[tuple[int, int], int] = {}
        newest: dict[int, int] = {}
        for step in written:
            if step.node != step.owner or writers.setdefault((step.table, step.epoch), step.node) != step.node:
                self.fails(f"a node has written to another's table: {step}")
            if step.epoch < newest.setdefault(step.table, step.epoch):
                self.fails(f"an older epoch has written: {step}")
            newest[step.table] = step.epoch


def _key(table: int, client: int, command: Command) -> tuple[object, ...]:
    """The things that are counted together, in order: the commands of a client at a table, and equal requests."""
    return (table, client, command) if client == BY_REQUEST else (table, client)


def _fit(made: Sequence[Written], asked: Sequence[Question]) -> bool:
    """True if each served command led to one of the steps, in order, and each step came of one command."""
    reached = {0}  # numbers of steps that the commands so far may have led to
    for question in asked:
        further = set()
        for count in reached:
            if question.answer != "served" or isinstance(question.command, ClaimEnd):  # which may be true already
                further.add(count)
            step = made[count] if count < len(made) and question.answer != "refused" else None
            if step is not None and step.seq > question.knew:
                assert step.asked is not None
                further |= {count + 1} if step.asked.command == question.command else set()
        reached = further
    return len(made) in reached
