"""GGZBoard's older protocol, spoken by its Checkers and Hnefatafl clients: two seats, plain moves, no answers.

Bogaprot shares nothing with it but the form of ints and strings. No document describes it; source: what the historic
clients read and write. The clients compute captures themselves and read ints unsigned: never a negative int.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from protocols.core import events as ev
from protocols.core.commands import Command, Join, Leave, PlayMove
from protocols.core.dialect import Connecting
from protocols.core.errors import RemoteProtocolError
from protocols.core.followed import FollowedTable
from protocols.core.model import Move, Outcome, SeatKind
from protocols.core.notifications import Displaced, Notification, Rejected, Seated
from protocols.core.opcode_dialect import OpcodeDialect
from protocols.core.opcodes import Condition, Field, Loop, Message, OpcodeProtocol, Shape

SEATS: Final = 2
"""PLAYERS has no count: it is always two seats."""

DRAW: Final = SEATS
"""The winner of a draw: a seat that does not exist, as a negative value would be read as 4294967295."""

FIRST: Final = 0
"""The side that these clients ask for: their mouse moves the pieces of seat 0 only."""

_NAMED = Condition("type", "unequal", SeatKind.OPEN, "ggz:seat_open")
_MOVE = (Field("from"), Field("to"))

GGZBOARD: Final = OpcodeProtocol(
    "ggzboard",
    1,
    (
        Shape("SEAT", 0, ("server",), (Field("seat"),)),
        Shape("PLAYERS", 1, ("server",), (Loop("players", SEATS, (Field("type"), Field("name", "string", _NAMED))),)),
        Shape("MOVE", 2, ("server",), _MOVE),
        Shape("GAMEOVER", 3, ("server",), (Field("winner"),)),
        Shape("REQ_MOVE", 4, ("client",), _MOVE),
        Shape("START", 5, ("server",)),
    ),
)


class GGZBoard(OpcodeDialect):
    name = "ggzboard"
    connecting = Connecting(
        "GGZBoard's clients",
        "GGZBoard's older protocol. Its windows ask for a host and a port, and a port has one game.",
        of_game=(("Host and port for {game}", "{address}"),),
        untried=("GGZBoard's windows for Checkers and Hnefatafl",),
    )
    plays = ("checkers", "hnefatafl")
    passes = False
    protocol: ClassVar[OpcodeProtocol] = GGZBOARD
    options: ClassVar[Mapping[str, str]] = {
        "game": "what is played on this port",
        "variant": "the rule set",
        "byte_order": "big, or little for GGZ 0.0.13 on x86",
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        given = options or {}
        self._join = Join(
            given.get("game", "").strip().lower(),
            wishes=(("variant", given["variant"]),) if given.get("variant") else (),
            by_address=True,
            side=FIRST,
        )
        if not self._join.game:
            raise ValueError("ggzboard needs the option game: its clients do not say what they play")
        self._table = FollowedTable()

    def connected(self) -> list[Command]:
        return [self._join]

    def _received(self, message: Message) -> Command | None:
        source, target = (int(value) for value in message.values)
        if source < 0 or target < 0:
            raise RemoteProtocolError(f"REQ_MOVE has no negative positions: {source} {target}")
        return PlayMove(Move(source, target))

    def _closed(self) -> list[Command]:
        return [Leave(lost=True)]

    def send(self, message: Notification) -> None:
        self._table.fold(message)
        tell = _TELL.get(type(message))
        if tell is not None and not self.closing:
            tell(self, message)

    def _seated(self, message: Seated) -> None:
        self._table = table = FollowedTable()
        table.catch_up(message.seat, message.past)
        self._tell_seats()
        if table.started and not self.closing:
            moves = [told for made in table.moves for told in _move(made.move)]
            self._tell(Message("START"), *moves, *_end(table.outcome))

    def _tell_seats(self) -> None:
        """Closes without a word when the table does not have two seats, or none for us: there is no message for it."""
        if len(self._table.seats) != SEATS or self._table.seat is None:
            self.closing = True
            return
        players: list[int | str] = []
        for seat in self._table.seats:
            players += [int(seat.kind)] if seat.kind is SeatKind.OPEN else [int(seat.kind), seat.name]
        self._tell(Message("SEAT", (self._table.seat,)), Message("PLAYERS", tuple(players)))

    def _rejected(self, message: Rejected) -> None:
        """A refused move is met with silence; without a seat there is nothing to stay for."""
        if self._table.seat is None:
            self.closing = True

    def _sat(self, event: ev.SeatTaken | ev.SeatLeft | ev.SeatsTurned) -> None:
        self._tell_seats()

    def _started(self, event: ev.GameStarted) -> None:
        self._tell(Message("START"))

    def _moved(self, event: ev.MoveMade) -> None:
        self._tell(*_move(event.move))

    def _ended(self, event: ev.GameEnded) -> None:
        self._tell(*_end(event.outcome))

    def _table_closed(self, event: ev.TableClosed | Displaced) -> None:
        self.closing = True


def _move(move: Move) -> list[Message]:
    """Nothing for placements, removals and passes: they would need a negative position."""
    return [] if move.source is None or move.target is None else [Message("MOVE", (move.source, move.target))]


def _end(outcome: Outcome | None) -> list[Message]:
    if outcome is None:
        return []
    return [Message("GAMEOVER", (DRAW if outcome.winner is None else outcome.winner,))]


_TELL: Final[Mapping[type, Callable[[GGZBoard, Any], None]]] = {
    Seated: GGZBoard._seated,
    Rejected: GGZBoard._rejected,
    ev.SeatTaken: GGZBoard._sat,
    ev.SeatLeft: GGZBoard._sat,
    ev.SeatsTurned: GGZBoard._sat,
    ev.GameStarted: GGZBoard._started,
    ev.MoveMade: GGZBoard._moved,
    ev.GameEnded: GGZBoard._ended,
    ev.TableClosed: GGZBoard._table_closed,
    Displaced: GGZBoard._table_closed,
}
