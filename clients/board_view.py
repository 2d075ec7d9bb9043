"""Textual widgets: the board, which says which square was pressed, and the clocks, each second anew."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from clients import panel
from clients.client_state import ClientState
from clients.countdown import Countdown
from clients.drawing import Scene, layout, line


class BoardView(Widget, can_focus=True):
    """Draws ``scene``. Posts Pressed for a click or Enter, Stepped for an arrow key, Jumped for the next useful one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(0,-1)", show=False),
        Binding("down,j", "step(0,1)", show=False),
        Binding("left,h", "step(-1,0)", show=False),
        Binding("right,l", "step(1,0)", show=False),
        Binding("tab", "jump(1)", show=False),
        Binding("shift+tab", "jump(-1)", show=False),
        Binding("enter,space", "press", show=False),
    ]

    class Pressed(Message):
        """A square was pressed; None: the one under the cursor."""

        def __init__(self, square: int | None) -> None:
            super().__init__()
            self.square = square

    class Stepped(Message):
        """The cursor is to move by columns and rows of squares."""

        def __init__(self, columns: int, rows: int) -> None:
            super().__init__()
            self.columns = columns
            self.rows = rows

    class Jumped(Message):
        """The cursor is to move to the next (1) or previous (-1) square that is of use."""

        def __init__(self, way: int) -> None:
            super().__init__()
            self.way = way

    def __init__(self, scene: Scene, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene = scene

    def show(self, scene: Scene) -> None:
        """Draw this from now on."""
        if scene != self.scene:
            self.scene = scene
            self.refresh()

    def render_line(self, y: int) -> Strip:
        drawn = layout(self.scene, self.size.width, self.size.height)
        segments = [
            Segment(text, Style(color=colour or None, bgcolor=behind or None))
            for text, colour, behind in line(drawn, y)
        ]
        strip = Strip(segments).adjust_cell_length(self.size.width, self.rich_style)
        return strip.apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None:
            return
        square = layout(self.scene, self.size.width, self.size.height).square_at(at.x, at.y)
        if square is not None:
            self.post_message(self.Pressed(square))

    def action_step(self, columns: int, rows: int) -> None:
        turned = -1 if self.scene.flipped else 1
        self.post_message(self.Stepped(turned * columns, turned * rows))

    def action_jump(self, way: int) -> None:
        self.post_message(self.Jumped(way))

    def action_press(self) -> None:
        self.post_message(self.Pressed(None))


SECOND_S = 1.0


class ClockView(Static):
    """Takes no room without a clock."""

    def __init__(self, client_state: ClientState, id: str) -> None:
        super().__init__(id=id, classes="gone")
        self._client_state = client_state
        self._countdown = Countdown()

    def on_mount(self) -> None:
        self.set_interval(SECOND_S, self.show)

    def show(self) -> None:
        """The clocks as they are now."""
        now_s = monotonic()
        self._countdown.hear(self._client_state.clock, now_s)
        shown = self._countdown.shown(now_s)
        self.set_class(not shown, "gone")
        self.update(panel.clocks(self._client_state, shown))
