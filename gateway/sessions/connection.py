"""Serves one client: bytes to commands, commands to its table, notifications to bytes.

A connection owns its socket and its dialect. Its table tells it directly. gateway.sessions.sending has how it sends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import structlog
import trio

from gateway.admission.address_costs import MESSAGES
from gateway.admission.token_bucket import TokenBucket
from gateway.lobby.party import Nearer
from gateway.log_context import log_context
from gateway.sessions.collaborators import Collaborators
from gateway.sessions.onlookers import Onlooker, Onlookers
from gateway.sessions.peer import Peer
from gateway.sessions.sending import Sending
from gateway.sessions.states import READ, VOID, ConnectionState, Happening
from gateway.sessions.waiting import Overdue, Prompted
from gateway.table.legal import forced_pass, listed
from gateway.tables.seams import Table, check_hears
from protocols.core.commands import (
    Command,
    Dispute,
    Enter,
    Forfeit,
    Inquire,
    Join,
    Leave,
    ListMoves,
    Login,
    Offer,
    Say,
    Take,
    Unwatch,
    Watch,
    Withdraw,
)
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, RemoteProtocolError, Why
from protocols.core.events import Said
from protocols.core.model import HouseRules
from protocols.core.notifications import Displaced, LoggedIn, Notification, Rejected

PARTING_S: Final = 1.0
"""Seconds a closing connection may still take to read what it was told."""

COMMAND_BYTES: Final = 64
"""Bytes that count as one command against the rate, where there are fewer commands: what the dialect answers by
itself, or a peer sends without ever asking anything, is not free. Most commands are shorter on any wire."""

MOST_HELD: Final = 64
"""Messages that may wait in a dialect for an answer before no more bytes are read: more than programs send at once."""

_log = structlog.get_logger()

A_PROGRAM: Final = "a program"
"""The engine of an account that is a program's, where its dialect says none."""

SPOKEN: Final = (Say, Forfeit, Dispute)
"""Commands with words of a person for others."""

Shared: TypeAlias = "Collaborators[Connection | Onlooker]"


class Connection(Sending):
    """``rules`` are of tables that are opened from here; ``probed`` and ``kept_alive`` are
    ops.sweep's.

    One request for a seat is served at a time.
    """

    # fmt: off
    __slots__ = (  # a third of what a dictionary of so many takes
        "__weakref__", "_allowance", "_asked", "_interpreted", "_onlookers", "_overdue", "_pause_s", "_prompted",
        "_resumed", "_sitting", "_unanswered", "heard", "kept_alive", "move_s", "options", "probed", "rules",
        "spoke",
    )
    # fmt: on
    _shared: Shared

    def __init__(
        self, shared: Shared, rules: HouseRules, peer: Peer, dialect: Dialect, address: str, number: int
    ) -> None:
        now, limits = trio.current_time(), shared.limits
        super().__init__(shared, peer, dialect, address, number, now)
        self.rules = rules
        self._sitting: trio.Event | None = None
        """Set when the request for a seat that is being served has been; None while there is none."""
        self.heard = self.probed = self.spoke = self.kept_alive = now
        self.options: Mapping[str, str] = {}
        self.move_s = shared.metrics.timing(dialect.name)
        self._allowance = TokenBucket(limits.messages_per_second, limits.messages_burst, now)
        self._overdue = Overdue()
        self._asked: list[Command] = []
        """Commands that were heard and not served yet."""
        self._unanswered = 0
        """Commands of the dialect that have not been answered yet."""
        self._resumed: trio.Event | None = None
        """Set when the commands that the dialect had held last have been served, or handed to the table."""
        self._interpreted: trio.Event | None = None
        """Set when the dialect has interpreted some of what it holds; None while that is not awaited."""
        self._pause_s = 0.0
        self._prompted: Prompted | None = None
        self._onlookers: Onlookers | None = None
        """None until it has looked on at a table aside."""

    async def run(self, late_s: float = 0.0) -> None:
        """From ``late_s`` after accept to close. Raises nothing: this one place keeps a defect to its connection."""
        try:
            with self._scope:
                if late_s:
                    await trio.sleep(late_s)
                await self._converse()
        except Exception:
            _log.exception("connection failed", **log_context(self))
        finally:
            self._happens(Happening.CLOSED)
            self._shared.visitors.left(self)
            if self._onlookers is not None:
                self._onlookers.end(None)
                self._onlookers = None  # it knows this connection
            if self.table is not None:
                self.table.gone(self)
            self.peer.close()
            if self.wire_log is not None:
                self.wire_log.close()

    async def _converse(self) -> None:
        self._happens(Happening.GREETED)
        if self.account:
            self._shared.seating.logged_in(self)
        self._asked = self.dialect.connected()
        self._understood(self._asked)
        await self._obey()
        most = self._shared.limits.receive_bytes
        while self.state in READ and not self.dialect.closing:
            await self.peer.receive(most, self._serve)
            await self._obey()
            while self.dialect.held > (MOST_HELD if self.state in READ else 0):
                self._interpreted = trio.Event()
                await self._interpreted.wait()
            if self._pause_s:
                await trio.sleep(self._pause_s)  # what it sends meanwhile waits in its own system
        await self._part()

    def _serve(self, data: bytes) -> bool:
        """Act on these bytes as far as that needs no waiting; whether that was all, and the conversation goes on."""
        self.heard = self.dialect.heard = heard = trio.current_time()
        if self.state not in READ:
            self._happens(Happening.HEARD)
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
        if not data:
            self._happens(Happening.FELL_SILENT)
        self._asked = commands
        if commands or waits:
            self.spoke = heard
        held = dialect.held
        self._pause_s = self._allowance.wait_s(max(len(commands) + held - before, len(data) / COMMAND_BYTES), heard)
        if asked := len(commands) + held - before:
            self._shared.costs.heard(self.address, asked)
        if self._pause_s:
            self._shared.costs.refused(self.address, MESSAGES)
        self._understood(commands)
        while commands and self._prompted is None and self.table and self.table.play_now(self, commands[0], heard):
            del commands[0]
        goes_on = self.state in READ and not (self._pause_s or dialect.closing)
        return goes_on and not commands and held <= MOST_HELD

    def _received(self, data: bytes, *, held: bool) -> None:
        """Write the bytes to the wire log, without the secrets that the dialect has read in them."""
        if self.beginning is not None:
            self.beginning.received(data)
        secrets = self.dialect.taken_secrets()
        if self.wire_log is not None:
            self.wire_log.received(data, secrets, held=held, unread=self.dialect.held > 0)

    def _broken(self, why: str) -> None:
        self._shared.admission.broken(self.dialect.name, self.address, why, **log_context(self))
        if self.wire_log is not None:
            self.wire_log.broken(why)
        self.flush()
        self._happens(Happening.FELL_SILENT)
        self._pause_s = 0.0

    def _understood(self, commands: list[Command]) -> None:
        """The dialect may have answered by itself: that leaves before what its ``commands`` bring."""
        self._unanswered += len(commands)
        if self.wire_log is not None:
            self.wire_log.asked(commands)
        if self.dialect.remarks:
            for remark in self.dialect.remarks:
                self._shared.lines.info(_log, "remark", of=self.dialect.name, remark=remark, **log_context(self))
            self.dialect.remarks.clear()
        self.flush()

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
            self._resumed = served = trio.Event()
            self._shared.background.start_soon(self._serve_resumed, commands, served)

    async def _serve_resumed(self, commands: list[Command], served: trio.Event) -> None:
        """Serve what was held and has been interpreted now; and the peer's end, if the dialect is through with it."""
        try:
            await self._do(commands, self.heard)
        finally:
            served.set()
            if self._resumed is served:
                self._resumed = None
        if self.dialect.closing:
            await self._part()
            self.close()

    async def _obey(self) -> None:
        """Everything that was asked and not served yet, behind what was asked without a word from the peer before."""
        commands, self._asked = self._asked, []
        if commands and self._prompted is not None:
            await self._prompted.served.wait()
        await self._do(commands, self.heard)

    async def _do(self, commands: list[Command], since: float, *, prompted: bool = False) -> None:
        """Serve these in their order; what the dialect asks by itself meanwhile, such as another seat, comes first."""
        for command in commands:
            while not prompted and (first := self._served_first()) is not None:
                await first.wait()
            if self.state in VOID:
                return  # also what it asked before it knew
            try:
                if await self._put(command, since):
                    continue
            except Refused as refused:
                self.refuse(refused, at_table=False)
            self._visit()
            self.answered()
        self._visit()

    def _served_first(self) -> trio.Event | None:
        """Set when what comes before the peer's own commands has been served; None: nothing does."""
        if self.called_away is not None:
            return self.called_away
        return None if self._prompted is None else self._prompted.served

    def _visit(self) -> None:
        """A connection without a table is told the seeks that stand; one that has a table is not."""
        (self._shared.visitors.arrived if self.table is None else self._shared.visitors.left)(self)

    async def _put(self, command: Command, since: float) -> bool:
        """Serve a command, or hand it to the table, which answers it; whether it was handed over. Refused."""
        if isinstance(command, SPOKEN) and (seen := self._shared.masked(command.text)) is not command.text:
            command = replace(command, text=seen)
        if isinstance(command, Say):
            self.beginning = None
            if command.table is not None:
                return await self._aside().say(command, command.table, since)
            if (left := await self._shared.seating.carry(self, command)) is None:
                return False
            command = left
        if isinstance(command, Join | Login | Enter | Watch):
            await self._seek(command)
        elif isinstance(command, Offer | Take | Withdraw):
            self.beginning = None
            await self._shared.seating.offered(self, command)
        elif isinstance(command, Unwatch):
            self._aside().unwatch(command.table)
        elif isinstance(command, Inquire):
            self.tell([await self._shared.seating.answer(self, command)])
        elif isinstance(command, Leave) and self.table is not None:
            await self.table.leave(self, lost=command.lost)
        elif self.table is None:
            raise Refused(Why.NOT_SEATED, "take a seat first")
        elif isinstance(command, ListMoves):
            self.tell([listed(self.table.state, self.seat)])
        else:
            if not self.table.play_now(self, command, since):
                await self.table.ask(self, command, since)
            return True
        return False

    async def _seek(self, command: Join | Login | Enter | Watch) -> None:
        """Log in, enter, sit down or look on: one after the other, whether the peer asks or the dialect by itself."""
        while self._sitting is not None:
            await self._sitting.wait()
        if self.state in VOID:
            return
        self._sitting = over = trio.Event()
        try:
            match command:
                case Join():
                    await self._sit(command)
                case Login():
                    await self._shared.seating.login(self, command.name, command.secret)
                    self.tell([LoggedIn(self.account)])
                case Enter():
                    self.beginning = None
                    await self._shared.seating.enter(self, command.name, exact=command.exact)
                case Watch():
                    self.beginning = None
                    await (self._aside().watch(command) if command.aside else self._shared.seating.watch(self, command))
        finally:
            self._sitting = None
            over.set()

    async def _sit(self, join: Join) -> None:
        """Take a seat; or be passed on to the worker where the opponents are."""
        beginning = self.beginning
        if beginning is not None and beginning.muted:
            self.beginning = None  # what comes now is new to the peer
        try:
            await self._shared.seating.seat(self, join)
        except Nearer as nearer:
            if beginning is not None and beginning.pass_on(nearer.worker, self.address):
                _log.debug("passed on", to=nearer.worker, **log_context(self))
                self._happens(Happening.WENT_ON)
                self.close()
                return
            await self._shared.seating.seat(self, join)
        finally:
            if self.state is not ConnectionState.PASSED_ON:
                self.beginning = None

    def _aside(self) -> Onlookers:
        if self._onlookers is None:
            self._onlookers = Onlookers(self, self._shared)
        return self._onlookers

    @property
    def follows(self) -> bool:
        """True if it is at a table, or looks on at one aside."""
        return self.table is not None or bool(self._onlookers)

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        super().seated(table, seat, ready=ready, name=name)
        if self._onlookers is not None:
            self._onlookers.beside(table.state.table)

    @property
    def movable(self) -> bool:
        """True if another worker could go on with it: nothing waits here but its request for a seat."""
        begins = self.beginning is not None and self.beginning.movable and not self.ended
        return begins and not (self._unsent or self._prompted)

    @property
    def program(self) -> str:
        return self.dialect.program or (A_PROGRAM if self._shared.is_bot(self.account) else "")

    def lag_s(self) -> float:
        return self.peer.lag_s()

    def tell(self, messages: Sequence[Notification], seq: int = 0) -> None:
        """Say all of this in the peer's dialect, as one step. A dialect that cannot costs its own connection only."""
        try:
            if self.wire_log is not None:
                for message in messages:
                    self.wire_log.told(message)
            data, commands = self.dialect.send_step(messages, seq)
            if not self.dialect.passes and self.table is not None:
                commands += forced_pass(self.table.state, self.seat, messages)
            if data:
                self._send(data)
            while commands and type(commands[0]) is ListMoves and self._prompted is None and self.table is not None:
                self._list(commands.pop(0), self.table)
        except Exception:
            _log.exception("a dialect failed", **log_context(self))
            self.close()
            return
        self.flush()
        if commands:
            self._ask_soon(commands, trio.current_time())

    def _list(self, command: Command, table: Table) -> None:
        """Tell the legal moves, in one packet with the turn that they belong to."""
        moves = listed(table.state, self.seat)
        if self.wire_log is not None:
            self.wire_log.asked([command])
            self.wire_log.told(moves)
        self.dialect.seq = 0
        self.dialect.send(moves)

    async def hears(self, words: Said) -> None:
        check_hears(words, self.dialect, gone=self.state in VOID)
        self.tell([words])

    def refuse(self, refused: Refused, *, at_table: bool = True) -> None:
        """Say that what it asked for is refused, by its table or by the server."""
        self._shared.metrics.rejects[refused.why] += 1
        text = refused.text
        if refused.why is Why.NO_ACCOUNT:
            ways = f" by {self.dialect.login_words}" if self.dialect.login_words else ""
            text = f"{text}{ways}; {self._shared.becoming}"
        self.tell([Rejected(refused.why, text, at_table)])

    def moved(self, took_s: float) -> None:
        self.move_s.note(took_s)

    def displaced(self) -> None:
        """Another connection has its seat: the peer is told so, gets a moment to read it, and is hung up on.

        A dialect that still waits for an answer of its peer is closed by that answer.
        """
        if not self._is_told(Happening.REPLACED):
            return
        self.table = self.seat = None
        self.tell([Displaced()])
        if self.dialect.closing:
            self._happens(Happening.FELL_SILENT)
            self._ask_soon([], trio.current_time())

    def _ask_soon(self, commands: list[Command], since: float) -> None:
        """Serve a request of the peer that came without bytes. The peer is not parted with before that."""
        self._understood(commands)
        if self._prompted is None:
            self._prompted = Prompted()
            self._shared.background.start_soon(self._serve_prompted, self._prompted)
        self._prompted.waiting.append((commands, since))

    async def _serve_prompted(self, prompted: Prompted) -> None:
        """Serve what is asked so, in its order; and the peer's end, if the dialect is through with it."""
        try:
            while prompted.waiting:
                commands, since = prompted.waiting.popleft()
                await self._do(commands, since, prompted=True)
        finally:
            self._prompted = None
            prompted.served.set()
        if self.dialect.closing:
            await self._part()
            self.close()

    def chase(self, now: float) -> None:
        """Look whether an answer is late that the dialect waits for."""
        if (late := self._overdue.look(self.dialect.awaiting, now)) is not None:
            _log.info("no answer", to=late.what, **log_context(self))
            self._ask_soon(self.dialect.late(), now)

    def keep_alive(self, now: float) -> None:
        """Tell the peer that the line is alive, and serve what the dialect asks now and then."""
        commands = self.dialect.keep_alive()
        self.flush()
        if commands:
            self._ask_soon(commands, now)

    async def _part(self) -> None:
        """The peer still gets the answers to what it asked before, and a moment to read them."""
        self._happens(Happening.FELL_SILENT)
        with trio.move_on_after(PARTING_S):
            if self._resumed is not None:
                await self._resumed.wait()
            if self._prompted is not None:
                await self._prompted.served.wait()
            if self.table is not None:
                await self.table.leave(self)
            await self.drained()
