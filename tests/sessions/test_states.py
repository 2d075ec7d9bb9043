"""A connection moves through its states as their table says; what cannot happen ends that connection alone."""

from __future__ import annotations

import socket
from contextlib import closing
from itertools import product

import pytest
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.lobby.party import Nearer
from gateway.net.socket_channel import SocketChannel, open_channel
from gateway.seating.joining import Joining
from gateway.sessions import participant
from gateway.sessions.connection import Connection
from gateway.sessions.states import NEXT, READ, VOID, ConnectionState, Happening, after
from gateway.sessions.transfer import Transfers
from protocols.core.errors import LocalProtocolError
from tests.hall import Guest, Hall, alternate, hall
from tests.laws.test_conversations import converse

GAME = "tic_tac_toe"

SEEDS = range(60)
"""Random conversations: a third of them reaches every state that needs no second worker."""

ORDER = (
    *(Happening.GREETED, Happening.HEARD, Happening.SAT_DOWN, Happening.LOOKED_ON, Happening.TURNED, Happening.LET_GO),
    *(Happening.REPLACED, Happening.FELL_SILENT, Happening.WENT_ON, Happening.CLOSED),
)
TABLE = """
             greeted  heard  sat  looked  turned  let go  replaced  silent  on   closed
  arrived    v        .      .    .       .       .       .         .       .    e
  visiting   .        v      s    l       .       .       .         p       on   e
  looking    .        l      .    l       .       v       .         p       .    e
  seated     .        s      s    .       s       v       d         p       .    e
  displaced  .        d      .    .       .       .       .         x       .    e
  parting    .        p      p    p       p       p       x         p       on   e
  dismissed  .        x      .    .       .       .       .         x       .    e
  passed     .        .      .    .       .       .       .         on      .    e
  ended      .        .      e    .       e       e       e         e       .    .
"""
"""The next states by their letters; "." cannot happen."""

LETTERS = {
    "v": ConnectionState.VISITING,
    "l": ConnectionState.LOOKING_ON,
    "s": ConnectionState.SEATED,
    "d": ConnectionState.DISPLACED,
    "p": ConnectionState.PARTING,
    "x": ConnectionState.DISMISSED,
    "on": ConnectionState.PASSED_ON,
    "e": ConnectionState.ENDED,
}


def drawn() -> dict[tuple[ConnectionState, Happening], ConnectionState | None]:
    rows = [line.split()[1:] for line in TABLE.splitlines()[2:]]
    pairs = product(ConnectionState, ORDER)
    return dict(zip(pairs, (LETTERS.get(letter) for row in rows for letter in row), strict=True))


@pytest.mark.parametrize(("state", "happening"), [*product(ConnectionState, Happening)])
def test_each_thing_that_may_happen_leads_on_and_no_other_does(state: ConnectionState, happening: Happening) -> None:
    there = drawn()[state, happening]
    assert NEXT[state].get(happening) is there
    if there is not None:
        assert after(state, happening) is there
        return
    with pytest.raises(LocalProtocolError, match=f"a connection that is {state} cannot be {happening}"):
        after(state, happening)


def test_what_is_not_read_or_not_served_any_more_never_is_again() -> None:
    for gone in (set(ConnectionState) - READ - {ConnectionState.ARRIVED}, VOID):
        assert {there for state in gone for there in NEXT[state].values()} <= gone


def test_what_is_read_changes_no_state() -> None:
    assert {state: NEXT[state][Happening.HEARD] for state in READ} == {state: state for state in READ}


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> set[ConnectionState]:
    """The states that connections are in meanwhile."""
    found: set[ConnectionState] = set()

    def noted(state: ConnectionState, happening: Happening) -> ConnectionState:
        there = after(state, happening)
        found.update((state, there))
        return there

    monkeypatch.setattr(participant, "after", noted)
    return found


def test_random_conversations_reach_every_state_of_one_worker(reached: set[ConnectionState]) -> None:
    """A conversation fails where the log has an error: nothing that cannot happen has happened."""
    for seed in SEEDS:
        converse(seed)
    assert set(ConnectionState) - reached == {ConnectionState.PASSED_ON}


async def test_a_connection_that_another_worker_goes_on_with_is_passed_on(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, reached: set[ConnectionState]
) -> None:
    async def nearer(*_: object) -> None:
        raise Nearer("club/2")

    monkeypatch.setattr(Joining, "seat", nearer)
    (ours, to_us), (theirs, to_them) = open_channel(), open_channel()
    with closing(ours), closing(to_us), closing(theirs), closing(to_them):
        async with hall() as here:
            guest = here.dial()
            (connection,) = here.server.connections
            connection.beginning = Transfers(SocketChannel(ours, {"club/2": to_them})).begin(here.listener, guest.peer)
            await guest.say("REQ_HANDSHAKE", GAME, 1)
            await here.until(lambda: connection.ended)
            assert guest.peer.closed
        (descriptor,) = socket.recv_fds(theirs, 4096, 1)[1]
        socket.socket(fileno=descriptor).close()
    assert reached == {*map(ConnectionState, ("arrived", "visiting", "passed on", "ended"))}


def _of(here: Hall, guest: Guest) -> Connection:
    return next(connection for connection in here.server.connections if connection.peer is guest.peer)


@pytest.mark.parametrize("seated", [False, True], ids=["a visitor", "a player"])
async def test_what_a_table_cannot_tell_ends_the_connection_that_is_told_and_no_other(
    autojump_clock: MockClock, seated: bool
) -> None:
    """The seats of a visitor turn, or a player is let in to look on."""
    async with hall() as here:
        neighbours, guests = await here.seat(GAME), [here.dial(), here.dial()]
        if seated:
            assert [await guest.joins(GAME) for guest in guests] == [0, 1]
        failing = _of(here, guests[0])
        await here.until(lambda: failing.state is not ConnectionState.ARRIVED)
        with capture_logs() as lines:
            failing.seated(here.server.tables[2], None) if seated else failing.turned(1)
            await here.until(lambda: failing.ended)
        (error,) = [line for line in lines if line["log_level"] == "error"]
        assert (error["event"], error["connection"]) == ("connection failed", failing.number)
        if seated:
            await guests[1].hears_lost(0)
        else:
            await guests[1].joins(GAME)
        await alternate(neighbours, 0, 3, 1, 4, 2)


async def test_what_a_connection_cannot_hear_ends_it_and_no_other(autojump_clock: MockClock) -> None:
    async with hall() as here:
        neighbours = await here.seat(GAME)
        anna, bert = await here.seat(GAME)
        failing = _of(here, anna)
        with capture_logs() as lines:
            failing.state = ConnectionState.ARRIVED  # a defect
            await anna.say("MSG_MOVE", -1, 4, "")
            await bert.hears_lost(0)
        (error,) = [line for line in lines if line["log_level"] == "error"]
        assert (error["event"], error["connection"], error["table"]) == ("connection failed", failing.number, 2)
        assert here.state(2).ply == 0
        assert failing.ended
        await alternate(neighbours, 0, 3, 1, 4, 2)
