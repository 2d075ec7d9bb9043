"""Whole games between emulated GGZBoard clients of all three eras: no handshake, no captures, no negative ints.

Their brains compute every effect from the plain moves, as those clients do: a move that the server judged by other
rules would be refused or would part the two sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.conformance.brains import settings
from tests.conformance.ggzboard_emulator import ERAS, GGZ_0_0_13, OLDER, Era
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, Player
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.running import RunningServer


@dataclass(frozen=True, slots=True)
class Port:
    """A listener without handshake: what is played there, and how the client that dials it counts squares."""

    listener: str
    game: str
    variant: str = ""
    width: int = 0

    def __str__(self) -> str:
        return self.listener

    @property
    def client(self) -> Callable[[int, Era, int], Player]:
        played = settings(self.game, self.variant)
        if self.listener.startswith("ggzboard"):
            return lambda port, era, seed: OldBoardPlayer(port, played, era, seed=seed)
        return lambda port, era, seed: LegacyPlayer(port, played, era, width=self.width, seed=seed)


PORTS = (
    Port("bogaprot,game=ludo", "ludo"),
    Port("bogaprot,game=ludo,width=10", "ludo", width=10),
    Port("bogaprot,game=ludo,variant=ggzboard,width=10,window=no", "ludo", "ggzboard", width=10),
    Port("bogaprot,game=arimaa", "arimaa"),
    Port("ggzboard,game=checkers", "checkers"),
    Port("ggzboard,game=hnefatafl,variant=ggzboard", "hnefatafl", "ggzboard"),
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """First the ports for big-endian clients, then the same for GGZ 0.0.13."""
    listeners = [*(port.listener for port in PORTS), *(f"{port.listener},byte_order=little" for port in PORTS)]
    with fast(tmp_path_factory.mktemp("legacy"), *listeners) as found:
        yield found


@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("port", PORTS, ids=str)
def test_historic_clients_of_every_era_finish_a_game(running: RunningServer, port: Port, era: Era) -> None:
    number = running.ports[PORTS.index(port) + (len(PORTS) if era is GGZ_0_0_13 else 0)]
    players = [port.client(number, era, seed) for seed in (11, 12)]

    Table(*players).finish()

    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)


@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
def test_a_name_is_read_whole_by_the_era_that_drops_a_byte_and_with_its_nul_by_the_others(
    running: RunningServer, era: Era
) -> None:
    """Releases after 2008-03 drop the last byte of a string they read, older ones keep it."""
    number = running.ports[len(PORTS) if era is GGZ_0_0_13 else 0]
    player = LegacyPlayer(number, settings("ludo"), era)
    player.close()

    kind, name = player.client.players[player.client.seat]
    assert (kind, name.rstrip("\0")[:6]) == (3, "guest-")
    assert name.endswith("\0") is not era.drops_last_byte


def test_refusals_and_placements_are_told_to_nobody_but_the_mover(running: RunningServer) -> None:
    """ "RSP_MOVE with status != 0 goes to the mover alone, followed again by REQ_MOVE until a valid move came".

    "a placement desynchronises it": so the mover hears that it was accepted, everybody who is next, and no more.
    """
    played = settings("arimaa")
    port = running.ports[[port.game for port in PORTS].index("arimaa")]
    gold, silver = LegacyPlayer(port, played, OLDER), LegacyPlayer(port, played, OLDER)
    gold.turn()
    silver.turn()

    gold.client.move(48, 40)
    gold.client.place(0, "rabbit")
    gold.client.place(63, "rabbit")

    assert [gold.client.read() for _ in range(6)] == [
        ("RSP_MOVE", 1, "cannot move, must finish placements first\0"),
        ("REQ_MOVE", 0),
        ("RSP_MOVE", 1, "gold is set up on ranks 1 and 2\0"),
        ("REQ_MOVE", 0),
        ("RSP_MOVE", 0, ""),
        ("REQ_MOVE", 0),
    ]
    assert silver.client.read() == ("REQ_MOVE", 0)
    gold.close()
    silver.close()
