"""Seats played by HTTP: hands each request to its connection, and each answer to its request.

A seat has a connection to its table like any other client's; the other end of it is a mailbox. Requests are numbered
and put in, what comes out answers the requests that wait. HTTP itself is in http_dialects.py, what requests mean is the
dialect's (protocols.core.http_binding).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import msgspec
import structlog
import trio

from gateway.admission.ticket_guessing import TicketGuard
from gateway.cluster.alone import Alone
from gateway.cluster.messages import Post
from gateway.cluster.posts import Posts
from gateway.config import Config
from gateway.games.parts import Chance
from gateway.lobby.lobby import Destination, Lobby
from gateway.lobby.spelling import tidy
from gateway.sessions.listener import EntryPoint
from gateway.sessions.mailbox import Mailbox
from gateway.sessions.peer import Peer
from gateway.table.state import State, Status
from gateway.tables.directory import Tables
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.http_binding import Answer, AnyBinding, Request, Sitting
from protocols.core.model import HouseRules
from protocols.core.proposals import Start

FULL: Final = "the server is full, or stopping: try again later"
CLOSED: Final = "the table was closed, or its seat was taken elsewhere"
LATE: Final = "there was no answer in time"

MOST_HOPS: Final = 2
"""Nodes that pass a request on: to the one that the player asked last, and to the one that has the newest table."""

TRIES: Final = 10
"""Times that a request is passed on to nodes which die with it, a second apart: their tables have others by then."""

OFFICE_S: Final = 600.0
"""Seconds for which the node is known that served a player last: the end of a game may be asked for again there."""

MOST_OFFICES: Final = 20_000
"""Players whose nodes are known: as many as ends of games are kept."""

Enter = Callable[[EntryPoint, Peer, str, str], None]

_log = structlog.get_logger()


class Office(NamedTuple):
    """The ``node`` that a player's requests were passed on to for a table, known until a monotonic time."""

    node: int
    table: int
    until: float


@dataclass(slots=True)
class Exchange:
    """One request that waits: ``answer`` is there when ``answered`` is set, None where it is to be asked once more."""

    request: Request
    number: int
    session: Session | None = None
    answer: Answer | None = None
    answered: trio.Event = field(default_factory=trio.Event)

    def finish(self, answer: Answer | None) -> None:
        """Answer the request; None: its connection has ended, and its game goes on."""
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
        """The connection is closed: by a node that sends its players away, if the table goes on."""
        self._sessions.forget(self)
        answer = None if self._sessions.goes_on(self.at[0]) else self._binding.refusal(CLOSED)
        for exchange in self._waits.values():
            exchange.finish(answer)
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
        others: Posts | Alone,
    ) -> None:
        """``enter`` lets a client in; ``rules`` are those of tables opened by HTTP."""
        self._binding = binding
        self._entrance = EntryPoint(dialect, {}, rules)
        self._lobby = lobby
        self._tables = tables
        self._tickets = tickets
        self._enter = enter
        self._others = others
        self._offices: dict[tuple[str, str], Office] = {}
        self._sessions: dict[tuple[int, int], Session] = {}
        self._last: dict[tuple[str, str], Session] = {}  # by player and opponent: the session that was asked last
        self._at: Counter[int] = Counter()  # sessions of each table
        self._numbers = 0

    def reread(self, config: Config) -> None:
        """Open tables by the rules of these settings from now on."""
        self._entrance.reread(config)

    async def answered_elsewhere(self, request: Request, address: str, account: str, hops: int = 0) -> Answer | None:
        """The answer of the node that has the player's connection; None: the request is asked here, at once.

        ``hops`` counts the nodes that have passed it on. Refused: that node does not answer, or the table cannot be
        read here.
        """
        await self._tables.recovery.until(lambda: self._lobby.registered_pair(*request.pair) is not None)
        refusal = Refused(Why.OVERLOAD, LATE)
        for _ in range(TRIES):
            try:
                await self._others.recall(*request.pair)
                there = self._node(request, hops)
                if there is None:
                    if await self._runs(request):
                        return None
                elif why := self._objection(request, self._lobby.registered_pair(*request.pair), address, account):
                    return self._binding.refusal(why)
                else:
                    return await self._pass_on(there, request, address, account, hops + 1)
            except Refused as refused:
                refusal = refused
            await trio.sleep(1.0)
        raise refusal

    async def _runs(self, request: Request) -> bool:
        """Have the pair's table run, if it rests here: ``ask`` knows running ones only. False: it has gone meanwhile.

        Refused: it cannot be read.
        """
        destination = self._lobby.registered_pair(*request.pair)
        if destination is None:
            return True
        await self._tables.local(destination.table)
        return self._lobby.registered_pair(*request.pair) is not None

    async def _pass_on(self, node: int, request: Request, address: str, account: str, hops: int) -> Answer:
        """Refused: the node lives no more, or serves no such requests. A ticket was looked at here, and stays here."""
        if request.ticket and self._lobby.names.owned(request.name):
            account = request.name
        text = msgspec.json.encode(replace(request, ticket="", login=None)).decode()
        dialect = self._entrance.dialect.name
        answer = await self._others.ask(node, Post(dialect, text, address, account, hops))
        return msgspec.json.decode(answer, type=Answer)

    def _node(self, request: Request, hops: int) -> int | None:
        """The node that is to answer a request; None: this one.

        That is the one where the player's connection is. Where a player who has a new game that has not begun asks,
        the node of the one before may have something to say still.
        """
        if hops >= MOST_HOPS:
            return None
        chosen, _ = self._chosen(request)
        pair, now = (tidy(request.name), tidy(request.opponent)), trio.current_time()
        office = self._offices.get(pair) if not hops else None
        if office is not None and not (office.until > now and self._others.lives(office.node)):
            office = None
        if isinstance(chosen, Answer) or (chosen is not None and chosen.at in self._sessions):
            return None
        if office is not None and (chosen is None or chosen.table == office.table or not chosen.begun):
            self._remember(pair, office._replace(until=now + OFFICE_S))
            return office.node
        there = None if chosen is None else self._others.node_of(chosen.table)
        if chosen is not None and there is not None:
            self._remember(pair, Office(there, chosen.table, now + OFFICE_S))
        return there

    def _remember(self, pair: tuple[str, str], office: Office) -> None:
        """The offices that were used last stay."""
        self._offices.pop(pair, None)
        self._offices[pair] = office
        if len(self._offices) > MOST_OFFICES:
            del self._offices[next(iter(self._offices))]

    def _chosen(self, request: Request) -> tuple[Answer | Sitting | None, Sitting | None]:
        """The binding's choice, and the seat that the pair asked about last, None where its connection has ended."""
        destination = self._lobby.registered_pair(*request.pair)
        newest = None if destination is None else self._sitting(destination.table or 0, destination.seat or 0)
        before = self._last.get((tidy(request.name), tidy(request.opponent)))
        asked_before = None if before is None or not before.mailbox.open else self._sitting(*before.at)
        return self._binding.chosen(request, newest, asked_before, trio.current_time()), asked_before

    def ask(self, request: Request, address: str, account: str) -> Exchange:
        """Hand a request in. The exchange is answered at once where no table has to be asked.

        ``address`` is where it came from, ``account`` has logged in with it ("" none).
        """
        self._numbers += 1
        exchange = Exchange(request, self._numbers)
        destination = self._lobby.registered_pair(*request.pair)
        pair = tidy(request.name), tidy(request.opponent)
        before = self._last.get(pair)
        chosen, asked_before = self._chosen(request)
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

    def _state(self, table: int) -> State | None:
        """A running table, or what is known here of another node's."""
        found = self._tables.get(table)
        if found is not None:
            return found.state
        return self._others.state_of(table)

    def _sitting(self, table: int, seat: int) -> Sitting:
        """A seat, and how far its game is as far as its table runs."""
        state = self._state(table)
        if state is None:
            return Sitting(table, seat)
        ready = frozenset(made.seat for made in state.proposals if isinstance(made.proposal, Start))
        begun, over = state.status is not Status.OPEN, state.status is Status.OVER
        return Sitting(table, seat, begun or state.games > 0, over or state.outcome is not None, ready)

    def _objection(self, request: Request, destination: Destination | None, address: str, account: str) -> str:
        """Why the player's request is not taken to its table, "" when it is."""
        if destination is None:
            return ""
        table = destination.table or 0
        state = self._state(table)
        if state is None and self._others.node_of(table) is None:
            return CLOSED
        if state is not None and isinstance(state.game, Chance) and not self._entrance.dialect.dice:
            return f"{state.game.title} has dice, and this protocol has no word for them"
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

    def goes_on(self, table: int) -> bool:
        """True if this table is not over, here or at another node."""
        return self._tables.unfinished(table)

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
