"""Games of discs in the terminal client, under textual's pilot: a column, discs that turn over, a seat passed over."""

from __future__ import annotations

from textual.pilot import Pilot

from clients.player_app import PlayerApp
from tests.clients.scripted import Peer
from tests.clients.test_player_app import beginning, click, on_the_screen, screen, until


async def two_columns(peer: Peer) -> None:
    """Connect Four: the client drops into d and a; the script answers in d."""
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (-1, 38, "red")
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, 38, "red")
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, 31, "yellow")
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (-1, 35, "red")
    await peer.until_closed()


def test_a_disc_is_dropped_by_a_press_anywhere_in_its_column() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await click(app, pilot, 3)
        await until(pilot, lambda: app.client_state.board == {38: "red", 31: "yellow"} and app.client_state.my_turn)
        await pilot.press(*["up"] * 6, *["left"] * 6, "enter")
        await until(pilot, lambda: app.client_state.pending is not None)

    on_the_screen("connect_four", two_columns, act)


async def one_line(peer: Peer) -> None:
    """Reversi: the client plays d3, which the server tells with the disc that turned."""
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (-1, 19, "black")
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, 19, "black")
    await peer.say("MSG_MOVE", -1, 27, "black")
    await peer.say("REQ_MOVE", 1)
    await peer.until_closed()


def test_discs_that_turned_are_counted_and_squares_are_called_as_players_do() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await click(app, pilot, 19)
        await until(pilot, lambda: app.client_state.turn == 1)
        rows = screen(app)
        assert any("alice" in row and row.rstrip().endswith("black") for row in rows)
        assert [row.split()[-2:] for row in rows if "disc" in row] == [["4", "discs"], ["1", "disc"]]
        assert any("alice: d3" in row for row in rows)

    on_the_screen("reversi", one_line, act)
