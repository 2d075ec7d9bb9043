"""The rules of checkers in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet
from protocols.core.model import Reason

GUIDE: Final = Guide(
    goal="Take all pieces of the other side, or leave it without a move.",
    play=(
        "Black begins. A man moves one square diagonally forward. It takes an enemy piece by jumping over it to the "
        "empty square behind, and goes on jumping while it can. Each jump is a move of its own here; your turn lasts "
        "until the piece cannot take any more.",
        "Who can take must take, but may choose which piece. A man that reaches the last row becomes a king and its "
        "turn is over. A king moves and takes backwards, too, one square at a time.",
    ),
    end=(
        "A player without a move has lost. When a position comes up for the third time, or after 40 moves of each side "
        "without a capture or a move of a man, either player may claim a draw. The fifth time it is one by itself.",
    ),
    rules={"english": RuleSet("English draughts")},
    moves=(
        "A move goes from a square to a square and names no piece. Each jump is a move of its own: the piece that was "
        "jumped over is told as a change of the board, and so is a man that became a king. While the piece that jumped "
        "can jump again its seat stays to move and may move nothing else.",
        "Squares of moves are counted over all 64 squares, light ones too, from 0 at the top left. The numbers from 1 "
        "to 32 are names, for people.",
    ),
    notation=(
        'The numbers of the two squares as PDN writes them: "9-14" for a step, "1x10" for a jump. A word of several '
        'jumps, "1x10x19" or "1x19", makes all of them.',
    ),
    ends=(
        End("black cannot move", "Black, to move, has no piece or no legal move: White has won."),
        End("white cannot move", "White, to move, has no piece or no legal move: Black has won."),
        End("fifth repetition", "A position has come up for the fifth time with the same seat to move: a draw."),
        End(
            "third repetition",
            "A position has come up for the third time with the same seat to move: a draw, when a player claims it.",
            reason=Reason.CLAIM,
        ),
        End(
            "forty moves without progress",
            "Both sides have made 40 moves without a capture or a man's move: a draw, when a player claims it.",
            reason=Reason.CLAIM,
        ),
    ),
)
