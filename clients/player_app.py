"""The terminal client: a textual app around one Bogaprot connection, with a board, a side panel and a log.

The app only joins them: server's message -> client state -> scene; key or click -> selection -> bytes.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Footer, Static

from clients import panel
from clients.board_view import BoardView, ClockView
from clients.client_state import ClientState, Phase
from clients.connection import Connection
from clients.drawing import Scene, layout
from clients.screens import Choice, Keys, Line, Question
from clients.selection import Selection
from clients.watching import Watching
from gateway.games.look import Board
from gateway.games.parts import Chance
from protocols.core.errors import BoardgateError
from protocols.core.model import PASS, Move

AGAIN = "again"
"""The app's result when the player wants another game."""

PANEL, WIDE_PANEL, PANEL_EDGE = 33, 42, 2
"""Columns of the side panel: a board of eleven squares of four columns leaves 33 of 80; and of its edge."""

LOG_LINES = 200
"""Lines of the log that can be scrolled back to."""

GIVEN_S = 15
"""Seconds that the key g gives to the other side."""

WIDE = 110
"""Columns of a terminal from which the side panel is the wide one."""


class PlayerApp(App[str]):
    """Plays one game over ``connection``, which is open, or shows one to a spectator.

    The result is AGAIN, or why the server ended it, or None.
    """

    CSS_PATH = Path(__file__).with_name("player.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "unselect", show=False),
        Binding("p", "pass", "pass"),
        Binding("s", "settle", "propose"),
        Binding("s", "set_up", "set up"),
        Binding("o", "play_on", "play on"),
        Binding("y", "accept", "accept"),
        Binding("n", "decline", "decline"),
        Binding("d", "propose('draw')", "draw"),
        Binding("c", "claim", "claim"),
        Binding("u", "take_back", "takeback"),
        Binding("a", "adjourn", "adjourn", show=False),
        Binding("g", "give_time", "give time", show=False),
        Binding("x", "abort", "abort", show=False),
        Binding("r", "resign", "resign"),
        Binding("m", "propose('rematch')", "rematch"),
        Binding("n", "again", "new game"),
        Binding("slash", "say", "say"),
        Binding("b", "seat", "take seat back"),
        Binding("f", "flip", show=False),
        Binding("t", "shade", "light", show=False),
        Binding("question_mark", "keys", "keys"),
        Binding("q", "leave", "quit"),
        *(Binding(str(digit), f"choose({digit})", show=False) for digit in range(1, 10)),
    ]

    def __init__(self, connection: Connection | Watching) -> None:
        super().__init__()
        self.connection = connection
        self.session = connection.session
        self.client_state = connection.session.client_state
        self.selection = Selection(self.client_state.width, self.client_state.height)
        self.flipped = False
        """True if the player wants the board the other way round than it is shown at their seat."""
        self._lines: deque[Content] = deque(maxlen=LOG_LINES)
        self._known: object = None
        self._stock: dict[str, int] = {}
        self._planned: list[Move] = []
        """Placements of a usual set-up that are still to be made."""
        self.selection.cursor = self.client_state.height // 2 * self.client_state.width + self.client_state.width // 2

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            yield Static(id="waiting")
            yield BoardView(self._scene(), id="board")
            with Vertical(id="panel"):
                yield Static(id="title")
                yield Static(id="players")
                yield ClockView(self.client_state, id="clocks")
                yield Static(id="state")
                yield Static(id="hint")
                yield Static(id="die")
                yield Static(id="stock")
                with VerticalScroll(id="log", can_focus=False):
                    yield Static(id="lines")
        yield Footer()

    def on_mount(self) -> None:
        self.connection.changed = self.show
        self.show()
        self.query_one(BoardView).focus()
        self.run_worker(self._converse(), exit_on_error=True)

    async def _converse(self) -> None:
        try:
            await self.connection.keep()
        except BoardgateError as error:
            self.exit(str(error), return_code=1)

    # what is seen

    def show(self) -> None:
        """Bring everything on the screen up to date with the mirror."""
        if not self.screen_stack or not self.is_running:
            return
        client_state = self.client_state
        self._offer()
        variant = client_state.settings.variant if client_state.settings else ""
        title = client_state.game.title if client_state.game else self.session.wish.game
        self.query_one("#title", Static).update(Content(f"{title} · {variant}" if variant else title))
        playing = client_state.phase in (Phase.PLAYING, Phase.OVER)
        self.query_one("#waiting").set_class(playing, "gone")
        self.query_one("#board").set_class(not playing, "gone")
        if not playing:
            told = panel.waiting(client_state, self.session.wish, self.connection.address)
            self.query_one("#waiting", Static).update(told)
        self.query_one("#players", Static).update(panel.players(client_state, self._panel_width()))
        self.query_one(ClockView).show()
        self._show_part("die", panel.die(client_state))
        self._show_part("stock", panel.stock(self._stock, self.selection.piece))
        if client_state.news:
            self._lines += (panel.news(line) for line in client_state.news)
            client_state.news.clear()
            self.query_one("#lines", Static).update(Content("\n").join(self._lines))
            self.query_one("#log").scroll_end(animate=False)
        self._show_board()
        self.refresh_bindings()
        self._place_planned()

    def _show_part(self, name: str, content: Content | None) -> None:
        part = self.query_one(f"#{name}", Static)
        part.set_class(content is None, "gone")
        part.update(content or "")

    def _show_board(self) -> None:
        """Draw anew after the cursor or the selection has changed."""
        client_state, chosen = self.client_state, self.selection
        self.query_one(BoardView).show(self._scene())
        self.query_one("#state", Static).update(panel.state(client_state, self.connection.up))
        hint = panel.hint(client_state, chosen.source is not None, len(chosen.sources()), len(chosen.targets()))
        self.query_one("#hint", Static).update(
            Content(f"{hint}\n{panel.under_cursor(client_state, chosen.cursor)}".lstrip())
        )

    def _scene(self) -> Scene:
        client_state, chosen, look = self.client_state, self.selection, self.client_state.look
        placing = look.board is not Board.LINES
        return Scene(
            client_state.width,
            client_state.height,
            look,
            dict(client_state.board),
            chosen.cursor,
            chosen.source,
            frozenset(chosen.targets()) if chosen.source is not None or placing else frozenset(),
            frozenset(chosen.sources()) if chosen.source is None else frozenset(),
            frozenset(client_state.last),
            self.flipped != (client_state.seat in look.turned),
            client_state.checked,
            client_state.settling.marked,
            frozenset(client_state.decisive),
        )

    def _offer(self) -> None:
        """Tell the selection what can be done now."""
        client_state = self.client_state
        self.selection.width, self.selection.height = client_state.width, client_state.height
        free = client_state.my_turn and client_state.position is None
        self.selection.offer(client_state.legal_moves(), frozenset(client_state.board), free=free)
        if client_state.position is not self._known:
            self._known = client_state.position
            self._stock = {}
            if len(self.selection.pieces) > 1 and client_state.game is not None:
                self._stock = panel.remaining(client_state.game, client_state.position)
        if not self.selection.pieces:
            self._stock, self._known = {}, None

    def _panel_width(self) -> int:
        """Columns inside the side panel."""
        return self._panel_columns(self.size) - PANEL_EDGE

    def _panel_columns(self, size: Size) -> int:
        """Columns of the side panel: the wide one where there is room and the board gets no smaller for it."""
        scene, rows = self._scene(), size.height - 1
        cells = [layout(scene, size.width - panel, rows).cell for panel in (PANEL, WIDE_PANEL)]
        return WIDE_PANEL if size.width >= WIDE and cells[0] == cells[1] else PANEL

    def on_resize(self, event: Resize) -> None:
        side = self.query_one("#panel")
        side.styles.width = self._panel_columns(event.size)
        self.show()

    # what the player does

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        square = self.selection.cursor if event.square is None else event.square
        if not self.client_state.my_turn:
            self.selection.cursor = square
            if (
                self.client_state.settling.going_on
                and self.client_state.seat is not None
                and square in self.client_state.board
            ):
                self.client_state.settling.turn(square)
        else:
            move = self.selection.press(self.client_state.meant(square, self.selection.piece))
            if move is not None:
                self._choose_and_play(self.selection.alternatives(move))
        self._show_board()

    def on_board_view_stepped(self, event: BoardView.Stepped) -> None:
        self.selection.step(event.columns, event.rows)
        self._show_board()

    def on_board_view_jumped(self, event: BoardView.Jumped) -> None:
        self.selection.jump(event.way)
        self._show_board()

    def _choose_and_play(self, moves: list[Move]) -> None:
        """Play the only one of these moves, or the one whose piece the player chooses."""
        if len(moves) == 1:
            self._play(moves[0])
            return

        def chosen(piece: str | None) -> None:
            for move in moves:
                if move.piece == piece and move in self.client_state.legal_moves():
                    self._play(move)

        self.push_screen(Choice([move.piece for move in moves]), chosen)

    def _play(self, move: Move) -> None:
        if self.client_state.my_turn and self.connection.up:
            self.connection.send(self.session.play(move))
            self.show()

    def _place_planned(self) -> None:
        """Make the next placement of a usual set-up, when it is our turn to."""
        if not self._planned or not self.client_state.my_turn:
            return
        move = self._planned.pop(0)
        if move in self.client_state.legal_moves():
            self._play(move)
        else:
            self._planned.clear()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that make no sense now are not offered."""
        return useful(action, parameters, self.client_state, self.selection, up=self.connection.up)

    def action_unselect(self) -> None:
        self.selection.clear()
        self._show_board()

    def action_choose(self, digit: int) -> None:
        pieces = self.selection.pieces
        if digit <= len(pieces):
            self.selection.choose(pieces[digit - 1])
            self.show()

    def action_pass(self) -> None:
        self._play(PASS)

    def action_propose(self, word: str) -> None:
        self.connection.send(self.session.propose(word))

    def action_settle(self) -> None:
        self.action_propose(self.client_state.settling.word())

    def action_set_up(self) -> None:
        self._planned = self.client_state.usual_setup()
        self._place_planned()

    def action_say(self) -> None:
        def typed(text: str | None) -> None:
            if text:
                self.connection.send(self.session.say(text))

        self.push_screen(Line(), typed)

    def action_play_on(self) -> None:
        self.action_propose("resume")

    def action_claim(self) -> None:
        self.action_propose(self.client_state.claim_word())

    def action_take_back(self) -> None:
        self.action_propose(f"takeback {self.client_state.plies_back()}")

    def action_adjourn(self) -> None:
        self.action_propose("resume" if self.client_state.adjourned else "adjourn")

    def action_accept(self) -> None:
        self.action_propose(self.client_state.offers.theirs)

    def action_decline(self) -> None:
        self.connection.send(self.session.decline())

    def action_resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.connection.send(self.session.resign())

        self.push_screen(Question("Resign this game?"), answered)

    def action_give_time(self) -> None:
        self.connection.send(self.session.give_time(GIVEN_S))

    def action_abort(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.action_propose("abort")

        self.push_screen(Question("Abort this game? Nobody loses."), answered)

    def action_seat(self) -> None:
        self.connection.take_back()

    def action_again(self) -> None:
        self.exit(AGAIN)

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self._show_board()

    def action_shade(self) -> None:
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"

    def action_keys(self) -> None:
        self.push_screen(Keys())

    def action_leave(self) -> None:
        self.exit()


def useful(
    action: str, parameters: tuple[object, ...], client_state: ClientState, selection: Selection, *, up: bool
) -> bool:
    """True if this action of the app does something now; ``up``: there is a connection. Rolls are never taken back.

    A spectator, who has no seat, plays, says and proposes nothing.
    """
    seated = client_state.seat is not None
    playing, over = client_state.phase is Phase.PLAYING and up and seated, client_state.phase is Phase.OVER and seated
    running, settling = playing and not client_state.adjourned, client_state.settling.going_on
    match action, parameters:
        case "pass", _:
            return client_state.my_turn and selection.can_pass
        case "set_up", _:
            return client_state.my_turn and bool(selection.pieces) and bool(client_state.usual_setup())
        case "say", _:
            return up and seated
        case "propose", ("rematch",):
            return over and up
        case (("settle" | "play_on"), _):
            return running and settling
        case "propose", _:
            return running and not settling
        case "give_time", _:
            return running and client_state.clock is not None
        case (("resign" | "abort"), _):
            return running
        case "claim", _:
            return running and bool(client_state.claim_word())
        case "take_back", _:
            return running and not settling and not isinstance(client_state.game, Chance)
        case "adjourn", _:
            return playing
        case (("accept" | "decline"), _):
            return bool(client_state.offers.theirs) and up and seated
        case "seat", _:
            return client_state.displaced and not up
        case "again", _:
            return over and not client_state.offers.theirs
        case _:
            return True
