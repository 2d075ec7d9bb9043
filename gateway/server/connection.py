"""One client: its bytes to commands, its commands to its table, what it is told to bytes.

A connection owns its socket and its dialect. Its table tells it directly: what fits the system's buffer is sent at
once, the rest waits, bounded in bytes and time, for a writer task that lives only as long as something waits.
Not here: deadlines (the house sweeps), seats (the house), rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import structlog
import trio

from gateway.net.allowance import Allowance
from gateway.server.about import about
from gateway.server.metrics import DEAF
from gateway.server.peer import Peer
from gateway.server.requests import Ask
from gateway.server.wire_log import WireLog
from protocols.core.commands import Command, Inquire, Join, Leave, Login, PlayMove, Say, Watch
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, RemoteProtocolError, Why
from protocols.core.told import Answered, Displaced, LoggedIn, Rejected, Told

if TYPE_CHECKING:
    from gateway.lobby.party import Party
    from gateway.server.house import House
    from gateway.server.listen import Entrance
    from gateway.server.table_task import TableTask

PARTING_S: Final = 1.0
"""Seconds a closing connection may still take to read what it was told."""

COMMAND_BYTES: Final = 64
"""Bytes that count as one command against the rate, where there are fewer commands: what the dialect answers by
itself, or a peer sends without ever asking anything, is not free. Most commands are shorter on any wire."""

MOST_HELD: Final = 64
"""Messages that may wait in a dialect for an answer before no more bytes are read: more than programs send at once."""

_log = structlog.get_logger()


class Connection:
    """``table`` and ``seat`` are None until the house has seated it. Times are trio's, in seconds."""

    def __init__(self, house: House, door: Entrance, peer: Peer, dialect: Dialect, address: str, number: int) -> None:
        now = trio.current_time()
        limits = house.config.limits
        self.house = house
        self.door = door
        self.peer = peer
        self.dialect = dialect
        self.address = address
        self.number = number
        self.table: TableTask | None = None
        self.seat: int | None = None
        self.since = self.heard = now
        self.unread_since: float | None = None
        self.wire_log: WireLog | None = None
        self.account = ""
        """The account it is logged in as, by the name that was registered; "" for a guest."""
        self.party: Party | None = None
        """What it looked for when it last asked for a seat."""
        self.ready = False
        """Whether it sat down ready: what it wants stands as long as it sits, for it has no word to say it again."""
        self.called_away: trio.Event | None = None
        """While its table lets it go to another one: set when the dialect has been told, and asks for a seat."""
        self.ended = False
        self.move_s = house.metrics.timing(dialect.name)
        self._allowance = Allowance(limits.messages_per_second, limits.messages_burst, now)
        self._awaited: tuple[int, float] | None = None
        """The answer that is awaited, by its number, and since when."""
        self._asked: list[Command] = []
        """What was heard and not served yet."""
        self._unanswered = 0
        """Commands of the dialect that have not been answered yet."""
        self._resumed = trio.Event()
        """Set when the commands that the dialect had held last have been served, or handed to the table."""
        self._resumed.set()
        self._interpreted: trio.Event | None = None
        """Set when the dialect has interpreted some of what it holds; None while nobody waits for that."""
        self._pause_s = 0.0
        self._following: deque[tuple[list[Command], float]] = deque()
        """What it has asked by itself, since when, and is not served yet; the first of these is being served."""
        self._followed = trio.Event()
        self._over = False
        self._unread: deque[bytes] = deque()  # each part whole messages, but for what is left of the first
        self._unread_bytes = 0
        self._drained: trio.Event | None = None
        self._displaced = False
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """From accept to close. Raises nothing: this is the one place that keeps a defect to its connection."""
        try:
            with self._scope:
                await self._converse()
        except Exception:
            _log.exception("connection failed", **about(self))
        finally:
            self.ended = True
            self.house.visitors.left(self)
            if self.table is not None:
                self.table.gone(self)
            self.peer.close()
            if self.wire_log is not None:
                self.wire_log.close()

    async def _converse(self) -> None:
        self._asked = self.dialect.connected()
        self._understood(self._asked)
        await self._obey()
        most = self.house.config.limits.receive_bytes
        while not (self._over or self.dialect.closing):
            await self.peer.receive(most, self._serve)
            await self._obey()
            while self.dialect.held > (0 if self._over else MOST_HELD):
                self._interpreted = trio.Event()
                await self._interpreted.wait()
            if self._pause_s:
                await trio.sleep(self._pause_s)  # what it sends meanwhile waits in its own system
        await self._part()

    def _serve(self, data: bytes) -> bool:
        """Act on these bytes as far as that needs no waiting; whether that was all, and the conversation goes on."""
        self.heard = heard = trio.current_time()
        if self._displaced and self.dialect.closing:
            return False
        dialect, before = self.dialect, self.dialect.held
        waits = self._unanswered > 0 and dialect.in_turn
        try:
            if waits:
                dialect.hold(data)
                commands = []
            else:
                commands = dialect.receive_data(data)
        except RemoteProtocolError as error:
            self._received(data, held=waits)
            self._broken(str(error))
            return False
        self._received(data, held=waits)
        self._over = not data
        self._asked = commands
        asked = len(commands) + dialect.held - before
        self._pause_s = self._allowance.wait_s(max(asked, len(data) / COMMAND_BYTES), heard)
        self._understood(commands)
        while commands and not self._following and self.table and self.table.at_once.play(self, commands[0], heard):
            del commands[0]
        return not (commands or self._pause_s or self._over or dialect.closing or dialect.held > MOST_HELD)

    def _received(self, data: bytes, *, held: bool) -> None:
        """Write the bytes to the wire log, without the secrets that the dialect has read in them."""
        secrets = self.dialect.taken_secrets()
        if self.wire_log is not None:
            self.wire_log.received(data, secrets, held=held, unread=self.dialect.held > 0)

    def _broken(self, why: str) -> None:
        self.house.threshold.broken(self, why)
        if self.wire_log is not None:
            self.wire_log.broken(why)
        self.flush()
        self._over, self._pause_s = True, 0.0

    def _understood(self, commands: list[Command]) -> None:
        """The dialect may have answered by itself: that leaves before what its ``commands`` bring."""
        self._unanswered += len(commands)
        if self.wire_log is not None:
            self.wire_log.asked(commands)
        if self.dialect.remarks:
            self._note()
        self.flush()

    def _note(self) -> None:
        """Write what the dialect remarks to the log."""
        for remark in self.dialect.remarks:
            self.house.lines.info(_log, "remark", of=self.dialect.name, remark=remark, **about(self))
        self.dialect.remarks.clear()

    def answered(self) -> None:
        """One of its commands has been answered. When all have, the dialect interprets what it holds."""
        self._unanswered -= 1
        while self.dialect.held and not (self._unanswered or self.ended):
            self._resume()
        if self._interpreted is not None:
            self._interpreted.set()

    def _resume(self) -> None:
        if self.wire_log is not None:
            self.wire_log.resumed()
        try:
            commands = self.dialect.resume()
            self.dialect.taken_secrets()  # the log has left out what may hold them
        except RemoteProtocolError as error:
            commands = []
            self._broken(str(error))
        self._understood(commands)
        if commands or self.dialect.closing:
            self._resumed = trio.Event()
            self.house.look_after(self._serve_resumed, commands, self._resumed)

    async def _serve_resumed(self, commands: list[Command], served: trio.Event) -> None:
        """Serve what was held and has been interpreted now; and the peer's end, if the dialect is through with it."""
        try:
            await self._do(commands, self.heard)
        finally:
            served.set()
        if self.dialect.closing:
            await self._part()
            self.close()

    async def _obey(self) -> None:
        """Everything that was asked and not served yet, behind what was asked without a word from the peer before."""
        commands, self._asked = self._asked, []
        if commands and self._following:
            await self._followed.wait()
        await self._do(commands, self.heard)

    async def _do(self, commands: list[Command], since: float, *, prompted: bool = False) -> None:
        """Serve these in their order; what the dialect asks by itself meanwhile, such as another seat, comes first."""
        for command in commands:
            while not prompted and (self.called_away is not None or self._following):
                await (self._followed if self.called_away is None else self.called_away).wait()
            if self._displaced:
                return  # what it asked before it knew is void
            try:
                if await self._put(command, since):
                    continue
            except Refused as refused:
                self.refuse(refused.why, refused.text)
            self._visit()
            self.answered()
        self._visit()

    def _visit(self) -> None:
        """A connection without a table is told the seeks that stand; one that has a table is not."""
        if self.table is None:
            self.house.visitors.arrived(self)
        else:
            self.house.visitors.left(self)

    async def _put(self, command: Command, since: float) -> bool:
        """Serve a command, or hand it to the table, which answers it; whether it was handed over. Refused."""
        if isinstance(command, Join):
            await self.house.reception.seat(self, command)
        elif isinstance(command, Login):
            await self.house.reception.entry.login(self, command.name, command.secret)
            self.tell([LoggedIn(self.account)])
        elif isinstance(command, Watch):
            await self.house.reception.watch(self, command)
        elif isinstance(command, Inquire):
            self.tell([Answered(await self.house.reception.answer(self, command), command.topic)])
        elif isinstance(command, Leave) and self.table is not None:
            await self.table.leave(self, lost=command.lost)
        elif self.table is None:
            raise Refused(Why.NOT_SEATED, "take a seat first")
        else:
            if not self.table.at_once.play(self, command, since):
                await self.table.put(Ask(self, command, since))
            return True
        return False

    def paced(self, command: Command) -> Command:
        """The command. Refused (TOO_FAST): one saying more than others at the table should have to read."""
        if type(command) is Say:
            self.house.reception.sayings.count(self)
        return command

    def tell(self, messages: Iterable[Told]) -> None:
        """Say all of this in the peer's dialect, as one step. A dialect that cannot costs its own connection only."""
        try:
            for message in messages:
                if self.wire_log is not None:
                    self.wire_log.told(message)
                self.dialect.send(message)
        except Exception:
            _log.exception("a dialect failed", **about(self))
            self.close()
        commands = self.dialect.prompted()
        self.flush()
        if commands:
            self._ask_soon(commands, trio.current_time())

    def refuse(self, why: Why, text: str) -> None:
        """Say that what it asked for is refused."""
        self.house.metrics.rejects[why] += 1
        self.tell([Rejected(why, text)])

    def served(self, command: Command, since: float) -> None:
        """What it asked then is done, and everybody at the table has been told."""
        if type(command) is PlayMove:
            self.moved(since)

    def moved(self, since: float) -> None:
        """Everybody at the table has been told of its move, which it asked for then."""
        self.move_s.note(trio.current_time() - since)

    def displaced(self) -> None:
        """Another connection has its seat: the peer is told so, gets a moment to read it, and is hung up on.

        A dialect that still waits for an answer of its peer is closed by that answer.
        """
        self.table = self.seat = None
        self._displaced = True
        self.tell([Displaced()])
        if self.dialect.closing:
            self._ask_soon([], trio.current_time())

    def _ask_soon(self, commands: list[Command], since: float) -> None:
        """What the peer asks though nothing came from it just now. It is not parted with before that is served."""
        self._understood(commands)
        self._following.append((commands, since))
        if len(self._following) == 1:
            self._followed = trio.Event()
            self.house.look_after(self._follow)

    async def _follow(self) -> None:
        """Serve what is asked so, in its order; and the peer's end, if the dialect is through with it."""
        try:
            while self._following:
                await self._serve_next()
        finally:
            self._following.clear()
            self._followed.set()
        if self.dialect.closing:
            await self._part()
            self.close()

    async def _serve_next(self) -> None:
        commands, since = self._following[0]
        await self._do(commands, since, prompted=True)
        self._following.popleft()

    def chase(self, now: float) -> None:
        """Look whether an answer is late that the dialect waits for."""
        awaited = self.dialect.awaiting
        if awaited is None:
            self._awaited = None
        elif self._awaited is None or self._awaited[0] != awaited.number:
            self._awaited = awaited.number, now
        elif now - self._awaited[1] > awaited.within_s:
            _log.info("no answer", to=awaited.what, **about(self))
            self._awaited = None
            self._ask_soon(self.dialect.late(), now)

    def flush(self) -> None:
        """Send what the dialect has queued: now, or behind what is waiting already."""
        while data := self.dialect.data_to_send():
            if self.wire_log is not None:
                self.wire_log.sent(data)
            if not self._unread:
                try:
                    data = data[self.peer.send_now(data) :]
                except OSError:
                    self.close()
                    return
            if data:
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        """What the peer has not taken yet waits for it, up to a bound."""
        if self._scope.cancel_called:
            return
        if self._unread_bytes + len(data) > self.house.config.limits.unread_bytes:
            self.house.metrics.closed[DEAF] += 1
            _log.info("client does not read", **about(self))
            self.close()
            return
        if not self._unread:
            self.unread_since = trio.current_time()
            self.house.look_after(self._write_unread)
        self._unread.append(data)
        self._unread_bytes += len(data)

    async def _write_unread(self) -> None:
        """Send what waits until nothing does. Each part taken shows that the peer still reads."""
        try:
            while self._unread:
                await self.peer.send_rest(self._unread[0])
                self._unread_bytes -= len(self._unread.popleft())
                self.unread_since = trio.current_time()
        except OSError:
            self._unread.clear()
            self._unread_bytes = 0
            self.close()
        self.unread_since = None
        if self._drained is not None:
            self._drained.set()
            self._drained = None

    async def _part(self) -> None:
        """The peer still gets the answers to what it asked before, and a moment to read them."""
        with trio.move_on_after(PARTING_S):
            await self._resumed.wait()
            if self._following:
                await self._followed.wait()
            if self.table is not None:
                await self.table.leave(self)
            await self.drained()

    async def drained(self) -> None:
        """Until nothing waits for the peer any more, because it was sent or because the peer is gone."""
        if self._unread:
            self._drained = self._drained or trio.Event()
            await self._drained.wait()

    def close(self) -> None:
        """End it from outside: by its table, the sweep, or a send that failed."""
        self._scope.cancel()
