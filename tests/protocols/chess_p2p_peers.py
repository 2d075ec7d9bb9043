"""Runs peer-to-peer chess clients at a real table, with the real kernel and dialect and without network or storage."""

from __future__ import annotations

from dataclasses import dataclass, field

from gateway import registry
from gateway.table.decide import decide, tick
from gateway.table.draft import Draft
from gateway.table.state import State, opened
from gateway.table.writing import TableWriter
from protocols.chess_p2p.dialect import ChessP2P
from protocols.core.commands import Command, Inquire, Join, Leave
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused
from protocols.core.events import Event, GameStarted, MoveMade, SeatsTurned, SeatTaken, TableOpened, TurnStarted
from protocols.core.model import HouseRules, Move, SeatKind, Settings
from protocols.core.notifications import Rejected, Seated
from tests.protocols.talk import ask, heard, tell
from tests.protocols.talk import opened as seats_taken

EITHER = "; in XBoard: make your first move to play White, or choose Machine White in the Mode menu to play Black"
AS_WHITE = "; in XBoard: make your first move"
AS_BLACK = "; in XBoard: choose Machine White in the Mode menu"
LETS_BLACK_MOVE = "; in XBoard: choose Machine Black in the Mode menu"
NEXT = (
    "; in XBoard: choose New Game in the File menu, then make your first move to play White, or choose Machine White "
)
NEXT += "in the Mode menu to play Black"
RESUMES = "; in XBoard: press Resume in Engine > Engine #1 Settings"
"""Endings of the words to a player who may start a game, with either colour or one of them, or go on with one."""

CHESS = Settings("chess", "normal", 8, 8, 2)
XIANGQI = Settings("open", "xiangqi", 9, 10, 2)


@dataclass
class Client:
    """One connection: its dialect, its seat, and the lines it heard since the last call of ``hear``."""

    dialect: Dialect
    name: str
    seat: int | None = None
    lines: list[str] = field(default_factory=list)


class GameServer:
    """One table of ``game``; ``now`` is its time in seconds."""

    def __init__(self, game: str = "chess", variant: str = "", bot: bool = False) -> None:
        rules = HouseRules(bot_after_s=0.0 if bot else None)
        settings = registry.game(game).settings(variant)
        self.state: State = opened(1, registry.game(game), settings, rules, b"secret")
        self.past: list[Event] = [TableOpened(settings, rules)]
        self.clients: list[Client] = []
        self._writer = TableWriter()
        self.now = 100.0

    def connect(self, name: str) -> Client:
        """A client that has been answered and has said its name."""
        client = Client(ChessP2P(), name)
        self.clients.append(client)
        client.dialect.connected()
        self.say(client, f"myname {name}")
        client.lines.clear()
        return client

    def say(self, client: Client, *lines: str) -> list[str]:
        """Send these lines one by one; return the lines that this client hears."""
        return [told for line in lines for told in self.pipeline(client, line)]

    def pipeline(self, client: Client, *lines: str) -> list[str]:
        """The same when all of the lines come in one piece."""
        peer = client.dialect
        commands = peer.receive_data(peer.text_to_wire(lines, sent=False, options={}))
        while commands or peer.held:
            for command in commands:
                self._obey(client, command)
            commands = peer.resume()
        self._collect()
        return self.hear(client)

    def hear(self, client: Client) -> list[str]:
        """Return the lines that this client has heard since the last call."""
        lines = list(client.lines)
        client.lines.clear()
        return lines

    def drop(self, client: Client) -> None:
        """The connection is gone without a word."""
        seat = client.seat
        for command in client.dialect.receive_data(b""):
            self._obey(client, command)
        client.seat = seat
        self.clients.remove(client)
        self._collect()

    def back(self, client: Client) -> Client:
        """The same player on a new connection, which is seated at its first line."""
        again = Client(ChessP2P(), client.name, client.seat)
        self.clients.append(again)
        again.dialect.connected()
        heard(again.dialect)
        return again

    def ask(self, seat: int, command: Command) -> None:
        """A player of another dialect on this seat asks this."""
        self._tell(decide(self.state, seat, command, self.now))
        self._collect()

    def sit(self, name: str) -> int:
        """Seat a player of another dialect; return its seat."""
        draft = decide(self.state, None, Join("chess", name, ready=False), self.now)
        self._tell(draft)
        self._collect()
        return next(event.seat for event in draft.events if isinstance(event, SeatTaken))

    def wait(self, seconds: float) -> None:
        """Let time pass, and tell the events of that."""
        self.now += seconds
        self._tell(tick(self.state, self.now))
        self._collect()

    def _obey(self, client: Client, command: Command) -> None:
        try:
            if isinstance(command, Join):
                self._seat(client, command)
            elif not isinstance(command, Inquire):  # no seat is kept here: nothing to answer
                self._tell(decide(self.state, client.seat, command, self.now))
        except Refused as refused:
            client.dialect.send(Rejected(refused.why, refused.text))
        if isinstance(command, Leave):
            client.seat = None

    def _seat(self, client: Client, join: Join) -> None:
        before = list(self.past)
        draft = decide(self.state, client.seat, join, self.now)
        client.seat = client.seat if client.seat is not None else _taken(draft)
        others = [other for other in self.clients if other is not client]
        self._tell(draft, others)
        client.dialect.send(Seated(1, client.seat, (*before, *draft.events)))

    def _tell(self, draft: Draft, clients: list[Client] | None = None) -> None:
        self._writer.take(self.state, draft.state, draft.events)
        self.state = draft.state
        self.past += draft.events
        for event in draft.events:
            for client in self.clients:
                if isinstance(event, SeatsTurned) and client.seat is not None:
                    client.seat = (client.seat + event.by) % 2
        for client in self.clients if clients is None else clients:
            if client.seat is not None:
                for event in draft.events:
                    client.dialect.send(event)

    def _collect(self) -> None:
        for client in self.clients:
            client.lines += heard(client.dialect)


def _taken(draft: Draft) -> int:
    taken = (event for event in draft.events if isinstance(event, SeatTaken) and event.kind is SeatKind.PLAYER)
    return next(taken).seat


def playing(server: GameServer, level: str = "level 0 300 0") -> tuple[Client, Client]:
    """White and Black in a game where White has played e2e4, both in playing mode with nothing left to hear."""
    white, black = server.connect("alice"), server.connect("bob")
    server.say(white, "new", level, "move e2e4", "go")
    server.say(black, "new", level, "go")
    server.say(white, "accepted")
    server.say(black, "accepted", "move e2e4")
    server.hear(white)
    return white, black


def play(server: GameServer, mover: Client, other: Client, move: str) -> list[str]:
    """Play a move, echoed by the other side; return the other side's lines without the clocks."""
    server.say(mover, f"move {move}")
    told = server.hear(other)
    server.say(other, f"move {move}")
    return [line for line in told if not line.startswith(("time ", "otim "))]


def opening(server: GameServer, white: Client, black: Client) -> None:
    """1... e5 2. Nf3 Nc6, White to move."""
    play(server, black, white, "e7e5")
    play(server, white, black, "g1f3")
    play(server, black, white, "b8c6")


def called() -> ChessP2P:
    """A connection that has been answered."""
    peer = ChessP2P()
    peer.connected()
    heard(peer)
    return peer


def seated() -> ChessP2P:
    """A connection with a seat opposite bob's."""
    peer = called()
    ask(peer, "new")
    tell(peer, Seated(1, 0, seats_taken(CHESS, "alice", "bob")))
    return peer


def at_open_table() -> ChessP2P:
    """White at a table without rules, in playing mode, to whom a move of Black's was told."""
    peer = ChessP2P()
    ask(peer, "hallo")
    started = GameStarted(XIANGQI, 1, (), "........./ 0")
    tell(peer, Seated(1, 0, (*seats_taken(XIANGQI, "alice", "bob"), started, TurnStarted(0))))
    ask(peer, "new", "variant xiangqi", "accepted", "move h2e2")
    tell(peer, MoveMade(0, Move(None, None, "h2e2"), 1, "h2e2", (), ""), TurnStarted(1))
    assert tell(peer, MoveMade(1, Move(None, None, "h9g7"), 2, "h9g7", (), ""), TurnStarted(0)) == ["move h9g7"]
    return peer
