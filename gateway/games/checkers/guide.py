"""The rules of checkers in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import Guide, RuleSet

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
)
