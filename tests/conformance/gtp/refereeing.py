"""A GUI's loop: one player asks for its moves here, the other's come from the server; until both agree on the end."""

from __future__ import annotations

from typing import Final

from tests.conformance.gtp.ends import End

LONGEST_GAME: Final = 700

COLOURS: Final = ("black", "white")


def play(here: End, there: End, side: int, first: int = 0, known: int = 0) -> str:
    """Play ``here``'s side (0 Black) against ``there`` from its move on; the result that ``there`` tells.

    After two passes the list of the opponent behind ``there`` is agreed to; where it plays on, so do we.
    """
    passes, turn = 0, first
    for _ in range(LONGEST_GAME):
        answer = _turn(here, there, side, turn)
        if answer.startswith("?") or answer == "= resign":
            return there.asks("final_score").removeprefix("= ")
        passes = passes + 1 if answer.lower() == "= pass" else 0
        turn = 1 - turn
        if passes == 2:
            score = there.asks("final_score")
            if score.startswith("= "):
                return score.removeprefix("= ")
            passes = 0
    raise AssertionError("a game without end")


def _turn(here: End, there: End, side: int, turn: int) -> str:
    """One move; what was answered to genmove, or why it could not be played."""
    colour = COLOURS[turn]
    asked, told = (here, there) if turn == side else (there, here)
    answer = asked.asks(f"genmove {colour}")
    if not answer.startswith("= ") or answer == "= resign":
        if asked is here:
            told.asks(f"play {colour} resign")
        return answer
    said = told.asks(f"play {colour} {answer.removeprefix('= ')}")
    return answer if said == "=" else said
