"""What a Go GUI has told and been told over GTP, so far as a server must hear it again on a new connection.

The server knows the table, but not what this GUI knows of it: the settings and every move are said once more, which
changes nothing there. Not here: connections (gtp_pipe.py), rules.
"""

from __future__ import annotations

from typing import Final

from protocols.gtp.codec import Command

NEW_BOARD: Final = ("boardsize", "clear_board")
"""What begins another game, as far as one has begun."""

_KINDS: Final = {
    "boardsize": "size",
    "komi": "komi",
    "kgs-rules": "rules",
    "time_settings": "time",
    "kgs-time_settings": "time",
    "fixed_handicap": "handicap",
    "place_free_handicap": "handicap",
    "set_free_handicap": "handicap",
}
"""Of each kind the last one counts; the size is said first, for handicap stones stand on it."""

OBSERVE: Final = "boardgate-observe"
"""What shows a game of others until a new board."""

GENMOVE: Final = ("genmove", "kgs-genmove_cleanup")


class Memory:
    """``moves`` are those the GUI knows, as commands: the opponent's too, whom genmove told."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self._set_up: dict[str, str] = {}
        self._observed = ""

    def note(self, command: Command, text: str) -> bool:
        """Take in a command that was answered with "=" and this text; whether that left a game that had begun."""
        name = command.name
        left = name in NEW_BOARD and bool(self.moves)
        if name in NEW_BOARD:
            self.forget_moves()
            self._set_up.pop("handicap", None)
        if name == OBSERVE:
            self.moves, self._observed = [], _words(command)
        if name in _KINDS:
            self._set_up[_KINDS[name]] = _words(command)
        elif name == "play" and len(command.arguments) == 2:
            self._moved(*command.arguments)
        elif name in GENMOVE and command.arguments:
            self._moved(command.arguments[0], text)
        elif name == "undo" and self.moves:
            self.moves.pop()
        return left

    def _moved(self, colour: str, vertex: str) -> None:
        if vertex.lower() != "resign":
            self.moves.append(f"play {colour} {vertex}")

    def again(self) -> list[str]:
        """All of it as commands, in the order in which a server takes them."""
        first = sorted(self._set_up, key=lambda kind: (kind == "handicap", kind != "size"))
        observed = [self._observed] if self._observed else []
        return [*(self._set_up[kind] for kind in first), *observed, *self.moves]

    def forget_moves(self) -> None:
        """The game is not there any more."""
        self.moves, self._observed = [], ""


def _words(command: Command) -> str:
    return " ".join((command.name, *command.arguments))
