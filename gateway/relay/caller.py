"""One connection to the relay port until its bytes are copied: its lines, and what the room makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import trio

from gateway.config import Config
from gateway.relay import wire
from gateway.relay.counters import Counters
from gateway.relay.rendezvous import Refusal, Room, Stage, Step, Steps
from gateway.relay.splice import Splice
from gateway.relay.visitor import Visitor

ALIVE_S: Final = 20.0
"""Seconds between two WAIT: shorter than the minute after which some routers forget a silent connection."""

CHOICE_S: Final = 60.0
"""Seconds from PEER to JOINED or DIRECT: several attempts to reach each other directly fit in."""

LINES: Final = 8
"""Lines one connection may send: MEET, and a choice or two."""

NOT_YET: Final = "after JOIN wait for JOINED or DIRECT"


class Service(Protocol):
    """The side of the relay that a caller and its meeting use."""

    @property
    def config(self) -> Config:
        """The settings."""

    @property
    def counters(self) -> Counters:
        """The relay's counters."""

    @property
    def callers(self) -> set[Caller]:
        """The callers that are connected and not yet joined."""

    def find(self, code: str, asker: str) -> Meeting | None:
        """The meeting of this code; None: there is none here. Refusal: this address has guessed too often."""

    def pass_on(self, caller: Caller, code: str, said: bytes) -> None:
        """Another node has the room, or none; the caller has ``said`` so much. It is this class's no more."""

    def splice(self, visitors: tuple[Visitor, Visitor], room: Room, parted: Callable[[], None]) -> Splice:
        """Two visitors of a room, joined but not started; ``parted`` is called when they are no longer."""

    def close_port(self, room: Room) -> None:
        """The room's one-time port accepts no more callers."""


class Caller:
    """``meeting`` is None until its first line was understood; ``since`` is when its stage began, in trio's seconds."""

    __slots__ = ("_lines", "_rest", "_said", "addresses", "at", "meeting", "relay", "since", "visitor")

    def __init__(self, relay: Service, visitor: Visitor) -> None:
        self.relay = relay
        self.visitor = visitor
        self.meeting: Meeting | None = None
        self.at = 0
        self.addresses: tuple[str, ...] = ()
        self.since = self._said = trio.current_time()
        self._rest = b""
        self._lines = 0
        visitor.watch(self.ready)

    def ready(self) -> None:
        """Bytes can be read, or may be there: inside TLS no selector sees what is left."""
        while self in self.relay.callers:
            data = self.visitor.hear(wire.LONGEST)
            if data is None:
                return
            if not data:
                self.lost()
                return
            try:
                self._read(data)
            except wire.BadLine as error:
                self.refuse("bad_line", str(error))
            except Refusal as refusal:
                self.refuse(refusal.reason, str(refusal))

    def _read(self, data: bytes) -> None:
        self._rest += data
        while self in self.relay.callers:
            line, end, rest = self._rest.partition(b"\n")
            if len(line) >= wire.LONGEST:
                raise wire.BadLine(f"a line has at most {wire.LONGEST} bytes")
            if not end:
                self._check_silent(line)
                return
            self._rest = rest
            self._obey(line)

    def _check_silent(self, part: bytes) -> None:
        """BadLine: ``part`` of a line came after JOIN, where it would be lost when the bytes of the two are copied."""
        if part and self.meeting is not None and self.meeting.room.stages[self.at] is Stage.JOINING:
            raise wire.BadLine(NOT_YET)

    def _obey(self, line: bytes) -> None:
        self._lines += 1
        if self._lines > LINES:
            raise wire.BadLine("too many lines")
        if self.meeting is None:
            self._meet(line)
            return
        room = self.meeting.room
        if room.stages[self.at] is Stage.WAITING:
            raise wire.BadLine("wait for PEER")
        choice = wire.read_choice(line)
        if room.stages[self.at] is Stage.JOINING or (choice == wire.JOIN and self._rest):
            raise wire.BadLine(NOT_YET)
        self.meeting.obey(room.join(self.at) if choice == wire.JOIN else self._direct(room))

    def _meet(self, line: bytes) -> None:
        meet, now = wire.read_meet(line), trio.current_time()
        meeting = self.relay.find(meet.room, self.visitor.host)
        if meeting is None:
            self.relay.pass_on(self, meet.room, line + b"\n" + self._rest)
            return
        self.at, steps = meeting.room.meet(meet.side, now)
        self.addresses = meet.addresses
        self.since = now
        meeting.enter(self, steps)

    def _direct(self, room: Room) -> Steps:
        if room.stages[self.at] is not Stage.DIRECT:
            self.relay.counters.direct += 1
        return room.direct(self.at)

    def tell(self, step: Step, other: Caller | None) -> None:
        """One step of the room's, for this connection; ``other`` is at the other side."""
        self._said = trio.current_time()
        if step is Step.WAIT:
            self.visitor.say(wire.WAIT)
        elif step is Step.PEER and other is not None:
            self.since = self._said
            self.visitor.say(wire.peer(self.at, other.visitor.shown, other.addresses))
        elif step is Step.JOINED:
            self.visitor.say(wire.JOINED)
        elif step is Step.DIRECT:
            self.visitor.say(wire.DIRECT)

    def look(self, now: float) -> None:
        """Say WAIT again, or refuse what takes too long."""
        stage = self.meeting.room.stages[self.at] if self.meeting else None
        limits = self.relay.config
        if stage is None and now - self.since >= limits.limits.handshake_s:
            self.refuse("late", "say who you want to meet")
        elif stage is Stage.WAITING and now - self._said >= ALIVE_S:
            self.tell(Step.WAIT, None)
        elif stage in (Stage.MET, Stage.JOINING) and now - self.since >= CHOICE_S:
            self.refuse("late", "neither JOIN nor DIRECT of both in time")
        elif stage is Stage.DIRECT and limits.relay.idle_s is not None and now - self._said >= limits.relay.idle_s:
            self.refuse("idle", "nothing to do here any more")

    def refuse(self, reason: str, text: str) -> None:
        """Say why, and hang up."""
        self.relay.counters.refusals[reason] += 1
        self.visitor.say(wire.no(text))
        self.lost()

    def lost(self) -> None:
        """The connection is over: tell the room, and close."""
        meeting, self.meeting = self.meeting, None
        self.close()
        if meeting is not None:
            meeting.leave(self)

    def close(self) -> None:
        """Close without telling the room. Idempotent."""
        self.relay.callers.discard(self)
        self.meeting = None
        self.visitor.close()


class Meeting:
    """A room and what is connected to it: its callers, or the splice they have become."""

    __slots__ = ("_relay", "callers", "room", "splice")

    def __init__(self, relay: Service, room: Room) -> None:
        self._relay = relay
        self.room = room
        self.callers: list[Caller | None] = [None, None]
        self.splice: Splice | None = None

    def enter(self, caller: Caller, steps: Steps) -> None:
        """A caller in the place of the one before; only it hears those steps that are not CLOSE."""
        for at, step in steps:
            if step is Step.CLOSE:
                self._close(at)
        self.callers[caller.at] = caller
        caller.meeting = self
        self.obey([(at, step) for at, step in steps if step is not Step.CLOSE])
        if self.room.met:
            self._relay.close_port(self.room)

    def leave(self, caller: Caller) -> None:
        """A caller's connection ended by itself."""
        self.callers[caller.at] = None
        self.obey(self.room.gone(caller.at, trio.current_time()))

    def obey(self, steps: Steps) -> None:
        """Do what the room says."""
        for at, step in steps:
            caller = self.callers[at]
            if step is Step.CLOSE:
                self._close(at)
            elif caller is not None:
                caller.tell(step, self.callers[1 - at])
        if any(step is Step.JOINED for _, step in steps):
            self._join()

    def _close(self, at: int) -> None:
        if self.splice is not None:
            self.splice.close()
        caller, self.callers[at] = self.callers[at], None
        if caller is not None:
            caller.close()

    def _join(self) -> None:
        first, second = self.callers
        self.callers = [None, None]
        if first is None or second is None:
            return
        for caller in (first, second):
            self._relay.callers.discard(caller)
            caller.meeting = None
        self.splice = self._relay.splice((first.visitor, second.visitor), self.room, self._parted)
        self.splice.start((b"", b""), (False, False))

    def _parted(self) -> None:
        """Both may come back, until the grace is over. Where a newer connection parted them it is there already."""
        self.splice = None
        now = trio.current_time()
        for at in (0, 1):
            if self.room.stages[at] is Stage.JOINED:
                self.room.gone(at, now)

    def close(self, why: str) -> None:
        """The room is over."""
        if self.splice is not None:
            self.splice.close()
        callers, self.callers = self.callers, [None, None]
        for caller in filter(None, callers):
            caller.meeting = None
            caller.refuse("over", why)
