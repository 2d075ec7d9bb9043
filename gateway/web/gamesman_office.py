"""Whose game a GAMESMAN request is about, and which answer belongs to which request.

Every player of a registered pair has a connection to its table like any other client's; the other end of it is a
mailbox. Requests are numbered and put in, what comes out is given to those who wait. Not here: HTTP (gamesman.py), what
requests mean (protocols.gamesman), who is registered (gateway.lobby).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import structlog
import trio

from gateway.lobby.lobby import Place
from gateway.lobby.spelling import tidy
from gateway.server.house import House
from gateway.server.listen import Entrance
from gateway.server.mailbox import Mailbox
from gateway.table.state import State
from protocols import gamesman_wire as wire
from protocols.core.errors import Refused
from protocols.core.proposals import Start
from protocols.gamesman import Gamesman
from protocols.gamesman_wire import Fields

KEPT_S: Final = 600.0
"""Seconds for which the last answer of a game can be had again after its end: a client that lost it asks at once, and
one whose network is away for some minutes is served too."""

MOST_KEPT: Final = 20_000
"""Ends that are kept at once: as many as tables, some kilobytes of memory each."""

FULL: Final = "the server is full, or stopping: try again later"
CLOSED: Final = "the table was closed, or its seat was taken elsewhere"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came: its two names as text, its ticket ("" none), the headers that mean something, where it
    came from, and which account has logged in with it ("" none)."""

    source: str
    dest: str
    ticket: str
    fields: Fields
    address: str = ""
    account: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """Who asks, and whom it plays."""
        return self.source, self.dest

    def value(self, name: str) -> bytes:
        """The value of a header, b"" where there is none."""
        return dict(self.fields).get(name, b"")

    @property
    def initial(self) -> bool:
        """Whether this may begin a game: no move."""
        return self.value(wire.TYPE) == wire.SEND_MOVE.encode() and self.value(wire.MOVE) in (b"", wire.NULL)


@dataclass(slots=True)
class Exchange:
    """One request that waits: ``answer`` is there when ``answered`` is set."""

    asked: Asked
    player: Player | None = None
    number: int = 0
    answer: Fields = ()
    answered: trio.Event = field(default_factory=trio.Event)

    def finish(self, answer: Fields) -> None:
        """This is the answer."""
        if not self.answered.is_set():
            self.answer = answer
            self.answered.set()


class Player:
    """One seat's connection, from this end."""

    def __init__(self, office: Office, place: Place) -> None:
        self.place = place
        self.mailbox = Mailbox(self._said, self._ended)
        self._office = office
        self._sets = wire.Sets()
        self._waits: dict[int, Exchange] = {}
        self.names: tuple[str, str] = ("", "")

    def hand_in(self, exchange: Exchange) -> None:
        """Put a request in; its answer comes when it comes."""
        exchange.player, self.names = self, exchange.asked.names
        self._waits[exchange.number] = exchange
        asked = exchange.asked
        ticket = ((wire.TICKET, asked.ticket.encode()),) if asked.ticket else ()
        if not self._put(exchange.number, *ticket, *asked.fields):
            self._waits.pop(exchange.number, None)
            exchange.finish(wire.error(FULL))

    def gone(self, exchange: Exchange) -> None:
        """Nobody waits for this answer any more, or did when it came."""
        self._waits.pop(exchange.number, None)
        self._put(exchange.number, (wire.GONE, b"yes"))

    def still_there(self, exchange: Exchange) -> None:
        """Somebody still waits for this answer: the player is not idle."""
        self._put(exchange.number, (wire.STILL, b"yes"))

    def _put(self, number: int, *fields: tuple[str, bytes]) -> bool:
        return self.mailbox.put(wire.write_set(((wire.REQUEST, str(number).encode()), *fields)))

    def _said(self, data: bytes) -> None:
        for (_, number), *fields in self._sets.split(data):
            exchange = self._waits.pop(int(number), None)
            if exchange is not None:
                self._answer(exchange, tuple(fields))

    def _answer(self, exchange: Exchange, fields: Fields) -> None:
        answer = self._office.as_spelled(self.place, fields)
        exchange.finish(answer)
        if _final(fields):
            self._office.over(exchange.asked, answer)
            self.mailbox.leave()

    def _ended(self) -> None:
        """The connection is closed."""
        self._office.forget(self)
        for exchange in self._waits.values():
            exchange.finish(wire.error(CLOSED))
        self._waits.clear()


class Office:
    """Everybody who plays over GAMESMAN on this server."""

    def __init__(self, house: House) -> None:
        self._house = house
        house.metrics.expects(Gamesman.name)
        self._entrance = Entrance(Gamesman, {}, house.house_rules())
        self._players: dict[Place, Player] = {}
        self._last: dict[tuple[str, str], Player] = {}  # by the names it asks with, its newest game's
        self._spelled: dict[int, bytes] = {}  # table -> its last move, where that was not UTF-8
        self._overs: dict[tuple[str, str], tuple[Fields, Fields, float]] = {}
        self._expiring: deque[tuple[float, tuple[str, str]]] = deque()
        self._numbers = 0

    async def wake(self, asked: Asked) -> None:
        """Have the pair's table run, if it rests: ``ask`` knows running ones only. Refused: it cannot be read."""
        if (place := self._house.lobby.registered_pair(asked.source, asked.dest)) is not None:
            await self._house.table(place.table)

    def ask(self, asked: Asked) -> Exchange:
        """Hand a request in. The exchange is answered at once where no table has to be asked."""
        self._numbers += 1
        exchange = Exchange(asked, number=self._numbers)
        place = self._house.lobby.registered_pair(asked.source, asked.dest)
        begun = self._begun(asked, place)
        if not begun and (late := self._late_answer(asked)) is not None:
            exchange.finish(late)
        elif not begun and (unaware := self._unaware(asked)) is not None:
            unaware.hand_in(exchange)
        elif place is None or (why := self._objection(asked, place)):
            names = f"{asked.source} and {asked.dest}"
            exchange.finish(wire.error(f"no game between {names} is registered" if place is None else why))
        else:
            self._remember_spelling(asked, place)
            player, before = self._player(place, asked.account), self._last.get(asked.names)
            if before is not None and before is not player:
                before.mailbox.leave()  # nobody asks about the game before any more
            self._last[asked.names] = player
            player.hand_in(exchange)
        return exchange

    def _objection(self, asked: Asked, place: Place) -> str:
        """Why the player's request is not taken to its table, "" when it is."""
        table = self._house.tables.get(place.table or 0)
        if table is None:
            return CLOSED
        if table.state.game.has_dice and not Gamesman.dice:
            return f"{table.state.game.title} has dice, and this protocol has no word for them"
        try:
            seat = self._house.reception.tickets.known(asked.ticket, asked.address)
        except Refused as refused:
            return refused.text
        if asked.ticket and seat != place:
            return f"this ticket is not for {asked.source}'s seat"
        mine = tidy(asked.source).casefold() == asked.account.casefold()
        if not asked.ticket and not mine and self._house.lobby.names.owned(asked.source):
            return f"{asked.source} is the name of an account: log in, or send its seat's ticket"
        return ""

    def _player(self, place: Place, account: str) -> Player:
        player = self._players.get(place)
        if player is None:
            player = self._players[place] = Player(self, place)
            self._house.enter(self._entrance, player.mailbox, f"table {place.table}", account)
        return player

    def forget(self, player: Player) -> None:
        """This player's connection has ended."""
        if self._players.get(player.place) is player:
            del self._players[player.place]
        if self._last.get(player.names) is player:
            del self._last[player.names]

    def _begun(self, asked: Asked, place: Place | None) -> bool:
        """Whether the pair's newest registration has been initialised, or is by this: then all requests are its own."""
        table = None if place is None else self._house.tables.get(place.table or 0)
        return table is not None and (table.state.games > 0 or asked.initial or _initialised(table.state))

    def _late_answer(self, asked: Asked) -> Fields | None:
        """The last answer of the pair's last game, for whoever has lost it."""
        known = self._overs.get(asked.names)
        if known is None or known[0] != asked.fields or known[2] < trio.current_time():
            return None
        return known[1]

    def _unaware(self, asked: Asked) -> Player | None:
        """Who was not told yet that the pair's last game is over."""
        player = self._last.get(asked.names)
        if player is None or not player.mailbox.open:
            return None
        table = self._house.tables.get(player.place.table or 0)
        return player if table is not None and table.state.outcome is not None else None

    def over(self, asked: Asked, answer: Fields) -> None:
        """The game has ended for who asked this; the answer is kept for a while."""
        now = trio.current_time()
        while self._expiring and (self._expiring[0][0] < now or len(self._expiring) >= MOST_KEPT):
            until, key = self._expiring.popleft()
            if key in self._overs and self._overs[key][2] <= until:
                del self._overs[key]
        self._overs[asked.names] = asked.fields, answer, now + KEPT_S
        self._expiring.append((now + KEPT_S, asked.names))

    def _remember_spelling(self, asked: Asked, place: Place) -> None:
        """The opponent gets the very bytes of a move, which the table keeps as text."""
        move = asked.value(wire.MOVE)
        if place.table is not None and not _is_utf8(move):
            self._spelled[place.table] = move

    def as_spelled(self, place: Place, fields: Fields) -> Fields:
        """An answer as it leaves; what tables keep as text is spelled as it came."""
        spelled = self._spelled.get(place.table or 0)
        if _final(fields):
            self._spelled.pop(place.table or 0, None)
        if spelled is None:
            return fields
        text = wire.text(spelled).encode()
        return tuple((name, spelled if name == wire.MOVE and value == text else value) for name, value in fields)


def _initialised(state: State) -> bool:
    """Whether the second player has said that it waits for the first move."""
    return any(made.seat == 1 and isinstance(made.proposal, Start) for made in state.proposals)


def _final(fields: Fields) -> bool:
    """Whether nothing of the game is left to say after this."""
    found = dict(fields)
    kind = found.get(wire.TYPE, b"").decode()
    ended = kind == wire.SEND_MOVE and found.get(wire.MOVE) == wire.NULL
    return ended or kind in (wire.ACK_END, wire.ACK_RESIGN, wire.RESIGN)


def _is_utf8(value: bytes) -> bool:
    return wire.text(value).encode() == value
