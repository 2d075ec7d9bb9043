"""The widget that shows the clocks, each second anew. Not here: what they show (countdown.py), its words (panel.py)."""

from __future__ import annotations

from time import monotonic

from textual.widgets import Static

from gateway.clients import panel
from gateway.clients.countdown import Countdown
from gateway.clients.mirror import Mirror

SECOND_S = 1.0


class ClockView(Static):
    """Takes no room where nobody keeps time."""

    def __init__(self, mirror: Mirror, id: str) -> None:
        super().__init__(id=id, classes="gone")
        self._mirror = mirror
        self._countdown = Countdown()

    def on_mount(self) -> None:
        self.set_interval(SECOND_S, self.show)

    def show(self) -> None:
        """The clocks as they are now."""
        now_s = monotonic()
        self._countdown.hear(self._mirror.clock, now_s)
        shown = self._countdown.shown(now_s)
        self.set_class(not shown, "gone")
        self.update(panel.clocks(self._mirror, shown))
