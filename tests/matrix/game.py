"""One table of a cell, from the seats to the result: what is done at one end is heard at the other.

It knows no dialect: it acts by the calls of Client, and compares every client's board and record with its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from tests.matrix.boards import Board
from tests.matrix.client import BACK, Client, Place
from tests.matrix.lines import Line, illegal
from tests.matrix.tables import Tables
from tests.matrix.wires import Room

NOT: Final = "not: "
"""Begins what is said of something that cannot be carried; the reason follows."""


class Game:
    """One table of a cell. ``board`` is what its record must come to: every client's is compared with it."""

    def __init__(self, name: str, room: Room, tables: Tables, line: Line) -> None:
        self.name = name
        self.room = room
        self.tables = tables
        self.line = line
        self.board = Board(line.settings)
        self.clients: list[Client] = []
        self.watching: list[Client] = []
        self.number = 0

    @property
    def everybody(self) -> list[Client]:
        return self.clients + self.watching

    def begin(self, kinds: Sequence[type[Client]], time: str, observer: type[Client] | None) -> None:
        """The named player first: an open seat is given when every named one is there."""
        table = self.tables.register(self.line.settings, [kind.named for kind in kinds], time)
        self.number = table.number
        for seat, kind in enumerate(kinds):
            names = table.names[seat], table.names[1 - seat]
            host = f"127.{1 + seat}.{table.number // 250}.{1 + table.number % 250}" if not kind.named else "127.0.0.1"
            place = Place(table.number, seat, self.line.settings, *names, table.tickets[seat], host)
            self.clients.append(kind(self.room, place))
        for client in sorted(self.clients, key=lambda client: not client.named):
            client.come()
            self.until(f"{client.dialect} has a seat", partial(_is_here, client))
        if observer is not None:
            self.watching.append(observer(self.room, Place(self.number, None, self.line.settings, "Olga")))
            self.watching[0].watch()
            self.until("the observer looks on", lambda: self.watching[0].heard.here)
        self.start(1)

    def start(self, games: int) -> None:
        """All are ready, and hear that the game begins."""
        first = [] if self.board.rolls else self.line.turn(self.board)
        for client in reversed(self.clients):  # who moves first may begin by that
            client.ready(first)
        self.until("the game begins", lambda: all(client.heard.games == games for client in self.everybody))
        self.roll()

    def alone(self) -> None:
        """Nobody looks on any more."""
        for client in self.watching:
            client.cut()
        self.watching.clear()

    def again(self) -> None:
        """A second game begins at this table, with sides exchanged, as every client is told in its own words."""
        self.board.restart()
        self.until("another game begins", lambda: all(client.heard.games == 2 for client in self.everybody))
        self.clients.reverse()
        for seat, client in enumerate(self.clients):
            assert client.heard.seat == seat, f"{self.name}: {client.dialect} is told seat {client.heard.seat}"
            client.place = replace(client.place, seat=seat)
        self.roll()

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        """Listen until this holds."""
        self.room.until(f"{self.name}: {what}", holds)

    def roll(self) -> None:
        """The dice fall as the clients are told; all of them must be told the same."""
        if self.board.rolls:
            self.until("the dice are told", lambda: all(not client.board.rolls for client in self.everybody))
            self.board.like(self.clients[0].board)

    def compare(self, *clients: Client) -> None:
        """Every client has the board of the record, and nothing was refused."""
        for client in clients or self.everybody:
            assert not client.heard.refusals, (
                f"{self.name}: {client.dialect} was refused something\n{self.room.shown()}"
            )
            assert client.board.brief() == self.board.brief(), self._differs(client)
            assert client.legal, f"{self.name}: the squares told to {client.dialect}\n{self.room.shown()}"

    def _differs(self, client: Client) -> str:
        here, there = self.board.brief(), client.board.brief()
        return f"{self.name}: {client.dialect} has the board {there}, not {here}\n{self.room.shown()}"

    def play(self, plies: int = 1_000_000) -> None:
        """So many half-moves of the line, in whole turns; fewer where it ends."""
        end = self.board.ply + plies
        while self.board.ply < end:
            moves = self.line.turn(self.board)
            if not moves:
                return
            mover = self.clients[self.board.turn or 0]
            if mover.whole_turns:
                mover.turn(moves)
                for move in moves:
                    self.board.play(move)
            for move in () if mover.whole_turns else moves:
                mover.move(move)
                self.board.play(move)
                self.caught_up([client for client in self.everybody if not client.whole_turns])
            self.caught_up(self.everybody)

    def to_turn(self, seat: int) -> None:
        """Play on until it is the turn of ``seat``, at least so far that moves can be taken back."""
        while self.board.ply < BACK or self.board.turn != seat:
            self.play(1)

    def refused(self, seat: int) -> str:
        """``seat``, to move, asks for a move that the rules forbid: how it hears that, and nothing has changed. "": no
        move of this game is forbidden by now."""
        client = self.clients[seat]
        wrong = illegal(self.board)
        if wrong is None:
            return ""
        client.tries(wrong)
        self.until("the refusal is heard", lambda: bool(client.heard.refusals))
        way = client.heard.refusals.pop()
        self.compare()
        return way

    def comes_back(self, seat: int, kind: type[Client] | None = None) -> None:
        """The line of ``seat`` is cut; its player comes back, by another program where ``kind`` says so."""
        client = self.clients[seat]
        client.cut()
        if not client.named:
            self.tables.until_lost(self.number, seat)  # its address takes back what it has lost
        if kind is not None and kind is not type(client):
            other = kind(self.room, client.place)
            other.board.like(client.board)
            other.heard.games, other.asked = client.heard.games, client.asked
            self.clients[seat] = client = other
        client.heard.here = False
        client.heard.offers.clear()  # what stands is told again
        client.come_back()
        self.until(f"{client.dialect} is told its board again", lambda: client.heard.here)
        self.compare()

    def hears(self, seat: int, kind: str) -> str:
        """``seat`` has heard what the other side wants: in which way."""
        client = self.clients[seat]
        self.until(f"the {kind} is heard", lambda: kind in client.heard.offers)
        return client.heard.offers[kind]

    def back(self) -> None:
        """Moves were taken back, as both hear."""
        self.board.back(BACK)
        self.caught_up(self.everybody)

    def caught_up(self, clients: list[Client]) -> None:
        """These have heard of every move, and have the same board."""
        ply = self.board.ply
        self.until(f"half-move {ply} is heard", lambda: all(client.board.ply == ply for client in clients))
        self.roll()
        self.compare(*clients)

    def record(self) -> None:
        """The server's record of the game is what every client has."""
        shown = self.tables.shown(self.number)
        assert [move["notation"] for move in shown["moves"]] == self.board.written, f"{self.name}: the record"
        for seat, client in zip(shown["seats"], self.clients, strict=True):
            assert not client.named or seat["name"] == client.place.name, f"{self.name}: {seat}"
        for client in self.everybody:
            assert client.board.written == self.board.written, f"{self.name}: the record of {client.dialect}"

    def finish(self) -> None:
        """The line is at its end: what is left is scored as it stands, and the rules say who has won."""
        if self.board.game.outcome(self.board.position) is None:
            for client in self.clients:
                client.settle()
            self.until("the score", lambda: any(client.heard.result for client in self.clients))
        outcome = self.tables.shown(self.number)["outcome"]
        self.ended(outcome["winner"])

    def ended(self, winner: int | None) -> None:
        """All have heard the result, and have the same record."""
        said = "draw" if winner is None else str(winner)
        for client in self.everybody:
            client.conclude()
        deaf = ", ".join(client.dialect for client in self.everybody if not client.heard.result)
        self.until(f"the result is heard by {deaf}", lambda: all(client.heard.result for client in self.everybody))
        for client in self.everybody:
            assert client.heard.result in (said, "over"), f"{self.name}: {client.dialect} {client.heard.result}"
        outcome = self.tables.shown(self.number)["outcome"]
        assert outcome is not None
        assert outcome["winner"] == winner, outcome
        self.record()


def _is_here(client: Client) -> bool:
    return client.heard.here
