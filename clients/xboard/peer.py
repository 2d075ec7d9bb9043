"""Remembers what the peer has told, and writes the lines that go there.

The copy of the remote GUI's state that the protocol asks for: rule set, position, moves, time control. Source: H.G.
Muller's text of the peer-to-peer protocol.
"""

from __future__ import annotations

from typing import Final

from clients.xboard.game import Game, normal, same
from protocols.chess_p2p import messages as p2p

Level = tuple[int, float, float]
"""Moves per session (0: all, -1: per move), seconds, seconds after each move."""

OURS_BY: Final = "Boardgate"
"""A word in the greeting of all who know the words that are not in the document."""


class Peer:
    """The other end. ``lines`` are the messages to send, oldest first; nothing is kept while there is no connection."""

    def __init__(self) -> None:
        self.lines: list[p2p.Message] = []
        self.connected = False
        self.knows_ours = False
        self.is_server = False
        """True if it is a server, whose texts say themselves who speaks."""
        self.name = ""
        self.forget()

    def forget(self) -> None:
        """A new connection, or a new game there: nothing is known of the remote GUI."""
        self.game = Game()
        self.level: Level | None = None
        self.going = False

    @property
    def called(self) -> str:
        """The opponent's name, for a sentence."""
        return self.name or "Your opponent"

    def send(self, *messages: p2p.Message) -> None:
        """Send these, if there is a connection."""
        if self.connected:
            self.lines += messages

    def offer(self, message: p2p.Message, words: str) -> None:
        """Send one of our own words, and say it in words of everyday to a peer that may not know it."""
        self.send(message)
        if not self.knows_ours:
            self.send(p2p.Text(words))

    def send_state(self, game: Game, level: Level | None) -> None:
        """Tell all of the state of the GUI at this end."""
        self.send(p2p.New())
        if game.variant != Game().variant:
            self.send(p2p.Variant(game.variant))
        if game.start:
            self.send(p2p.SetBoard(game.start))
        if level is not None:
            self.send(p2p.Level(*level))
        self.send(*(p2p.Advanced(move) for move in game.moves))

    def fold(self, message: p2p.Message) -> None:
        """Follow the remote GUI."""
        match message:
            case p2p.New():
                level = self.level
                self.forget()
                self.level = level
            case p2p.Variant(name):
                self.game = Game(name)
            case p2p.SetBoard(fen):
                self.game = Game(self.game.variant, fen)
            case p2p.Advanced(move):
                self.game = self.game.played(normal(self.game, move) or move)
            case p2p.Undo():
                self.game = self.game.back(1)
            case p2p.Level(mps, tc, inc):
                self.level = (mps, tc, inc)
            case p2p.Go():
                self.going = True
            case p2p.Name(name):
                self.name = name
            case p2p.Result():
                self.going = False
        if isinstance(message, p2p.Hallo):
            self.is_server = message.text.startswith(f"{OURS_BY} ")
        if type(message) in p2p.OURS or (isinstance(message, p2p.Hallo) and OURS_BY in message.text):
            self.knows_ours = True


def differences(here: Game, level: Level | None, peer: Peer, *, started: bool = True) -> list[str]:
    """Why the game set up here and the one set up there cannot begin; nothing when they match.

    They match when they are the same but for the first move, which its side has made already; or will make, where the
    user here has not ``started`` yet.
    """
    there, found = peer.game, []
    longer, shorter = (here, there) if len(here.moves) > len(there.moves) else (there, here)
    if here.variant != there.variant:
        found.append(f"the rules are {there.variant}, not {here.variant}")
    elif len(here.moves) == len(there.moves) and same(here, there):
        found += ["both want the same side"] if started else []
    elif not same(longer.back(1), shorter):
        found.append("the positions differ")
    if level and peer.level and level != peer.level:
        found.append(f"the time is {time_words(peer.level)}, not {time_words(level)}")
    return found


def time_words(level: Level) -> str:
    """A time control for people: "5 min + 2 s", "40 moves in 5 min", "10 s a move"."""
    moves, main_s, increment_s = level
    if moves < 0:
        return f"{_duration(main_s)} a move"
    words = f"{moves} moves in {_duration(main_s)}" if moves else _duration(main_s)
    return f"{words} + {increment_s:g} s" if increment_s else words


def _duration(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 60 and seconds % 6 == 0 else f"{seconds:g} s"
