"""Follows the clocks of a game as the peer tells them, and sets the GUI's own to the same.

A server's clock decides; without a server each GUI keeps its own, and takes the peer's only when it has set up a
position, which makes it start its clocks anew. XBoard obeys an engine that sets its clocks when it was started with
``-firstPseudo`` or ``-secondPseudo`` and ignores it otherwise; other GUIs have no such word.
Source: H.G. Muller's text (time, otim), XBoard 4.9.1 (wtime, btime).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocols.core.time_text import span

DRIFT_S: Final = 10.0
"""Seconds by which the clocks may differ more than when the user was told last."""

SMALLEST: Final = 1
"""Centiseconds a GUI's clock is set to at least: only the peer says that a flag has fallen."""


@dataclass(slots=True)
class Clocks:
    """``user`` and ``opponent`` are the peer's word in centiseconds, as of ``at`` (seconds); None before there is one.

    ``deciding``: the peer is a server. ``unset``: the GUI's clocks are to be set. ``untold``: a takeback was agreed to,
    and the user has not been told the clocks since. ``told_s`` is how far the GUI was off when its user was told last.
    """

    user: int | None = None
    opponent: int | None = None
    at: float = 0.0
    deciding: bool = False
    unset: bool = False
    untold: bool = False
    told_s: float = 0.0

    def user_has(self, left: int, now: float) -> None:
        """The peer says what the user has left; what the opponent has follows."""
        self.user, self.opponent, self.at = left, None, now

    def opponent_has(self, left: int) -> None:
        """The peer says what the opponent has left."""
        self.opponent = left
        self.unset = self.unset or self.deciding

    def user_moved(self, now: float, increment_s: float) -> None:
        """The user's clock stops, the opponent's starts."""
        if self.user is not None:
            self.user += round(100 * (increment_s - (now - self.at)))
            self.at = now

    def opponent_moved(self) -> None:
        """The GUI has stopped the opponent's clock, at what it showed itself."""
        self.unset = self.unset or self.deciding

    def started_anew(self) -> None:
        """The GUI has set up a position, and has put its clocks back to the whole time."""
        self.unset = True

    def taken_back(self) -> None:
        """A takeback was agreed to: the user is told the clocks with the peer's next word on them."""
        self.untold = True

    def forget(self) -> None:
        """No game is on: what was said of its clocks means nothing any more."""
        self.user = self.opponent = None
        self.unset = self.untold = False
        self.told_s = 0.0

    def to_set(self, now: float, *, users_turn: bool) -> tuple[int, int] | None:
        """The user's and the opponent's clock as the GUI must show them, once; None where nothing is to be set."""
        if not self.unset or self.user is None or self.opponent is None:
            return None
        self.unset = False
        gone = round(100 * (now - self.at))
        user, opponent = (self.user - gone, self.opponent) if users_turn else (self.user, self.opponent - gone)
        return max(SMALLEST, user), max(SMALLEST, opponent)

    def after_takeback(self, name: str) -> str:
        """The text about the clocks after a takeback, once; "" otherwise. ``name`` is the opponent's."""
        if not self.untold or self.user is None or self.opponent is None:
            return ""
        self.untold = False
        whose = "the table's clock" if self.deciding else f"the clock of {name}"
        return f"By {whose} you have {span(self.user / 100)} left, {name} {span(self.opponent / 100)}."

    def compared(self, shown: int, now: float, *, users_turn: bool) -> str:
        """The text for a user whose GUI shows so many centiseconds; "" while that is near enough."""
        if self.user is None:
            return ""
        left = self.user - (round(100 * (now - self.at)) if users_turn else 0)
        drift_s = abs(shown - left) / 100
        if drift_s <= self.told_s + DRIFT_S:
            return ""
        hint = "" if self.told_s else " Started with -firstPseudo (or -secondPseudo), XBoard shows that clock."
        self.told_s = drift_s
        whose = "the table's" if self.deciding else "the other end's"
        return f"By {whose} clock you have {span(max(0, left) / 100)} left.{hint}"
