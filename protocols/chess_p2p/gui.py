"""The state of one chess GUI as the messages of the peer-to-peer protocol tell it, and whether two of them match.

Each end keeps such a copy of the other's GUI. Positions are compared as FENs, moves as words; what position a list of
moves leads to is not known here. Source: H.G. Muller's text of the protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.messages import Message
from protocols.chess_words.fen import same_position
from protocols.chess_words.text import to_move
from protocols.core.events import GameStarted, MoveMade

NORMAL: Final = "normal"

USUAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The position that New means."""

MOST_MOVES: Final = 6000
"""Moves that a copy keeps: longer than any game was, short enough that no peer can fill the memory with them."""

_CASTLING: Final = {"o-o": ("e1g1", "e8g8", "e1h1", "e8h8"), "o-o-o": ("e1c1", "e8c8", "e1a1", "e8a8")}


@dataclass(slots=True)
class GuiCopy:
    """One GUI's state: ``start`` is a FEN or "" for the variant's own, ``level`` None where none was told.

    ``undone`` is how many moves the copy has taken back before the GUI: its own Undo and Remove of them come later, or
    never.
    """

    variant: str = NORMAL
    start: str = ""
    moves: list[str] = field(default_factory=list)
    level: p2p.Level | None = None
    undone: int = field(default=0, compare=False)

    def take(self, message: Message) -> None:
        """Follow a change of the GUI's state; other messages change nothing."""
        match message:
            case p2p.Advanced(move=move) if len(self.moves) < MOST_MOVES:
                self.moves.append(move)
                self.undone = 0
            case p2p.New():
                self.variant, self.start, self.moves, self.undone = NORMAL, "", [], 0
            case p2p.Variant(name=name):
                self.variant, self.start, self.moves, self.undone = name.lower(), "", [], 0
            case p2p.SetBoard(fen=fen):
                self.start, self.moves, self.undone = fen, [], 0
            case p2p.Level():
                self.level = message
            case p2p.Undo():
                self._back(1)
            case p2p.Remove():
                self._back(2)

    def _back(self, plies: int) -> None:
        known = min(plies, self.undone)
        self.undone -= known
        del self.moves[max(0, len(self.moves) - plies + known) :]

    def told(self) -> list[Message]:
        """The messages that bring the copy at the other end to this state from any other."""
        messages: list[Message] = [p2p.New()]
        if self.variant != NORMAL:
            messages.append(p2p.Variant(self.variant))
        if self.start:
            messages.append(p2p.SetBoard(self.start))
        if self.level is not None:
            messages.append(self.level)
        return messages + [p2p.Advanced(move) for move in self.moves]

    @property
    def on_move(self) -> int:
        """The side on move: 0 White, 1 Black."""
        return (side_on_move(self.start) + len(self.moves)) % 2


def side_on_move(start: str) -> int:
    """The side on move in a FEN: 0 White, 1 Black; White where the text does not say."""
    return int(start.split()[1:2] == ["b"])


def lead(
    gui: GuiCopy, variant: str, positions: Sequence[GameStarted | MoveMade], moves: Sequence[str], usual: bool
) -> int | None:
    """The number of moves a GUI is ahead of a game (behind it: negative); None when it shows another game.

    ``positions`` are the events that led to the game's FENs, one more than ``moves``: the GUI may have begun at any of
    them. ``usual``: the first is the variant's own.
    """
    found: list[int] = []
    for ply, reached in enumerate(positions if gui.variant == variant else ()):
        if same_start(gui.start, reached.position) if gui.start else usual and ply == 0:
            rest = moves[ply:]
            common = min(len(rest), len(gui.moves))
            if same_moves(gui.moves[:common], rest[:common]):
                found.append(len(gui.moves) - len(rest))
    return min(found, key=abs, default=None)


def same_start(one: str, other: str) -> bool:
    """True if two start positions are the same; "" is the usual one of chess. What is no FEN is compared as text."""
    one, other = one or USUAL, other or USUAL
    if one.split()[:1] != other.split()[:1] and "~" not in one + other and "[" not in one + other:
        return False
    try:
        return same_position(one, other, exact=True)
    except ValueError:
        return one == other


def same_moves(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two lists of moves are the same, each written in its own way."""
    return len(one) == len(other) and all(map(same_move, one, other))


def same_move(one: str, other: str) -> bool:
    """True if two words are the same move: "e7e8Q" and "e7e8q", "O-O" and "e1g1"."""
    if one == other:
        return True
    one, other = (word.lower().replace("0", "o") for word in (one, other))
    if one in _CASTLING or other in _CASTLING:
        return one == other or one in _CASTLING.get(other, ()) or other in _CASTLING.get(one, ())
    return one == other or (to_move(one) is not None and to_move(one) == to_move(other))
