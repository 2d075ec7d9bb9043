"""Go in the terminal client, under textual's pilot: a stone, a pass, and settling what is dead."""

from __future__ import annotations

from textual.pilot import Pilot

from clients.board_view import BoardView
from clients.client_state import Phase
from clients.player_app import PlayerApp
from tests.clients.scripted import Peer
from tests.clients.test_player_app import beginning, click, on_the_screen, screen, shown, until

NINE = (("size", "9"),)


async def told(peer: Peer, *values: object) -> None:
    """The client asks for this move, which is accepted and told."""
    assert await peer.hear("MSG_MOVE") == values
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", *values)  # type: ignore[arg-type]


async def stop(peer: Peer) -> None:
    """Black at E5 and D5, White at A9, then two passes, the first one the client's."""
    await peer.say("REQ_MOVE", 0)
    await told(peer, -1, 40, "black")
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, 0, "white")
    await peer.say("REQ_MOVE", 0)
    await told(peer, -1, 39, "black")
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, -1, "pass")
    await peer.say("REQ_MOVE", 0)
    await told(peer, -1, -1, "pass")
    await peer.say("MSG_MOVE", -1, -1, "settle")


async def play_until_stopped(app: PlayerApp, pilot: Pilot[str]) -> None:
    await until(pilot, lambda: app.client_state.my_turn)
    assert "E5" in shown(app)
    await pilot.press("enter")
    await until(pilot, lambda: app.client_state.board.get(0) == "white" and app.client_state.my_turn)
    await pilot.press("left", "enter")
    await until(pilot, lambda: app.client_state.my_turn)
    await pilot.press("p")
    await until(pilot, lambda: "Play has stopped" in shown(app))


def test_a_game_is_played_and_settled_by_keys_and_mouse() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")
        await peer.say("MSG_START")
        await stop(peer)
        await told(peer, -1, -1, "dead 0")
        await peer.say("MSG_MOVE", -1, -1, "dead 39 40")
        await peer.say("MSG_MOVE", -1, -1, "dead 0")
        await peer.say("MSG_GAMEOVER", 0)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await play_until_stopped(app, pilot)
        assert "W+6.5" in shown(app)
        assert "q quit" in screen(app)[-1]
        await click(app, pilot, 0)
        await until(pilot, lambda: "B+73.5" in shown(app))
        assert app.query_one(BoardView).scene.dead == {0}
        assert "1 marked as dead" in shown(app)
        await pilot.press("s")
        await until(pilot, lambda: app.client_state.phase is Phase.OVER)
        await until(pilot, lambda: "You win!" in shown(app))
        assert "That makes it B+73.5." in shown(app)

    on_the_screen("go", script, act, options=NINE)


def test_y_agrees_to_the_stones_that_the_other_side_has_marked() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")
        await peer.say("MSG_START")
        await stop(peer)
        await peer.say("MSG_MOVE", -1, -1, "dead 39 40")
        await told(peer, -1, -1, "dead 39 40")
        await peer.say("MSG_GAMEOVER", 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await play_until_stopped(app, pilot)
        await until(pilot, lambda: "2 marked as dead" in shown(app))
        await until(pilot, lambda: app.query_one(BoardView).scene.dead == {39, 40})
        assert "y accept" in screen(app)[-1]
        assert "q quit" in screen(app)[-1]
        await pilot.press("y")
        await until(pilot, lambda: "bob wins" in shown(app))

    on_the_screen("go", script, act, options=NINE)


def test_o_plays_on_after_two_passes() -> None:
    async def script(peer: Peer) -> None:
        await beginning(peer)
        await stop(peer)
        await told(peer, -1, -1, "resume")
        await peer.say("REQ_MOVE", 1)
        await peer.say("MSG_MOVE", -1, 1, "white")
        await peer.say("REQ_MOVE", 0)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await play_until_stopped(app, pilot)
        await pilot.press("o")
        await until(pilot, lambda: app.client_state.my_turn and app.client_state.board.get(1) == "white")
        assert "You play on." in shown(app)
        assert app.client_state.position is not None
        assert "play on" not in screen(app)[-1]

    on_the_screen("go", script, act, options=NINE)


def test_the_invitation_names_the_size() -> None:
    async def script(peer: Peer) -> None:
        assert await peer.welcome(0, 2, 3, "alice", 1) == "go?name=alice&size=9"
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: "--option" in shown(app) and "size=9" in shown(app))
        assert app.client_state.width == 9

    on_the_screen("go", script, act, options=NINE)
