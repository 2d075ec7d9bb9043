"""Pairs of clients play connect four across nodes, and keep a log of all they asked for and were told.

One loop drives all of them. A player whose node has ended comes back to another node by the ticket, and plays on. A
square is filled once, so the log shows a move that is lost, doubled, or told to one player only.
"""

from __future__ import annotations

import contextlib
import random
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gateway.record import audit
from gateway.store import codec
from gateway.store.views import TableView, Views
from protocols.core.events import GameEnded, MoveMade
from protocols.core.opcodes import Value
from tests.faults.guests import PATIENCE_S, Guest

COLUMNS: Final = 7
LOWEST: Final = 35
"""The first square of the lowest row; the row above begins COLUMNS squares earlier."""

FIRST_TIME: Final = 200_000
"""Seconds of the first game's time control; each game has one of its own, so that its two players meet nobody else."""

AGAIN_S: Final = 0.2
"""Seconds until a player who was refused a seat, or found no server, tries again."""


@dataclass(slots=True)
class Session:
    """What one connection was told: the squares in order; the first ``past`` of them show what was before it."""

    node: int
    told: list[int] = field(default_factory=list)
    past: int | None = None


@dataclass(slots=True)
class Game:
    """One table: its ``number`` is its own; by seat the sessions, and the squares that were asked for and granted."""

    number: int
    sessions: tuple[list[Session], list[Session]] = field(default_factory=lambda: ([], []))
    granted: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    over: bool = False
    anew: bool = False
    """True if a player who came back was given a seat of a new table: in the record the game must be over."""

    def engine(self, seat: int) -> str:
        return f"connect_four?time={FIRST_TIME + self.number}#the-ticket-of-player-{self.number}-{seat}"


class HungUp(AssertionError):
    """A server has hung up on a player though it should not have."""


class Player:
    """One of two. ``node`` is where it is connected, by its place among the ports."""

    def __init__(self, load: Load, game: Game, seat: int, node: int) -> None:
        self._load = load
        self.game = game
        self.seat = seat
        self.node = node
        self.guest: Guest | None = None
        self.stands = False
        self.asked: int | None = None
        self.heard_at = 0.0

    @property
    def session(self) -> Session:
        return self.game.sessions[self.seat][-1]

    def connect(self) -> None:
        """To its node, or where that is gone to another one; later where none answers."""
        self.node = self._load.node_for(self.node)
        with contextlib.ExitStack() as unless_served:
            try:
                guest = Guest(self._load.ports[self.node])
                unless_served.callback(guest.sock.close)
                guest.say("REQ_HANDSHAKE", self.game.engine(self.seat), 1)
            except OSError:  # a server that stops may take a connection and hang up at once
                self._load.later(self.connect)
                return
            unless_served.pop_all()
        self.guest = guest
        self.stands, self.asked, self.heard_at = False, None, 0.0
        self.game.sessions[self.seat].append(Session(self.node))
        self.guest.sock.setblocking(False)
        self._load.follow(self)

    def read(self) -> None:
        assert self.guest is not None
        try:
            data = self.guest.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        for name, values in self.guest.wire.receive_data(data):
            self._hear(name, values)
            if self.guest is None:
                return

    def _lost(self) -> None:
        self.drop()
        if not self._load.may_hang_up(self.node):
            raise HungUp(f"game {self.game.number}, seat {self.seat}: node {self.node} hung up")
        if _heard(self.game):
            self._load.later(self.connect)
        else:  # a table where no game has begun is not kept
            self.game.over = True

    def _hear(self, name: str, said: Sequence[Value]) -> None:
        values = [value if isinstance(value, int) else -1 for value in said]
        match name:
            case "RSP_HANDSHAKE" if values[0] != 0:
                self.drop()
                self._load.refusals += 1
                self._load.later(self.connect)
            case "MSG_SEAT":
                if values[0] != self.seat:
                    self._is_anew()
                    return
                self.stands = True
                self._load.sits(self)
            case "MSG_MOVE" if values[1] >= 0:
                self.session.told.append(values[1])
                self._load.told(self)
            case "RSP_MOVE" if values[0] != 0 and self._load.may_hang_up(self.node):
                self.asked = None  # a server that stops has closed its tables; the move is made again elsewhere
            case "RSP_MOVE":
                assert values[0] == 0, f"game {self.game.number}: {self.asked} was refused: {said}"
                assert self.asked is not None, f"game {self.game.number}: an answer to nothing"
                self.game.granted[self.seat].append(self.asked)
                self.asked = None
            case "REQ_MOVE":
                if self.session.past is None:
                    self.session.past = len(self.session.told)
                if values[0] == self.seat and self.asked is None:
                    before = self.game.sessions[self.seat][:-1]
                    if not self.session.told and any(session.told for session in before):
                        self._is_anew()
                        return
                    self._move()
            case "MSG_GAMEOVER":
                if self.session.past is None:
                    self.session.past = len(self.session.told)
                self.game.over = True
                self.drop()

    def _is_anew(self) -> None:
        """Where no move was told, the other player may have been hung up on before the game began."""
        self.game.anew, self.game.over = _heard(self.game) > 0, True
        self.drop()

    def _move(self) -> None:
        taken = set(self.session.told)
        columns = [column for column in range(COLUMNS) if column not in taken]
        self.asked = LOWEST + self._load.chance.choice(columns)
        while self.asked in taken:
            self.asked -= COLUMNS
        assert self.guest is not None
        with contextlib.suppress(OSError):  # the end is read
            self.guest.say("MSG_MOVE", -1, self.asked, "")

    def drop(self) -> None:
        if self.guest is not None:
            self._load.unfollow(self)
            self.guest.sock.close()
            self.guest = None


class Load:
    """So many pairs on these ports. ``dead`` are the nodes that may hang up on players. Leaving it closes all."""

    def __init__(self, ports: Sequence[int], pairs: int, chance: random.Random, first: int = 1) -> None:
        self.ports = list(ports)
        self.chance = chance
        self.dead: set[int] = set()
        self.games: list[Game] = []
        self.refusals = 0
        self.moves = 0
        self.longest_s = 0.0
        """The longest time that a player who kept the connection was told nothing by a node that was not dead."""
        self.pairs: list[tuple[Player, Player]] = []
        self._count = pairs
        self._first = first
        self._selector = selectors.DefaultSelector()
        self._later: list[tuple[float, Callable[[], None]]] = []

    def __enter__(self) -> Load:
        return self

    def __exit__(self, *_: object) -> None:
        for pair in self.pairs:
            for player in pair:
                player.drop()
        self._selector.close()

    # What players ask of it.

    def node_for(self, node: int) -> int:
        """This one, or a living one in its place; where none lives, the player tries on until one does."""
        living = [other for other in range(len(self.ports)) if other not in self.dead] or [node]
        return node if node in living else self.chance.choice(living)

    def may_hang_up(self, node: int) -> bool:
        return node in self.dead

    def later(self, call: Callable[[], None]) -> None:
        self._later.append((time.monotonic() + AGAIN_S, call))

    def follow(self, player: Player) -> None:
        assert player.guest is not None
        self._selector.register(player.guest.sock, selectors.EVENT_READ, player)

    def unfollow(self, player: Player) -> None:
        assert player.guest is not None
        self._selector.unregister(player.guest.sock)

    def sits(self, player: Player) -> None:
        """The second player comes when the first has its seat."""
        pair = next(pair for pair in self.pairs if player in pair)
        if player.seat == 0 and pair[1].guest is None and not pair[1].game.sessions[1]:
            pair[1].connect()

    def told(self, player: Player) -> None:
        now = time.monotonic()
        if player.heard_at and player.session.past is not None and player.node not in self.dead:
            self.longest_s = max(self.longest_s, now - player.heard_at)
        player.heard_at = now
        self.moves += 1

    @property
    def connected(self) -> int:
        """Players who have not noticed yet that a server has hung up, or are served."""
        return sum(player.guest is not None for pair in self.pairs for player in pair)

    # What a test asks.

    def play(self, seconds: float, least: int = 0, patience_s: float = 60.0) -> None:
        """Let them play for so long, and until they were told ``least`` moves more."""
        begun, wanted = time.monotonic(), self.moves + least
        while (spent := time.monotonic() - begun) < seconds or self.moves < wanted:
            assert spent < seconds + patience_s, f"{self.moves} moves, not {wanted}: {self.stuck()}"
            self._begin()
            for key, _ in self._selector.select(0.02):
                if key.data.guest is not None:
                    key.data.read()
            self._call_late()
            for pair in [pair for pair in self.pairs if pair[0].game.over]:
                self._end(pair)

    def everyone_plays(self, least: int = 2) -> None:
        """Return when every pair has made so many moves more, or has ended its game: to be told one again is none."""
        pairs = list(self.pairs)
        before = [_made(pair[0].game) for pair in pairs]
        end = time.monotonic() + PATIENCE_S
        for pair, known in zip(pairs, before, strict=True):
            while not pair[0].game.over and _made(pair[0].game) < known + least:
                assert time.monotonic() < end, f"no moves of game {pair[0].game.number}: {self.stuck()}"
                self.play(0.05)

    def stuck(self) -> str:
        """The pairs that have been told nothing for longest."""
        now = time.monotonic()
        players = sorted((player for pair in self.pairs for player in pair), key=lambda player: player.heard_at)
        return "; ".join(
            f"game {player.game.number} seat {player.seat} at {player.node}: {now - player.heard_at:.1f} s,"
            f" asked {player.asked}, stands {player.stands}, told {len(player.session.told)}"
            for player in players[:4]
            if player.game.sessions[player.seat]
        )

    def _call_late(self) -> None:
        now = time.monotonic()
        due = [call for when, call in self._later if when <= now]
        self._later = [(when, call) for when, call in self._later if when > now]
        for call in due:
            call()

    def _begin(self) -> None:
        while len(self.pairs) < self._count:
            game = Game(self._first + len(self.games))
            self.games.append(game)
            nodes = [self.node_for(self.chance.randrange(len(self.ports))) for _ in range(2)]
            pair = Player(self, game, 0, nodes[0]), Player(self, game, 1, nodes[1])
            self.pairs.append(pair)
            pair[0].connect()

    def _end(self, pair: tuple[Player, Player]) -> None:
        """The game is over: what the other player was told is read to the end, if it is there."""
        for player in pair:
            if player.guest is not None:
                player.read()
            player.drop()
        self._later = [(when, call) for when, call in self._later if getattr(call, "__self__", None) not in pair]
        self.pairs.remove(pair)


Placed = tuple[int, int | None]
"""A move in the record: its seat and its square."""


def _made(game: Game) -> int:
    return sum(map(len, game.granted))


def _heard(game: Game) -> int:
    return sum(len(session.told) for seat in game.sessions for session in seat)


def checked(url: str, games: Sequence[Game]) -> int:
    """Check each game's log against its record, and every record by itself; how many moves were told."""
    views, told = Views(url), 0
    try:
        tables = [(view.table, _number(view)) for view in views.tables(limit=100_000)]
        moves: dict[int | None, list[list[Placed]]] = {number: [] for _, number in tables}
        ended: set[int | None] = set()
        for table, number in tables:
            defect = audit.verify(table, views.rows(table)).defect
            assert defect is None, f"table {table}: {defect}"
            events = [codec.decode(row.kind, row.body) for row in views.rows(table)]
            made = [(event.seat, event.move.target) for event in events if isinstance(event, MoveMade)]
            if made:  # a table whose players left before a move is opened anew for them
                moves[number].append(made)
            if any(isinstance(event, GameEnded) for event in events):
                ended.add(number)
        for game in games:
            if _heard(game):
                assert len(moves[game.number]) == 1, (
                    f"game {game.number} was played at {len(moves[game.number])} tables"
                )
                told += _check(game, moves[game.number][0])
            assert game.number in ended or not game.anew, f"game {game.number} was not over, and begun anew"
    finally:
        views.close()
    return told


def _number(view: TableView) -> int | None:
    if view.settings is None or view.settings.time is None:
        return None
    return int(view.settings.time.main_s) - FIRST_TIME


def _check(game: Game, moves: Sequence[Placed]) -> int:
    squares, where = [square for _, square in moves], f"game {game.number}"
    assert len(set(squares)) == len(squares), f"{where}: a move is in the record twice"
    for seat in (0, 1):
        own = [square for by, square in moves if by == seat]
        for square in game.granted[seat]:
            assert own.count(square) == 1, f"{where}: {square} was granted to seat {seat}, the record has {own}"
        for session in game.sessions[seat]:
            past = len(session.told) if session.past is None else session.past
            whole = squares[: len(session.told)]
            assert session.told[past:] == whole[past:], f"{where}: seat {seat} was told {session.told}, not {squares}"
            assert set(session.told[:past]) <= set(squares), f"{where}: seat {seat} was shown {session.told[:past]}"
            assert session.past is None or set(session.told[:past]) == set(whole[:past]), where
    return _heard(game)
