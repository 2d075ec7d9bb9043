"""The two seams: a table with a stand-in for its clients, a connection with a stand-in for its table.

Each stand-in keeps the contract that the real one keeps: the same checks run on both.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
import trio

from gateway import registry
from gateway.lobby.claims import Claim, Ticket
from gateway.lobby.join_options import options_of
from gateway.lobby.party import Party
from gateway.sessions.connection import Connection, Shared
from gateway.sessions.onlookers import Onlooker
from gateway.sessions.peer import SocketPeer
from gateway.sessions.states import ConnectionState
from gateway.table.state import State, opened
from gateway.tables.seams import Subscriber, Table
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.commands import Command, Inquire, Join, Offer, PlayMove, Say, Take, Watch, Withdraw
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why
from protocols.core.events import MoveMade, Said
from protocols.core.model import HouseRules, Move
from protocols.core.notifications import Answered, Notification, Seated
from tests.hall import Guest, Hall, hall

GAME = "tic_tac_toe"
MOVE = PlayMove(Move(None, 4))


class Client:
    """A stand-in for a connection: remembers what its table does with it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.address = "192.0.2.9"
        self.account = ""
        self.speaks = Bogaprot.name
        self.dialect: Dialect = Bogaprot({})
        self.program = ""
        self.called_away: trio.Event | None = None
        self.table: Table | None = None
        self.seat: int | None = None
        self.ready = False
        self.party: Party | None = None
        self.asking = 0
        self.ended = False
        self.heard: list[Notification] = []
        self.done: list[str] = []

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        self.table, self.seat, self.ready = table, seat, ready

    def turned(self, seat: int) -> None:
        self.seat = seat

    def released(self) -> None:
        self.table = self.seat = None

    def displaced(self) -> None:
        self.released()
        self.done.append("displaced")

    def tell(self, messages: Iterable[Notification], seq: int = 0) -> None:
        self.heard += messages

    async def hears(self, words: Said) -> None:
        self.heard.append(words)

    def refuse(self, refused: Refused) -> None:
        self.done.append(f"refused {refused.why}")

    def answered(self) -> None:
        self.done.append("answered")

    def moved(self, took_s: float) -> None:
        self.done.append("moved")

    def lag_s(self) -> float:
        return 0.0

    def close(self) -> None:
        self.ended = True


def nowhere(client: Subscriber) -> bool:
    return client.table is None and client.seat is None


def new_state() -> State:
    game = registry.game(GAME)
    return opened(1, game, game.settings(), HouseRules(), bytes(32))


@dataclass
class Board:
    """A stand-in for a table: seats every client, answers every command, and records them all."""

    state: State
    asked: list[Command] = field(default_factory=list)
    went: list[bool] = field(default_factory=list)
    closed: bool = False
    epoch: int = 1
    seq: int = 0

    def play_now(self, asker: Subscriber, command: Command, since: float) -> bool:
        if not isinstance(command, PlayMove):
            return False
        self.asked.append(command)
        asker.moved(trio.current_time() - since)
        asker.answered()
        return True

    async def ask(self, asker: Subscriber, command: Command, since: float) -> None:
        await trio.lowlevel.checkpoint()
        self._check_open()
        self.asked.append(command)
        asker.answered()

    async def sit(self, newcomer: Subscriber, join: Join, claim: Claim | None, ticket: Ticket | None) -> None:
        await trio.lowlevel.checkpoint()
        self._check_open()
        newcomer.seated(self, 0, ready=join.ready)
        newcomer.tell([Seated(1, 0, (), "" if ticket is None else ticket.secret)])

    async def watch(self, newcomer: Subscriber, name: str) -> None:
        await trio.lowlevel.checkpoint()
        self._check_open()
        newcomer.seated(self, None, name=name)
        newcomer.tell([Seated(1, None, ())])

    async def leave(self, subscriber: Subscriber, *, lost: bool = True) -> None:
        await trio.lowlevel.checkpoint()
        self.went.append(lost)
        subscriber.released()

    def gone(self, subscriber: Subscriber) -> None:
        self.went.append(True)

    def _check_open(self) -> None:
        if self.closed:
            raise Refused(Why.TABLE_FULL, "this table is closed")


def a_table(here: Hall) -> Table:
    """The server's own table, open."""
    return here.server.tables.open(options_of(Join(GAME), here.server.house_rules, lambda game: ()))


@asynccontextmanager
async def a_connection(here: Hall, board: Board) -> AsyncIterator[tuple[Guest, Connection]]:
    """A connection of the server whose seats are all at ``board``."""

    class Seats:
        async def seat(self, connection: Connection | Onlooker, join: Join) -> None:
            await board.sit(connection, join, None, None)

        async def watch(self, connection: Connection | Onlooker, command: Watch) -> None:
            await board.watch(connection, command.name)

        async def login(self, connection: Connection | Onlooker, name: str, secret: str) -> None:
            raise Refused(Why.BAD_PASSWORD, "there are no accounts")

        async def enter(self, connection: Connection | Onlooker, wanted: str, *, exact: bool = False) -> None:
            raise Refused(Why.BAD_OPTION, "there are no names")

        def logged_in(self, connection: Connection | Onlooker) -> None:
            raise AssertionError("there are no accounts")

        async def carry(self, connection: Connection | Onlooker, said: Say) -> Say | None:
            return said

        async def offered(self, connection: Connection | Onlooker, asked: Offer | Take | Withdraw) -> None:
            raise AssertionError("nothing is offered")

        async def answer(self, connection: Connection | Onlooker, asked: Inquire) -> Answered:
            return Answered((), asked.topic)

    ours, theirs = socket.socketpair()
    shared: Shared = replace(here.server.sessions, seating=Seats())  # of this very test
    connection = Connection(shared, here.server.house_rules, SocketPeer(theirs), Bogaprot({}), "192.0.2.9", 99)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.run)
        yield Guest(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), None, 10.0), connection
        ours.close()


@pytest.mark.parametrize("real", [True, False], ids=["a connection", "its stand-in"])
async def test_a_client_is_where_its_table_says(real: bool) -> None:
    """Says: "A table calls ``seated`` and ``released``, and only the table does"."""
    async with hall() as here:
        board = Board(new_state())
        async with a_connection(here, board) as (_, connection):
            await here.until(lambda: connection.state is ConnectionState.VISITING)
            client: Subscriber = connection if real else Client(1)
            assert (client.table, client.seat, client.ready) == (None, None, False)
            client.seated(board, 1, ready=True)
            assert (client.table, client.seat, client.ready) == (board, 1, True)
            client.turned(0)
            assert client.seat == 0
            client.released()
            assert nowhere(client)
            client.seated(board, 0)
            client.displaced()
            assert nowhere(client)


@pytest.mark.parametrize("real", [True, False], ids=["a table", "its stand-in"])
async def test_a_table_seats_answers_and_lets_go(real: bool) -> None:
    """Says: "Told ``Seated`` when it returns", "The answer comes by ``Asker.answered``"."""
    async with hall() as here:
        table: Table = a_table(here) if real else Board(new_state())
        anna, olga = Client(1), Client(2)
        await table.sit(anna, Join(GAME, "anna"), None, None)
        assert (anna.table, anna.seat) == (table, 0)
        assert any(isinstance(told, Seated) and told.seat == 0 for told in anna.heard)
        await table.watch(olga, "olga")
        assert (olga.table, olga.seat) == (table, None)
        assert any(isinstance(told, Seated) and told.seat is None for told in olga.heard)
        assert not table.play_now(anna, Say("all", "hello"), 0.0)
        await table.ask(anna, Say("all", "hello"), 0.0)
        await here.until(lambda: "answered" in anna.done)
        assert anna.done.count("answered") == 1
        await table.leave(olga)
        await table.leave(anna, lost=False)
        assert (anna.table, anna.seat, olga.table) == (None, None, None)


@pytest.mark.parametrize("real", [True, False], ids=["a table", "its stand-in"])
async def test_a_table_that_has_closed_refuses(real: bool) -> None:
    async with hall() as here:
        table: Table = a_table(here) if real else Board(new_state())
        anna = Client(1)
        await table.sit(anna, Join(GAME, "anna"), None, None)
        await table.leave(anna, lost=False)
        if isinstance(table, Board):
            table.closed = True
        else:
            await here.until(lambda: not here.server.tables)
        with pytest.raises(Refused, match="this table is closed"):
            await table.sit(anna, Join(GAME, "anna"), None, None)
        with pytest.raises(Refused, match="this table is closed"):
            await table.watch(anna, "anna")
        with pytest.raises(Refused, match="this table is closed"):
            await table.ask(anna, Say("all", "hello"), 0.0)


async def test_a_table_plays_a_game_with_clients_that_are_no_connections() -> None:
    async with hall() as here:
        table, anna, bert = a_table(here), Client(1), Client(2)
        await table.sit(anna, Join(GAME, "anna"), None, None)
        await table.sit(bert, Join(GAME, "bert"), None, None)
        await here.until(lambda: table.state.turn == 0)
        await table.ask(anna, MOVE, trio.current_time())
        await here.until(lambda: "answered" in anna.done)
        assert anna.done == ["moved", "answered"]
        assert [told.seat for told in bert.heard if isinstance(told, MoveMade)] == [0]
        await table.ask(anna, MOVE, trio.current_time())
        await here.until(lambda: anna.done.count("answered") == 2)
        assert anna.done[2] == f"refused {Why.NOT_YOUR_TURN}"


async def test_a_client_that_ended_on_its_way_is_not_seated() -> None:
    async with hall() as here:
        table, anna, bert = a_table(here), Client(1), Client(2)
        await table.sit(anna, Join(GAME, "anna"), None, None)
        bert.ended = True
        with pytest.raises(Refused, match="has ended"):
            await table.sit(bert, Join(GAME, "bert"), None, None)
        assert len(table.state.seats) == 2
        assert table.state.seats[1].name == ""


async def test_a_connection_plays_at_a_table_that_is_no_task() -> None:
    async with hall() as here:
        board = Board(new_state())
        async with a_connection(here, board) as (guest, connection):
            assert await guest.joins(GAME) == 0
            await guest.say("MSG_MOVE", -1, 4, "")
            await here.until(lambda: bool(board.asked))
            assert connection.table is board
        assert [type(command) for command in board.asked] == [PlayMove]
        assert board.went == [True]
