"""The browser's protocol: JSON objects in the text frames of a WebSocket, for any game. docs/protocols/web.md shows it.

The page knows no rules: it is told the legal moves when its turn begins. It goes on after a lost connection behind the
last event that it has seen, by that event's number in the record. Source: this project; the frames are RFC 6455's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Join, Leave, ListMoves, Propose, Watch
from protocols.core.errors import RemoteProtocolError
from protocols.core.events import Event, is_stored
from protocols.core.in_turn import InTurnDialect
from protocols.core.proposals import Start
from protocols.web import events, frame_text, frames, messages, told
from protocols.web.beside import Beside
from protocols.web.events import LAST
from protocols.web.frames import Close, CloseCode, Frames, Ping, Text
from protocols.web.messages import Hello, Message, PingTime, Play

SILENCE_S: Final = 3.5
"""Seconds of silence before a page with a seat is pinged, and again before it is gone: its opponent hears of it within
ten. An answer takes half a second where networks are bad."""

MOST_MISSED: Final = 1000
"""Events that a page which comes back is told one by one; one that has missed more begins anew."""


class State(Enum):
    """The states of a conversation. ``hello`` comes first and once; the server refuses what else comes too early."""

    GREETING = "not greeted"
    VISITING = "without a table"
    AT_TABLE = "at a table"


_AT_TABLE: Final = State.AT_TABLE


class Web(InTurnDialect[Message]):
    name = "web"
    websocket = "/ws"
    public = False
    patient = True
    ticketed = True
    rekeys = True
    roams = True
    hears_seeks = True
    hears_talk = True
    reads_ahead = True
    secret_marks: ClassVar[tuple[bytes, ...]] = (b"",)

    _beside: dict[int, Beside] | None = None
    """By number, the tables that the page watches aside; None, at no cost, until there is one."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._frames = Frames()
        self._state = State.GREETING
        self._code = int(CloseCode.POLICY)
        """The code of the close frame where the peer's input cannot be read any further."""
        self._closed: int | None = None
        """The code of the peer's close frame; None: it has sent none."""
        self._id: int | None = None
        """The page's number of the message that is being answered."""
        self._listing: int | None = None
        """The same where that message asks for the legal moves, until they are told."""
        self._lists = True
        """False: the page knows the rules."""
        self._resumed: Hello | None = None
        """The page's knowledge of a table, until it is told the rest."""
        self._early = ntf.Noticed()
        """The seeks that stood when the page had not said hello yet."""
        self._join = Join("")
        """Its last request for a seat."""
        self._start: Propose | None = None
        """The page's proposal to start with, while it stands."""
        self._seat: int | None = None
        self._seats = 0
        self._ply = 0
        self._last = 0
        """The number of the last event in the record that the page was told."""

    def _split(self, data: bytes) -> None:
        """A ping asks whether the connection lives: a table that waits for its disk must not make it look dead."""
        for message in self._frames.split(data):
            if type(message) is Text:
                self._read(message.text)
            elif type(message) is Ping:
                self._queue.append(frames.frame(message.payload, frames.PONG))
            elif type(message) is Close:
                self._held.append(None)
                self._closed = message.code
        if (broken := self._frames.broken) is not None:
            self._code = broken.code
            raise RemoteProtocolError(str(broken))

    def _read(self, text: str) -> None:
        try:
            message = messages.read(text)
        except RemoteProtocolError:
            self._secrets += messages.secrets_in(text)
            raise
        self._secrets += messages.secrets_of(message)
        if type(message) is PingTime and self._state is not State.GREETING:
            self._say(told.pong(message.n, self.heard))
        else:
            self._held.append(message)

    def probe(self) -> None:
        self._queue.append(frames.frame(b"", frames.PING))

    def _end(self) -> list[Command]:
        """The page is gone, or says so by a close frame, which is answered by the same."""
        self.closing = True
        if self._closed is not None:
            self._queue.append(frames.close(self._closed))
        return [] if self._state is not State.AT_TABLE else [Leave(lost=True)]

    def _give_up(self, why: str) -> None:
        self._part("error", why, self._code)

    def _part(self, why: told.Parting, text: str, code: int = CloseCode.NORMAL) -> None:
        """Say the last words."""
        self._say(told.goodbye(why, text))
        self._queue.append(frames.close(code, text))
        self.closing = True

    def _say(self, message: bytes) -> None:
        self._queue.append(frames.frame(message))

    def _hear(self, message: Message) -> list[Command]:
        self._id = message.id
        self._listing = message.id if type(message) is messages.Moves else None
        if type(message) is Hello:
            return self._greeted(message)
        if self._state is State.GREETING:
            self._break("the first message is hello")
        if type(message) is PingTime:
            self._say(told.pong(message.n, self.heard))
            return []
        command = messages.command(message)
        if type(message) is not Play:
            self._note(command)
        return [command]

    def _break(self, why: str) -> None:
        self._part("error", why, CloseCode.POLICY)
        raise RemoteProtocolError(why)

    def _greeted(self, hello: Hello) -> list[Command]:
        if self._state is not State.GREETING:
            self._break("hello is said once")
        if hello.v != messages.VERSION:
            self._part("version", f"version {messages.VERSION} is spoken here, not {hello.v}: load the page anew")
            return []
        self._state = State.VISITING
        self._say(told.welcome(self.heard))
        self._lists = hello.moves
        self.hears_everybody = hello.everybody
        self.silence_s = SILENCE_S if hello.beat else 0.0
        self._resumed = hello
        if hello.ticket:
            return [Join("", "", hello.ticket, ready=False, kept=True)]
        if hello.account and hello.table is not None:
            return [Join("", ready=False, table=hello.table)]
        if hello.table is not None:
            return [Watch(hello.table)]
        if self._early.posted:
            self._say(told.seeks(self._early))
        return []

    def _note(self, command: Command) -> None:
        """Keep what a later word depends on."""
        match command:
            case Join():
                self._join, self._resumed = command, None
            case Watch(aside=False):
                self._resumed = None
            case Leave():
                self._state, self._seat, self._start = State.VISITING, None, None

    def send_step(self, messages: Iterable[ntf.Notification], seq: int) -> tuple[bytes, list[Command]]:
        """Puts a table's events into words once for all observers who have been told the same before."""
        last, ply, step = self._last, self._ply, LAST
        follows = self._seat is None and self._state is _AT_TABLE and not (self._queue or self.closing)
        if follows and messages is step.messages and last == step.last and ply == step.ply:
            self._last, self._ply = step.then
            return step.frames, []
        frames, commands = super().send_step(messages, seq)
        if not (follows and seq) or commands or self.closing or self._state is not _AT_TABLE:
            return frames, commands
        frames = frames or b"".join(self._queue)
        self._queue.clear()
        step.messages, step.last, step.ply = messages, last, ply
        step.then, step.frames = (self._last, self._ply), frames
        return frames, []

    def send_aside(self, table: int, messages: Iterable[ntf.ToldAside], seq: int) -> bytes:
        if self._beside is None:
            self._beside = {}
        beside = self._beside.setdefault(table, Beside(table))
        said = list(beside.step(messages, seq))
        if beside.over:
            del self._beside[table]
        return b"".join(map(frames.frame, said))

    def send(self, message: ntf.Notification) -> None:
        if self.closing:
            return
        step = _STEPS.get(type(message))
        if step is None:
            self._happened(message)  # type: ignore[arg-type]  # the others are events
        else:
            step(self, message)

    def _happened(self, event: Event) -> None:
        """Tell an event in the order of the record; what is not for this seat is told by its number."""
        seq = self._number(event)
        if seq:
            for missing in range(self._last + 1, seq):
                self._say(events.hidden(missing))
            self._last = seq
        self._queue.append(events.framed(event, seq, self._ply))

    def _number(self, event: Event) -> int:
        """The number of an event in the record, 0: it is not stored. Without its owner's word it is counted."""
        seq = self.seq
        if seq == 0 or not is_stored(event):
            return 0
        if seq is None:
            words_of_ours = type(event) is ev.Said and event.seat is None
            return 0 if words_of_ours or not self._last else self._last + 1
        self.seq = seq + 1
        return seq

    def _seated(self, message: ntf.Seated) -> None:
        self._state, self._start = State.AT_TABLE, None
        self._seat, self._last = message.seat, message.seq
        self._take_in(message.past)
        numbered = list(events.numbered(message))
        after = self._known(message)
        if after:
            self._say(told.seated(message.table, message.seat, after, [], message.ticket))
            for seq, event in numbered[after:]:
                self._say(events.hidden(seq) if event is None else events.message(event, seq))
        else:
            known = events.past(numbered)
            self._say(told.seated(message.table, message.seat, message.seq, known, message.ticket))
        self._resumed = None
        self._tell_turn(message.past)

    def _known(self, message: ntf.Seated) -> int:
        """The number of the event behind which the page goes on; 0: it is told everything."""
        hello = self._resumed
        if hello is None or hello.table != message.table or not hello.after or hello.after > message.seq:
            return 0
        return hello.after if message.seq - hello.after <= MOST_MISSED else 0

    def _take_in(self, past: tuple[Event, ...]) -> None:
        self._seats = self._ply = 0
        for event in past:
            step = _FOLLOWED.get(type(event))
            if step is not None:
                step(self, event)

    def _tell_turn(self, past: tuple[Event, ...]) -> None:
        """The turn as it is now stands last."""
        if (found := events.turn_now(past)) is not None:
            seat, clock = found
            self._say(events.turn(seat, self._ply, 0, clock))
            self._prompt(seat)

    def _prompt(self, seat: int) -> None:
        """Ask for the legal moves where it is the page's turn, if it wants them."""
        if seat == self._seat and self._lists:
            self._prompted.append(ListMoves())

    def _turn(self, event: ev.TurnStarted) -> None:
        self._happened(event)
        self._prompt(event.seat)

    def _moved(self, event: ev.MoveMade) -> None:
        self._ply = event.ply
        self._happened(event)

    def _started(self, event: ev.GameStarted) -> None:
        self._begun(event)
        self._happened(event)

    def _begun(self, event: ev.GameStarted) -> None:
        self._seats, self._ply, self._start = event.settings.seats, 0, None

    def _opened(self, event: ev.TableOpened) -> None:
        self._seats = event.settings.seats

    def _count(self, event: ev.MoveMade | ev.MovesTakenBack) -> None:
        self._ply = event.ply

    def _taken_back(self, event: ev.MovesTakenBack) -> None:
        self._ply = event.ply
        self._happened(event)

    def _turned(self, event: ev.SeatsTurned) -> None:
        """All players moved some seats on, while the page sat there."""
        if self._seat is not None and self._seats:
            self._seat = (self._seat + event.by) % self._seats
        self._happened(event)

    def _proposed(self, event: ev.Proposed) -> None:
        if event.seat == self._seat and isinstance(event.proposal, Start):
            self._start = Propose(event.proposal)
        self._happened(event)

    def _declined(self, event: ev.Declined) -> None:
        if event.kind == Start.__name__:
            self._start = None
        self._happened(event)

    def _table_closed(self, event: ev.TableClosed) -> None:
        self._happened(event)
        self._part("closed", "this table is closed")

    def _rejected(self, message: ntf.Rejected) -> None:
        ply = self._ply if self._state is State.AT_TABLE else None
        self._say(told.rejected(message, self._id, ply))

    def _listed(self, message: ntf.MovesListed) -> None:
        number, self._listing = self._listing, None
        self._say(told.moves(message, number))

    def _noticed(self, message: ntf.Noticed) -> None:
        """Keeps everything told before the page has said hello for then."""
        if self._state is not State.GREETING:
            self._say(told.seeks(message))
            return
        kept = (made for made in self._early.posted if made not in message.removed)
        self._early = ntf.Noticed((*kept, *message.posted), (), message.more)

    def _called_away(self, message: ntf.CalledAway) -> None:
        """To a waiting player; what it proposes is proposed there, too."""
        start = self._start
        self._state, self._seat, self._start, self._id = State.VISITING, None, None, None
        self._prompted.append(replace(self._join, ticket="", kept=False))
        if start is not None and not self._join.ready:
            self._prompted.append(start)

    def _called(self, message: ntf.Called) -> None:
        """To the seat of a game that comes of an offer."""
        if self._state is State.AT_TABLE:
            return
        self._say(told.called(message.text))
        self._join, self._id = message.join, None
        self._prompted += (message.join, Propose(message.start))

    def _uncalled(self, message: ntf.Uncalled) -> None:
        self._say(told.uncalled(message.text))
        self._note(leave := Leave())
        self._prompted.append(leave)

    def _displaced(self, message: ntf.Displaced) -> None:
        self._part("replaced", ntf.DISPLACED)

    @classmethod
    def hide(cls, data: bytes, secret: str) -> bytes:
        return frame_text.hidden(data, secret)

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return frame_text.to_text(data, sent=sent)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return frame_text.to_wire(lines, sent=sent)


_STEPS: Final[Mapping[type, Callable[[Web, Any], None]]] = {
    ntf.Seated: Web._seated,
    ntf.Rejected: Web._rejected,
    ntf.Answered: lambda web, message: web._say(told.answered(message, web._id if message.topic else None)),
    ntf.MovesListed: Web._listed,
    ntf.CalledAway: Web._called_away,
    ntf.Called: Web._called,
    ntf.Uncalled: Web._uncalled,
    ntf.Unmatched: lambda web, message: web._say(told.unmatched(message.others)),
    ntf.LoggedIn: lambda web, message: web._say(told.logged_in(message.name)),
    ntf.Named: lambda web, message: web._say(told.named(message)),
    ntf.Stakes: lambda web, message: web._say(events.json(told.stakes(message))),
    ntf.Rated: lambda web, message: web._say(events.json(told.rated(message))),
    ntf.Displaced: Web._displaced,
    ntf.Noticed: Web._noticed,
    ev.TurnStarted: Web._turn,
    ev.MoveMade: Web._moved,
    ev.MovesTakenBack: Web._taken_back,
    ev.GameStarted: Web._started,
    ev.SeatsTurned: Web._turned,
    ev.Proposed: Web._proposed,
    ev.Declined: Web._declined,
    ev.TableClosed: Web._table_closed,
}

_FOLLOWED: Final[Mapping[type, Callable[[Web, Any], None]]] = {
    ev.TableOpened: Web._opened,
    ev.GameStarted: Web._begun,
    ev.MoveMade: Web._count,
    ev.MovesTakenBack: Web._count,
}
"""Steps for what has happened before: the seat is its present one already."""
