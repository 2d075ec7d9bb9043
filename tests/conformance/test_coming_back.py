"""A lost connection and its return: by ticket where there was a handshake, by address where there was none.

The board is told again by placements (document) or by all plain moves (historic clients), the dice too; the game then
goes on to its end, and its record is whole.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.store.views import Views
from tests.conformance.brains import settings
from tests.conformance.ggzboard_emulator import OLDER
from tests.conformance.pairs import client, pair
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, Player, SpecPlayer
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.conformance.spec_client import ABANDONED, PLAYER, RESERVED, Closed, SpecClient
from tests.running import RunningServer

LISTENERS = (
    "bogaprot",
    "bogaprot,game=ludo,width=10",
    "bogaprot,game=arimaa",
    "ggzboard,game=checkers",
)
TICKET = "a-secret-of-alice-that-nobody-guesses"
GAMES = (
    ("ludo", "maedn", 30),
    ("checkers", "english", 30),
    ("hnefatafl", "copenhagen", 30),
    ("arimaa", "official", 60),
)

here = pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of this machine without set-up")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("back"), *LISTENERS) as found:
        yield found


def finish(running: RunningServer, table: Table, *players: Player) -> None:
    """The table goes on with these players, to the end."""
    table.players = {player.seat: player for player in players}
    table.finish()
    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)


@pytest.mark.parametrize(("game", "variant", "moves"), GAMES)
def test_a_ticket_takes_the_seat_back(running: RunningServer, game: str, variant: str, moves: int) -> None:
    """ "late join, reconnect: the board is rebuilt by placements, then REQ_MOVE"."""
    port, played, engine = running.ports[0], settings(game, variant), f"{game}?variant={variant}"
    alice = SpecPlayer(port, played, f"{engine}&name=Alice#{game}-{TICKET}", seed=1)
    bob = SpecPlayer(port, played, f"{engine}&name=Bob", seed=2)
    table = Table(alice, bob)
    table.play(moves)
    table.listen()

    alice.close()
    bob.client.until("MSG_PLAYERS")
    assert bob.client.players[0][0] == RESERVED
    again = SpecPlayer(port, played, f"{engine}#{game}-{TICKET}")
    assert again.come_back(alice) == table.asked
    bob.client.until("MSG_PLAYERS")

    assert again.client.players == bob.client.players
    assert again.client.players[0][0] == PLAYER
    finish(running, table, again, bob)


def test_the_ticket_of_a_seat_closes_its_older_connection(running: RunningServer) -> None:
    """One seat, one connection: whoever shows the ticket goes on, and nothing is lost on the way."""
    engine = f"Checkers#{TICKET}"
    old = client(running.ports[0], engine)
    other = client(running.ports[0], "Checkers")
    assert old.until("REQ_MOVE") == other.until("REQ_MOVE") == ("REQ_MOVE", 0)

    new = client(running.ports[0], engine)

    assert old.read() == ("RSP_MOVE", 2, "another client has taken your seat; this connection is closed")
    with pytest.raises(Closed):
        old.read()
    assert (new.seat, new.until("REQ_MOVE")) == (0, ("REQ_MOVE", 0))
    new.move(17, 24)
    assert new.read() == ("RSP_MOVE", 0)
    assert other.read() == ("MSG_MOVE", 17, 24), "the others were told nothing of the change"
    new.close()
    other.close()


def test_a_ticket_is_for_its_own_game_only(running: RunningServer) -> None:
    first = client(running.ports[0], f"Checkers?time=600#other-{TICKET}")
    asking = SpecClient(running.ports[0])

    name, status, sentence = asking.handshake(f"Ludo#other-{TICKET}")

    assert (name, status) == ("RSP_HANDSHAKE", 1)
    assert "Checkers" in str(sentence)
    first.close()
    asking.close()


def test_a_short_secret_is_no_ticket(running: RunningServer) -> None:
    asking = SpecClient(running.ports[0])

    name, status, sentence = asking.handshake("Ludo#swordfish")

    assert (name, status) == ("RSP_HANDSHAKE", 1)
    assert "22 characters" in str(sentence)
    asking.close()


@here
def test_a_historic_ludo_client_gets_its_seat_back_by_its_address(running: RunningServer) -> None:
    """ "plain moves from the start of the game are replayed", in its own way of counting."""
    port, played = running.ports[1], settings("ludo")
    first = LegacyPlayer(port, played, width=10, seed=1, host="127.0.0.21")
    second = LegacyPlayer(port, played, width=10, seed=2, host="127.0.0.22")
    table = Table(first, second)
    table.play(30)
    table.listen()

    second.close()
    assert first.client.read() == ("MSG_PLAYERS",)
    again = LegacyPlayer(port, played, width=10, host="127.0.0.22")

    assert again.come_back(second) == table.asked
    assert again.seat == 1
    finish(running, table, first, again)


@here
def test_a_historic_arimaa_client_is_told_the_steps_and_no_placement(running: RunningServer) -> None:
    """So many that they do not fit into one segment: still no message is split, for half of one would kill it."""
    port, played = running.ports[2], settings("arimaa")
    first = LegacyPlayer(port, played, OLDER, seed=1, host="127.0.0.23")
    second = LegacyPlayer(port, played, OLDER, seed=2, host="127.0.0.24")
    table = Table(first, second)
    table.play(32 + 110)
    table.listen()

    first.close()
    assert second.client.read() == ("MSG_PLAYERS",)
    again = LegacyPlayer(port, played, OLDER, host="127.0.0.23")

    assert again.come_back(first) == table.asked
    assert len(again.heard) == 110
    finish(running, table, again, second)


@here
def test_the_seat_lost_last_comes_first(running: RunningServer) -> None:
    """Two games from one address: who comes back gets the seat that was lost last, the next one the other."""
    port, played, host = running.ports[3], settings("checkers"), "127.0.0.27"
    games = []
    for moves in (1, 2):
        lost, other = (OldBoardPlayer(port, played, host=each) for each in (host, "127.0.0.28"))
        table = Table(lost, other)
        table.play(moves)
        table.listen()
        games.append((lost, other))
    for lost, other in games:
        lost.close()
        while other.client.players[0][0] != RESERVED:
            other.client.read()

    back = []  # kept, for who hangs up loses the seat again
    for moves, (_, other) in ((2, games[1]), (1, games[0])):
        again = OldBoardPlayer(port, played, host=host, replayed=moves)
        assert again.turn() == moves % 2
        assert again.brain.board == other.brain.board
        back.append(again)


def test_after_the_grace_the_seat_is_abandoned_and_the_game_lost(tmp_path_factory: pytest.TempPathFactory) -> None:
    with fast(tmp_path_factory.mktemp("grace"), "bogaprot", SEATS_GRACE="0.2s", SEATS_ABANDONED="loss") as strict:
        first, second = pair(strict.ports[0], "checkers")

        first.close()

        second.until("MSG_PLAYERS")
        assert second.players[0][0] == RESERVED
        second.until("MSG_PLAYERS")
        assert second.players[0][0] == ABANDONED
        assert second.read() == ("MSG_GAMEOVER", 1)
        second.close()


def test_who_comes_back_after_the_end_is_told_how_it_ended(running: RunningServer) -> None:
    """The board as it stood, then MSG_GAMEOVER."""
    engine = f"Checkers#late-{TICKET}"
    late, other = client(running.ports[0], engine), client(running.ports[0], "Checkers")
    late.until("REQ_MOVE")
    late.move(17, 24)
    for each in (late, other):
        assert each.until("MSG_MOVE") == ("MSG_MOVE", 17, 24)
    late.close()
    other.until("MSG_PLAYERS")
    other.move(-1, -1, "resign")
    assert other.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", 0)

    again = client(running.ports[0], engine)

    assert again.until("REQ_MOVE", "MSG_GAMEOVER") == ("MSG_GAMEOVER", 0)
    assert (again.seat, again.board) == (0, other.board)
    again.close()
    other.close()


def test_a_game_that_everybody_left_goes_on_when_all_are_back(tmp_path: Path) -> None:
    """Nobody loses by the grace then. The dice that wait to be played are told to whoever comes back first, too."""
    played = settings("ludo")
    engines = [f"Ludo?name={name}#{name}-{TICKET}" for name in ("ann", "ben")]
    with fast(tmp_path, "bogaprot", SEATS_GRACE="0.1s") as strict:
        port = strict.ports[0]
        old = [SpecPlayer(port, played, engine, seed=3) for engine in engines]
        table = Table(*old)
        table.play(20)
        table.listen()
        for player in old:
            player.close()
        wait_until_adjourned(tmp_path)

        new = [SpecPlayer(port, played, engine) for engine in engines]

        assert [after.come_back(before) for after, before in zip(new, old, strict=True)] == [table.asked] * 2
        finish(strict, table, *new)


def wait_until_adjourned(data: Path) -> None:
    """Until the record says so, for at most twenty seconds."""
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        for _ in range(400):
            if views.tables(limit=1)[0].status == "adjourned":
                return
            time.sleep(0.05)
        raise AssertionError("the table was not adjourned")
    finally:
        views.close()
