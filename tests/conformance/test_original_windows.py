"""What a person meets in GGZBoard's own windows, which can do less than their wire: Ludo and Arimaa."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from gateway.games.ludo import RING
from tests.conformance.brains import settings
from tests.conformance.ggzboard_emulator import ArimaaWindow, BogaprotClient, LudoWindow
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, SpecPlayer
from tests.conformance.playing import Table
from tests.conformance.servers import fast
from tests.running import RunningServer

READY = "emhhddcc/rrrrrrrr/......../......../......../......../EMHHDDCC/RRRRRRRR 0 steps 0"

LISTENERS = (
    "bogaprot",
    "bogaprot,game=ludo,variant=ggzboard,width=10",
    "bogaprot,game=arimaa",
    f"bogaprot,game=arimaa,start={READY}",
    "ggzboard,game=checkers",
)
HANDSHAKE, LUDO, ARIMAA, ARIMAA_SET_UP, CHECKERS = range(len(LISTENERS))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("windows"), *LISTENERS) as found:
        yield found


def begun(port: int, host: str) -> tuple[BogaprotClient, BogaprotClient]:
    """Two clients at one table whose game has begun. Nobody has lost a seat at the address ``host``."""
    first = BogaprotClient(port, host=host)
    while first.read()[0] != "MSG_PLAYERS":
        pass
    second = BogaprotClient(port, host=host)
    for client in (first, second):
        while not client.started:
            client.read()
    return first, second


def test_pieces_leave_a_ludo_depot_from_squares_that_the_window_can_name_first(running: RunningServer) -> None:
    """Blue's depot has two squares in column 10, which the window takes for squares of column 0, one row lower."""
    port = running.ports[LUDO]
    played = settings("ludo", "ggzboard")
    players = [LegacyPlayer(port, played, width=10, seed=seed) for seed in (3, 4)]
    Table(*players).finish()
    window = LudoWindow(players[0].client)
    left = 0
    for source, destination in players[0].heard:
        if destination == 6 and source not in (5, 6):  # blue's start field, reached from the depot
            left += 1
            if left <= 2:
                assert divmod(source, 10)[::-1] in window.board
        window.heard(source, destination)
        if left == 2:
            break
    assert left == 2
    assert [at for at in window.empty if at[0] >= 9] == []


def test_a_click_takes_a_ludo_piece_one_field_on_whatever_the_die_shows(running: RunningServer) -> None:
    """A one brings a piece out, and any piece of the depot may be clicked; on the ring every click is one field."""
    port, played = running.ports[LUDO], settings("ludo", "ggzboard")
    yellow, blue = (LegacyPlayer(port, played, width=10, seed=seed, host="127.0.0.2") for seed in (5, 6))
    table, window = Table(yellow, blue), LudoWindow(yellow.client)
    table.listen()
    while table.asked != 0:
        table.play(1)
        table.listen()
    assert yellow.dice[-1] == 1
    window.click((0, 0), (0, 4))
    table.listen()
    for source, destination in yellow.heard:
        window.heard(source, destination)
    assert (11, 40) in yellow.heard
    assert (1, 1) not in window.board

    while not (table.asked == 0 and yellow.dice[-1] > 1 and steps(yellow)):
        table.play(1)
        table.listen()
    yellow.client.move(*steps(yellow)[0])
    assert yellow.client.read() == ("RSP_MOVE", 1, f"the roll is a {yellow.dice[-1]}")
    yellow.close()
    blue.close()


def steps(player: LegacyPlayer) -> list[tuple[int, int]]:
    """One field on for each piece on the ring, between columns that mean one square each."""
    lane = [divmod(at, 11)[::-1] for at in RING]
    own = {divmod(at, 11)[::-1] for at in player.brain.position.pieces[player.seat]}
    found = [pair for pair in pairwise(lane) if pair[0] in own and pair[1] not in own]
    named = [pair for pair in found if all(1 <= x <= 9 for x, _ in pair)]
    return [(source[1] * 10 + source[0], target[1] * 10 + target[0]) for source, target in named]


def test_the_original_arimaa_window_waits_for_ever_unless_the_port_has_a_set_up(running: RunningServer) -> None:
    gold, silver = begun(running.ports[ARIMAA], "127.0.0.3")
    assert gold.read() == ("REQ_MOVE", 0)
    window = ArimaaWindow(gold)
    window.put(48, "elephant")
    window.step(48, 40)
    refused = gold.read()
    assert refused[:2] == ("RSP_MOVE", 1)
    assert "placements" in str(refused[2])
    gold.close()
    silver.close()


def test_arimaa_with_a_set_up_is_played_by_the_mouse_at_once(running: RunningServer) -> None:
    gold, silver = begun(running.ports[ARIMAA_SET_UP], "127.0.0.4")
    assert gold.read() == ("REQ_MOVE", 0)
    ArimaaWindow(gold).step(48, 40)
    assert [gold.read() for _ in range(3)] == [("RSP_MOVE", 0, ""), ("MSG_MOVE", 48, 40), ("REQ_MOVE", 0)]
    gold.close()
    silver.close()


def test_an_original_client_that_comes_second_gets_seat_0_from_one_who_does_not_mind(running: RunningServer) -> None:
    """Their mouse moves the pieces of seat 0 only."""
    other = SpecPlayer(running.ports[HANDSHAKE], settings("checkers"), "checkers")
    assert other.seat == 0
    original = OldBoardPlayer(running.ports[CHECKERS], settings("checkers"), host="127.0.0.5")
    while not original.client.started:
        original.client.read()
    other.client.until("MSG_START")
    assert (original.seat, other.seat) == (0, 1)
    original.close()
    other.close()


def test_of_two_original_clients_the_first_keeps_seat_0(running: RunningServer) -> None:
    first, second = (OldBoardPlayer(running.ports[CHECKERS], settings("checkers"), host="127.0.0.6") for _ in range(2))
    for player in (first, second):
        while not player.client.started:
            player.client.read()
    assert (first.seat, second.seat) == (0, 1)
    first.close()
    second.close()
