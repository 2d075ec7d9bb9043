"""Registered tables wait for exactly their players in every dialect that carries tickets, and tickets cross dialects.

"Registered tables wait for exactly their players, in every dialect; a ticket takes its seat and takes it back from any
dialect".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests.cli.playing import record
from tests.conformance.chess_bogaprot_player import USUAL, place
from tests.conformance.chess_players import Lines
from tests.conformance.gtp.ends import OnPort
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

HTTP, BOGAPROT, P2P, MINIATURE, GUIS = range(5)
LISTENERS = ("http", "bogaprot", "chess-p2p", "miniature", "gtp-gui")
OWNER = "Olga"
"""A name that an account owns."""

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("registered")
    record(data)
    added = CliRunner().invoke(
        main, ["account", "add", OWNER, "--password-stdin", "--data", str(data)], input="correct horse\n"
    )
    assert added.exit_code == 0
    with fast(data, *LISTENERS) as running:
        yield running
    assert "Traceback" not in running.log.read_text()


@pytest.fixture
def host(server: RunningServer) -> Host:
    return Host(server.ports[HTTP])


def pair() -> tuple[str, str]:
    """Two names that no other test uses."""
    number = next(_NUMBERS)
    return f"ann{number}", f"bob{number}"


class Bogaprot:
    """A player of chess by Bogaprot."""

    def __init__(self, server: RunningServer, ticket: str) -> None:
        self.client = SpecClient(server.ports[BOGAPROT], USUAL)
        assert self.client.handshake(f"chess#{ticket}") == ("RSP_HANDSHAKE", 0)
        self.client.until("MSG_SEAT")

    def plays(self, move: str) -> None:
        self.client.until("REQ_MOVE")
        self.client.move(place(move[:2]), place(move[2:]))
        assert self.client.until("RSP_MOVE") == ("RSP_MOVE", 0)

    def hears(self, move: str) -> None:
        told = self.client.until("MSG_MOVE")
        while told[1:3] != (place(move[:2]), place(move[2:])):
            told = self.client.until("MSG_MOVE")


def adapter(server: RunningServer, name: str, ticket: str) -> Lines:
    """A player at an XBoard whose adapter names itself and its ticket."""
    lines = Lines(server.ports[P2P])
    lines.until("hallo ")
    lines.say(f"name {name}#{ticket}")
    return lines


def at_telnet(server: RunningServer, ticket: str) -> Lines:
    lines = Lines(server.ports[MINIATURE])
    lines.until("welcome ")
    lines.say(f"tell gateway seat {ticket}")
    return lines


def players(host: Host) -> list[str]:
    """The names at tables, once for each seat."""
    tables = host.ask("/api/tables")[1]["tables"]
    return [seat["name"] for table in tables for seat in table["seats"] if seat["kind"] == "player"]


def test_two_bogaprot_players_sit_down_by_their_tickets_and_strangers_do_not(server: RunningServer, host: Host) -> None:
    table, tickets = host.registers("chess", *pair())
    stranger = SpecClient(server.ports[BOGAPROT], USUAL)
    assert stranger.handshake("chess?name=eve") == ("RSP_HANDSHAKE", 0)
    assert stranger.until("MSG_SEAT") == ("MSG_SEAT", 0)
    assert [seat["kind"] for seat in host.table(table)["seats"]] == ["reserved", "reserved"]
    black, white = Bogaprot(server, tickets[1]), Bogaprot(server, tickets[0])
    white.plays("e2e4")
    black.hears("e2e4")
    black.plays("e7e5")
    white.hears("e7e5")


def test_of_guests_who_race_for_an_open_seat_one_gets_it(server: RunningServer, host: Host) -> None:
    """ "two servers or two requests racing for one name or seat get one winner": the others sit down elsewhere.

    The winner too, if somebody waits elsewhere before it has sat down: there it plays at once.
    """
    table, tickets = host.registers("connect_four", *pair()[:1], "open")
    before = players(host)
    guests = [SpecClient(server.ports[BOGAPROT]) for _ in range(6)]
    with ThreadPoolExecutor(len(guests)) as threads:
        answers = list(threads.map(lambda guest: guest.handshake("connect_four"), guests))
    assert answers == [("RSP_HANDSHAKE", 0)] * len(guests)
    seats = [guest.until("MSG_SEAT")[1] for guest in guests]
    assert seats.count(1) == 3  # the open one or that of a third pair, and of two pairs the second each
    assert [seat["kind"] for seat in host.table(table)["seats"]] in (["reserved", "player"], ["reserved", "open"])
    seated = players(host)
    assert len(seated) == len(before) + len(guests) == len(set(seated))
    assert [bool(ticket) for ticket in tickets] == [True, False]


def test_a_name_is_not_enough_where_a_ticket_can_be_shown(server: RunningServer, host: Host) -> None:
    """ "in other dialects a ticket is needed"."""
    names = pair()
    table, _ = host.registers("chess", *names)
    client = SpecClient(server.ports[BOGAPROT], USUAL)
    assert client.handshake(f"chess?name={names[0]}") == ("RSP_HANDSHAKE", 0)
    client.until("MSG_PLAYERS")
    white = adapter(server, names[0], "")
    white.say("new", "text hello")
    white.until("text ")
    assert f"{names[0]}-2" in [name for _, name in client.players]
    assert [seat["kind"] for seat in host.table(table)["seats"]] == ["reserved", "reserved"]


def test_an_adapter_and_a_person_at_telnet_sit_down_by_their_tickets(server: RunningServer, host: Host) -> None:
    names = pair()
    table, tickets = host.registers("chess", *names, time="300+5")
    black = at_telnet(server, tickets[1])
    white = adapter(server, names[0], tickets[0])
    white.say("new", "level 0 300 5", "move e2e4", "go")
    black.say("play")
    host.until(table, "GameStarted")
    if white.until("go", "accepted") == "go":
        white.say("accepted")
    black.until("move e2-e4")
    black.say("e5")
    white.until("move e7e5")
    assert host.table(table)["players"] == list(names)


def test_an_adapter_that_would_play_the_other_side_or_another_variant_is_told_what_is_registered(
    server: RunningServer, host: Host
) -> None:
    names = pair()
    table, tickets = host.registers("chess", *names)
    white = adapter(server, names[0], tickets[0])
    white.say("new", "go")
    assert "registered: your seat is number 1" in white.until("text this table is registered")
    assert host.table(table)["state"] == "open"


def test_the_registered_time_is_played_whatever_an_adapter_says(server: RunningServer, host: Host) -> None:
    names = pair()
    table, tickets = host.registers("chess", *names, time="600+5")
    Bogaprot(server, tickets[1]).client.until("MSG_PLAYERS")
    opponent = Bogaprot(server, tickets[1])
    white = adapter(server, names[0], tickets[0])
    white.say("new", "level 40 300 0", "move e2e4", "go")
    host.until(table, "GameStarted")
    assert white.until("level ").startswith("level 0 600 5")
    opponent.hears("e2e4")
    assert host.table(table)["time"] == "600+5"
    opponent.client.close()


def test_two_adapters_that_are_set_to_other_times_play_the_registered_one(server: RunningServer, host: Host) -> None:
    names = pair()
    table, tickets = host.registers("chess", *names, time="300+5")
    white, black = (adapter(server, name, ticket) for name, ticket in zip(names, tickets, strict=True))
    white.say("new", "level 40 300 0")
    black.say("new", "level 0 600 0", "go")
    white.until("go")
    white.say("move e2e4", "go")
    for player in (white, black):
        player.until("accepted")
    white.until("move e2e4")
    black.until("move e2e4")
    black.say("move e2e4", "move e7e5")
    white.until("move e7e5")
    assert host.table(table)["time"] == "300+5"
    white.close()
    black.close()


def test_two_go_guis_sit_down_by_their_tickets(server: RunningServer, host: Host) -> None:
    names = pair()
    table, tickets = host.registers("go", *names, options={"komi": "7.5", "size": "9"})
    black, white = OnPort(server.ports[GUIS], "x", tickets[0]), OnPort(server.ports[GUIS], "y", tickets[1])
    for gui in (black, white):
        gui.sets("boardsize 9", "clear_board", "komi 7.5")
    white.sends("genmove b")
    black.sets("play b C3")
    assert white.answer() == "= C3"
    assert host.table(table)["players"] == list(names)
    black.close()
    white.close()


def test_two_go_guis_that_are_set_to_other_times_play_the_registered_one(server: RunningServer, host: Host) -> None:
    table, tickets = host.registers("go", *pair(), time="600+5x30", options={"komi": "7.5", "size": "9"})
    black, white = OnPort(server.ports[GUIS], "x", tickets[0]), OnPort(server.ports[GUIS], "y", tickets[1])
    for gui in (black, white):
        gui.sets("boardsize 9", "clear_board", "komi 7.5")
    black.sets("time_settings 300 30 1")
    white.sends("genmove b")
    black.sets("play b C3")
    assert white.answer() == "= C3"
    assert host.table(table)["time"] == "600+5x30"
    black.close()
    white.close()


def test_a_go_gui_that_would_play_with_another_komi_is_told_what_is_registered(
    server: RunningServer, host: Host
) -> None:
    table, tickets = host.registers("go", *pair(), options={"komi": "6.5", "size": "9"})
    gui = OnPort(server.ports[GUIS], "x", tickets[0])
    gui.sets("boardsize 9", "clear_board", "komi 0.5")
    assert "this table is registered: Go area 9x9, komi 6.5" in gui.asks("play b C3")
    assert host.table(table)["state"] == "open"
    gui.close()


def test_who_sits_down_is_told_who_is_expected_and_when_they_come(server: RunningServer, host: Host) -> None:
    names = pair()
    _, tickets = host.registers("chess", *names)
    first = at_telnet(server, tickets[0])
    first.until(f"tell gateway {names[1]} is expected; play says that you are ready")
    second = adapter(server, names[1], tickets[1])
    second.say("text hello")
    second.until(f"text you sit with {names[0]}")
    first.until(f"tell gateway {names[1]} is here")
    second.close()
    first.until(f"tell gateway {names[1]} has lost the connection; the seat is kept")
    again = adapter(server, names[1], tickets[1])
    again.say("text hello")
    first.until(f"tell gateway {names[1]} is here")


def test_an_adapter_that_comes_first_is_told_who_is_expected(server: RunningServer, host: Host) -> None:
    names = pair()
    _, tickets = host.registers("chess", *names)
    first = adapter(server, names[1], tickets[1])
    first.say("text hello")
    first.until(f"text {names[0]} is expected: set up your game and start it")


def test_a_guest_who_wants_the_name_of_an_account_gets_another_and_is_told_so(
    server: RunningServer, host: Host
) -> None:
    """ "a guest asking for an owned name gets another with words"."""
    lines = Lines(server.ports[MINIATURE])
    lines.until("welcome ")
    lines.say("tell gateway name olga", "seek 5 0 u w")
    lines.until("tell gateway olga is the name of an account, and you have not logged in: you are here as olga-2")
    lines.close()
