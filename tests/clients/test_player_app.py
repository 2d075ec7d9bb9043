"""The terminal client runs under textual's pilot against scripted servers on real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot
from textual.widgets import Static

from clients.board_view import BoardView
from clients.client_state import ClientState, Phase
from clients.connection import Connection
from clients.drawing import layout
from clients.joining import Wish
from clients.player_app import AGAIN, PlayerApp
from clients.screens import KEYS
from clients.session import Session
from gateway import registry
from tests.clients.scripted import Peer, Script, serving

Act = Callable[[PlayerApp, Pilot[str]], Awaitable[None]]


def on_the_screen(
    game: str,
    script: Script,
    act: Act,
    size: tuple[int, int] = (80, 24),
    options: tuple[tuple[str, str], ...] = (),
    later: tuple[Script, ...] = (),
) -> PlayerApp:
    """Run the client against ``script`` while ``act`` presses keys; the app. ``later`` connections follow."""

    async def main() -> PlayerApp:
        async with serving(script, *later) as address:
            wish = Wish(game, "alice", options=options)
            session = Session(wish, ClientState(registry.game(game), options=dict(options)))
            connection = Connection(session, address)
            await connection.open()
            app = PlayerApp(connection)
            try:
                async with app.run_test(size=size) as pilot:
                    await act(app, pilot)
            finally:
                await connection.close()
        return app

    return asyncio.run(main())


async def until(pilot: Pilot[str], holds: Callable[[], bool]) -> None:
    """Wait until this is true and drawn; a failure shows the screen."""
    try:
        async with asyncio.timeout(60):
            while not holds():
                await pilot.pause(0.01)
            await pilot.pause(0)
    except TimeoutError:
        raise AssertionError("\n".join(screen(pilot.app))) from None


def screen(app: object) -> list[str]:
    """The rows of the terminal as text."""
    strips = app.screen._compositor.render_strips()  # type: ignore[attr-defined]
    return ["".join(segment.text for segment in strip) for strip in strips]


def shown(app: PlayerApp) -> str:
    return "\n".join(screen(app))


async def beginning(peer: Peer, seat: int = 0) -> None:
    await peer.welcome(seat, 2, 3, "alice", 2, "bot")
    await peer.say("MSG_START")


async def just_begins(peer: Peer) -> None:
    await beginning(peer)
    await peer.until_closed()


async def three_in_a_row(peer: Peer) -> None:
    """X plays the left column; the script answers in the middle one, and refuses the first move."""
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (-1, 0, "x")
    await peer.say("RSP_MOVE", 1, "not on a Sunday")
    await peer.say("REQ_MOVE", 0)
    for ours, theirs in ((0, 1), (3, 4), (6, None)):
        assert await peer.hear("MSG_MOVE") == (-1, ours, "x")
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_MOVE", -1, ours, "x")
        if theirs is not None:
            await peer.say("REQ_MOVE", 1)
            await peer.say("MSG_MOVE", -1, theirs, "o")
            await peer.say("REQ_MOVE", 0)
    await peer.say("MSG_GAMEOVER", 0)
    await peer.until_closed()


def test_a_game_is_won_with_the_keyboard_alone() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await pilot.press("left", "up", "enter")
        await until(pilot, lambda: "not on a Sunday" in shown(app) and app.client_state.my_turn)
        await pilot.press("space")
        await until(pilot, lambda: app.client_state.my_turn)
        assert app.client_state.board == {0: "x", 1: "o"}
        await pilot.press("j", "enter")
        await until(pilot, lambda: app.client_state.my_turn)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.client_state.phase is Phase.OVER)
        await until(pilot, lambda: "You win!" in shown(app))
        await pilot.press("n")

    assert on_the_screen("tic_tac_toe", three_in_a_row, act).return_value == AGAIN


async def a_capture(peer: Peer) -> None:
    """Checkers: 9-14 23-18, then 14x23 by the mouse, told with its removal."""
    await beginning(peer)
    for seat, source, target in ((0, 17, 26), (1, 44, 35)):
        await peer.say("REQ_MOVE", seat)
        await peer.say("MSG_MOVE", source, target)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (26, 44)
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", 26, 44)
    await peer.say("MSG_MOVE", 35, -1)
    await peer.say("REQ_MOVE", 1)
    await peer.until_closed()


async def click(app: PlayerApp, pilot: Pilot[str], square: int) -> None:
    board = app.query_one(BoardView)
    where = layout(board.scene, board.size.width, board.size.height)
    row, column = divmod(square, app.client_state.width)
    row, column = divmod(board.scene.cell_of(column, row), app.client_state.width)  # where it is drawn
    x = where.left + 3 + column * where.cell_width + 1
    await pilot.click(BoardView, offset=(x, where.top + row * where.cell))


def test_a_piece_is_moved_with_the_mouse() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        assert app.query_one(BoardView).scene.movable == {26}
        await click(app, pilot, 26)
        assert app.query_one(BoardView).scene.targets == {44}
        await click(app, pilot, 44)
        await until(pilot, lambda: app.client_state.turn == 1)
        scene = app.query_one(BoardView).scene
        assert (scene.board.get(44), scene.board.get(35)) == ("black man", None)
        assert scene.last == {26, 44}
        assert "14x23" in shown(app)
        assert "bot is to move" in shown(app)

    on_the_screen("checkers", a_capture, act)


async def a_six(peer: Peer) -> None:
    await beginning(peer)
    for value in (2, 3, 6):
        await peer.say("MSG_DICE", value)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (12, 44)
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", 12, 44)
    await peer.say("MSG_DICE", 4)
    await peer.say("REQ_MOVE", 0)
    assert await peer.hear("MSG_MOVE") == (44, 48)
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", 44, 48)
    await peer.until_closed()


def test_ludo_shows_the_die_and_two_presses_of_enter_play_a_roll() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        assert "rolled 6" in shown(app)
        assert shown(app).count("●   ●") == 3
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.client_state.board.get(44) == "yellow" and app.client_state.my_turn)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.client_state.board.get(48) == "yellow")

    on_the_screen("ludo", a_six, act)


async def arimaa_setup(peer: Peer) -> None:
    await beginning(peer)
    await peer.say("REQ_MOVE", 0)
    source, target, piece = await peer.hear("MSG_MOVE")
    assert (source, target) == (-1, 56)
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, 56, f"gold {str(piece).removeprefix('gold ')}")
    await peer.say("REQ_MOVE", 0)
    await peer.until_closed()


def test_pieces_to_be_placed_are_chosen_by_number_and_counted() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        pieces = app.selection.pieces
        assert len(pieces) == 6
        key = next(at for at, piece in enumerate(pieces, 1) if "elephant" in piece)
        assert "elephant ×1" in shown(app)
        assert "rabbit ×8" in shown(app)
        await pilot.press(str(key))
        await click(app, pilot, 56)
        await until(pilot, lambda: app.client_state.board == {56: "gold elephant"})
        await until(pilot, lambda: "elephant ×" not in shown(app))

    on_the_screen("arimaa", arimaa_setup, act)


def test_the_waiting_screen_shows_who_is_here_and_how_to_join() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(0, 4, 3, "alice", 3, "bob", 1, 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: "bob" in shown(app))
        assert shown(app).count("waiting for a player") == 2
        assert "boardgate play ludo 127.0.0.1:" in shown(app)

    on_the_screen("ludo", script, act)


def test_resigning_is_asked_back_before_it_is_sent() -> None:
    heard: list[tuple[object, ...]] = []

    async def script(peer: Peer) -> None:
        await beginning(peer)
        await peer.say("REQ_MOVE", 0)
        heard.append(await peer.hear("MSG_MOVE"))
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_GAMEOVER", 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await pilot.press("r", "n")
        assert app.client_state.my_turn
        await pilot.press("r")
        assert "Resign this game?" in shown(app)
        await pilot.press("y")
        await until(pilot, lambda: "bot wins" in shown(app))

    on_the_screen("tic_tac_toe", script, act)
    assert heard == [(-1, -1, "resign")]


def test_a_draw_is_offered_by_a_key() -> None:
    async def script(peer: Peer) -> None:
        await beginning(peer)
        await peer.say("REQ_MOVE", 1)
        assert await peer.hear("MSG_MOVE") == (-1, -1, "draw")
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_MOVE", -1, -1, "draw")
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.turn == 1)
        await pilot.press("d")
        await until(pilot, lambda: "You offer a draw." in shown(app))

    on_the_screen("tic_tac_toe", script, act)


def test_a_seat_that_another_client_took_is_offered_back_on_a_key() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")
        await peer.say("MSG_START")
        await peer.say("REQ_MOVE", 0)
        await peer.say("RSP_MOVE", 2, "another client has taken your seat; this connection is closed")

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: "Another client has your seat" in shown(app))
        assert "b: take it back" in shown(app)
        assert app.check_action("seat", ())
        assert not app.client_state.my_turn
        await pilot.press("b")
        await until(pilot, lambda: app.client_state.my_turn)

    async def again(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")
        await peer.say("MSG_START")
        await peer.say("REQ_MOVE", 0)
        await peer.until_closed()

    on_the_screen("tic_tac_toe", script, act, later=(again,))


def test_a_lost_connection_is_shown_and_moves_wait() -> None:
    async def script(peer: Peer) -> None:
        await beginning(peer)
        await peer.say("REQ_MOVE", 0)

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: "Connection lost" in shown(app))
        await pilot.press("enter")
        assert app.client_state.pending is None

    on_the_screen("tic_tac_toe", script, act, later=(Peer.until_closed,))


def test_every_game_fits_into_80_by_24() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.phase is Phase.PLAYING and "q quit" in screen(app)[-1])
        rows = screen(app)
        look, (width, height) = app.client_state.look, (app.client_state.width, app.client_state.height)
        assert len(rows) == 24
        files = [look.file(column) for column in range(width)]
        assert any(row.split("▏")[0].split() == files for row in rows) or not any(files), "the files below the board"
        ranks = {row[:47].split()[0] for row in rows if row[:47].split()}
        assert ranks >= {look.rank(row, height) for row in range(height)} - {""}, "every rank beside it"

    for game in registry.games():
        on_the_screen(game, just_begins, act)


def test_a_wide_panel_never_makes_the_board_smaller() -> None:
    widths: dict[str, int] = {}

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.phase is Phase.PLAYING)
        board = app.query_one(BoardView)
        await until(pilot, lambda: board.size.width > 0)
        widths[app.session.wish.game] = app.query_one("#panel").size.width
        assert layout(board.scene, board.size.width, board.size.height).cell >= 2

    for game in ("go", "chess"):
        on_the_screen(game, just_begins, act, size=(120, 40))
    assert widths["go"] < widths["chess"], "19 lines need the columns more than the log does"


def test_help_fits_into_80_by_24_with_every_key_on_a_line_of_its_own() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: "offer a draw" in shown(app))
        rows = screen(app)
        for keys, text in KEYS:
            assert any(f" {keys} " in row and row.split("│")[-2].rstrip().endswith(text) for row in rows), keys
        assert any("╰" in row for row in rows), "the window's lower edge"

    on_the_screen("ludo", just_begins, act)


async def a_resignation(peer: Peer) -> None:
    await beginning(peer)
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, -1, "over resignation")
    await peer.say("MSG_GAMEOVER", 0)
    await peer.until_closed()


def test_the_panel_says_why_a_game_ended() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.phase is Phase.OVER)
        await until(pilot, lambda: "You win!" in shown(app) and "bot resigned" in shown(app))

    on_the_screen("tic_tac_toe", a_resignation, act)


def test_a_winning_line_is_marked_and_named() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await pilot.press("left", "up", "enter")
        await until(pilot, lambda: "not on a Sunday" in shown(app) and app.client_state.my_turn)
        for keys in (["space"], ["j", "enter"], ["j", "enter"]):
            await until(pilot, lambda: app.client_state.my_turn)
            await pilot.press(*keys)
        await until(pilot, lambda: app.client_state.phase is Phase.OVER and "three in a row" in shown(app))
        assert app.query_one(BoardView).scene.won == {0, 3, 6}

    on_the_screen("tic_tac_toe", three_in_a_row, act)


async def a_talk(peer: Peer) -> None:
    await beginning(peer)
    await peer.say("REQ_MOVE", 1)
    await peer.say("MSG_MOVE", -1, -1, "said 1 good luck")
    assert await peer.hear("MSG_MOVE") == (-1, -1, "say Thank you, q")
    await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, -1, "said 0 Thank you, q")
    await peer.say("MSG_MOVE", -1, -1, "said -1 the server stops")
    await peer.until_closed()


def test_a_slash_opens_a_line_and_what_is_said_stands_in_the_log() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: "bot: good luck" in shown(app))
        await pilot.press("slash", "n", "o", "escape")
        await pilot.press("slash", *("space" if letter == " " else letter for letter in "Thank you, q"), "enter")
        await until(pilot, lambda: "alice: Thank you, q" in shown(app) and "server: the server stops" in shown(app))

    on_the_screen("tic_tac_toe", a_talk, act)


async def a_whole_setup(peer: Peer) -> None:
    await beginning(peer)
    placed = []
    for _ in range(16):
        await peer.say("REQ_MOVE", 0)
        source, target, piece = await peer.hear("MSG_MOVE")
        assert source == -1
        placed.append((target, piece))
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_MOVE", -1, int(target), f"gold {str(piece).removeprefix('gold ')}")
    assert sorted(int(target) for target, _ in placed) == list(range(48, 64))
    await peer.say("REQ_MOVE", 1)
    await peer.until_closed()


def test_one_key_sets_up_all_pieces_as_usual() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await until(pilot, lambda: "s set up" in screen(app)[-1])
        await pilot.press("s")
        await until(pilot, lambda: app.client_state.turn == 1)
        assert len(app.client_state.board) == 16
        assert app.client_state.board[51] == "gold elephant"

    on_the_screen("arimaa", a_whole_setup, act)


def test_help_lists_the_keys_and_closes() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: "offer a draw" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "offer a draw" not in shown(app))
        assert app.query_one("#title", Static).display

    on_the_screen("ludo", just_begins, act)


def test_f_turns_the_board_around_and_the_arrows_with_it() -> None:
    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.phase is Phase.PLAYING)
        assert app.query_one(BoardView).scene.flipped, "Black's men are below"
        before = app.selection.cursor
        await pilot.press("f", "down")
        assert not app.query_one(BoardView).scene.flipped
        assert app.selection.cursor == before + 8

    on_the_screen("checkers", just_begins, act)
