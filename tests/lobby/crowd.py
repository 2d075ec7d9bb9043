"""Simulates a crowd: guests, the lobby and the kernel's tables, with every order of events; see Crowd.

Each table serves its requests in order, each guest does what it has to do in order; which of them is next is random, as
it is on a busy server. What guests do is what the dialects do for their peers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from gateway.lobby.join_options import JoinOptions, options_of, party_of
from gateway.lobby.lobby import Lobby, news
from gateway.lobby.party import Party
from gateway.table import seating
from gateway.table.draft import Draft
from gateway.table.state import State, Status
from protocols.core.commands import Command, Decline, Join, Leave, Propose
from protocols.core.errors import Refused, Why
from protocols.core.events import Event
from protocols.core.model import HouseRules, Seat, SeatKind, Settings
from protocols.core.proposals import Start
from tests.table.tables import Conversation

GAME: Final = "tic_tac_toe"
TIMES: Final = ("none", "60", "300")

Kind: TypeAlias = Literal["client", "plain", "page", "gui", "person", "engine"]
"""client: a Bogaprot client with options, plain: one without; page: a player in a browser, with or without; gui: a Go
GUI; person: a chess-p2p or Miniature player, who may agree to what others propose; engine: a program that is asked
whether it plays what others propose."""

ROAMING: Final = ("page", "gui", "person", "engine")


@dataclass(frozen=True)
class Sit:
    guest: Guest
    join: Join
    sought: JoinOptions


@dataclass(frozen=True)
class Ask:
    guest: Guest
    command: Command


@dataclass(frozen=True)
class Call:
    guest: Guest


@dataclass(eq=False)
class Guest:
    """``game`` and ``side`` are what it proposes, None what it leaves open; ``plays`` are the times an engine accepts.
    ``blocks`` are the names of those whom it has blocked.

    ``later`` are things a player does at any moment: decline, leave, or propose another game.
    """

    number: int
    kind: Kind
    time: str | None = None
    side: int | None = None
    plays: tuple[str, ...] = ()
    awaits: str = ""
    blocks: frozenset[str] = frozenset()
    later: list[tuple[str, str | None, int | None]] = field(default_factory=list)
    todo: deque[Command] = field(default_factory=deque)
    table: int | None = None
    seat: int = 0
    refused: set[tuple[int, Start | None]] = field(default_factory=set)
    standing: Start | None = None
    gone: bool = False
    party: Party = field(default_factory=lambda: Party(0, ""))

    @property
    def name(self) -> str:
        return f"guest{self.number}"

    def start(self) -> Start:
        return Start(None if self.time is None else settings(self.time), self.side)


def settings(time: str) -> Settings:
    join = Join(GAME, wishes=(("time", time),))
    return options_of(join, HouseRules(), lambda game: ()).settings


class Crowd:
    """Guests come in the order given; ``settle`` runs until nothing is left to do.

    ``absent`` are the times of registered tables whose named player never comes: ``registered`` are their numbers.
    """

    def __init__(
        self, guests: list[Guest], random: Random, absent: Sequence[str] = (), most_on_the_way: int = 99
    ) -> None:
        self.lobby = Lobby()
        self.most_on_the_way = most_on_the_way
        self.random = random
        self.guests: list[Guest] = []
        self.tables: dict[int, Conversation] = {}
        self.inboxes: dict[int, deque[Sit | Ask | Call]] = {}
        self.steps = 0
        self.registered = [self._register(time) for time in absent]
        self.come(guests)

    def come(self, guests: list[Guest]) -> None:
        """More guests."""
        self.guests += guests
        for guest in guests:
            guest.todo.append(self._join(guest))

    def settle(self, most: int) -> None:
        while queues := self._queues():
            self.steps += 1
            assert self.steps < most, "it does not come to an end"
            queue = self.random.choice(queues)
            if isinstance(queue, Guest):
                self._act(queue)
            else:
                self._serve(queue)

    def waiting(self) -> list[Guest]:
        """Return the guests at a table whose game has not begun."""
        return [guest for guest in self.guests if guest.table and self.state(guest.table).status is Status.OPEN]

    def state(self, table: int) -> State:
        return replace(self.tables[table].state, table=table)

    def offer(self, guest: Guest) -> Start | None:
        """Return this guest's open proposal."""
        return self._offer_at(guest.table or 0, guest.seat)

    def beside(self, guest: Guest) -> list[Guest]:
        return [other for other in self.guests if other.table == guest.table and other is not guest]

    def _queues(self) -> list[Guest | int]:
        ready: list[Guest | int] = [guest for guest in self.guests if guest.todo or (guest.later and guest.table)]
        return ready + [table for table, inbox in self.inboxes.items() if inbox]

    def _join(self, guest: Guest) -> Join:
        ready = guest.kind in ("client", "plain", "page")
        wishes = [] if guest.kind == "plain" or guest.time is None else [("time", guest.time)]
        wishes += [("awaits", guest.awaits)] if guest.awaits else []
        said = guest.start().settings if guest.kind == "gui" else None
        return Join(GAME, guest.name, wishes=tuple(wishes) if ready or guest.awaits else (), ready=ready, settings=said)

    def _act(self, guest: Guest) -> None:
        if guest.todo and not (guest.later and guest.table and self.random.random() < 0.2):
            command = guest.todo.popleft()
        else:
            command = self._whim(guest, *guest.later.pop(0))
        if isinstance(command, Join):
            self._comes(guest, command)
        elif guest.table is not None:
            self.inboxes[guest.table].append(Ask(guest, command))

    def _whim(self, guest: Guest, what: str, time: str | None, side: int | None) -> Command:
        if what == "leave":
            guest.gone = True
            return Leave()
        if what == "decline":
            return Decline("Start")
        guest.time, guest.side = time, side
        return Propose(guest.start())

    def _comes(self, guest: Guest, join: Join) -> None:
        """As gateway.seating.joining does it."""
        sought = options_of(join, HouseRules(), lambda game: ())
        before = guest.party
        party = party_of(join, sought, guest.name, guest.number, roams=guest.kind in ROAMING)
        guest.party = party
        party.blocks = guest.blocks
        party.goes_on(before)
        room = self.lobby.room(sought, party)
        number = room.table or self._open(sought)
        self.lobby.comes(number, party)
        seated = sum(other.table == number for other in self.guests)
        assert len(list(self.lobby.waiting.at(number))) - seated <= self.most_on_the_way
        if before.called is not None:
            self.lobby.waiting.settled(before)
            self._look(0)
        if room.evicts is not None:
            self.inboxes[number].append(Call(next(g for g in self.guests if g.number == room.evicts)))
        self.inboxes[number].append(Sit(guest, join, sought))

    def _open(self, sought: JoinOptions) -> int:
        number = len(self.tables) + 1
        table = self.tables[number] = Conversation(GAME)
        table.state = replace(table.state, settings=sought.settings)
        self.inboxes[number] = deque()
        self.lobby.report(self.state(number), self.state(number))
        return number

    def _register(self, time: str) -> int:
        number = len(self.tables) + 1
        table = self.tables[number] = Conversation(GAME)
        table.state = replace(table.state, settings=settings(time), registered=("mallory", ""))
        draft = Draft(table.state)
        seating.register(draft, (Seat(0, SeatKind.RESERVED, "mallory"), Seat(1, SeatKind.OPEN)), 0.0)
        table.state = draft.state
        self.inboxes[number] = deque()
        self.lobby.report(self.state(number), None, ("", ""))
        return number

    def _serve(self, number: int) -> None:
        inbox = self.inboxes[number]
        match inbox.popleft():
            case Sit(guest, join, sought):
                self._sits(number, guest, join, sought)
            case Ask(guest) | Call(guest) if guest.table != number:
                pass
            case Call(guest) as call if any(isinstance(item, Ask) and item.guest is guest for item in inbox):
                inbox.append(call)
            case Call(guest):
                self._called(number, guest)
            case Ask(guest, Leave()):
                self._leaves(number, guest)
                guest.todo.clear()
            case Ask(guest, command) if self.state(number).status is Status.OPEN:
                self._ask(number, guest, command)

    def _sits(self, number: int, guest: Guest, join: Join, sought: JoinOptions) -> None:
        table, party = self.tables[number], guest.party
        said = sought.settings if join.wishes else None
        before = self.state(number)
        try:
            if self.lobby.waiting.strays(number, party, before.game.name):
                raise Refused(Why.TABLE_FULL)
            table.ask(None, Join(GAME, guest.name, ready=join.ready, settings=said if join.ready else None))
        except Refused:
            self.lobby.report(before, before)
            if self.lobby.waiting.arrived(number, party):
                self._look(number)
            guest.todo.appendleft(join)
            return
        guest.table = number
        guest.seat = next(i for i, seat in enumerate(table.state.seats) if seat.name == guest.name)
        self.lobby.waiting.sat_down(number, guest.seat, party)
        self._told(number, before, [])
        assert not self.lobby.waiting.arrived(number, party)
        if guest.kind in ("gui", "person") and self.state(number).status is Status.OPEN:
            again = guest.standing if guest.standing is not None else guest.start()
            guest.todo.append(Propose(again))
        guest.standing = None
        self._consider(number)

    def _ask(self, number: int, guest: Guest, command: Command) -> None:
        before = self.state(number)
        if isinstance(command, Decline):
            self._remember(guest, number)
        try:
            events = self.tables[number].ask(guest.seat, command)
        except Refused:
            return
        self._told(number, before, events)
        self._consider(number)

    def _remember(self, guest: Guest, number: int) -> None:
        """Return the proposal that a decline refuses, unless it withdraws the guest's own."""
        if self._offer_at(number, guest.seat) is None:
            guest.refused |= {(other.number, self.offer(other)) for other in self.beside(guest)}

    def _called(self, number: int, guest: Guest) -> None:
        if self.state(number).status is not Status.OPEN:
            return
        if not self.lobby.waiting.leaves(number, guest.seat):
            self._look(number)
            return
        guest.standing = self.offer(guest)
        self._leaves(number, guest)
        guest.todo.clear()
        guest.todo.append(self._join(guest))

    def _leaves(self, number: int, guest: Guest) -> None:
        before = self.state(number)
        events = self.tables[number].ask(guest.seat, Leave())
        guest.table = None
        self._told(number, before, events)
        if guest.gone and guest.party.called is not None:
            self.lobby.waiting.settled(guest.party)
            self._look(0)
        lapsed = self.lobby.waiting.lapsed(number)
        if lapsed is not None and self.state(number).status is Status.OPEN:
            stood = self.state(number)
            self._told(number, stood, self.tables[number].ask(lapsed[0], Propose(lapsed[1])))
        self._consider(number)

    def _told(self, number: int, before: State, events: list[Event]) -> None:
        after = self.state(number)
        if news(before, after):
            self.lobby.declined(before, events)
            self.lobby.report(after, before)
            self._look(number)

    def _look(self, number: int) -> None:
        for table, seat in self.lobby.waiting.calls(number):
            found = [guest for guest in self.guests if guest.table == table and guest.seat == seat]
            for guest in found:
                self.inboxes[table].append(Call(guest))

    def _consider(self, number: int) -> None:
        """Let the engines at this table answer proposals, or propose their own game."""
        state = self.state(number)
        for engine in self.guests:
            if engine.table == number and engine.kind == "engine" and state.status is Status.OPEN:
                others = self.beside(engine)
                theirs = self.offer(others[0]) if others else None
                self._engine(engine, theirs, others, state)

    def _engine(self, engine: Guest, theirs: Start | None, others: list[Guest], state: State) -> None:
        mine = self.offer(engine)
        pending: list[Command] = [command for command in engine.todo if not isinstance(command, Join)]
        pending += [ask.command for ask in self.inboxes[state.table] if isinstance(ask, Ask) and ask.guest is engine]
        if pending:
            return
        if theirs is None or theirs.settings is None:
            first = engine.seat == 0 or state.seats[0].kind is SeatKind.OPEN
            meant = not engine.awaits or not others or engine.awaits == others[0].name
            if mine is None and meant and (theirs is not None or first):
                engine.todo.append(Propose(engine.start()))
            return
        rival = others[0]
        if (rival.number, theirs) in engine.refused:
            return
        accepts = any(settings(time) == theirs.settings for time in engine.plays)
        if accepts and (not engine.awaits or engine.awaits == rival.name):
            engine.todo.append(Propose(Start(theirs.settings, None if theirs.side is None else 1 - theirs.side)))
            return
        if mine is not None:
            engine.todo.append(Decline("Start"))
        engine.todo.append(Decline("Start"))
        engine.todo.append(Propose(mine or engine.start()))

    def _offer_at(self, table: int, seat: int) -> Start | None:
        made = [made.proposal for made in self.tables[table].state.proposals if made.seat == seat] if table else []
        return next((proposal for proposal in made if isinstance(proposal, Start)), None)
