"""The rules of hnefatafl in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet
from protocols.core.model import Reason

COPENHAGEN: Final = ("copenhagen",)
REPEATED: Final = ("copenhagen", "tablut", "brandubh")

GUIDE: Final = Guide(
    goal="The defenders bring their king away from the middle of the board; the attackers, twice as many, take him.",
    play=(
        "Pieces move along rows and columns over empty squares, as far as they like. A soldier is taken when an "
        "enemy moves so that it stands between two of them. Moving in between two enemies is safe.",
        "The square in the middle is the throne. Only the king may stand there; others pass over it while it is "
        "empty. An empty throne, and in some rule sets a corner, takes part in captures like an enemy.",
    ),
    end=(
        "The defenders win when the king is away, as each rule set says. The attackers win by taking him. A player "
        "without a move has lost. When a position comes up for the third time, the attackers may claim the game; the "
        "fifth time the defenders lose by themselves.",
    ),
    rules={
        "copenhagen": RuleSet(
            "Copenhagen",
            (
                "The king escapes to a corner. He is taken by attackers on all four sides, never at the edge; the "
                "empty throne counts as one. Corners are his alone.",
                "A row of enemies at the edge is taken as a whole when each has an enemy before it and both ends are "
                "closed (shieldwall). The defenders win by a fort at the edge that cannot be broken with the king in "
                "it, the attackers by a ring around all defenders.",
            ),
        ),
        "tablut": RuleSet(
            "Tablut",
            (
                "The king escapes to any square of the edge. On the throne he is taken from four sides, beside it "
                "from the three others, elsewhere by two like a soldier.",
            ),
        ),
        "brandubh": RuleSet(
            "Brandubh",
            ("The small board. The king escapes to a corner, and is taken as in Tablut. Corners are his alone.",),
        ),
        "ggzboard": RuleSet(
            "GGZBoard's",
            (
                "The defenders begin. Every piece steps one square; a soldier may also jump over the throne. The "
                "king escapes to a corner and is taken on all four sides, where edge, empty throne and empty corner "
                "count as attackers. Nothing forbids a repetition.",
            ),
        ),
    },
    moves=(
        "A move goes from a square to a square and names no piece. The king is the defenders' piece. What is taken is "
        "told as changes of the board.",
    ),
    notation=(
        'The two squares with "-" between them, and behind "x" each piece that is taken: "d4-d7", "d4-d7xd8xc7". What '
        "is taken may be left out.",
    ),
    ends=(
        End("king captured", "The attackers have taken the king, and have won."),
        End("king escaped", "The king has reached a square that he must reach: the defenders have won."),
        End(
            "exit fort",
            "The king stands at the edge in a fort that cannot be broken: the defenders have won.",
            COPENHAGEN,
        ),
        End("defenders encircled", "Attackers surround all defenders: they have won.", COPENHAGEN),
        End("no legal move", "The side to move has no legal move, and has lost."),
        End("perpetual repetition", "A position has come up for the fifth time: the attackers have won.", REPEATED),
        End(
            "perpetual repetition",
            "A position has come up for the third time: the attackers have won, when they claim it.",
            REPEATED,
            Reason.CLAIM,
        ),
    ),
)
