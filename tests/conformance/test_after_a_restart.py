"""The server is stopped, or killed, in the middle of three games: everybody comes back and finishes them.

Clients of the document return by ticket, historic ones by address. Position, turn and dice are those told before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.playing import run
from tests.conformance.brains import settings
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, Player, SpecPlayer
from tests.conformance.playing import Table
from tests.conformance.servers import fast
from tests.conformance.spec_client import Closed
from tests.running import RunningServer

LISTENERS = ("bogaprot", "bogaprot,game=ludo,width=10", "ggzboard,game=checkers")
ALICE, BOB, CARL, DORA = (f"the-secret-ticket-of-{name}" for name in ("alice", "bob", "carl", "dora"))
MOVES = {"ludo": 25, "checkers": 15, "arimaa": 45}


def ludo(ports: list[int]) -> tuple[SpecPlayer, LegacyPlayer]:
    """One of each kind; who dials again gets the same seat."""
    played = settings("ludo")
    alice = SpecPlayer(ports[0], played, f"Ludo?name=Alice#{ALICE}", seed=1)
    return alice, LegacyPlayer(ports[1], played, width=10, seed=2, host="127.0.0.31")


def checkers(ports: list[int], told: int = 0) -> tuple[OldBoardPlayer, SpecPlayer]:
    """One of each kind; ``told`` is how many moves the historic client is told at once."""
    played = settings("checkers")
    guest = OldBoardPlayer(ports[2], played, seed=3, host="127.0.0.32", replayed=told)
    return guest, SpecPlayer(ports[0], played, f"Checkers?name=Bob#{BOB}", seed=4)


def arimaa(ports: list[int]) -> tuple[SpecPlayer, SpecPlayer]:
    """Two clients of the document."""
    played = settings("arimaa")
    carl = SpecPlayer(ports[0], played, f"Arimaa?name=Carl#{CARL}", seed=5)
    return carl, SpecPlayer(ports[0], played, f"Arimaa?name=Dora#{DORA}", seed=6)


def begun(seats: Sequence[Player], moves: int) -> Table:
    """A table after so many moves, everybody having heard who is to move."""
    table = Table(*seats)
    table.play(moves)
    table.listen()
    assert not table.over
    return table


@pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of this machine without set-up")
@pytest.mark.parametrize("end", [RunningServer.stop, RunningServer.kill], ids=["SIGTERM", "SIGKILL"])
def test_everybody_comes_back_and_finishes(tmp_path: Path, end: Callable[[RunningServer], int | None]) -> None:
    with fast(tmp_path, *LISTENERS) as first:
        ports = first.ports
        old = ludo(ports), checkers(ports), arimaa(ports)
        tables = [begun(seats, MOVES[seats[0].brain.game.name]) for seats in old]
        assert end(first) in (0, None)
    for table in tables:
        for player in table.players.values():
            player.close()

    with fast(tmp_path, *LISTENERS, ports=dict(enumerate(ports))) as second:
        return_to_ludo(tables[0], old[0], ports)
        return_to_checkers(tables[1], old[1], ports)
        return_to_arimaa(tables[2], old[2], ports)
        for table in tables:
            table.finish()
        assert second.stop() == 0

    for number in (1, 2, 3):
        proof = run("verify", number, data=tmp_path)
        assert (proof.exit_code, "the record is whole" in proof.output) == (0, True)


def return_to_ludo(table: Table, old: tuple[SpecPlayer, LegacyPlayer], ports: list[int]) -> None:
    """Both are asked for the same move, after the same dice."""
    assert old[0].dice
    alice, guest = ludo(ports)
    assert alice.come_back(old[0]) == guest.come_back(old[1]) == table.asked
    assert alice.dice == guest.dice == old[0].dice
    assert (alice.seat, guest.seat) == (1, 0)  # who came second, but from GGZBoard, has got seat 0
    table.players = {1: alice, 0: guest}


def return_to_checkers(table: Table, old: tuple[OldBoardPlayer, SpecPlayer], ports: list[int]) -> None:
    guest, bob = checkers(ports, told=MOVES["checkers"])
    assert guest.turn() == bob.come_back(old[1]) == table.asked
    assert guest.brain.board == old[0].brain.board
    table.players = {0: guest, 1: bob}


def return_to_arimaa(table: Table, old: tuple[SpecPlayer, SpecPlayer], ports: list[int]) -> None:
    carl, dora = arimaa(ports)
    assert carl.come_back(old[0]) == dora.come_back(old[1]) == table.asked
    table.players = {0: carl, 1: dora}


def test_a_stopped_server_hangs_up(tmp_path: Path) -> None:
    """SIGTERM: whoever is at a table sees the connection end, not a frozen board."""
    with fast(tmp_path, "bogaprot") as running:
        player = SpecPlayer(running.ports[0], settings("ludo"), "Ludo")
        assert running.stop() == 0

        with pytest.raises(Closed):
            player.turn()
