"""The relay's service: opens rooms with their one-time ports, lets callers in, sweeps what is late, keeps what runs."""

from __future__ import annotations

import contextlib
import secrets
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog
import trio

from gateway import registry
from gateway.config import Config
from gateway.net import readiness
from gateway.net.addresses import address_key
from gateway.net.log_limiter import LogLimiter
from gateway.net.proxy_reader import ProxyReader
from gateway.net.sockets import Enter, set_up
from gateway.relay import wire
from gateway.relay.caller import Caller, Meeting
from gateway.relay.counters import Counters
from gateway.relay.passing import Elsewhere, Gate, Pass, call, nowhere
from gateway.relay.ports import Guest, OneTimePort, open_port, read_range
from gateway.relay.recording import Recording, new_file
from gateway.relay.rendezvous import LETTERS, LETTERS_EACH, Refusal, Room, Rooms, unknown_code
from gateway.relay.secured import SecuredVisitor
from gateway.relay.splice import Splice
from gateway.relay.visitor import ConnectionCounter, Visitor, guarded

SWEEP_S: Final = 1.0
"""Seconds between two looks at everything that can be late: all deadlines here are much longer."""

V = TypeVar("V", bound=Visitor)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Opened:
    """A new code; ``port`` None: it is for helpers only; ``expires_in_s`` seconds from now two must have met."""

    code: str
    port: int | None
    expires_in_s: float


class Relay:
    """``host`` is where one-time ports listen, ``port`` where helpers call. ``run`` must be running while anything else
    is called."""

    def __init__(
        self,
        config: Config,
        counter: ConnectionCounter,
        host: str,
        port: int,
        lines: LogLimiter,
        *,
        tls: bool = False,
        record_all: bool = False,
        proxies: ProxyReader | None = None,
        elsewhere: Elsewhere = nowhere,
        gate: Gate | None = None,
    ) -> None:
        """``tls``: whether helpers must speak it there; ``proxies``: one-time ports are behind them. ``elsewhere`` asks
        the other nodes; at the ``gate`` they pass callers on. BadSetting for a range of ports
        that is none."""
        self.lines = lines
        self.config = config
        self.port = port
        self.tls = tls
        self.counters = Counters()
        self.callers: set[Caller] = set()
        self._rooms = Rooms(config.relay)
        self._meetings: dict[str, Meeting] = {}
        self._ports: dict[str, OneTimePort] = {}
        self._splices: set[Splice] = set()
        self._counter = counter
        self._host = host
        self._range = read_range(config.relay.ports)
        self._proxies = proxies
        self._elsewhere = elsewhere
        self._gate = gate
        self._record_all = record_all
        self._recorded = 0
        self._nursery: trio.Nursery | None = None

    def reread(self, config: Config) -> None:
        """Keep to these settings from now on. A pair that is joined keeps its rate; one-time ports stay as they are."""
        self.config = config
        self._rooms.reread(config)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Look after everything until cancelled; then hang up on all."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                if self._gate is not None:
                    nursery.start_soon(self._gate.accept, self.enter, self.lines)
                task_status.started()
                sweep = guarded(self._sweep, list)
                while True:
                    await trio.sleep(SWEEP_S)
                    sweep()
        finally:
            self._nursery = None
            self._close()

    def open(self, opener: str, *, port: bool = True, dialect: str = "", record: bool = False) -> Opened:
        """A new room for two, opened from this address; no one-time port where the settings allow none. Refusal."""
        if dialect and dialect not in registry.dialects():
            raise Refusal("unknown_dialect", f"no dialect {dialect!r}; there are {', '.join(registry.dialects())}")
        if record and not self.config.relay.recordings:
            raise Refusal("no_recordings", "this server records nothing")
        try:
            room = self._rooms.open(self._new_code(), address_key(opener), trio.current_time())
            room.dialect, room.recorded = dialect, record
            number = self._open_port(room) if port and self._range != range(0) else None
        except Refusal as refusal:
            self.counters.refusals[refusal.reason] += 1
            raise
        self._meetings[room.code] = Meeting(self, room)
        self.counters.rooms += 1
        self.counters.rooms_now = len(self._rooms)
        return Opened(room.code, number, self.config.relay.expires_s)

    def enter(self, sock: socket.socket, address: Any) -> bool:
        """A caller has dialled the relay port; False at the limit of connections."""
        visitor = self._admit(sock, address, wire.no("the server is full"))
        if visitor is not None:
            self.callers.add(Caller(self, visitor))
        return visitor is not None

    def admit_secured(self, sock: socket.socket, address: Any, context: ssl.SSLContext) -> SecuredVisitor | None:
        """The same at a port with TLS; ``enter_secured`` follows the handshake."""
        return self._taken_in(sock, address, partial(SecuredVisitor, context=context))

    def enter_secured(self, visitor: SecuredVisitor) -> None:
        """Their first words may have come with the handshake."""
        caller = Caller(self, visitor)
        self.callers.add(caller)
        guarded(caller.ready, caller.lost, visitor.shown)()

    def find(self, code: str, asker: str) -> Meeting | None:
        """None: there is no such room here. Refusal: this address has guessed too often."""
        room = self._rooms.find(code, address_key(asker), trio.current_time())
        return None if room is None else self._meetings[room.code]

    def invite(self, code: str, client: tuple[str, int]) -> Pass | None:
        """A pass for a caller of another node from there; None: this node has no such room, or no gate."""
        return self._gate.invite(client) if self._gate is not None and code in self._rooms else None

    def pass_on(self, caller: Caller, code: str, said: bytes) -> None:
        """Join a caller with the node that has the room of this code, to which it has ``said`` so much."""
        assert self._nursery is not None
        self.callers.discard(caller)
        caller.visitor.unwatch()
        self._nursery.start_soon(self._pass_on, caller, code, said)

    async def _pass_on(self, caller: Caller, code: str, said: bytes) -> None:
        visitor, joined = caller.visitor, False
        try:
            found = await self._elsewhere(code, (visitor.host, int(visitor.shown.rpartition(":")[2])))
            if found is None:
                raise unknown_code()
            self._rooms.excuse(address_key(visitor.host), trio.current_time())
            onward = Visitor(await call(found), found.host, "", None, readiness.shared())
            more = visitor.hear(wire.LONGEST)  # inside TLS no selector sees what is left
            splice = self._made((visitor, onward), list, Counters(), None)
            joined = True
            self.counters.passed_on += 1
            splice.start((said + (more or b""), b""), (more == b"", False))
        except Refusal as refusal:
            caller.refuse(refusal.reason, str(refusal))
        finally:
            if not joined:
                visitor.close()

    def splice(self, visitors: tuple[Visitor, Visitor], room: Room, parted: Callable[[], None]) -> Splice:
        """Two visitors of a room, joined but not started."""
        return self._made(visitors, parted, self.counters, self._recording(visitors, room))

    def _made(
        self,
        visitors: tuple[Visitor, Visitor],
        parted: Callable[[], object],
        counters: Counters,
        recording: Recording | None,
    ) -> Splice:
        made: list[Splice] = []

        def ended() -> None:
            self._splices.discard(made.pop())
            parted()

        made.append(Splice(visitors, self.config.relay.bytes_per_second, counters, ended, self._later, recording))
        self._splices.add(made[0])
        return made[0]

    def send_away(self, banned: Callable[[str], str]) -> None:
        """Hang up on all callers from banned addresses: ``banned`` says why, "" when it is not."""
        for caller in list(self.callers):
            if why := banned(caller.visitor.host):
                caller.refuse("banned", why)
        for splice in list(self._splices):
            if any(banned(end.visitor.host) for end in splice.ends):
                splice.close()
        for port in self._ports.values():
            port.send_away(banned)

    def close_port(self, room: Room) -> None:
        """The room's one-time port is closed."""
        port = self._ports.pop(room.code, None)
        if port is not None:
            port.close()

    def _admit(self, sock: socket.socket, address: Any, full: bytes = b"") -> Visitor | None:
        """A visitor; at the limit of connections None, after ``full`` as the last word."""
        return self._taken_in(sock, address, Visitor, full)

    def _taken_in(self, sock: socket.socket, address: Any, made: Callable[..., V], full: bytes = b"") -> V | None:
        host = str(address[0])
        if self._counter.take(host):
            set_up(sock)
            return made(sock, host, wire.shown(host, int(address[1])), self._counter, readiness.shared())
        self.counters.refusals["full"] += 1
        with sock:
            sock.setblocking(False)
            with contextlib.suppress(OSError):  # it has gone by itself
                sock.send(full)
        return None

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LETTERS_EACH))
            if code not in self._rooms:
                return code

    def _open_port(self, room: Room) -> int:
        sock = open_port(self._host, self._range)
        if sock is None:
            self._rooms.close(room)
            raise Refusal("no_port", "no one-time port is free; try again in some minutes")
        opened = OneTimePort(sock, readiness.shared(), self._admit, partial(self._dialled, room), self._behind_proxies)
        self._ports[room.code] = opened
        return opened.port

    def _behind_proxies(self, enter: Enter, port: int) -> Enter:
        """``enter`` of a one-time port, after the PROXY header where there are proxies."""
        if self._proxies is None:
            return enter
        assert self._nursery is not None
        return self._proxies.before(enter, self._nursery, f"one-time port {port}")

    def _dialled(self, room: Room, first: Guest, second: Guest) -> None:
        """Two programs have met at a room's one-time port; a caller that waits for its code waits in vain."""
        room.used = True
        self._ports.pop(room.code, None)
        meeting = self._meetings[room.code]
        meeting.close("this code is in use by two others")
        meeting.splice = self.splice((first.visitor, second.visitor), room, partial(self._forget, room))
        meeting.splice.start((first.early, second.early), (first.silent, second.silent))

    def _forget(self, room: Room) -> None:
        self.close_port(room)
        self._rooms.close(room)
        self._meetings.pop(room.code, None)
        self.counters.rooms_now = len(self._rooms)

    def _recording(self, visitors: tuple[Visitor, Visitor], room: Room) -> Recording | None:
        limits = self.config.relay
        if not (room.recorded or self._record_all or self.config.log.wire) or not limits.recordings:
            return None
        self._recorded += 1
        dialect = registry.dialects()[room.dialect] if room.dialect else None
        try:
            path = new_file(Path(self.config.server.data) / "wire", self._recorded, limits.recordings)
            return Recording(path, dialect, (visitors[0].shown, visitors[1].shown), limits.recorded_bytes)
        except OSError as error:
            _log.warning("no wire log of a relayed pair", peers=[one.shown for one in visitors], error=str(error))
            return None

    def _later(self, wait_s: float, resume: Callable[[], None]) -> None:
        async def later() -> None:
            await trio.sleep(wait_s)
            guarded(resume, list)()

        if self._nursery is not None:
            self._nursery.start_soon(later)

    def _sweep(self) -> None:
        now = trio.current_time()
        for room, why in self._rooms.over(now):
            self.counters.expired += not room.met
            self._meetings[room.code].close(why)
            self._forget(room)
        for caller in list(self.callers):
            caller.look(now)
        idle_s = self.config.relay.idle_s
        if idle_s is not None:
            for splice in [splice for splice in self._splices if now - splice.heard >= idle_s]:
                splice.close()

    def _close(self) -> None:
        for meeting in list(self._meetings.values()):
            meeting.close("the server stops")
            self._forget(meeting.room)
        for splice in list(self._splices):  # of callers that were passed on: no room of this node has them
            splice.close()
        for caller in list(self.callers):
            caller.refuse("over", "the server stops")
