"""A Miniature client that answers every move with a legal one, by the rules of python-chess."""

from __future__ import annotations

import random

import chess

from tests.conformance.chess_players import Lines


class Replier:
    """Takes whatever game is proposed, with the side that is left. ``board`` is the game as it was told."""

    def __init__(self, port: int, name: str, seed: int = 1) -> None:
        self.lines = Lines(port)
        self.board = chess.Board()
        self._chance = random.Random(seed)
        self.lines.until("welcome ")
        self.lines.say(f"tell gateway name {name}", "play")

    def hears(self) -> str:
        """The other side's next move, in coordinates, or the result; what is told with it is checked."""
        told = self.lines.until("move ", "result ")
        if told.startswith("result "):
            return told
        text, _, position = told.removeprefix("move ").partition("; fen ")
        plain = text.replace("-", "").replace("=", "").lower()
        move = self.board.parse_san(text) if text.startswith("O") else self.board.parse_uci(plain)
        self.board.push(move)
        assert position.split()[:2] == self.board.fen().split()[:2]
        return move.uci()

    def moves(self, text: str = "") -> str:
        """Make this move, or any; it is told in the draft's form."""
        move = self.board.parse_uci(text) if text else self._chance.choice(list(self.board.legal_moves))
        self.board.push(move)
        plain = move.uci()
        promotion = f"={plain[4].upper()}" if plain[4:] else ""
        self.lines.say(f"move {plain[:2]}-{plain[2:4]}{promotion}; fen {' '.join(self.board.fen().split()[:2])}")
        return plain

    def plays_to_the_end(self) -> str:
        """Answer until the game is over; "1-0", "0-1" or "1/2-1/2"."""
        while True:
            heard = self.hears()
            if heard.startswith("result "):
                return heard.split()[1]
            if not self.board.is_game_over():
                self.moves()

    def close(self) -> None:
        self.lines.close()
