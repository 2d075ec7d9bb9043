"""Chess in the terminal client, under textual's pilot: castling, promotion, check, and answers in words."""

from __future__ import annotations

from textual.pilot import Pilot

from clients.board_view import BoardView
from clients.client_state import Phase
from clients.player_app import PlayerApp
from tests.clients.scripted import Peer
from tests.clients.test_player_app import Act, beginning, click, on_the_screen, screen, shown, until

MOVES = ((52, 36), (12, 28), (62, 45), (1, 18), (61, 34), (5, 26))
"""e4 e5 Nf3 Nc6 Bc4 Bc5, by squares."""


async def opening(peer: Peer, seat: int = 0, moves: int = len(MOVES)) -> None:
    """The first moves, and the request for the next."""
    await beginning(peer, seat)
    for at, (source, target) in enumerate(MOVES[:moves]):
        await peer.say("REQ_MOVE", at % 2)
        await peer.say("MSG_MOVE", source, target)
    await peer.say("REQ_MOVE", moves % 2)


async def word(peer: Peer, text: str, *, theirs: bool = False) -> None:
    """The client says a word and is told of it, or the other side says it."""
    if not theirs:
        assert await peer.hear("MSG_MOVE") == (-1, -1, text)
        await peer.say("RSP_MOVE", 0)
    await peer.say("MSG_MOVE", -1, -1, text)


def scene_of(app: PlayerApp) -> set[int]:
    """The squares shown as targets."""
    return set(app.query_one(BoardView).scene.targets)


def test_castling_is_the_kings_move_of_two_squares() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer)
        assert await peer.hear("MSG_MOVE") == (60, 62)
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_MOVE", 60, 62)
        await peer.say("MSG_MOVE", 63, -1)
        await peer.say("MSG_MOVE", -1, 61, "white rook")
        await peer.say("REQ_MOVE", 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await click(app, pilot, 60)
        assert scene_of(app) == {52, 61, 62}
        await click(app, pilot, 62)
        await until(pilot, lambda: app.client_state.turn == 1)
        assert [app.client_state.board.get(at) for at in (60, 61, 62, 63)] == [None, "white rook", "white king", None]
        assert "alice: O-O" in shown(app)
        assert app.query_one(BoardView).scene.last == {60, 62}

    on_the_screen("chess", script, act)


def promoting(piece: str) -> Act:
    """Press the key that chooses ``piece`` on the way to the eighth rank."""
    keys = {"queen": "enter", "rook": "2", "bishop": "b", "knight": "n"}

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await click(app, pilot, 8)
        await click(app, pilot, 0)
        await until(pilot, lambda: "It becomes a" in shown(app))
        assert app.client_state.my_turn
        await pilot.press("escape")
        assert app.client_state.my_turn
        await click(app, pilot, 8)
        await click(app, pilot, 0)
        await pilot.press(keys[piece])
        await until(pilot, lambda: app.client_state.turn == 1)
        assert app.client_state.board[0] == f"white {piece}"
        assert app.client_state.position is not None

    return act


def test_what_a_pawn_becomes_is_asked_and_sent_before_the_move() -> None:
    def script(piece: str) -> object:
        async def told(peer: Peer) -> None:
            await beginning(peer)
            for at in (*range(8), *range(8, 16), *range(48, 64)):
                await peer.say("MSG_MOVE", at, -1)
            for at, standing in ((7, "black king"), (8, "white pawn"), (15, "black pawn"), (60, "white king")):
                await peer.say("MSG_MOVE", -1, at, standing)
            await peer.say("REQ_MOVE", 0)
            assert await peer.hear("MSG_MOVE") == (-1, -1, f"promote {piece}")
            await peer.say("RSP_MOVE", 0)
            assert await peer.hear("MSG_MOVE") == (8, 0)
            await peer.say("RSP_MOVE", 0)
            await peer.say("MSG_MOVE", 8, 0)
            await peer.say("MSG_MOVE", -1, 0, f"white {piece}")
            await peer.say("REQ_MOVE", 1)
            await peer.until_closed()

        return told

    for piece in ("queen", "rook", "bishop", "knight"):
        on_the_screen("chess", script(piece), promoting(piece))  # type: ignore[arg-type]


def test_a_takeback_that_is_asked_for_is_accepted_with_y() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer)
        await word(peer, "takeback 1", theirs=True)
        await word(peer, "takeback 1")
        await peer.say("MSG_MOVE", 26, -1)
        await peer.say("MSG_MOVE", -1, 5, "black bishop")
        await peer.say("REQ_MOVE", 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: bool(app.client_state.offers.theirs))
        await until(pilot, lambda: "y accept  n decline" in screen(app)[-1])
        await pilot.press("y")
        await until(pilot, lambda: "1 move taken back" in shown(app))
        assert (app.client_state.turn, app.client_state.board.get(5), app.client_state.board.get(26)) == (
            1,
            "black bishop",
            None,
        )
        await until(pilot, lambda: "y accept" not in screen(app)[-1])

    on_the_screen("chess", script, act)


def test_a_takeback_is_declined_with_n_and_n_is_nothing_else_then() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer)
        await word(peer, "takeback 1", theirs=True)
        assert await peer.hear("MSG_MOVE") == (-1, -1, "decline")
        await peer.say("RSP_MOVE", 0)
        await peer.say("MSG_MOVE", -1, -1, "declined")
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: bool(app.client_state.offers.theirs))
        await pilot.press("n")
        await until(pilot, lambda: "You decline the takeback." in shown(app))
        assert app.client_state.my_turn
        await pilot.press("n", "y")

    assert on_the_screen("chess", script, act).return_value is None


def test_u_asks_for_two_moves_on_ones_own_turn_and_for_one_on_the_others() -> None:
    for moves, seat, asked in ((6, 0, 2), (5, 0, 1), (3, 1, 2)):

        async def script(peer: Peer, moves: int = moves, seat: int = seat, asked: int = asked) -> None:
            await opening(peer, seat, moves)
            await word(peer, f"takeback {asked}")
            await peer.say("MSG_MOVE", -1, -1, "declined")
            await peer.until_closed()

        async def act(app: PlayerApp, pilot: Pilot[str], moves: int = moves) -> None:
            await until(pilot, lambda: app.client_state.turn == moves % 2 and len(app.client_state.last) == 2)
            await pilot.press("u")
            await until(pilot, lambda: "The takeback is declined." in shown(app))

        on_the_screen("chess", script, act)


def test_a_adjourns_and_goes_on_again() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer)
        await word(peer, "adjourn")
        await peer.say("MSG_MOVE", -1, -1, "adjourned")
        await word(peer, "resume")
        await peer.say("REQ_MOVE", 0)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        await pilot.press("a")
        await until(pilot, lambda: "Adjourned" in shown(app))
        assert "d draw" not in screen(app)[-1]
        await pilot.press("d", "u", "a")
        await until(pilot, lambda: app.client_state.my_turn and "The game goes on." in shown(app))

    on_the_screen("chess", script, act)


def test_after_the_game_m_proposes_another_one_at_the_same_table() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer)
        await peer.say("MSG_GAMEOVER", 1)
        await word(peer, "rematch")
        await peer.say("MSG_SEAT", 1)
        await peer.say("MSG_PLAYERS", 2, 2, "bot", 3, "alice")
        await peer.say("MSG_START")
        await peer.say("REQ_MOVE", 0)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.phase is Phase.OVER and "m rematch" in shown(app))
        await pilot.press("m")
        await until(pilot, lambda: "bot is to move" in shown(app))
        assert "Seats are exchanged: you play black." in shown(app)
        assert app.client_state.phase is Phase.PLAYING

    on_the_screen("chess", script, act, size=(110, 34))


def test_black_sees_the_board_from_its_own_side() -> None:
    async def script(peer: Peer) -> None:
        await opening(peer, seat=1, moves=1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn)
        assert app.query_one(BoardView).scene.flipped
        await pilot.press("f")
        assert not app.query_one(BoardView).scene.flipped

    on_the_screen("chess", script, act)


def test_a_king_in_check_is_shown_and_said() -> None:
    async def script(peer: Peer) -> None:
        await beginning(peer, 1)
        for seat, source, target in ((0, 52, 36), (1, 13, 29), (0, 59, 31)):
            await peer.say("REQ_MOVE", seat)
            await peer.say("MSG_MOVE", source, target)
        await peer.say("REQ_MOVE", 1)
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: app.client_state.my_turn and "Check!" in shown(app))
        assert app.query_one(BoardView).scene.alarm == 4

    on_the_screen("chess", script, act)
