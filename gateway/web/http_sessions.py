"""Seats played by HTTP: hands each request to its connection, and each answer to its request.

A seat has a connection to its table like any other client's; the other end of it is a mailbox. Requests are numbered
and put in, what comes out answers the requests that wait. HTTP itself is in http_dialects.py, what requests mean is the
dialect's (protocols.core.http_binding).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
import trio

from gateway.admission.ticket_guessing import TicketGuard
from gateway.games.parts import Chance
from gateway.lobby.lobby import Destination, Lobby
from gateway.lobby.spelling import tidy
from gateway.sessions.listener import EntryPoint
from gateway.sessions.mailbox import Mailbox
from gateway.sessions.peer import Peer
from gateway.tables.directory import Tables
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused
from protocols.core.http_binding import Answer, AnyBinding, Request, Sitting
from protocols.core.model import HouseRules
from protocols.core.proposals import Start

FULL: Final = "the server is full, or stopping: try again later"
CLOSED: Final = "the table was closed, or its seat was taken elsewhere"
LATE: Final = "there was no answer in time"

Enter = Callable[[EntryPoint, Peer, str, str], None]

_log = structlog.get_logger()


@dataclass(slots=True)
class Exchange:
    """One request that waits: ``answer`` is there when ``answered`` is set."""

    request: Request
    number: int
    session: Session | None = None
    answer: Answer = field(default_factory=Answer)
    answered: trio.Event = field(default_factory=trio.Event)

    def finish(self, answer: Answer) -> None:
        """This is the answer."""
        if not self.answered.is_set():
            self.answer = answer
            self.answered.set()


class Session:
    """One seat's connection, from this end."""

    def __init__(self, sessions: HttpSessions, at: tuple[int, int], binding: AnyBinding) -> None:
        self.at = at
        self.mailbox = Mailbox(self._said, self._ended)
        self.pairs: set[tuple[str, str]] = set()
        self._sessions = sessions
        self._binding = binding
        self._read = binding.reader()
        self._waits: dict[int, Exchange] = {}

    def hand_in(self, exchange: Exchange) -> None:
        """Put a request in; its answer comes when it comes."""
        exchange.session = self
        self._waits[exchange.number] = exchange
        if not self.mailbox.put(self._binding.message(exchange.number, exchange.request, self.at[0])):
            self._waits.pop(exchange.number, None)
            exchange.finish(self._binding.refusal(FULL))

    def gone(self, exchange: Exchange) -> None:
        """The client does not wait for this answer any more, or did not when it came."""
        self._waits.pop(exchange.number, None)
        self.mailbox.put(self._binding.gone(exchange.number))

    def still_there(self, exchange: Exchange) -> None:
        """The client still waits for this answer: the player is not idle."""
        self.mailbox.put(self._binding.still(exchange.number))

    def _said(self, data: bytes) -> None:
        for number, answer in self._read(data):
            exchange = self._waits.pop(number, None)
            if exchange is not None:
                exchange.finish(self._binding.answered(exchange.request, answer, self.at[0], trio.current_time()))
                if answer.last:
                    self.mailbox.leave()

    def _ended(self) -> None:
        """The connection is closed."""
        self._sessions.forget(self)
        for exchange in self._waits.values():
            exchange.finish(self._binding.refusal(CLOSED))
        self._waits.clear()


class HttpSessions:
    """Every seat that is played by HTTP in one dialect."""

    def __init__(
        self,
        dialect: type[Dialect],
        binding: AnyBinding,
        rules: HouseRules,
        lobby: Lobby,
        tables: Tables,
        tickets: TicketGuard,
        enter: Enter,
    ) -> None:
        """``enter`` lets a client in; ``rules`` are those of tables opened by HTTP."""
        self._binding = binding
        self._entrance = EntryPoint(dialect, {}, rules)
        self._lobby = lobby
        self._tables = tables
        self._tickets = tickets
        self._enter = enter
        self._sessions: dict[tuple[int, int], Session] = {}
        self._last: dict[tuple[str, str], Session] = {}  # by player and opponent: the session that was asked last
        self._at: Counter[int] = Counter()  # sessions of each table
        self._numbers = 0

    async def wake(self, request: Request) -> None:
        """Have the pair's table run, if it rests: ``ask`` knows running ones only. Refused: it cannot be read."""
        if (destination := self._lobby.registered_pair(*request.pair)) is not None:
            await self._tables.find(destination.table)

    def ask(self, request: Request, address: str, account: str) -> Exchange:
        """Hand a request in. The exchange is answered at once where no table has to be asked.

        ``address`` is where it came from, ``account`` has logged in with it ("" none).
        """
        self._numbers += 1
        exchange = Exchange(request, self._numbers)
        destination = self._lobby.registered_pair(*request.pair)
        newest = None if destination is None else self._sitting(destination.table or 0, destination.seat or 0)
        pair = tidy(request.name), tidy(request.opponent)
        before = self._last.get(pair)
        asked_before = None if before is None or not before.mailbox.open else self._sitting(*before.at)
        chosen = self._binding.chosen(request, newest, asked_before, trio.current_time())
        if isinstance(chosen, Answer):
            exchange.finish(chosen)
        elif before is not None and asked_before is not None and chosen is asked_before:
            before.hand_in(exchange)
        elif destination is None or chosen is None:
            words = f"no game between {request.name} and {request.opponent} is registered"
            exchange.finish(self._binding.refusal(words))
        elif why := self._objection(request, destination, address, account):
            exchange.finish(self._binding.refusal(why))
        else:
            session = self._session(chosen.at, account)
            if before is not None and before is not session:
                before.mailbox.leave()  # the game before is not asked about any more
            if session.mailbox.open:
                self._last[pair] = session
                session.pairs.add(pair)
            session.hand_in(exchange)
        return exchange

    def _sitting(self, table: int, seat: int) -> Sitting:
        """A seat, and how far its game is as far as its table runs."""
        found = self._tables.get(table)
        if found is None:
            return Sitting(table, seat)
        state = found.state
        ready = frozenset(made.seat for made in state.proposals if isinstance(made.proposal, Start))
        return Sitting(table, seat, state.games > 0, state.outcome is not None, ready)

    def _objection(self, request: Request, destination: Destination, address: str, account: str) -> str:
        """Why the player's request is not taken to its table, "" when it is."""
        table = self._tables.get(destination.table or 0)
        if table is None:
            return CLOSED
        if isinstance(table.state.game, Chance) and not self._entrance.dialect.dice:
            return f"{table.state.game.title} has dice, and this protocol has no word for them"
        try:
            seat = self._tickets.known(request.ticket, address)
        except Refused as refused:
            return refused.text
        if request.ticket and seat != destination:
            return f"this ticket is not for {request.name}'s seat"
        mine = tidy(request.name).casefold() == account.casefold()
        if not request.ticket and not mine and self._lobby.names.owned(request.name):
            return f"{request.name} is the name of an account: log in, or send its seat's ticket"
        return ""

    def _session(self, at: tuple[int, int], account: str) -> Session:
        session = self._sessions.get(at)
        if session is None:
            session = self._sessions[at] = Session(self, at, self._binding)
            self._at[at[0]] += 1
            self._enter(self._entrance, session.mailbox, f"table {at[0]}", account)
        return session

    def forget(self, session: Session) -> None:
        """This session's connection has ended."""
        if self._sessions.get(session.at) is session:
            del self._sessions[session.at]
        for pair in session.pairs:
            if self._last.get(pair) is session:
                del self._last[pair]
        table = session.at[0]
        self._at[table] -= 1
        if not self._at[table]:
            del self._at[table]
            self._binding.left(table)
