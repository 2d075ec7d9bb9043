"""The acts of every client of the matrix, whatever it speaks: moves, offers, a cut of the line, a return.

A new dialect is in the matrix by its entry point and one subclass of Client in ``tests/matrix/clients``, in the module
of its name. A client keeps its board by the game's rules from what it was told; what it hears it notes here, and the
room's ``until`` asks for that. It has no thread, and says nothing by itself but what its protocol's automaton must.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import ClassVar, Final

from gateway import registry
from protocols.core.model import Move, Settings
from tests.matrix.boards import Board
from tests.matrix.lines import Illegal
from tests.matrix.wires import Room, Wire

NATIVE: Final = "native"
"""By a message of its own, which programs read."""

WORDS: Final = "words"
"""By a sentence for people."""

DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
REMATCH: Final = "rematch"

BACK: Final = 2
"""Half-moves of the takebacks here: what every dialect with a word for it can ask for."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of one table. ``seat`` None: an observer's. ``ticket`` "": the seat has none, and its taker no name."""

    table: int
    seat: int | None
    settings: Settings
    name: str = ""
    rival: str = ""
    ticket: str = ""
    host: str = "127.0.0.1"


@dataclass(slots=True)
class Heard:
    """The news that a client was told beside moves. ``offers`` are the other side's that stand, and how each was told.

    ``games`` counts those that began. ``result`` is the winner's seat, "draw", or "over" where its wire says no more;
    "" while a game goes on. ``here`` is False until it was told all that stands at its table. ``seat`` is its own as it
    was told last.
    """

    here: bool = False
    seat: int | None = None
    games: int = 0
    result: str = ""
    ended: str = ""
    offers: dict[str, str] = field(default_factory=dict)
    noes: dict[str, str] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)


class Client(ABC):
    """One person's program at one table; after a cut the same person comes back by ``come_back``.

    ``asks`` and ``answers`` are the offers that it has words for, ``lacks`` says why others are missing, by what is
    missing: "ask draw", "hear takeback", "refusal", "resign", "return", "return elsewhere", "look on", "flag".
    """

    dialect: ClassVar[str]
    listener: ClassVar[str] = ""
    """The listener that serves it, "{game}" and "{variant}" stand for the table's; "": HTTP."""
    asks: ClassVar[frozenset[str]] = frozenset()
    answers: ClassVar[frozenset[str]] = frozenset()
    lacks: ClassVar[Mapping[str, str]] = {}
    observes: ClassVar[bool] = False
    named: ClassVar[bool] = True
    """False: it can neither name itself nor bring a ticket, and sits where a seat is open."""
    by_names: ClassVar[bool] = False
    """True: its table is found by its own name and its opponent's."""
    whole_turns: ClassVar[bool] = False
    """True: it says and hears all moves of a turn at once."""

    def __init__(self, room: Room, place: Place) -> None:
        self.room = room
        self.place = place
        self.board = Board(place.settings)
        self.heard = Heard()
        self.asked: set[str] = set()
        """Its own offers that nobody has answered."""
        self.wire: Wire | None = None

    @classmethod
    def can(cls, settings: Settings) -> bool:
        """True if its wire can carry a game with these settings."""
        return True

    def dial(self) -> Wire:
        """A new connection."""
        called = f"{self.dialect} {'looks on' if self.place.seat is None else self.place.seat} {self.place.name}"
        port = self.room.ports[self.listener_for(self.place.settings)]
        self.wire = wire = Wire(self.room, port, self.receive, called, self.place.host)
        return wire

    @classmethod
    def listener_for(cls, settings: Settings) -> str:
        """The listener's options as the server is started with them."""
        return cls.listener.format(game=settings.game, variant=settings.variant) or "http"

    def cut(self) -> None:
        """The line is cut without a word."""
        assert self.wire is not None
        self.wire.close()
        self.heard.here = False

    @property
    def legal(self) -> bool:
        """True if its own wire's board, where it has one, is that of the rules."""
        return True

    def restarted(self) -> None:
        """A game begins, or is told from its start: its board is the first position again."""
        self.board.restart()
        self.heard.result = self.heard.ended = ""
        self.heard.offers.clear()

    def begun(self) -> None:
        """A new game begins."""
        self.restarted()
        self.heard.games += 1
        self.asked.clear()

    def offered(self, kind: str, way: str) -> None:
        """The other side says ``kind``: an offer, or its agreement to ours."""
        if kind in self.asked:
            self.asked.discard(kind)
        else:
            self.heard.offers[kind] = way

    def declined(self, kind: str, way: str) -> None:
        """The other side says no to what this side has asked for."""
        if kind in self.asked:
            self.asked.discard(kind)
            self.heard.noes[kind] = way

    def over(self, result: str, way: str) -> None:
        """The game has ended so."""
        self.heard.result, self.heard.ended = result, way
        self.heard.offers.clear()
        self.asked.clear()

    @abstractmethod
    def receive(self, part: bytes) -> None:
        """Bytes have come; b"" means that the server has closed."""

    @abstractmethod
    def come(self) -> None:
        """Connect and take the seat of the ticket; ``heard.here`` when it was given."""

    @abstractmethod
    def ready(self, first: list[Move]) -> None:
        """Say that the game may begin; ``first`` are the moves of the first turn, none where dice come first: a seat 0
        whose protocol begins by moving makes them now."""

    @abstractmethod
    def come_back(self) -> None:
        """Connect again and take the same seat. The board begins anew, unless this wire tells none."""

    @abstractmethod
    def move(self, move: Move) -> None:
        """Make a move; it stands on the board when it was accepted, or at once where the dialect says no yes."""

    def turn(self, moves: list[Move]) -> None:
        """Make all moves of a turn, where they are said at once."""
        raise NotImplementedError

    def tries(self, illegal: Illegal) -> None:
        """Ask for a move that the rules do not allow."""
        self.move(illegal.move)

    def ask(self, kind: str) -> None:
        """Offer, or ask for: draw, takeback (of BACK half-moves), rematch."""
        raise NotImplementedError

    def agree(self, kind: str) -> None:
        """Say yes."""
        raise NotImplementedError

    def decline(self, kind: str) -> None:
        """Say no."""
        raise NotImplementedError

    def resign(self) -> None:
        """Give the game up."""
        raise NotImplementedError

    def settle(self) -> None:  # noqa: B027  # most games are not scored by agreement
        """All that stands is alive, in a game that is scored by agreement."""

    def conclude(self) -> None:  # noqa: B027  # most dialects tell an end unasked
        """The rules have ended the game: say so, where the protocol wants to hear it."""

    def watch(self) -> None:
        """Look on at the table."""
        raise NotImplementedError


def client(dialect: str) -> type[Client]:
    """The client class of a registered dialect. LookupError: tests/matrix/clients has none."""
    stem = dialect.replace("-", "_")
    name, path = f"tests.matrix.clients.{stem}", f"tests/matrix/clients/{stem}.py"
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        raise LookupError(f"the dialect {dialect!r} has no client in the matrix: write {path}") from None
    found = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Client)]
    for kind in found:
        if getattr(kind, "dialect", "") == dialect:
            return kind
    raise LookupError(f"{path} has no Client whose dialect is {dialect!r}")


def clients_for(game: str) -> dict[str, type[Client]]:
    """The client class of every dialect that can play this game, by name; but those whose players need accounts."""
    able = registry.dialects_for(registry.game(game))
    return {name: client(name) for name, kind in able.items() if not kind.carried}
