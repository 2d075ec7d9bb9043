"""A player of chess who speaks Bogaprot: squares from the top left, words for what the document has no message for."""

from __future__ import annotations

from typing import Final

from tests.conformance.chess_players import ChessPlayer
from tests.conformance.spec_client import SpecClient

FILES: Final = "abcdefgh"
BACK: Final = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
USUAL: Final = {
    **{at: f"black {piece}" for at, piece in enumerate(BACK)},
    **{8 + at: "black pawn" for at in range(8)},
    **{48 + at: "white pawn" for at in range(8)},
    **{56 + at: f"white {piece}" for at, piece in enumerate(BACK)},
}
"""The start position, which every client of chess knows."""


def place(square: str) -> int:
    """Where "e4" is, counted row by row from the top left, as Bogaprot counts."""
    return 8 * (8 - int(square[1])) + FILES.index(square[0])


class BogaprotPlayer(ChessPlayer):
    """A client of Bogaprot that knows the words for what its document has no message for."""

    dialect = "bogaprot"
    listener = "bogaprot,bot_after=never"
    asks_for_time = False

    def sit(self, white: bool, first: str, seconds: int = 300) -> None:
        """Whatever the other proposes is right; among Bogaprot players somebody must ask for a clock."""
        self.client = SpecClient(self.port, USUAL)
        time = f"&time={seconds}" if self.asks_for_time else ""
        assert self.client.handshake(f"chess?name={self.name}{time}") == ("RSP_HANDSHAKE", 0)

    def begin(self) -> None:
        self.client.until("MSG_START")

    def move(self, move: str) -> None:
        self.client.move(place(move[:2]), place(move[2:4]))
        assert self.client.until("RSP_MOVE") == ("RSP_MOVE", 0)
        self.hears(move)  # "A client's own move is also echoed back using this message"

    def hears(self, move: str) -> None:
        while (told := self.client.until("MSG_MOVE"))[1:3] != (place(move[:2]), place(move[2:4])):
            assert told[1] == -1 or told[2] == -1, f"{told}, not {move}"

    def asks(self, what: str) -> None:
        self._word(what)

    def hears_ask(self, what: str) -> None:
        self._hears_word(what)

    def agrees(self, what: str) -> None:
        self._word("accept")

    def adjourned(self) -> None:
        self._hears_word("adjourned")

    def resumes(self) -> None:
        self._word("resume")

    def resumed(self, on_move: bool) -> None:
        self.client.until("REQ_MOVE")

    def ended(self) -> str:
        (winner,) = self.client.until("MSG_GAMEOVER")[1:]
        assert isinstance(winner, int)
        return "1/2-1/2" if winner < 0 else ("1-0", "0-1")[winner]

    def close(self) -> None:
        self.client.close()

    def _word(self, text: str) -> None:
        self.client.move(-1, -1, text)
        assert self.client.until("RSP_MOVE") == ("RSP_MOVE", 0)

    def _hears_word(self, text: str) -> None:
        while not ((told := self.client.until("MSG_MOVE"))[1:3] == (-1, -1) and str(told[3]).startswith(text)):
            pass
